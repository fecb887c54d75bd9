"""What an abstract says otherwise than its document, and the names that the document lacks."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.support.conflicts import KINDS, find_unsupported
from semihmm.support.locale_words import locale_words
from semihmm.support.pair_features import PairFeatures, stem_of
from tests import tiny_corpora
from tests.semihmm.support.small_cases import check_small_cases

BEFORE = "it was . | it was . | "
"""Sentences without content words."""


def wherever_it_stands(find):
    """Find in two texts, behind other sentences, and in an abstract without its last stop."""

    def found(document, abstract):
        texts = (
            (document, abstract),
            (BEFORE + document, BEFORE + abstract),
            (document, abstract.removesuffix(" .")),
        )
        return " or ".join(dict.fromkeys(find(*both) for both in texts))

    return found


def findings_of(document, abstract, wordnet=None, sources=None, language="en"):
    """Find the findings where all sentences are sources, those with most common words first.

    Return the subtokens of the abstract as they are written, too.
    """
    texts = (
        tiny_corpora.text(*one.split(" | ")) if isinstance(one, str) else one
        for one in (document, abstract)
    )
    pair = Pair("1", *texts, language=language)
    if sources is None:
        sources = []
        for sentence in pair.abstract.sentences():
            shared = [len({*sentence} & {*one}) for one in pair.document.sentences()]
            sources.append(sorted(range(len(shared)), key=lambda n, s=shared: -s[n]))
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(pair.abstract)))))
    return find_unsupported(pair, features, sources, wordnet), features.abstract.shown


def conflicts_of(kind, *given, **more):
    """Return the conflicts, all of one kind: "ours / theirs"."""
    (conflicts, _), _ = findings_of(*given, **more)
    assert all(one.kind == kind for one in conflicts)
    return " and ".join(one.text.replace(": the document has ", " / ") for one in conflicts)


def unknown_words(document, abstract, wordnet=None, language="en"):
    """Return the numbers and names that the document lacks."""
    (_, unknown), shown = findings_of(document, abstract, wordnet, language=language)
    return " ".join(shown[n] for n in sorted(unknown))


REST = " | it rained on the fields and on the river for a day and a night ."
"""Where most words have capital letters, these tell no names."""


@pytest.mark.parametrize(("kind", "code"), [("", "en"), (" in fr", "fr"), (" in es", "es")])
def test_numbers(kind, code):
    find = partial(conflicts_of, "number", language=code)
    check_small_cases(f"numbers{kind}", wherever_it_stands(find))


def test_numbers_of_the_first_sentence():
    check_small_cases(
        "numbers of the first sentence", partial(conflicts_of, "number", sources=[[0]])
    )


def test_names(wordnet):
    def find(document, abstract):
        return conflicts_of("name", document + REST, abstract, wordnet)

    check_small_cases("names", wherever_it_stands(find))


@pytest.mark.parametrize(("kind", "code"), [("without WordNet", "en"), ("in de", "de")])
def test_numbers_and_names_that_the_document_lacks(kind, code):
    find = partial(unknown_words, language=code)
    check_small_cases(f"unknown {kind}", wherever_it_stands(find))


@pytest.mark.parametrize(("kind", "code"), [("", "en"), (" in es", "es")])
def test_names_that_the_document_lacks_beside_other_forms(wordnet, kind, code):
    def find(document, abstract):
        return unknown_words(document + REST, abstract, wordnet, language=code)

    check_small_cases(f"unknown{kind}", wherever_it_stands(find))


def test_a_name_is_the_same_in_two_forms_whichever_the_document_has(wordnet):
    def find(document, abstract):
        both = ((document + REST, abstract), (abstract + REST, document))
        return " and ".join(filter(None, (unknown_words(*texts, wordnet) for texts in both)))

    check_small_cases("forms of a name", find)


LONGER = "n an ian ns ans ians ese ish i is s es ic er ers in ism ist ists"
"""Endings of inhabitants, adjectives and plurals."""


@given(
    st.integers(3, 6), st.sampled_from([*LONGER.split(), "land", "a"]), st.sampled_from(["", "o"])
)
def test_a_name_stands_for_another_that_has_at_most_three_letters_more(letters, ending, last):
    stem = "Qexbrk"[:letters]
    assume(len(last) < len(ending) and stem_of[stem + last] != stem_of[stem + ending])
    known = letters >= 4 and ending in LONGER.split() and len(ending) - len(last) <= 3
    found = unknown_words(f"the mill of {stem}{last} .", f"the mill of {stem}{ending} .")
    assert found == f"{stem}{ending}" * (not known)


@given(st.integers(2, 6), st.integers(1, 12))
def test_the_first_half_of_a_name_stands_for_it(letters, more):
    name = "Qexbrkzwvdfgjlmnpt"
    found = unknown_words(
        f"the mill of {name[: letters + more]} .", f"the mill of {name[:letters]} ."
    )
    assert found == name[:letters] * (not 3 <= letters <= more)


INVENTED = st.sampled_from(["Karsavin", "Oblatov", "Wexbury", "KARSAVIN", "WEXBURY"])


@given(st.tuples(*[st.booleans()] * 4), INVENTED, INVENTED)
def test_a_name_takes_the_place_of_another_where_three_of_the_words_around_are_the_same(
    same, name, other
):
    around = "far {} {} {} {} {} here it rained ."
    words = ("quick", "red", "met", "nobody")
    ours = [word if kept else f"{word}ish" for word, kept in zip(words, same, strict=True)]
    document = around.format(*words[:2], other, *words[2:])
    abstract = around.format(*ours[:2], name, *ours[2:])
    expected = sum(same) >= 3 and name.lower() != other.lower()
    assert conflicts_of("name", document, abstract) == f"{name} / {other}" * expected


def test_a_language_that_the_packages_lack():
    known = locale_words("und")
    assert known.cardinals == known.ordinals == known.scales == {}


@given(st.integers(7, 13), st.booleans())
def test_three_words_within_ten_around_two_numbers_say_what_they_are_about(farthest, is_before):
    between = ["of"] * (farthest - 2 - (not is_before))

    def text(number):
        counted, about = [number, "homes"], ["tower", "river"]
        return " ".join([*about, *between, *counted] if is_before else [*counted, *between, *about])

    found = conflicts_of("number", text("12,345"), text("23,456"))
    assert found == "23,456 / 12,345" * (farthest <= 10)


def test_conflicts_stand_in_the_order_of_the_abstract_with_the_tokens_of_both_texts(wordnet):
    said = (
        "On Monday the coach Mike {} said he was glad . | The firm leased the mill for {} years ."
    )
    document = "It rained . | " + said.format("Rusbridge", "10") + REST
    abstract = said.format("Karsavin", "twenty-five")
    (conflicts, _), _ = findings_of(document, abstract, wordnet)
    assert [(one.kind, one.abstract, one.document) for one in conflicts] == [
        ("name", (5, 6), (8, 9)),
        ("number", (17, 19), (20, 22)),
    ]


def test_a_token_has_one_conflict(wordnet):
    """Its name is another one, and its number too."""
    said = "On Monday the coach Mike {} said he was glad ."
    (conflicts, _), _ = findings_of(
        said.format("Rusbridge-12"), said.format("Karsavin-25"), wordnet
    )
    assert [one.abstract for one in conflicts] == [(5, 6)]


SCORE = "Rovers beat Town 4-1 in May ."


@pytest.mark.parametrize(
    ("document", "sources", "found"),
    [
        (f"{SCORE} | It rained .", [0], "3-1 / 4-1"),
        (f"{SCORE} | It rained .", [1], ""),
        (f"{SCORE} | It rained .", [], ""),
        ("It rained . | " * 5 + SCORE, [0, 1, 2, 3, 5, 4], "3-1 / 4-1"),
        ("It rained . | " * 5 + SCORE, [5, 0, 1, 2, 3, 4], "3-1 / 4-1"),
        ("It rained . | " * 5 + SCORE, [0, 1, 2, 3, 4, 5], ""),
    ],
)
def test_only_the_best_five_sources_are_compared(document, sources, found):
    shown = conflicts_of("number", document, "Town lost 3-1 in May .", sources=[sources])
    assert shown == found


_WORDS = """
    Miller Johnson David signed replaced beat lost to by was not never left out included won
    in of the 3-1 4-1 about more than 10 to 12 years year - old 15 July £3m 40 % third , . one
    eight-and-a-half Paris London France million and between '' open closed -- 1990s 000"""
WORDS = st.sampled_from(_WORDS.split())
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=4)


@given(SENTENCES)
def test_a_text_does_not_contradict_itself(wordnet, sentences):
    text = Text.from_sentences(sentences)
    findings, _ = findings_of(text, text, wordnet)
    assert findings == ([], [])


@given(SENTENCES, SENTENCES)
def test_conflicts_of_any_texts_are_well_formed(wordnet, theirs, ours):
    document, abstract = Text.from_sentences(theirs), Text.from_sentences(ours)
    taken = []
    (conflicts, _), _ = findings_of(document, abstract, wordnet)
    for kind, (start, end), (first, last), text in conflicts:
        assert kind in KINDS
        assert 0 <= start < end <= len(abstract)
        assert 0 <= first < last <= len(document)
        assert text.replace(" ", "").startswith("".join(abstract.tokens[start:end]))
        taken += range(start, end)
    assert taken == sorted({*taken})


@example(["\U0001d2c0", "5", "\U0001d2c0"])
@example(["A0A0b", "AAA\N{SUPERSCRIPT TWO}A"])
@given(st.lists(st.text(min_size=1).filter(lambda token: not token.isspace()), min_size=1))
def test_any_characters_have_atoms(tokens):
    text = Text.from_sentences([[token for token in tokens if token.split()]])
    side = PairFeatures(Pair("1", text, text), Alignment("1", (), ())).document
    assert all(side.words)
    assert {*side.tokens.tolist()} == {*range(len(text))}
    (conflicts, _), _ = findings_of(text, text)
    assert conflicts == []
