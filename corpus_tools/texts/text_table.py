"""Lays out tables: text for a terminal, Markdown, LaTeX, and data frames of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat, zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

LATEX = {character: f"\\{character}" for character in "%_&#${}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
"""What LaTeX writes for characters that mean something else to it."""


def markdown_table(rows: Rows) -> str:
    """Return a table of GitHub's Markdown: the first row is the head.

    A row may have fewer cells than the first one.
    """
    columns = len(rows[0])
    rule = "|".join(["", "---", *["--:"] * (columns - 1), ""])
    filled = [[*map(_in_markdown, row), *[""] * (columns - len(row))] for row in rows]
    head, *body = [f"| {' | '.join(row)} |" for row in filled]
    return "\n".join([head, rule, *body])


def latex_table(rows: Rows) -> str:
    """Return a tabular of LaTeX.

    A row may have fewer cells than the first one: then its last cell runs on to the right.
    """
    columns = len(rows[0])
    lines = []
    for row in rows:
        cells = [in_latex(cell) for cell in row]
        if len(cells) < columns:
            rest = columns - len(cells) + 1
            cells[-1] = rf"\multicolumn{{{rest}}}{{l}}{{{cells[-1]}}}"
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([rf"\begin{{tabular}}{{l{'r' * (columns - 1)}}}", *lines, r"\end{tabular}"])


def in_latex(text: str) -> str:
    """Return text as LaTeX writes it, on one line: the next one would be outside of a comment."""
    return "".join(LATEX.get(character, character) for character in " ".join(text.split()))


def _in_markdown(cell: str) -> str:
    return cell.replace("|", r"\|").replace("*", r"\*")


Rows = Sequence[Sequence[str]]


def text_table(
    rows: Rows, align: str = "<>", widths: Sequence[int] | None = None, gap: int = 2
) -> str:
    """Return rows of cells as lines whose columns stand below each other.

    ``align``   ``<`` (left) or ``>`` (right) for each column, the last one also for all further
                columns.
    ``widths``  characters of each column, the last one also of all further columns; a longer cell
                moves the rest of its row. ``None`` takes ``column_widths``.
    ``gap``     blanks between columns.

    A row may have fewer cells than the first one: then its last cell runs on to the right.
    """
    if not rows:
        return ""
    if widths is None:
        widths = column_widths(rows)
    lines = []
    for row in rows:
        # What the last column has goes on for further ones.
        sides, sizes = (chain(given, repeat(given[-1])) for given in (align, widths))
        columns = zip(row, sides, sizes, strict=False)
        cells = [f"{cell:{side}{size}}" for cell, side, size in columns]
        if len(row) < len(rows[0]):
            cells[-1] = row[-1]
        lines.append((" " * gap).join(cells).rstrip())
    return "\n".join(lines)


def column_widths(rows: Rows) -> list[int]:
    """Return the length of the longest cell of each column.

    The last cell of a row that is shorter than the first one is left out: it runs on to the right.
    """
    columns = len(rows[0])
    lengths = ([*map(len, row if len(row) == columns else row[:-1])] for row in rows)
    return [max(column) for column in zip_longest(*lengths, fillvalue=0)]


def data_frame(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> DataFrame:
    """Return a data frame of pandas. Raises ``ImportError`` without pandas."""
    import pandas as pd

    return pd.DataFrame(list(rows), columns=columns)
