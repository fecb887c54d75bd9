"""Lays out the tables of comparisons: scores in several scopes, as text, Markdown and LaTeX."""

from collections.abc import Callable, Iterator, Sequence

from corpus_tools.alignments.scores import SCOPES, SCORES, Figure, Figures
from corpus_tools.texts import text_table

Table = list[list[str]]
"""Rows of cells, as many as the first row has.

A row may have fewer: then its last cell runs on to the right. A first row that begins with an empty
cell has titles, each over several columns.
"""


def text(rows: Table) -> str:
    """Return columns for a terminal."""
    title, *body = rows
    if title[0]:
        return text_table.text_table(rows)
    return f"{_title(title, text_table.column_widths(body))}\n{text_table.text_table(body)}"


def _title(cells: list[str], widths: list[int]) -> str:
    """Put each cell that is not empty where its column begins; it may be wider than the column."""
    line, start = "", 0
    for cell, width in zip(cells, widths, strict=True):
        line = line.ljust(start) + cell if cell else line
        start += width + 2
    return line


FORMATS: dict[str, Callable[[Table], str]] = {
    "text": text,
    "markdown": text_table.markdown_table,
    "latex": text_table.latex_table,
}


# What stands between tables


def paragraph(format: str, text: str) -> str:
    """Return a text that readers see, in a format of ``FORMATS``."""
    return text_table.in_latex(text) if format == "latex" else text


def note(format: str, text: str) -> str:
    """Return a text about the tables, as a signature: LaTeX has it in a comment, on one line."""
    return f"% {text_table.in_latex(text)}" if format == "latex" else text


# Scores

SOFT_SCORES = ("soft_precision", "recall", "soft_f")
"""The scores of Table 4. AER is beside them; the figures of all scores are in the JSON."""
COLUMNS = (*(SCORES[name].title for name in SOFT_SCORES), "95 %", SCORES["aer"].title)


def scope_titles(scopes: Sequence[str], columns: int) -> list[str]:
    """Return the titles of scopes, each over so many columns."""
    return [cell for name in scopes for cell in (SCOPES[name].title, *[""] * (columns - 1))]


def score_cells(figures: Figures) -> Iterator[list[str]]:
    """Yield the cells of each scope."""
    for scores in figures.values():
        soft = [f"{scores[name].value:.3f}" for name in SOFT_SCORES]
        yield [*soft, _interval(scores["soft_f"]), f"{scores['aer'].value:.3f}"]


def _interval(figure: Figure) -> str:
    return f"{figure.low:.3f}-{figure.high:.3f}".replace("0.", ".")
