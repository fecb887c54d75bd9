"""Deletion and the greedy cover against their definitions, and the methods by name."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from corpus_tools.base.errors import BadPair
from corpus_tools.pairs import covers, extract_methods
from corpus_tools.pairs.covers import near_sentences
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts, positions
from corpus_tools.pairs.pair import ChosenExtracts, Extract, ExtractChoice
from semihmm import reference
from tests.tiny_corpora import story, text

pair = partial(story, "x")


def random_sides(random, words, sizes):
    """Return sides of so many sentences of up to six words."""
    lengths = (random.integers(0, 7, size) for size in sizes)
    return [[" ".join(random.choice(words, length)) for length in side] for side in lengths]


# By deletion


def from_scratch(document, abstract, keep):
    sentences, texts = (
        [tuple(word for word in sentence.split() if word != "the") for sentence in side]
        for side in (abstract, document)
    )
    return tuple(tuple(reference.extract(texts, sentence, keep)) for sentence in sentences)


def test_deletion_against_recomputation_from_scratch():
    for seed in range(45):
        random = np.random.default_rng(seed)
        # Few words, each its own stem, so that ties and empty sentences are common.
        words = ["the", "red", "green", "cat", "dog", "tree", "rock"][: random.integers(3, 8)]
        document, abstract = random_sides(random, words, random.integers(0, 10, 2))
        if seed >= 30:  # repeated sentences are deleted as if they were different
            document = random.choice(document or [""], 15).tolist()
        for keep in (1, 2, 3, 20):
            expected = from_scratch(document, abstract, keep)
            found = choose_extracts(pair(document, abstract), keep, "marcu")
            assert tuple(one.sentences for one in found) == expected


# By a greedy cover


def words_of(sentence: str) -> list[str]:
    return [word for word in sentence.split() if word != ","]


IGNORED = {"en": "the", "de": "der"}


def naive(document: list[str], sentence: str, keep: int, code: str) -> list[int]:
    """Choose with every weight computed anew; each word is its own stem."""
    sentences = [words_of(one) for one in document]

    def weight(word: str) -> float:
        idf = math.log((len(sentences) + 1) / (sum(word in one for one in sentences) + 0.5))
        return idf * (0.1 if word == IGNORED[code] else 1.0)

    def gain(number: int, covered: set[str]) -> float:
        held = set(words_of(sentence)) & set(sentences[number])
        weights = (weight(word) * (0.15 if word in covered else 1.0) for word in sorted(held))
        return round(sum(weights) / (len(sentences[number]) + 5.0) ** 0.2, 12)

    chosen: list[int] = []
    while len(chosen) < min(keep, len(sentences)):
        covered = {word for number in chosen for word in sentences[number]}
        left = [number for number in range(len(sentences)) if number not in chosen]
        gains = {number: gain(number, covered) for number in left}
        chosen.append(max(left, key=gains.__getitem__))
    return chosen


def test_the_cover_against_the_definition():
    """Where all sentences are taken, the best four have ranks of their own."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        words = np.array(["red", "green", "cat", "dog", "tree", "rock", "the", "der", ","])
        document, abstract = random_sides(random, words, random.integers(1, 9, 2))
        code = ("en", "de")[seed % 2]
        made = replace(pair(document, abstract), language=code)
        size = len(document)
        for keep in (0, 1, 3, size, 20):
            is_whole = not 0 < keep < size
            for sentence, chosen in zip(
                abstract, choose_extracts(made, keep, "cover"), strict=True
            ):
                best = naive(document, sentence, 4 if is_whole else keep, code)
                assert list(chosen.sentences) == ([*range(size)] if is_whole else sorted(best))
                ranks = [best.index(n) if n in best else len(best) for n in chosen.sentences]
                assert list(chosen.ranks) == ranks


# By a greedy cover of what is near


def test_near_sentences_are_those_that_a_loop_finds():
    for seed in range(20):
        # Few sentences are alike, so that some are far from all of these.
        likeness = np.random.default_rng(seed).random((2, 200)) ** 100 * [[1.0], [0.2]]
        alike = likeness.max(axis=0).tolist()
        near = near_sentences(likeness)
        for number in range(200):
            best = max(one - 0.01 * abs(place - number) for place, one in enumerate(alike))
            is_near = best >= 0.6 * max(alike) or number in likeness.argmax(axis=1)
            assert near.nearness[number] == pytest.approx(is_near * best / max(alike))
            between = (alike[number] - 0.3) / (0.6 - 0.3)
            assert near.counts[number] == pytest.approx(min(max(between, 0.0), 1.0))


def test_other_texts_behind_a_document_do_not_change_its_extracts():
    own = ["the grey cat sat on the mat", "a dog barked at it", "then rain fell on the dog"]
    others = ["the mat was sold", "snow fell in spring", "a cat is an animal", "birds sing loudly"]
    abstract = ["the cat sat on a mat", "rain fell on a dog"]
    both = pair(own, abstract), pair(own + 40 * others, abstract)
    alone, longer = (choose_extracts(one, 50, "near") for one in both)
    far = len(own) + 40
    assert all(max(one.sentences) < far for one in longer)
    for one in choose_extracts(both[1], 5, "near"):
        assert {*one.sentences} <= {*longer[0].sentences} and len({*one.sentences}) == 5
    for one, before in zip(longer, alone, strict=True):
        best = [chosen.sentences[chosen.ranks.index(0)] for chosen in (one, before)]
        assert best[0] == best[1]
    assert any(max(one.sentences) >= far for one in choose_extracts(both[1], 50, "cover"))


# All methods


def test_an_extract_that_a_pair_has_is_taken_if_it_was_chosen_so():
    story = pair(["rain fell", "a dog barked", "the cat sat"], ["the cat sat"])
    own = ChosenExtracts(ExtractChoice(1, "cover"), (Extract((0,), (0,)),))
    chosen = replace(story, extracts=own)
    assert choose_extracts(chosen, 1, "cover") == own.extracts
    for number, method in ((2, "cover"), (1, "marcu"), (1, "near")):
        assert choose_extracts(chosen, number, method) == choose_extracts(story, number, method)


@pytest.mark.parametrize(
    ("method", "bound", "most"),
    [
        ("marcu", "MOST_PRODUCTS", (4 + 2) * 4),
        ("marcu", "MOST_STEPS", 4 * 4 * 2),
        ("near", "MOST_PRODUCTS", 4 * 2),
        # Two sentences for each of two, among the three that hold "cat", and four.
        ("cover", "MOST_STEPS", 2 * 2 * (3 + 4)),
    ],
)
def test_a_pair_that_is_too_large_is_refused(monkeypatch, method, bound, most):
    story = pair(["a cat", "cat", "dogs bark", "the cat"], ["cat", "cat"])
    monkeypatch.setattr(covers, bound, most)
    expected = choose_extracts(story, 2, method)
    monkeypatch.setattr(extract_methods, "COSINES_AT_A_TIME", 1)
    assert choose_extracts(story, 2, method) == expected
    monkeypatch.setattr(covers, bound, most - 1)
    with pytest.raises(BadPair, match=r"pair 'x': .* document of 4 sentences .* abstract of 2 "):
        choose_extracts(story, 2, method)


def test_positions_of_extracts_are_taken_once_and_ascend():
    document = text("a b", "", "c", "d e f")
    assert positions(document, [(3,), (0, 3), ()]).tolist() == [0, 1, 3, 4, 5]
    assert positions(document, []).shape == (0,)


@pytest.mark.parametrize("method", EXTRACT_METHODS)
def test_methods_give_sentences_in_order_and_all_where_none_are_left_out(method):
    story = pair(["rain fell", "a dog barked", "the cat sat"], ["the cat sat", "a dog, and rain"])
    for chosen in choose_extracts(story, 2, method):
        assert len(chosen.sentences) == 2 and list(chosen.sentences) == sorted(chosen.sentences)
        assert chosen.ranks is None or sorted(chosen.ranks) == [0, 1]
    assert [one.sentences for one in choose_extracts(story, 0, method)] == [(0, 1, 2)] * 2
    assert [one.sentences for one in choose_extracts(story, 9, method)] == [(0, 1, 2)] * 2
