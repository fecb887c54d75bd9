"""Texts and trees as arrays."""

from collections import Counter
from dataclasses import fields, replace
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.arrays import join_parts, sums_over, take_part
from corpus_tools.model_parts.encoding import Batch, totals_of
from corpus_tools.model_parts.text_arrays import DocumentSentences, Trees, WordIndexer
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.trees import UNKNOWN_LABEL, flat
from tests.examples import fuzz
from tests.tiny_corpora import batches, pair, story, vocabulary_of

KNOWN = [pair("1", "The dogs walk .", "Dogs walked ."), pair("2", "a cat", "CAT")]
NEW = [pair("3", "the fox WALKS", "Foxes walk a fox"), pair("4", "Dogs bark", "barking dogs")]


def held(vocabulary):
    """Return all that a vocabulary holds, in order."""
    maps = [[*one.items()] for one in (vocabulary.words, vocabulary.stems)]
    return *maps, vocabulary.stem_of.tolist(), vocabulary.forms, len(vocabulary)


def test_a_vocabulary_is_extended_as_if_all_were_numbered_at_once():
    """By texts, or by a vocabulary in place of its texts."""
    known, new = vocabulary_of(KNOWN), vocabulary_of(NEW)
    together = vocabulary_of(KNOWN + NEW)
    assert held(vocabulary_of(NEW, known)) == held(together)
    assert vocabulary_of(KNOWN, known) is known and held(known) == held(vocabulary_of(KNOWN))
    indexer = WordIndexer(known)
    numbers, joined = indexer.add(new), indexer.vocabulary()
    assert held(joined) == held(together)
    assert [joined.forms[number] for number in numbers] == list(new.forms)
    unseen = len(known)
    expected = [known.words.get(form, unseen) for form in new.forms]
    assert new.numbers_in(known).tolist() == [*expected, unseen]


def test_what_was_joined_is_taken_apart_again():
    inner = {"first": {"share": np.arange(3)}, "second": {"share": np.arange(4)}}
    parts = {"first": {"share": np.arange(2)}, "second": join_parts(inner)}
    for part, arrays in parts.items():
        np.testing.assert_equal(take_part(join_parts(parts), part), arrays)


def test_each_place_has_the_sum_of_the_ranges_over_it():
    rng = np.random.default_rng(2)
    begins = rng.integers(0, 40, 100)
    sizes = rng.integers(0, 50 - begins)
    weights = rng.random(100)
    expected = np.zeros(50)
    for begin, size, weight in zip(begins, sizes, weights, strict=True):
        expected[begin : begin + size] += weight
    np.testing.assert_allclose(sums_over(begins, sizes, weights, 50), expected, rtol=1e-13)
    assert sums_over(begins[:0], sizes[:0], weights[:0], 3).tolist() == [0.0, 0.0, 0.0]
    assert sums_over(begins[:1], np.array([2]), np.ones(1), 50).sum() == 2.0  # none of one place


STORIES = [
    story("1", ["The dogs", "walk ."], ["Dogs walked ."]),
    story("2", ["a Cat"], ["CAT cat", "a"]),
    story("3", ["x", "y z", "X Y"], ["z"]),
    story("4", ["Dogs", "bark"], ["x dogs"]),
]


def encoded(stories, size):
    """Return batches with all that a batch may have."""
    for batch in batches(stories, vocabulary_of(STORIES), size):
        own = [STORIES[int(id) - 1].document.boundaries for id in batch.ids]
        yield replace(
            batch,
            trees=Trees.flat([(bounds, ["ROOT"] * (len(bounds) - 1)) for bounds in own]),
            sentences=DocumentSentences.from_boundaries(
                [(bounds, [*range(len(bounds) - 1)][::-1]) for bounds in own]
            ),
        )


@fuzz(40)
@given(st.lists(st.sampled_from(range(4)), min_size=1, max_size=5))
def test_some_pairs_of_a_batch_are_as_a_batch_of_their_own(some):
    (whole,), (own,) = encoded(STORIES, 4), encoded([STORIES[index] for index in some], len(some))
    found = whole.select(some)
    assert (found.ids, found.vocabulary) == (own.ids, whole.vocabulary)
    names = {field.name for field in fields(Batch)} - {"ids", "vocabulary"}
    for name in names:
        np.testing.assert_equal(getattr(found, name), getattr(own, name), err_msg=name)


@pytest.mark.parametrize("size", [1, 3, 4])
def test_totals_are_those_of_all_texts_whatever_the_batches_are(size):
    totals = totals_of([*encoded(STORIES, size)])
    vocabulary = vocabulary_of(STORIES)
    words = Counter(map(normal_form, chain(*(one.abstract.tokens for one in STORIES))))
    expected = np.array([words[form] for form in vocabulary.forms])
    assert totals.abstract_counts.tolist() == expected[: expected.nonzero()[0][-1] + 1].tolist()
    assert totals.labels == tuple(sorted({"ROOT", UNKNOWN_LABEL}))
    turned = np.arange(len(vocabulary))[::-1]
    assert totals.renumbered(turned).abstract_counts.tolist() == expected[::-1].tolist()


PAIRS = [pair("1", "a b c d", "a"), pair("2", "e f g", "a")]


def test_sentences_begin_where_top_brackets_do():
    (batch,) = batches(PAIRS, vocabulary_of(PAIRS))
    assert batch.sentence_begins.tolist() == [0, 4]
    flat = Trees.flat([((0, 1, 4), ("ROOT",) * 2), ((0, 2, 3), ("ROOT",) * 2)])
    assert replace(batch, trees=flat).sentence_begins.tolist() == [0, 1, 4, 6]
    nested = Trees.from_brackets(
        [
            [[("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("V", 1, 2)], [("NP", 3, 4)]],
            [[("S", 0, 3), ("S", 0, 3), ("NP", 0, 2)]],
        ]
    )
    assert replace(batch, trees=nested).sentence_begins.tolist() == [0, 3, 4]


DOCUMENTS = [(0, 3, 4), (0, 2, 3, 5, 6), (0, 1), (0, 4)]
"""Boundaries of sentences."""


@pytest.mark.parametrize("documents", [DOCUMENTS, DOCUMENTS[1:2], [(0, 1), (0, 2)]])
@pytest.mark.parametrize("kinds", [1, 3])
def test_flat_trees_are_those_of_their_brackets(documents, kinds):
    flats = []
    brackets = []
    for bounds in documents:
        flats.append((bounds, [f"ROOT{number % kinds}" for number in range(len(bounds) - 1)]))
        trees = [flat(end - start) for start, end in pairwise(bounds)]
        named = zip(trees, flats[-1][1], strict=True)
        brackets.append([[tree[0]._replace(label=root), *tree[1:]] for tree, root in named])
    trees, expected = Trees.flat(flats), Trees.from_brackets(brackets)
    np.testing.assert_equal(trees._asdict(), expected._asdict())
    assert [one.dtype for one in trees[1:]] == [other.dtype for other in expected[1:]]
