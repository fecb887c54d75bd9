from __future__ import annotations

import pytest

from corpus_tools.texts.text_table import column_widths, text_table

ROWS = [["Words", "all", "of errors"], ["a", "1", ""], ["longer", "1,234", "5.0%"]]


@pytest.mark.parametrize(
    ("align", "line"),
    [
        ("<", "a       1      x"),
        ("<>", "a           1          x"),
        ("><", "     a  1      x"),
        ("<<>", "a       1              x"),
        ("<<>>>", "a       1              x"),
    ],
)
def test_the_last_alignment_is_that_of_all_further_columns(align, line):
    rows = [["a", "1", "x"], *ROWS]
    assert text_table(rows, align).splitlines()[0] == line


def test_the_last_cell_of_a_short_row_runs_on():
    rows = [["system", "P", "R"], ["other", "does not run here"], ["ours", "0.1", "0.2"]]
    assert column_widths(rows) == [6, 3, 3]
    assert text_table(rows).splitlines() == [
        "system    P    R",
        "other   does not run here",
        "ours    0.1  0.2",
    ]
