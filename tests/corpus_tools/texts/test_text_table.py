from __future__ import annotations

import pytest

from corpus_tools.texts.text_table import text_table

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
