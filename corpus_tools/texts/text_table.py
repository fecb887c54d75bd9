"""Lays out tables: text for a terminal, Markdown, LaTeX, and data frames of pandas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, chain, repeat, zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

LATEX_ESCAPES = {character: f"\\{character}" for character in "%_&#${}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
"""The escapes of characters that are commands in LaTeX."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

COLUMN_GAP = 2
"""The blanks between two columns of a table for a terminal."""

Rows = Sequence[Sequence[str]]
"""Rows of cells; the first row is the head. In a shorter row the last cell extends to the right."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title and notes. Without rows it is a paragraph.

    ``groups``  the row above the head: in each cell the title of a group of columns, or an empty
                text if the group on the left goes on.
    ``align``   the alignment of columns on a terminal: ``<`` (left) or ``>`` (right); the last
                one holds for all further columns. Other formats align all columns but the
                first to the right.
    """

    rows: Rows = ()
    title: str = ""
    notes: Sequence[str] = ()
    groups: Sequence[str] = ()
    align: str = "<>"

    def text(self) -> str:
        """Return the table for a terminal: title, groups, rows, notes."""
        widths = column_widths(self.rows)
        groups = ""
        # Titles of groups may be wider than their columns.
        places = accumulate((width + COLUMN_GAP for width in widths), initial=0)
        for cell, start in zip(self.groups, places, strict=False):
            groups = groups.ljust(start) + cell if cell else groups
        lines = []
        for row in self.rows:
            columns = zip(row, chain(self.align, repeat(self.align[-1])), widths, strict=False)
            cells = [f"{cell:{side}{width}}" for cell, side, width in columns]
            if len(row) < len(self.rows[0]):
                cells[-1] = row[-1]
            lines.append((" " * COLUMN_GAP).join(cells).rstrip())
        return "\n".join(filter(None, [self.title, groups, *lines, *self.notes]))

    def markdown(self) -> str:
        """Return the table in GitHub's Markdown."""
        title = f"**{self.title}**" if self.title else ""
        rows = [[*map(_in_markdown, row)] for row in self._all_rows()]
        lines = []
        for row in rows:
            filled = [*row, *[""] * (len(rows[0]) - len(row))]
            lines.append(f"| {' | '.join(filled)} |")
        if rows:
            lines.insert(1, "|".join(["", "---", *["--:"] * (len(rows[0]) - 1), ""]))
        return "\n\n".join(filter(None, [title, "\n".join(lines), *self.notes]))

    def latex(self) -> str:
        """Return the table as a tabular of LaTeX, with the notes as comments."""
        rows = [[*map(in_latex, row)] for row in self._all_rows()]
        # A blank line ends the paragraph of the title.
        lines = [in_latex(self.title), ""] if self.title else []
        if rows:
            columns = len(rows[0])
            lines.append(rf"\begin{{tabular}}{{l{'r' * (columns - 1)}}}")
            for *cells, last in rows:
                rest = columns - len(cells)
                cells.append(rf"\multicolumn{{{rest}}}{{l}}{{{last}}}" if rest > 1 else last)
                lines.append(" & ".join(cells) + r" \\")
            lines.append(r"\end{tabular}")
        return "\n".join([*lines, *(f"% {in_latex(note)}" for note in self.notes)])

    def _all_rows(self) -> Rows:
        return [self.groups, *self.rows] if self.groups else self.rows


TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "text": Table.text,
    "markdown": Table.markdown,
    "latex": Table.latex,
}
"""The functions that write a table, by the name of the format."""


def written(tables: Iterable[Table], form: str) -> str:
    """Return several tables in a format of ``TABLE_FORMATS``, one below the other."""
    return "\n\n".join(map(TABLE_FORMATS[form], tables))


def in_latex(text: str) -> str:
    """Return text for LaTeX, on one line, since a comment ends with its line."""
    return "".join(LATEX_ESCAPES.get(character, character) for character in " ".join(text.split()))


def in_csv(cell: str) -> str:
    """Return the text of a cell of CSV, with an apostrophe before what would be a formula.

    Spreadsheets compute cells that begin with one of ``FORMULA_STARTS``. Numbers stay.
    """
    with suppress(ValueError):
        if math.isfinite(float(cell)):
            return cell
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def _in_markdown(cell: str) -> str:
    return cell.replace("|", r"\|").replace("*", r"\*")


def column_widths(rows: Rows) -> list[int]:
    """Return the length of the longest cell of each column.

    The last cell of a shorter row does not count, since it extends to the right.
    """
    columns = len(rows[0]) if rows else 0
    lengths = ([*map(len, row if len(row) == columns else row[:-1])] for row in rows)
    return [max(column) for column in zip_longest(*lengths, fillvalue=0)]


def data_frame(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> DataFrame:
    """Return a data frame of pandas. Raises ``ImportError`` without pandas."""
    try:
        import pandas as pd
    except ImportError as error:
        problem = f"a data frame needs the package pandas: {error}; pip install pandas"
        raise ImportError(problem, name=error.name) from error

    return pd.DataFrame(list(rows), columns=columns)
