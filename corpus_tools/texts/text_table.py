"""Lays out tables: text for a terminal, Markdown, LaTeX, and data frames of pandas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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


Rows = Sequence[Sequence[str]]
"""Rows of cells; the first row is the head. In a shorter row the last cell extends to the right."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title and notes. Without rows it is a paragraph.

    ``groups``  the row above the head: in each cell the title of a group of columns, or an empty
                text if the group on the left goes on.
    ``align``   the alignment of columns in ``text_table``. Other formats align all columns but the
                first to the right.
    """

    rows: Rows = ()
    title: str = ""
    notes: Sequence[str] = ()
    groups: Sequence[str] = ()
    align: str = "<>"

    def text(self) -> str:
        """Return the table for a terminal: title, groups, rows, notes."""
        line = ""
        # Titles of groups may be wider than their columns.
        places = accumulate((width + 2 for width in column_widths(self.rows)), initial=0)
        for cell, start in zip(self.groups, places, strict=False):
            line = line.ljust(start) + cell if cell else line
        rows = text_table(self.rows, self.align)
        return "\n".join(filter(None, [self.title, line, rows, *self.notes]))

    def markdown(self) -> str:
        """Return the table in GitHub's Markdown."""
        title = f"**{self.title}**" if self.title else ""
        rows = markdown_table(self._all_rows()) if self.rows else ""
        return "\n\n".join(filter(None, [title, rows, *self.notes]))

    def latex(self) -> str:
        """Return the table as a tabular of LaTeX, with the notes as comments."""
        title = f"{in_latex(self.title)}\n" * bool(self.title)
        rows = latex_table(self._all_rows()) if self.rows else ""
        notes = (f"% {in_latex(note)}" for note in self.notes)
        return "\n".join(filter(None, [title, rows, *notes]))

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
    """Return a LaTeX tabular. In a row with fewer cells the last one extends to the right."""
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
    """Return text for LaTeX, on one line, since a comment ends with its line."""
    return "".join(LATEX_ESCAPES.get(character, character) for character in " ".join(text.split()))


def _in_markdown(cell: str) -> str:
    return cell.replace("|", r"\|").replace("*", r"\*")


def text_table(
    rows: Rows, align: str = "<>", widths: Sequence[int] | None = None, gap: int = 2
) -> str:
    """Return rows of cells as aligned lines of text.

    ``align``   ``<`` (left) or ``>`` (right) for each column; the last one holds for all further
                columns.
    ``widths``  the characters of each column; the last one holds for all further columns. A longer
                cell moves the rest of its row. ``None``: ``column_widths``.
    ``gap``     the number of blanks between columns.

    In a row with fewer cells the last one extends to the right.
    """
    if not rows:
        return ""
    if widths is None:
        widths = column_widths(rows)
    lines = []
    for row in rows:
        sides, sizes = (chain(given, repeat(given[-1])) for given in (align, widths))
        columns = zip(row, sides, sizes, strict=False)
        cells = [f"{cell:{side}{size}}" for cell, side, size in columns]
        if len(row) < len(rows[0]):
            cells[-1] = row[-1]
        lines.append((" " * gap).join(cells).rstrip())
    return "\n".join(lines)


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
