"""A comparison in the form of the paper's Table 4: for a terminal, in Markdown, in LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corpus_tools.scores.bootstrap import Figure
from corpus_tools.scores.scopes import SCOPES
from corpus_tools.texts.text_table import column_widths, text_table
from semihmm.evaluation.annotators import Kappa
from semihmm.evaluation.comparison import Comparison, Row

COLUMNS = ("SoftP", "Recall", "SoftF", "95 %", "AER", "p")
KAPPA_COLUMNS = ("sure", "sure and possible", "sure, outside the ignore list", "both, outside")
MEGABYTE = 2**20

Table = list[list[str]]
"""Rows of cells, all of the first row's length but for those that only say why a system could not run: name and reason."""


def table(comparison: Comparison) -> Table:
    """The rows of Table 4 under a head that names the words that count, with what the systems cost behind."""
    views = next(list(row.scores) for row in comparison.rows if row.scores)
    title = [cell for view in views for cell in (SCOPES[view].title, *[""] * (len(COLUMNS) - 1))]
    head = ["System", *COLUMNS * len(views), "s", "MB", "not taken"]
    return [["", *title, "", "", ""], head, *(_cells(row, views) for row in comparison.rows)]


def _cells(row: Row, views: Sequence[str]) -> list[str]:
    if row.reason:
        return [row.name, row.reason]
    scores = [cell for view in views for cell in _scores(row, view)]
    if row.seconds is None:
        return [row.name, *scores, "", "", ""]
    return [
        row.name,
        *scores,
        f"{row.seconds:.1f}",
        f"{row.memory / MEGABYTE:.0f}",
        str(row.not_taken or ""),
    ]


def _scores(row: Row, view: str) -> list[str]:
    figures = row.scores[view]
    soft_f = figures["soft_f"]
    p = row.p.get(view)
    values = [f"{figures[name].value:.3f}" for name in ("soft_precision", "recall", "soft_f")]
    return [
        *values,
        _interval(soft_f),
        f"{figures['aer'].value:.3f}",
        "" if p is None else f"{p:.3f}",
    ]


def _interval(figure: Figure) -> str:
    return f"{figure.low:.3f}-{figure.high:.3f}".replace("0.", ".")


def kappa_table(kappas: Sequence[Kappa]) -> Table:
    """The agreement of every two annotators."""
    rows = [
        [" and ".join(names), *(f"{value:.3f}" for value in values)] for names, *values in kappas
    ]
    return [[""] * (len(KAPPA_COLUMNS) + 1), ["kappa", *KAPPA_COLUMNS], *rows]


def text(rows: Table) -> str:
    """Columns for a terminal."""
    title, *body = rows
    return f"{_title(title, column_widths(body))}\n{text_table(body)}"


def _title(cells: list[str], widths: list[int]) -> str:
    """Each cell that is not empty where its column begins: it may be wider than that."""
    line = ""
    for place, cell in enumerate(cells):
        start = sum(widths[:place]) + 2 * place
        line = line.ljust(start) + cell if cell else line
    return line


def markdown(rows: Table) -> str:
    """A table of GitHub's Markdown."""
    rule = "|".join(["", "---", *["--:"] * (len(rows[0]) - 1), ""])
    head, *body = ["| " + " | ".join(row + [""] * (len(rows[0]) - len(row))) + " |" for row in rows]
    return "\n".join([head, rule, *body])


def latex(rows: Table) -> str:
    """A tabular of LaTeX."""
    columns = len(rows[0])
    lines = []
    for row in rows:
        name, *cells = map(_escaped, row)
        if len(row) < columns:
            cells = [rf"\multicolumn{{{columns - 1}}}{{l}}{{{cells[0]}}}"]
        lines.append(" & ".join([name, *cells]) + r" \\")
    return "\n".join([rf"\begin{{tabular}}{{l{'r' * (columns - 1)}}}", *lines, r"\end{tabular}"])


def _escaped(cell: str) -> str:
    return "".join(f"\\{character}" if character in "%_&#$" else character for character in cell)


FORMATS: dict[str, Callable[[Table], str]] = {"text": text, "markdown": markdown, "latex": latex}


def shown(comparison: Comparison, form: str) -> str:
    """The table, the agreement of people, and the signature."""
    write = FORMATS[form]
    tables = [table(comparison), *([kappa_table(comparison.kappas)] if comparison.kappas else [])]
    return "\n\n".join([*map(write, tables), comparison.signature])
