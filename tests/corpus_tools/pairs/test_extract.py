from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from corpus_tools.pairs.extract import extract
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text


def pair(document: list[str], abstract: list[str]) -> Pair:
    return Pair("x", text(document), text(abstract))


def text(sentences: list[str]) -> Text:
    return Text.from_sentences([sentence.split() for sentence in sentences])


def squared_cosine(one: Counter, other: Counter) -> Fraction:
    dot = sum(one[word] * other[word] for word in one)
    squares = [sum(count**2 for count in bag.values()) for bag in (one, other)]
    return Fraction(dot**2, squares[0] * squares[1]) if all(squares) else Fraction(0)


def naive(document: list[str], sentence: str, keep: int) -> tuple[int, ...]:
    """Marcu's deletions, with everything recomputed from scratch in exact fractions."""
    left = list(range(len(document)))
    while len(left) > keep:
        without = {
            gone: squared_cosine(
                Counter(word for s in left if s != gone for word in document[s].split()),
                Counter(sentence.split()),
            )
            for gone in left
        }
        left.remove(max(left, key=lambda gone: (without[gone], gone)))
    return tuple(left)


def test_against_recomputation_from_scratch():
    for seed in range(60):
        random = np.random.default_rng(seed)
        # Few words, each its own stem, so that ties and empty sentences are common.
        words = np.array(["red", "green", "cat", "dog", "tree", "rock"][: random.integers(2, 7)])
        document, abstract = (
            [
                " ".join(random.choice(words, random.integers(0, 6)))
                for _ in range(random.integers(0, 10))
            ]
            for _ in range(2)
        )
        for keep in (1, 2, 3, 20):
            expected = tuple(naive(document, sentence, keep) for sentence in abstract)
            assert extract(pair(document, abstract), keep) == expected


def test_repeated_and_empty_sentences_are_deleted_as_if_they_were_different():
    for seed in range(30):
        random = np.random.default_rng(seed)
        sentences = ["", "red", "green cat", "red", "dog tree tree"][: random.integers(1, 6)]
        document = random.choice(sentences, random.integers(8, 20)).tolist()
        abstract = [*random.choice(sentences, 2).tolist(), "red dog", "rock"]
        for keep in (1, 4):
            expected = tuple(naive(document, sentence, keep) for sentence in abstract)
            assert extract(pair(document, abstract), keep) == expected
