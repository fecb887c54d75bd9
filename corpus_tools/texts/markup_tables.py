"""Writes tables of text in Markdown and LaTeX."""

from __future__ import annotations

from corpus_tools.texts.text_table import Rows

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
    """Return text as LaTeX writes it."""
    return "".join(LATEX.get(character, character) for character in text)


def _in_markdown(cell: str) -> str:
    return cell.replace("|", r"\|").replace("*", r"\*")
