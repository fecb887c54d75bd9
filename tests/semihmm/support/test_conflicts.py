"""What an abstract says otherwise than its document, and the names that the document lacks."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from rewrite_models.wordnet_reader import open_wordnet
from semihmm.support.conflicts import KINDS, TOP, find_unsupported
from semihmm.support.locale_words import locale_words
from semihmm.support.pair_features import PairFeatures
from tests.semihmm.support.small_cases import small_cases


@pytest.fixture(scope="module")
def wordnet():
    """Return the WordNet of this machine."""
    try:
        return open_wordnet()
    except BadUsage as error:
        pytest.skip(str(error))


def text_of(sentences):
    return Text.from_sentences([sentence.split() for sentence in sentences.split(" | ")])


def findings_of(document, abstract, wordnet=None, sources=None, language="en"):
    """Find the findings where all sentences are sources, those with most common words first."""
    given = (text_of(one) if isinstance(one, str) else one for one in (document, abstract))
    pair = Pair("1", *given, language=language)
    if sources is None:
        sources = []
        for sentence in pair.abstract.sentences():
            shared = [len({*sentence} & {*one}) for one in pair.document.sentences()]
            sources.append(sorted(range(len(shared)), key=lambda n, s=shared: -s[n]))
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(pair.abstract)))))
    return find_unsupported(pair, features, sources, wordnet)


def conflicts_of(kind, *given, **more):
    """Return the conflicts, all of one kind: "ours / theirs"."""
    conflicts = findings_of(*given, **more).conflicts
    assert all(one.kind == kind for one in conflicts)
    return " and ".join(one.text.replace(": the document has ", " / ") for one in conflicts)


def unknown_words(document, abstract, wordnet=None, language="en"):
    """Return the numbers and names that the document lacks."""
    findings = findings_of(document, abstract, wordnet, language=language)
    return [text_of(abstract).tokens[n] for n in sorted(findings.unknown)]


REST = " | it rained on the fields and on the river for a day and a night ."
"""Where most words have capital letters, these tell no names."""


def each_of(kind):
    """Return the small cases of a kind as parameters of a test."""
    rows = small_cases(kind)
    return pytest.mark.parametrize(("document", "abstract", "found"), rows.values(), ids=rows)


@each_of("numbers")
def test_numbers(document, abstract, found):
    assert conflicts_of("number", document, abstract) == found


@each_of("names")
def test_names(wordnet, document, abstract, found):
    assert conflicts_of("name", document + REST, abstract, wordnet) == found


@each_of("unknown without WordNet")
def test_names_that_the_document_lacks(document, abstract, found):
    assert unknown_words(document, abstract) == found.split()


@each_of("unknown")
def test_names_that_the_document_lacks_beside_other_forms(wordnet, document, abstract, found):
    assert unknown_words(document + REST, abstract + REST, wordnet) == found.split()


INVENTED = st.sampled_from(["Karsavin", "Oblatov", "Wexbury", "KARSAVIN", "WEXBURY"])


@given(st.tuples(*[st.booleans()] * 4), INVENTED, INVENTED)
def test_a_name_takes_the_place_of_another_where_three_of_the_words_around_are_the_same(
    same, name, other
):
    before, behind = ("quick", "red"), ("met", "nobody")
    ours = [
        word if kept else f"{word}ish" for word, kept in zip((*before, *behind), same, strict=True)
    ]
    document = f"there the {before[0]} {before[1]} {other} {behind[0]} {behind[1]} as it rained ."
    abstract = f"today a {ours[0]} {ours[1]} {name} {ours[2]} {ours[3]} while snow fell ."
    expected = sum(same) >= 3 and name.lower() != other.lower()
    assert conflicts_of("name", document, abstract) == f"{name} / {other}" * expected


@pytest.mark.parametrize(
    ("document", "abstract", "unknown"),
    [
        (
            "The coach , who lost 12 games , has left the town of Leeds .",
            "The coach of Rusbridge lost 15 games and left Leeds for 3 days .",
            ["Rusbridge", "15"],
        ),
        # Wherever a name stands, WordNet tells it from another word.
        ("The mill has closed .", "Rusbridge has closed it .", ["Rusbridge"]),
        ("The mill has closed .", "Snow has closed it .", []),
    ],
)
def test_numbers_and_names_that_the_document_lacks_are_unknown(
    wordnet, document, abstract, unknown
):
    assert unknown_words(document, abstract, wordnet) == unknown


@pytest.mark.parametrize(("last", "unknown"), [("storm", ["Wexbury"]), ("", [])])
def test_capital_letters_tell_names_where_at_most_half_of_the_words_have_them(last, unknown):
    document = f"Mill of Chile , river of Leeds , town of Hull {last} ."
    assert unknown_words(document, "The old mill of Wexbury has closed .") == unknown


@pytest.mark.parametrize(
    ("document", "abstract"),
    [
        # All nouns have capital letters.
        (
            "Der Rat der Stadt hat die Mühle am Fluss für Gäste aus dem Norden verkauft .",
            "Der Rat hat das Haus am Fluss verkauft .",
        ),
        # The unit is in another language.
        ("die Quelle gibt 950 Liter her .", "( the spring gives 950 litres . )"),
    ],
)
def test_what_is_known_in_german(document, abstract):
    assert unknown_words(document, abstract, language="de") == []


PRICES = {
    "fr": ("L' école a coûté", "trois", "millions d' euros"),
    "es": ("La escuela costó", "tres", "millones de euros"),
}


@pytest.mark.parametrize("code", PRICES)
def test_a_preposition_stands_before_the_unit_of_a_scale(code):
    cost, three, unit = PRICES[code]
    found = conflicts_of("number", f"{cost} {three} {unit}", f"{cost} 4 {unit}", language=code)
    assert found == f"4 {unit} / {three} {unit}".replace("d' ", "d'")


def test_a_language_that_the_packages_lack():
    known = locale_words("und")
    assert known.cardinals == known.ordinals == known.scales == {}


def test_spans_are_those_of_the_texts():
    """They count tokens of the whole side."""
    document = "It rained . | The company leased the mill for 10 years ."
    abstract = "The mill is old . | The company leased the mill for twenty-five years ."
    (one,) = findings_of(document, abstract).conflicts
    assert one.abstract == (11, 13)
    assert one.document == (9, 11)


SCORE = "Rovers beat Town 4-1 in May ."


@pytest.mark.parametrize(
    ("document", "sources", "found"),
    [
        (f"{SCORE} | It rained .", [0], "3-1 / 4-1"),
        (f"{SCORE} | It rained .", [1], ""),
        (f"{SCORE} | It rained .", [], ""),
        ("It rained . | " * TOP + SCORE, [TOP, *range(TOP)], "3-1 / 4-1"),
        ("It rained . | " * TOP + SCORE, [*range(TOP + 1)], ""),
    ],
)
def test_only_the_best_sources_are_compared(document, sources, found):
    shown = conflicts_of("number", document, "Town lost 3-1 in May .", sources=[sources])
    assert shown == found


@pytest.mark.parametrize(
    ("document", "found"),
    [
        # The same unit anywhere confirms a number, another unit in a source only.
        ("The clinic lost 12 nurses . | It lost 30 nurses .", ""),
        ("The clinic lost 12 nurses and 30 beds .", ""),
        ("The clinic lost 12 nurses . | It lost 30 beds .", "30 / 12"),
    ],
)
def test_what_confirms_a_number(document, found):
    abstract = "The clinic lost 30 nurses ."
    assert conflicts_of("number", document, abstract, sources=[[0]]) == found


def test_a_date_elsewhere_confirms_a_year():
    document = "Songs of the band of Leeds came in 1967 . | It met in July 1965 ."
    abstract = "Songs of the band of Leeds came in 1965 ."
    assert conflicts_of("number", document, abstract, sources=[[0]]) == ""


_WORDS = """
    Miller Johnson David signed replaced beat lost to by was not never left out included won
    in of the 3-1 4-1 about more than 10 to 12 years year - old 15 July £3m 40 % third , . one
    eight-and-a-half Paris London France million and between '' open closed -- 1990s 000"""
WORDS = st.sampled_from(_WORDS.split())
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=4)


@given(SENTENCES)
def test_a_text_does_not_contradict_itself(wordnet, sentences):
    text = Text.from_sentences(sentences)
    findings = findings_of(text, text, wordnet)
    assert (findings.conflicts, findings.unknown) == ([], [])


@given(SENTENCES, SENTENCES)
def test_conflicts_of_any_texts_are_well_formed(wordnet, theirs, ours):
    document, abstract = Text.from_sentences(theirs), Text.from_sentences(ours)
    taken = []
    for kind, (start, end), (first, last), text in findings_of(
        document, abstract, wordnet
    ).conflicts:
        assert kind in KINDS
        assert 0 <= start < end <= len(abstract)
        assert 0 <= first < last <= len(document)
        assert text.replace(" ", "").startswith("".join(abstract.tokens[start:end]))
        taken += range(start, end)
    assert len(taken) == len({*taken})


@example(["\U0001d2c0", "5", "\U0001d2c0"])
@example(["A0A0b", "AAA\N{SUPERSCRIPT TWO}A"])
@given(st.lists(st.text(min_size=1).filter(lambda token: not token.isspace()), min_size=1))
def test_any_characters_have_atoms(tokens):
    text = Text.from_sentences([[token for token in tokens if token.split()]])
    side = PairFeatures(Pair("1", text, text), Alignment("1", (), ())).document
    assert all(side.words)
    assert {*side.tokens.tolist()} == {*range(len(text))}
    assert findings_of(text, text).conflicts == []
