"""Alignment units and their batches, against their definitions, on random pairs."""

from dataclasses import replace
from itertools import chain, combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import PhraseLink, phrase_word_links
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.pair import ChosenExtracts, ExtractChoice, Pair
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Bracket
from semihmm.model import units as cut
from semihmm.model.decoding import in_original
from semihmm.model.settings import Settings
from tests.tiny_corpora import pair
from tests.tiny_vectors import vectors_of

SENTENCE = st.text("abcd", max_size=3).map(list)
NO_SENTENCES = st.lists(SENTENCE, max_size=0)
SENTENCES = NO_SENTENCES | st.lists(SENTENCE, min_size=2, max_size=5)


def made_pair(document, abstract):
    """Return a pair whose trees tell the numbers of the document's sentences."""
    trees = tuple([Bracket(f"S{n}", 0, len(words))] for n, words in enumerate(document))
    sides = Text.from_sentences(document), Text.from_sentences(abstract)
    return Pair("p", *sides, language="de", trees=trees)


def defined(whole, settings):
    """Return the id, abstract sentences, document sentences, and ranks of each unit of a pair.

    Sentences are numbers in the whole pair. Those without words are in no unit.
    """
    document, abstract = (
        {number: words for number, words in enumerate(side.sentences()) if words}
        for side in (whole.document, whole.abstract)
    )
    filled = made_pair([*document.values()], [*abstract.values()])
    extracts = choose_extracts(filled, settings.extract, settings.extract_method)
    numbers = [[[*document][number] for number in own.sentences] for own in extracts]
    ranks = [own.ranks for own in extracts]
    is_apart = settings.own_sentences and (settings.extract or settings.as_json()["fusion"])
    if not is_apart or (ranks[0] is None and (len(abstract) == 1 or not settings.extract)):
        return [("p", [*abstract], sorted({*chain(*numbers)}), None)]
    named = [f"p sentence {n + 1}" if len(abstract) > 1 else "p" for n in range(len(abstract))]
    return list(zip(named, ([own] for own in abstract), numbers, ranks, strict=True))


def words_of(side, numbers):
    """Return the offsets of the words of some sentences of a text."""
    bounds = list(pairwise(side.boundaries))
    return [word for number in numbers for word in range(*bounds[number])]


NAMES = ("extract", "extract_method", "own_sentences", "fusion")
VALUES = [*product([0, 1, 2, 2, 6], EXTRACT_METHODS, [False, True], [False, True])]
OVER_A_GAP, WITHOUT_RANKS = (2, "marcu", True, True), (0, "marcu", True, True)
SIX = (6, "near", True, True)


@given(SENTENCES, SENTENCES, st.sampled_from(VALUES), st.booleans())
@example([["a"], ["b"], ["c"]], [["b"], ["a", "c"]], OVER_A_GAP, False)
# Sentences after the fifth share a rank.
@example([[word] for word in "abcdefg"], [[*"abcdefg"]], SIX, False)
# Without an extract and ranks the sentences of an abstract stay together.
@example([["a"], ["b"]], [["a"], ["b"]], WITHOUT_RANKS, False)
def test_units_are_those_of_the_definition(document, abstract, values, are_chosen):
    """Extracts may have been chosen when the pair was read."""
    whole = made_pair(document, abstract)
    settings = Settings().changed(**dict(zip(NAMES, values, strict=True)))
    if are_chosen:
        choice = ExtractChoice(settings.extract, settings.extract_method)
        whole = replace(whole, extracts=ChosenExtracts(choice, choose_extracts(whole, *choice)))
    if not (whole.document.tokens and whole.abstract.tokens):
        (unit,) = cut.units_of(whole, settings)
        assert unit.original is whole
        assert len(unit.positions) == len(unit.pair.document) == len(unit.pair.abstract) == 0
        assert unit.outcome == ()
        assert not [*cut.units_for([whole], settings)]
        return
    found, expected = [*cut.units_for([whole], settings)], defined(whole, settings)
    assert [unit.last for unit in found] == [False] * (len(expected) - 1) + [True]
    every = whole.document.sentences()
    for unit, (id, told, numbers, ranks) in zip(found, expected, strict=True):
        assert unit.original is whole and unit.pair.language == "de"
        assert (unit.pair.id, unit.ranks) == (id, ranks)
        assert [*unit.abstract_range] == words_of(whole.abstract, told)
        own = slice(unit.begin, unit.abstract_range.stop)
        assert unit.pair.abstract.tokens == whole.abstract.tokens[own]
        assert unit.positions.tolist() == words_of(whole.document, numbers)
        assert unit.pair.document.sentences() == [every[number] for number in numbers]
        assert unit.pair.trees == tuple(whole.trees[number] for number in numbers)
        marks = [""] * len(numbers) if ranks is None else [f"#{min(r, 4) + 1}" for r in ranks]
        assert unit.roots == [f"ROOT{mark}" for mark in marks]
        phrases_keep_their_words(unit)


def phrases_keep_their_words(unit):
    """Check phrases in the offsets of the original texts: whole, or word by word over gaps."""
    whole, m = unit.original, len(unit.pair.abstract)
    for a, d in product({(0, m), (m - 1, m)}, combinations(range(len(unit.pair.document) + 1), 2)):
        link = PhraseLink(a, d, 0.5)
        own = phrase_word_links(link, unit.pair.document.tokens, unit.pair.abstract.tokens)
        links = in_original([link], unit)
        texts = whole.document.tokens, whole.abstract.tokens
        words = [phrase_word_links(one, *texts) for one in links]
        assert {*chain(*words)} == {(int(unit.positions[i]), unit.begin + t) for i, t in own}
        is_whole = bool((np.diff(unit.positions[slice(*d)]) == 1).all())
        assert len(links) == (1 if is_whole else len(own)) and links == sorted(links)
        assert {one.probability for one in links} == {0.5}


@pytest.mark.parametrize("at_once", [1, 2, 9])
def test_each_unit_has_its_own_trees_and_vectors_beside_pairs_without_words(monkeypatch, at_once):
    monkeypatch.setattr(cut, "UNITS_AT_ONCE", at_once)
    settings = Settings(rewrite=("stem", "embedding"))
    settings = settings.changed(jump="syntax", parser="trees", extract=1)
    assert not cut.need_only_texts(settings)
    one, empty = made_pair([["a"], ["b", "c"]], [["b"], ["a"]]), made_pair([], [["a"]])
    found = [*cut.cut_pairs([empty, one, empty, empty, one, empty], settings)]
    assert [unit.original for unit in found] == [empty, one, one, empty, empty, one, one, empty]
    for unit in found:
        labels = [tree[0].label for tree in unit.trees or ()]
        if unit.original is empty:
            assert unit.outcome == () and unit.trees is unit.vectors is None
        else:
            assert labels == (["S0#1"] if unit.last else ["S1#1"])
            whole = vectors_of(one)
            assert (unit.vectors.document == whole.document[unit.positions]).all()
            assert (unit.vectors.abstract == whole.abstract[unit.abstract_range]).all()


FEW, MOST_PAIRS, MOST_WORDS = 4, 6, 12


def equal_words(unit):
    """Count the word pairs of equal words; a unit with few word pairs has none."""
    document, abstract = unit.pair.document.tokens, unit.pair.abstract.tokens
    is_small = len(document) * len(abstract) < FEW and len(abstract) <= 2 * len(document)
    return 0 if is_small else sum(a == d for a, d in product(abstract, document))


TEXTS = st.text("ab", min_size=1, max_size=4)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=12))
def test_a_batch_is_full_with_its_last_unit_and_ends_before_one_with_too_many_equal_words(sides):
    units = [cut.extract_unit(pair(str(n), *map(" ".join, own)), 0) for n, own in enumerate(sides)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cut, "BATCH_WORDS", MOST_WORDS)
        patched.setattr(cut, "BATCH_CANDIDATES", MOST_PAIRS)
        patched.setattr(cut, "FEW_WORD_PAIRS", FEW)
        groups = [*cut.batched_units(units)]
    assert [*chain(*groups)] == units
    for group, following in zip(groups, [*groups[1:], None], strict=True):
        words = [len(unit.pair.document) for unit in group]
        equal = sum(map(equal_words, group))
        assert sum(words[:-1]) < MOST_WORDS and (len(group) == 1 or equal <= MOST_PAIRS)
        if following:
            assert sum(words) >= MOST_WORDS or equal + equal_words(following[0]) > MOST_PAIRS
