"""Shows a comparison in the form of the paper's Table 4: for a terminal, in Markdown, in LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corpus_tools.scores.registry import SCORES
from corpus_tools.scores.scopes import SCOPES
from corpus_tools.scores.significance import Figure
from corpus_tools.texts.markup_tables import latex_table, markdown_table
from corpus_tools.texts.text_table import column_widths, text_table
from semihmm.evaluation.annotators import Kappa
from semihmm.evaluation.comparison import Comparison, Row

SOFT_SCORES = ("soft_precision", "recall", "soft_f")
"""The scores of Table 4. AER is beside them; the figures of all scores are in the JSON."""
COLUMNS = (*(SCORES[name].title for name in SOFT_SCORES), "95 %", SCORES["aer"].title, "p")
COST_COLUMNS = ("s", "MB", "not taken")
KAPPA_COLUMNS = ("sure", "sure and possible", "sure, outside the ignore list", "both, outside")
MEGABYTE = 2**20

Table = list[list[str]]
"""Rows of cells, as many as the first row has.

A row of a system that could not run has only two: name and reason.
"""


def table(comparison: Comparison) -> Table:
    """Return the rows of Table 4.

    A line of scopes, the head, then scores and cost of each system.
    """
    scopes = next(list(row.scores) for row in comparison.rows if row.scores)
    title = [""]
    for scope in scopes:
        title += [SCOPES[scope].title, *[""] * (len(COLUMNS) - 1)]
    head = ["System", *COLUMNS * len(scopes), *COST_COLUMNS]
    rows = [_cells(row, scopes) for row in comparison.rows]
    return [title + [""] * len(COST_COLUMNS), head, *rows]


def _cells(row: Row, scopes: Sequence[str]) -> list[str]:
    if row.reason:
        return [row.name, row.reason]
    scores = [cell for scope in scopes for cell in _score_cells(row, scope)]
    if row.cost is None:
        return [row.name, *scores, *[""] * len(COST_COLUMNS)]
    seconds, megabytes = f"{row.cost.seconds:.1f}", f"{row.cost.memory / MEGABYTE:.0f}"
    return [row.name, *scores, seconds, megabytes, str(row.not_taken or "")]


def _score_cells(row: Row, scope: str) -> list[str]:
    figures = row.scores[scope]
    p = row.p.get(scope)
    return [
        *(f"{figures[name].value:.3f}" for name in SOFT_SCORES),
        _interval(figures["soft_f"]),
        f"{figures['aer'].value:.3f}",
        "" if p is None else f"{p:.3f}",
    ]


def _interval(figure: Figure) -> str:
    return f"{figure.low:.3f}-{figure.high:.3f}".replace("0.", ".")


def kappa_table(kappas: Sequence[Kappa]) -> Table:
    """Return the agreement of every two annotators."""
    rows = [
        [" and ".join(names), *(f"{value:.3f}" for value in values)] for names, *values in kappas
    ]
    return [[""] * (len(KAPPA_COLUMNS) + 1), ["kappa", *KAPPA_COLUMNS], *rows]


def text(rows: Table) -> str:
    """Return columns for a terminal."""
    title, *body = rows
    return f"{_title(title, column_widths(body))}\n{text_table(body)}"


def _title(cells: list[str], widths: list[int]) -> str:
    """Put each cell that is not empty where its column begins; it may be wider than the column."""
    line = ""
    for column, cell in enumerate(cells):
        start = sum(widths[:column]) + 2 * column
        line = line.ljust(start) + cell if cell else line
    return line


FORMATS: dict[str, Callable[[Table], str]] = {
    "text": text,
    "markdown": markdown_table,
    "latex": latex_table,
}


def comparison_text(comparison: Comparison, format: str) -> str:
    """Return the table, the agreement of annotators and the signature.

    ``format``  a name in ``FORMATS``.
    """
    tables = [table(comparison)]
    if comparison.kappas:
        tables.append(kappa_table(comparison.kappas))
    return "\n\n".join([*map(FORMATS[format], tables), comparison.signature])
