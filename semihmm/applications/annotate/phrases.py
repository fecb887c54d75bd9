"""Phrases of hand alignments, whose words need not be consecutive."""

from collections.abc import Iterable
from typing import NamedTuple

from corpus_tools.alignments.alignment import runs

Span = tuple[int, int]
"""The tokens ``[start, end)`` of a side."""


Spans = tuple[Span, ...]
"""The words of a phrase, which need not be consecutive: sorted spans with other words between."""


class Phrases(NamedTuple):
    """A phrase of the abstract and one of the document."""

    abstract: Spans
    document: Spans


def words_of(spans: Spans) -> list[int]:
    """Return the words of some spans, ascending."""
    return [word for span in spans for word in range(*span)]


def spans_of(words: Iterable[int]) -> Spans:
    """Return the spans of some words."""
    return tuple((run[0], run[-1] + 1) for run in runs(words))


def abstract_words_of(phrases: Iterable[Phrases]) -> set[int]:
    """Return the abstract words of some phrases."""
    return {word for phrase in phrases for word in words_of(phrase.abstract)}
