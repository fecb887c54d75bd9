"""What the base class of parts does with their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from corpus_tools.plugins.model_part import (
    START_WORDS,
    BadArray,
    Corpus,
    ModelPart,
    check_arrays,
    numbers,
    open_shares,
    optional,
    positive,
    texts,
)
from corpus_tools.plugins.options import Options, option
from tests.tiny_corpora import batches, pair, vocabulary_of


@dataclass(frozen=True)
class Choices(Options):
    rows: int = option(2, "a number")
    path: str | None = option(None, "a text", kind=str)


@dataclass(frozen=True)
class Part(ModelPart):
    """A part with a field of every sort."""

    table: Annotated[np.ndarray, positive("K", "L+1")]
    words: Annotated[np.ndarray, open_shares("V+1")]
    rate: Annotated[float, numbers(least=0.0, most=2.0)]
    labels: Annotated[tuple[str, ...], texts("L")]
    path: str | None
    more: Annotated[np.ndarray | None, optional(positive("L"))] = None
    Settings = Choices

    @classmethod
    def sizes(cls, words, settings):
        return super().sizes(words, settings) | {"K": settings.rows}

    evidence = scores = fold = None  # type: ignore[assignment]  # no test calls them


TEXTS = [pair("1", "a b", "a a a c")]
VOCABULARY = vocabulary_of(TEXTS)
WORDS = np.array([0.5, 0.1, 0.3, 0.1])
"""Of a, b, c and unseen words: no abstract has b."""
PART = Part(np.ones((2, 3)), WORDS, 0.5, ("x", "y"), "here")


def test_a_part_comes_back_from_its_arrays_with_the_settings_of_now():
    arrays = PART.to_arrays()
    assert list(arrays) == ["table", "words", "rate", "labels"]
    settings = Choices(path="there")
    check_arrays(arrays, Part.declared(len(VOCABULARY), settings))
    again = Part.from_arrays(arrays, len(VOCABULARY), settings)
    assert (again.rate, again.labels, again.path, again.more) == (0.5, ("x", "y"), "there", None)
    assert again.to_arrays().keys() == arrays.keys()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"table": np.ones((3, 3))}, r"table: has the shape \(3, 3\), expected \(2, 3\)"),
        ({"labels": np.array(["x"])}, r"labels: has the shape \(1,\), expected \(2,\)"),
        ({"words": np.ones(9) / 9}, "words: has the shape"),
        ({"rate": np.float64(3)}, "rate: has values"),
        ({"more": np.zeros(2)}, "more: has values"),
        ({"other": np.zeros(2)}, "other: unknown"),
    ],
)
def test_arrays_are_checked_as_the_fields_say(changed, message):
    with pytest.raises(BadArray, match=message):
        check_arrays(PART.to_arrays() | changed, Part.declared(len(VOCABULARY), Choices()))


def test_words_that_go_are_unseen_words_then():
    """The unseen words' value is the mean of those words that abstracts have, the sum the same."""
    fewer = PART.restricted(np.array([0, 1]))
    assert fewer.words == pytest.approx(np.array([0.5, 0.1, 0.3]) / 0.9)
    assert fewer.table is PART.table


def test_a_part_that_starts_from_another_has_seen_the_words_of_both():
    both = vocabulary_of([pair("2", "d", "")], VOCABULARY)
    known = both.numbers_in(VOCABULARY)
    started = PART.started(Corpus(batches(TEXTS, both), len(both), known), Choices(path="new"))
    expected = np.array([3.0, 0.0, 1.0, 0.0, 0.0]) + START_WORDS * WORDS[[0, 1, 2, 3, 3]]
    assert started.words == pytest.approx(expected / expected.sum())
    assert (started.path, started.rate) == ("new", 0.5)
