"""What an abstract says otherwise than its document, and the names that the document lacks."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.applications.support.conflicts import find_unsupported
from semihmm.applications.support.pair_features import PairFeatures
from tests import tiny_corpora
from tests.examples import fuzz
from tests.installed import need_wordnet
from tests.semihmm.applications.support.answered import answered
from tests.test_linear_time import grows_too_fast

BEFORE = "it was . | it was . | "
"""Sentences without content words."""


def compared(document, abstract, sources=None, language="en"):
    """Return a pair, its features, and all sentences as sources, of most common words first."""
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
    return pair, features, sources


def told_of(document, abstract, wordnet, **more):
    """Return conflicts ("ours / theirs"), unknown words, and where no names are compared."""
    given = compared(document, abstract, **more)
    conflicts, unknown, named = find_unsupported(*given, wordnet)
    assert {one.kind for one in conflicts} <= {"number"}
    told = " and ".join(one.text.replace(": the document has ", " / ") for one in conflicts)
    words = " ".join(given[1].abstract.shown[n] for n in sorted(unknown))
    own = named[2 * abstract.startswith(BEFORE) :]
    unnamed = ", ".join(str(n) for n, is_named in enumerate(own, 1) if not is_named)
    said = {"unknown": words, "no names in": unnamed}
    return "; ".join(filter(None, [told, *(f"{name} {own}" for name, own in said.items() if own)]))


def wherever_it_stands(wordnet, options, *texts):
    """Return what is told of two texts, behind other sentences too, and without a last stop."""
    code, *more = options.split(", ")
    frame = next((one for one in more if "{}" in one), "{}")
    document, abstract = (frame.format(text) for text in texts)
    places = [(f"{document} .", f"{abstract} ."), (f"{document} .", abstract)]
    if "both ways" in more:
        places.append((f"{abstract} .", f"{document} ."))
    sources = [[0]] if "first sentence" in more else None
    if sources is None:
        places.append((f"{BEFORE}{document} .", f"{BEFORE}{abstract} ."))
    told = [told_of(*both, wordnet, sources=sources, language=code) for both in places]
    return " or ".join(dict.fromkeys(told))


@pytest.mark.parametrize("table", ["findings.txt", "findings_with_wordnet.txt"])
def test_findings_are_as_they_were_looked_at(table, looked_at):
    wordnet = need_wordnet() if "wordnet" in table else None
    found = answered(__file__, table, partial(wherever_it_stands, wordnet))
    assert found == looked_at(table, found)


@given(st.integers(7, 13), st.booleans())
def test_three_words_within_ten_around_two_numbers_say_what_they_are_about(farthest, is_before):
    between = ["of"] * (farthest - 2 - (not is_before))

    def text(number):
        counted, about = [number, "homes"], ["tower", "river"]
        return " ".join([*about, *between, *counted] if is_before else [*counted, *between, *about])

    told = told_of(text("12,345"), text("23,456"), None)
    assert told.startswith("23,456 / 12,345") == (farthest <= 10)


SCORES = "It rained . | " * 5 + "Rovers beat Town 4-1 in May .", "Town lost 3-1 in May ."


@fuzz(20)
@given(st.permutations(range(6)), st.integers(0, 6))
def test_only_the_best_five_sources_are_compared(order, known):
    told = told_of(*SCORES, None, sources=[order[:known]])
    assert told.startswith("3-1 / 4-1") == (5 in order[: min(known, 5)])


_WORDS = """
    Miller Johnson David signed replaced beat lost to by was not never left out included won
    in of the 3-1 4-1 about more than 10 to 12 years year - old 15 July £3m 40 % third , . one
    eight-and-a-half Paris London France million and between '' open closed -- 1990s 000"""
WORDS = st.sampled_from(_WORDS.split())
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=4)


@fuzz(50)
@given(SENTENCES)
def test_a_text_does_not_contradict_itself(wordnet, sentences):
    text = Text.from_sentences(sentences)
    assert find_unsupported(*compared(text, text), wordnet)[:2] == ([], [])


@fuzz(50)
@given(SENTENCES, SENTENCES)
def test_conflicts_of_any_texts_are_well_formed(wordnet, theirs, ours):
    document, abstract = Text.from_sentences(theirs), Text.from_sentences(ours)
    taken = []
    conflicts, *_ = find_unsupported(*compared(document, abstract), wordnet)
    for kind, (start, end), (first, last), text in conflicts:
        assert kind == "number"
        assert 0 <= start < end <= len(abstract)
        assert 0 <= first < last <= len(document)
        assert text.replace(" ", "").startswith("".join(abstract.tokens[start:end]))
        taken += range(start, end)
    assert taken == sorted({*taken})


@fuzz(50)
@example(["\U0001d2c0", "5", "\U0001d2c0"])
@example(["A0A0b", "AAA\N{SUPERSCRIPT TWO}A"])
@given(st.lists(st.text(min_size=1).filter(lambda token: not token.isspace()), min_size=1))
def test_any_characters_have_atoms(tokens):
    text = Text.from_sentences([[token for token in tokens if token.split()]])
    side = PairFeatures(Pair("1", text, text), Alignment("1", (), ())).document
    assert all(side.words)
    assert {*side.tokens.tolist()} == {*range(len(text))}
    assert find(compared(text, text)).conflicts == []


# Support of an abstract of bounded length takes time in proportion to the numbers of the document,
# and so does reading words that are glued to each other, which languages write as one.


def find(given):
    return find_unsupported(*given, None)


COUNTED = ["{} cats left .", "{} % of cats left .", "$ {} went .", "{} years later it was {} ."]
"""What stands around numbers: nouns, units, money, spans of time."""


@pytest.mark.parametrize("step", [0, 7], ids=["one number", "many numbers"])
@pytest.mark.parametrize("frame", [*COUNTED, "{}"])
def test_numbers_take_linear_time(frame, step):
    # Numbers that the document lacks are held against all that it has.
    abstract = tiny_corpora.text(*(frame.format(10 * n + 3, n) for n in range(1000, 1020)))

    def given(size):
        firsts = (17 + 2 * step * n for n in range(size * 3 // 10))
        document = tiny_corpora.text(*(frame.format(one, one + step) for one in firsts))
        return compared(document, abstract, [[*range(size * 3 // 10)]] * 20)

    assert not grows_too_fast(find, given)


@pytest.mark.parametrize("word", ["three", "threehundred", "one", "12", "3-", "million", "May"])
def test_glued_words_take_linear_time(word):
    def glued(size):
        return compared(word * (size // 4), "It has 12 cats .")

    assert not grows_too_fast(find, glued)
