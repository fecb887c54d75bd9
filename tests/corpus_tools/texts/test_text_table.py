"""A table with a group, a short row, a title and a note, in every format by hand."""

from corpus_tools.texts.text_table import TABLE_FORMATS, Table, in_latex, written
from tests.paths import lines_beside

TABLE = Table(
    [["name", "F", "AER"], ["a|b", "0.5", "10 %"], ["c", "not installed"], ["d", "-"]],
    title="Scores",
    notes=["F: of links"],
    groups=["", "all words", ""],
)


def test_every_format_by_hand():
    shown = [f"%% {name}\n{write(TABLE)}" for name, write in TABLE_FORMATS.items()]
    assert "\n".join(shown).splitlines() == lines_beside(__file__, "table.txt")
    assert {write(Table(notes=["alone"])) for write in TABLE_FORMATS.values()} == {
        "alone",
        "% alone",
    }


def test_columns_are_as_wide_as_their_cells_and_stand_as_asked():
    table = Table([["a", "b", "c", "d"], ["long", "1", "22", ""]], align="<<>")
    assert table.text() == "a     b   c  d\nlong  1  22"
    short = Table([["a", "b", "c", "d"], ["1", "2", "not installed"]])
    assert short.text() == "a  b  c  d\n1  2  not installed"
    assert Table([["a", "b"]], groups=["x", "y"]).text() == "x  y\na  b"
    assert Table([["a", "b"]], groups=["wide", "y"]).text() == "widey\na  b"
    assert Table([["*a*", "b"]]).markdown() == "| \\*a\\* | b |\n|---|--:|"
    assert in_latex("a_b\n ~^ {\\}") == (
        r"a\_b \textasciitilde{}\textasciicircum{} \{\textbackslash{}\}"
    )
    assert written([Table(title="x"), Table([["a"]])], "text") == "x\n\na"
