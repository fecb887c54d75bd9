"""Gives the table of all pairs that a page begins with: a row for each pair, a column a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from corpus_tools.views.pair_view import PairView


class Column(NamedTuple):
    """A figure that each pair has.

    ``title``    the head of the column.
    ``meaning``  what the figure is, for readers who point to the head or ask for help.
    ``share``    whether it lies between 0 and 1. Low shares are what a reader looks for first, of
                 other figures high ones.
    """

    title: str
    meaning: str
    share: bool = False


Figures = Sequence[float | None]
"""The figures of a pair, one for each column; ``None`` where a pair has no such figure."""


def table_of(
    columns: Sequence[Column], rows: Sequence[tuple[str, Figures]], lowest_first: str | None = None
) -> dict[str, Any]:
    """Return the table for JSON, without the columns in which no pair has a figure.

    ``rows``          the ids of the pairs with their figures.
    ``lowest_first``  the title of the column by which the table is sorted at first, if by any.
    """
    known = [any(row[n] is not None for _, row in rows) for n in range(len(columns))]
    shown = [n for n, is_known in enumerate(known) if is_known]
    titles = [columns[n].title for n in shown]
    return {
        "columns": [columns[n]._asdict() for n in shown],
        "pairs": [[id, *(_rounded(row[n]) for n in shown)] for id, row in rows],
        "order": titles.index(lowest_first) if lowest_first in titles else None,
    }


def _rounded(figure: float | None) -> float | None:
    return figure if figure is None else round(figure, 2)


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole) if whole else None


def _measured_words(view: PairView, side: str) -> int:
    """Return the number of words of a side that are measured: not those such as commas."""
    return sum(word is not None for word in getattr(view.covered, side, ()))


LINKED: Mapping[Column, Callable[[PairView], float | None]] = {
    Column("Abstract words", "words of the abstract"): lambda view: len(view.pair.abstract),
    Column("Document words", "words of the document"): lambda view: len(view.pair.document),
    Column("Unaligned, %", "abstract words that are not linked, in percent"): (
        lambda view: _share(view.unaligned(), len(view.pair.abstract))
    ),
    Column("Least probable", "probability of the least probable link", share=True): (
        PairView.lowest_probability
    ),
    Column("Longest copy", "most words in a row that are linked to the same words in a row"): (
        PairView.longest_copy
    ),
    Column(
        "Longest jump", "most document words between the end of a phrase and the start of the next"
    ): PairView.longest_jump,
}
"""What is known of every pair whose links are shown."""

COMPARED: Mapping[Column, Callable[[PairView], float | None]] = {
    Column("Differences", "links that are missing or extra"): PairView.errors,
    Column("SoftF", "harmonic mean of soft precision and recall, of all words", share=True): (
        lambda view: view.soft_f
    ),
}
"""What is known too where the links are compared with others."""

COVERED: Mapping[Column, Callable[[PairView], float | None]] = {
    Column("Reference words", "words of the reference that are measured"): (
        lambda view: _measured_words(view, "abstract")
    ),
    Column("Summary words", "words of the summary that are measured"): (
        lambda view: _measured_words(view, "document")
    ),
    Column("Not covered", "words of the reference that the summary does not cover"): (
        PairView.errors
    ),
    Column("Not covered, %", "the same, in percent of the words that are measured"): (
        lambda view: _share(view.errors(), _measured_words(view, "abstract"))
    ),
}
"""What is known of the pairs of a summary and its reference."""
