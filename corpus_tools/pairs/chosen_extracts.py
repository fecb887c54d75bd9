"""Extracts that were chosen for a pair."""

from __future__ import annotations

from typing import NamedTuple


class Extract(NamedTuple):
    """The document sentences that were chosen for an abstract sentence.

    ``sentences``  their numbers, ascending.
    ``ranks``      of each of them, when it was chosen: 0 for the best; ``None`` where the method
                   does not choose one after the other. In a whole document all after the first
                   few have the same.
    """

    sentences: tuple[int, ...]
    ranks: tuple[int, ...] | None = None


class ExtractChoice(NamedTuple):
    """How extracts are chosen: so many document sentences for each abstract sentence.

    ``method``  one of ``corpus_tools.pairs.extract_methods.EXTRACT_METHODS``.
    """

    sentences: int
    method: str


class ChosenExtracts(NamedTuple):
    """The extract of each abstract sentence, and how they were chosen."""

    choice: ExtractChoice
    extracts: tuple[Extract, ...]
