"""Writes the page of the words that summaries cover."""

from collections.abc import Iterable

from corpus_tools.base.files import StrPath
from corpus_tools.pages import pair_view
from corpus_tools.pages.web_page import (
    LINK_PAGE_SCRIPTS,
    Column,
    Figures,
    inert_json,
    pair_row,
    table_of,
    write_table_page,
)

COVERAGE_COLUMNS = (
    Column("Reference words", "words of the reference that are measured"),
    Column("Summary words", "words of the summary that are measured"),
    Column("Not covered", "words of the reference that the summary does not cover"),
    Column("Not covered, %", "the same, in percent of the words that are measured"),
)
"""The columns for pairs of a summary and its reference."""


def write_coverage_page(views: Iterable[pair_view.PairView], path: StrPath, title: str) -> None:
    """Write the page of covered words. Raises ``BadData`` if the file cannot be written."""
    rows: list[tuple[str, Figures]] = []
    lines = []
    for view in views:
        assert view.covered is not None
        # Words such as commas are not measured.
        measured = [sum(word is not None for word in side) for side in view.covered]
        errors = view.errors()
        percent = round(100 * errors / measured[0]) if measured[0] else None
        rows.append((view.pair.id, [*measured, errors, percent]))
        lines.append(inert_json(pair_row(view, ())))
    overview = {
        **table_of(COVERAGE_COLUMNS, rows),
        "components": [],
        "leastCovered": pair_view.LEAST_COVERED,
    }
    page = "pages/view/page.html"
    write_table_page(path, page, title, overview, lines, scripts=LINK_PAGE_SCRIPTS, covers=True)
