"""Defines summaries and references, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Sentences = tuple[str, ...]
"""A text, sentence by sentence."""

References = Mapping[str, Sequence[Sentences]]
"""The references of each id."""


class SystemSummary(NamedTuple):
    """A summary that is measured.

    ``id``         the id of what is summarized; its references have the same.
    ``system``     the name of the system that wrote it.
    ``positions``  of its words in the source, counted from 0, if it is given by these instead of
                   sentences; its references are compressions of the same source.
    """

    id: str
    system: str
    sentences: Sentences
    positions: tuple[int, ...] | None = None


def to_sentences(text: str | Sequence[str]) -> Sentences:
    """Return the sentences of a text: the lines of a string that are not blank, or a list's items.

    So ROUGE-1.5.5 reads plain text (format SPL).
    """
    if isinstance(text, str):
        return tuple(line for line in text.split("\n") if line.strip())
    return tuple(text)
