"""Files as people have them: subtitles, tables of Excel, folders in folders, empty records."""

import json
import unicodedata

import pytest

from corpus_tools.base.errors import BadData, SemiHmmWarning
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.text_files import plain_text

SRT = """1
00:00:01,000 --> 00:00:03,500
<i>The ferry hit the pier</i>
in the fog.

2
00:00:04,000 --> 00:00:06,000
- Is anyone hurt?
- Nobody.

3
00:00:06,000 --> 00:00:08,000
- Nobody.
It sank.
"""

SUBTITLES = "The ferry hit the pier in the fog.\n- Is anyone hurt?\n- Nobody. It sank."

VTT = """\ufeffWEBVTT - a title

NOTE made by hand
in two lines

00:01.000 --> 00:03.500 position:10%
<v Ann>The ferry hit the pier

second
00:01.000 --> 00:03.500
in the fog.

00:04.000 --> 00:06.000
<v Bob>Is anyone <b>hurt</b>?
"""


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.srt", SRT, SUBTITLES),
        ("a.vtt", VTT, "Ann: The ferry hit the pier in the fog.\nBob: Is anyone hurt?"),
        ("b.srt", SRT.replace("\n", "\r\n"), SUBTITLES),
        ("a.txt", SRT, SRT),
    ],
)
def test_subtitles_are_read_as_their_text(tmp_path, name, content, text):
    path = tmp_path / name
    path.write_bytes(content.encode())
    assert plain_text(path) == text


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"PK\x03\x04\x14\x00", "this is an Excel workbook"),
        (b"%PDF-1.7\n", "this is a PDF"),
        (b"<?xml version='1.0'?><a/>\n", "this is XML"),
        (b"<!DOCTYPE html>\n", "this is HTML"),
    ],
)
def test_other_kinds_of_files_are_named(tmp_path, content, problem):
    path = tmp_path / "file"
    path.write_bytes(content)
    for read in (read_pairs, plain_text):
        with pytest.raises(BadData, match=problem):
            read(path)


@pytest.mark.parametrize("separator", [";", ",", "|", "\t"])
def test_the_separator_line_of_excel_is_no_header(tmp_path, separator):
    path = tmp_path / "a.csv"
    row = separator.join(['"It rained. We left."', "We left."])
    path.write_text(f"sep={separator}\ndocument{separator}abstract\n{row}\n{row}{separator}x\n")
    with pytest.raises(BadData, match="line 4: 3 fields, but the header has 2"):
        read_pairs(path)
    path.write_text(f"sep={separator}\ndocument{separator}abstract\n{row}\n")
    (pair,) = read_pairs(path)
    assert pair.id == "line-3" and len(pair.document.sentences()) == 2


def test_folders_in_folders_are_paired_by_their_paths(tmp_path):
    for side in ("articles", "summaries"):
        for name in ("1", "sub/1", "sub/deep/2"):
            path = tmp_path / side / f"{name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{side} {name}")
    pairs = read_pairs(tmp_path / "articles", abstracts=tmp_path / "summaries")
    assert [pair.id for pair in pairs] == ["1", "sub/1", "sub/deep/2"]
    assert [pair.abstract.strings[0] for pair in pairs][1:] == [
        *("summaries sub/1", "summaries sub/deep/2")
    ]


def test_names_with_accents_are_the_same_in_both_of_their_forms(tmp_path):
    for side, form in (("articles", "NFC"), ("summaries", "NFD")):
        (tmp_path / side).mkdir()
        (tmp_path / side / f"{unicodedata.normalize(form, 'Zürich')}.txt").write_text("It rained.")
    (pair,) = read_pairs(tmp_path / "articles", abstracts=tmp_path / "summaries")
    assert pair.id == unicodedata.normalize("NFC", "Zürich")


def test_empty_records_are_left_out_and_counted(tmp_path):
    path = tmp_path / "pairs.jsonl"
    good = {"document": "It rained. We left.", "summary": "We left."}
    empty = [None, "", " \n", [], [""], float("nan")]
    rows = [good, *({**good, "summary": value} for value in empty), good]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(BadData, match="line 2: 'summary' is null"):
        read_pairs(path)
    with pytest.warns(SemiHmmWarning, match="left out: 6 pairs .*line 2, .*line 3"):
        pairs = read_pairs(path, skip_empty=True)
    assert [pair.id for pair in pairs] == ["line-1", "line-8"]


def test_a_list_of_lists_of_two_texts_is_pairs():
    pairs = as_pairs([["It rained.", "Rain."], ["We left.", "Left."]])
    assert [pair.abstract.tokens for pair in pairs] == [("Rain", "."), ("Left", ".")]


def test_one_file_as_both_sides_is_told(tmp_path):
    path = tmp_path / "articles.txt"
    lines = [f"The council of Leeds closes the old bridge for {n} weeks." for n in range(8)]
    path.write_text("\n".join(lines))
    with pytest.warns(SemiHmmWarning, match=r"word for word \(8 of 8\): is one file named twice"):
        read_pairs(path, abstracts=path)
    # Half of them are not most.
    (tmp_path / "half").write_text("\n".join([*lines[:4], *["Closed."] * 4]))
    read_pairs(path, abstracts=tmp_path / "half")


def test_a_missing_value_of_a_table_is_told(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("document,abstract\nIt rained all day.,NaN\nIt rained.,Rain.\n")
    with pytest.warns(SemiHmmWarning, match="'abstract' is 'NaN', as tables write a missing value"):
        read_pairs(path)
