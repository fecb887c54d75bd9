from __future__ import annotations

import numpy as np

from corpus_tools.pairs.extract_methods import extract
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm import reference


def pair(document: list[str], abstract: list[str]) -> Pair:
    return Pair("x", text(document), text(abstract))


def text(sentences: list[str]) -> Text:
    return Text.from_sentences([sentence.split() for sentence in sentences])


def from_scratch(
    document: list[str], abstract: list[str], keep: int
) -> tuple[tuple[int, ...], ...]:
    texts = [tuple(sentence.split()) for sentence in document]
    sentences = (tuple(sentence.split()) for sentence in abstract)
    return tuple(tuple(reference.extract(texts, sentence, keep)) for sentence in sentences)


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
            expected = from_scratch(document, abstract, keep)
            assert extract(pair(document, abstract), keep) == expected


def test_repeated_and_empty_sentences_are_deleted_as_if_they_were_different():
    for seed in range(30):
        random = np.random.default_rng(seed)
        sentences = ["", "red", "green cat", "red", "dog tree tree"][: random.integers(1, 6)]
        document = random.choice(sentences, random.integers(8, 20)).tolist()
        abstract = [*random.choice(sentences, 2).tolist(), "red dog", "rock"]
        for keep in (1, 4):
            expected = from_scratch(document, abstract, keep)
            assert extract(pair(document, abstract), keep) == expected
