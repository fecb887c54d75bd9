"""Support of an abstract of bounded length takes time in proportion to the numbers of the document.

So does reading words that are glued to each other, which languages write as one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from typing import NamedTuple

import pytest

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from semihmm.applications.support.conflicts import find_unsupported
from semihmm.applications.support.pair_features import PairFeatures
from tests import tiny_corpora
from tests.test_linear_time import grows_too_fast

COUNTED = [
    "{} cats left .",
    "{} % of cats left .",
    "$ {} went .",
    "{} years later it was {} .",
    "{}",
]
"""What stands around numbers: nouns, units, money, spans of time, nothing."""


class Sides(NamedTuple):
    """A pair whose document has many numbers, and all of its sentences as sources."""

    pair: Pair
    features: PairFeatures
    sources: list[list[int]]


def sides(sentences: Callable[[int], list[str]], abstract: list[str], size: int) -> Sides:
    pair = Pair("1", tiny_corpora.text(*sentences(size)), tiny_corpora.text(*abstract))
    features = PairFeatures(pair, Alignment("1", (), tuple(range(len(pair.abstract)))))
    places = [*range(len(pair.document.sentences()))]
    return Sides(pair, features, [places for _ in pair.abstract.sentences()])


def find(given: Sides) -> object:
    return find_unsupported(given.pair, given.features, given.sources, None)


def with_numbers(frame: str, size: int, step: int) -> list[str]:
    values = (str(17 + step * n) for n in range(2 * size))
    return [frame.format(next(values), next(values, "")) for _ in range(size)]


@pytest.mark.parametrize("step", [0, 7], ids=["one number", "many numbers"])
@pytest.mark.parametrize("frame", COUNTED)
def test_numbers_take_linear_time(frame, step):
    # Numbers that the document lacks are held against all that it has.
    abstract = [frame.format(10 * n + 3, n) for n in range(1000, 1020)]
    assert not grows_too_fast(
        find, lambda size: sides(lambda n: with_numbers(frame, n, step), abstract, size * 3 // 10)
    )


@pytest.mark.parametrize("word", ["three", "threehundred", "one", "12", "3-", "million", "May"])
def test_glued_words_take_linear_time(word):
    def glued(size):
        return ["".join(islice(cycle([word]), size))]

    assert not grows_too_fast(find, lambda size: sides(glued, ["It has 12 cats ."], size // 2))
