"""Directions, seeds and heuristics with a made-up word aligner."""

from __future__ import annotations

import random
from importlib.util import find_spec

import pytest

from corpus_tools.alignments.alignment import from_word_links
from semihmm.baselines.word_aligners import (
    THOT_MODELS,
    Directed,
    WordAligner,
    number_words,
    symmetrized,
)
from tests.tiny_corpora import pair

needs_thot = pytest.mark.skipif(
    find_spec("thot") is None, reason="sil-thot is not installed: it comes with the extra test"
)
PAIRS = [pair("one", "the Dog walks", "a dog"), pair("two", "x y", "x")]


def links(run):
    return [
        {(link.document[0], link.abstract[0]) for link in alignment.phrases}
        for alignment in run.alignments
    ]


class First(WordAligner):
    """Links every target word to the first source word; takes no source of two words."""

    name = "first"

    def __init__(self):
        self.seen = []

    def links(self, source, target):
        self.seen.append((source, target))
        return [
            None if len(s) == 2 else [(0, t) for t in range(len(ts))]
            for s, ts in zip(source, target, strict=True)
        ]


def test_the_document_or_the_abstract_is_the_source():
    aligner = First()
    run = Directed(aligner, "document").run(PAIRS)
    assert links(run) == [{(0, 0), (0, 1)}, set()] and run.not_taken == 1
    run = Directed(aligner, "abstract").run(PAIRS)
    assert links(run) == [set(), {(0, 0), (1, 0)}] and run.not_taken == 1
    # Forms, not spellings: "dog" for "Dog".
    assert aligner.seen[1] == ([["a", "dog"], ["x"]], [["the", "dog", "walks"], ["x", "y"]])


GROW = pair("x", "a b c", "a b c d")


def joined(heuristic, *directions):
    both = (from_word_links("x", links, 4) for links in directions)
    alignment = symmetrized(heuristic, GROW, *both)
    return sorted((link.document[0], link.abstract[0]) for link in alignment.phrases)


@needs_thot
def test_the_heuristics_on_an_example_worked_by_hand():
    one, other = [(0, 0), (1, 1), (1, 2), (2, 3)], [(0, 0), (1, 1), (2, 2)]
    assert joined("intersection", one, other) == [(0, 0), (1, 1)]
    # (1, 2) is beside (1, 1) and gives column 2 its first link; (2, 2) and (2, 3) follow, each
    # beside the one before it.
    grown = [(0, 0), (1, 1), (1, 2), (2, 2), (2, 3)]
    assert joined("grow-diag-final-and", one, other) == grown
    # Far from all links: (2, 3) has two free words and comes at last, (2, 0) has not.
    assert joined("grow-diag-final-and", [(0, 0), (2, 3)], [(0, 0)]) == [(0, 0), (2, 3)]
    assert joined("grow-diag-final-and", [(0, 0), (2, 0)], [(0, 0)]) == [(0, 0)]


@needs_thot
@pytest.mark.parametrize("model", THOT_MODELS, ids=lambda model: model.name)
def test_thot_learns_a_dictionary_and_gives_each_target_word_one_source_word(model):
    generator = random.Random(0)
    source = [[f"s{n}" for n in generator.sample(range(8), 4)] for _ in range(60)]
    target = [[word.replace("s", "t") for word in sentence] for sentence in source]
    links_of_pairs = model.links(source, target)
    right = sum(set(sentence) == {(i, i) for i in range(4)} for sentence in links_of_pairs)
    assert right > 50


def test_numbers_stand_for_words_alike_on_both_sides():
    assert number_words([["a", "|||", "a b"]], [["a b", "c"]]) == [["0 1 2"], ["2 3"]]
