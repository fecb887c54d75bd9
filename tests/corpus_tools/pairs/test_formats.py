"""Files of pairs in all formats hold the same pairs; what is wrong in them is named."""

import csv
import gzip
import io
import json
import tracemalloc
from importlib.util import find_spec

import pytest

from corpus_tools.base.errors import BadData, BadUsage, MissingText, PlainTextPairs
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.text_files import PairsFile

ROWS = [
    {"id": "one", "document": 'It rained.\nThey said: "Stay, all; of you".', "abstract": "Rain."},
    {"id": "two", "document": "Kälte, Eis\tund Schnee.", "abstract": "Eis; 'Schnee'."},
    {"id": "three", "document": "", "abstract": " "},
]

needs_openpyxl = pytest.mark.skipif(
    find_spec("openpyxl") is None, reason="openpyxl is not installed"
)
needs_pyarrow = pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")


def json_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def table(rows, separator=",", end="\r\n"):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def parquet_file(rows, names=None):
    import pyarrow as pa
    from pyarrow import parquet as writer

    sink, made = pa.BufferOutputStream(), pa.Table.from_pylist(rows)
    writer.write_table(made.rename_columns(names or made.column_names), sink, row_group_size=2)
    return sink.getvalue().to_pybytes()


SAME_PAIRS = {
    "JSON array": lambda rows: json.dumps(rows).encode(),
    "indented array": lambda rows: json.dumps(rows, indent=2).encode(),
    "array with lines": lambda rows: b"[\n" + b",\n".join(json_lines(rows).splitlines()) + b"\n]",
    "indented objects": lambda rows: "\n".join(json.dumps(row, indent=2) for row in rows).encode(),
    "CSV": table,
    "CSV with one kind of line end": lambda rows: table(rows, end="\n"),
    "CSV with semicolons": lambda rows: table(rows, ";"),
    "TSV": lambda rows: table(rows, "\t"),
}
"""What is plain text, by format."""


@pytest.fixture
def expected(tmp_path):
    (tmp_path / "expected.jsonl").write_bytes(json_lines(ROWS))
    return read_pairs(tmp_path / "expected.jsonl")


@pytest.mark.parametrize("how", SAME_PAIRS)
def test_texts_in_all_formats_hold_the_same_pairs(tmp_path, expected, how, give_standard_input):
    path = tmp_path / "pairs.data"
    content = SAME_PAIRS[how](ROWS)
    marked = b"\xef\xbb\xbf" + content
    for stored in (content, marked, gzip.compress(marked)):
        path.write_bytes(stored)
        assert read_pairs(path) == expected
    for stored in (b"\n\n" + content, gzip.compress(content)):
        give_standard_input(stored)
        assert read_pairs("-") == expected


@needs_pyarrow
def test_parquet_files_hold_the_same_pairs(tmp_path, expected):
    path = tmp_path / "pairs.data"
    path.write_bytes(parquet_file(ROWS))
    assert read_pairs(path) == expected
    sentences = [{"article": ["It rained.", "We left."], "highlights": [["Rain", "."]]}] * 150
    path.write_bytes(parquet_file(sentences))
    pairs = read_pairs(path)
    assert [pair.id for pair in pairs] == [f"row-{number}" for number in range(1, 151)]
    assert pairs[0].document.strings == ("It rained.", "We left.")
    assert pairs[0].abstract.tokens == ("Rain", ".")
    path.write_bytes(parquet_file(ROWS, ["id", "document", "document"]))
    with pytest.raises(BadData, match="two columns are called 'document'"):
        read_pairs(path)


def workbook(*sheets):
    from openpyxl import Workbook

    book = Workbook()
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


@needs_openpyxl
def test_a_workbook_of_one_sheet_holds_the_same_pairs(tmp_path, expected):
    rows = [[*ROWS[0]], *([*row.values()] for row in ROWS)]
    path = tmp_path / "pairs.data"
    # The sheet of every new workbook is empty, and so may rows be.
    for content in (workbook(rows), workbook([], rows, []), workbook([[None], *rows, [" "]])):
        path.write_bytes(content)
        assert read_pairs(path) == expected


@needs_openpyxl
@pytest.mark.parametrize(
    ("sheets", "problem"),
    [
        ([[["document", "abstract"]], [["Notes"]]], r"2 sheets \(Sheet1, Sheet2\), expected one"),
        ([[["document", "document"], ["a", "b"]]], "line 1: two columns are called 'document'"),
        ([[["document", "abstract"], ["a", "b", "c"]]], "line 2: 3 fields, but the header has 2"),
        ([[["document", "abstract"]]], "the file has no pairs"),
        ([], "the file has no pairs"),
    ],
)
def test_broken_workbooks_are_named(tmp_path, sheets, problem):
    path = tmp_path / "pairs.xlsx"
    path.write_bytes(workbook(*sheets))
    with pytest.raises(BadData, match=problem):
        read_pairs(path)


@needs_openpyxl
def test_a_damaged_workbook_is_named_or_read(tmp_path):
    path, content = tmp_path / "pairs.xlsx", workbook([["document", "abstract"], ["a b", "a"]])
    problems = []
    for start in range(0, len(content), 61):
        damaged = bytes(byte ^ 85 for byte in content[start : start + 8])
        path.write_bytes(content[:start] + damaged + content[start + 8 :])
        try:
            read_pairs(path)
        except BadData as error:
            problems.append(str(error))
    assert all(problem.startswith(str(path)) for problem in problems)
    assert any("broken Excel workbook" in problem for problem in problems)


@needs_openpyxl
def test_cells_of_a_workbook_are_texts(tmp_path):
    path = tmp_path / "pairs.xlsx"
    rows = [["id", "document", "abstract", "note"], [12, "It rained._x000D_\nWe left.", "Rain."]]
    path.write_bytes(workbook(rows))
    (pair,) = read_pairs(path)
    assert pair.id == "12" and pair.abstract.strings == ("Rain.",)
    assert len(pair.document.sentences()) == 2


@needs_pyarrow
def test_hand_alignments_are_in_all_formats(tmp_path):
    gold = [{**ROWS[0], "sure": [[0, 0]], "possible": []}, {**ROWS[1], "sure": [], "possible": []}]
    path = tmp_path / "pairs"
    path.write_bytes(json_lines(gold))
    expected = read_pairs(path)
    for content in (
        table([{**row, "sure": json.dumps(row["sure"])} for row in gold]),
        json.dumps(gold).encode(),
        parquet_file(gold),
    ):
        path.write_bytes(content)
        assert read_pairs(path) == expected
    path.write_bytes(table([{**ROWS[0], "sure": "", "possible": " "}]))
    assert read_pairs(path)[0].sure is None


@pytest.mark.parametrize("write", [json_lines, table])
def test_names_of_fields_are_recognized_or_given(tmp_path, write):
    path = tmp_path / "pairs"
    path.write_bytes(write([{"n": "1", "article": "a b", "highlights": "a"}] * 2))
    assert [len(pair.document) for pair in read_pairs(path)] == [2, 2]
    path.write_bytes(write([{"story": "a b", "tldr": "a"}] * 2))
    pairs = read_pairs(path, document_key="story", abstract_key="tldr")
    assert [pair.abstract.tokens for pair in pairs] == [("a",), ("a",)]
    with pytest.raises(MissingText, match="no document: found the keys 'story', 'tldr'"):
        read_pairs(path)


# document ||| abstract


def test_lines_with_bars_have_the_tokens_that_word_aligners_count(tmp_path):
    path = tmp_path / "corpus.en-fr"
    # Word aligners cut at ASCII's blanks alone.
    path.write_text(
        "It rained . We left ||| Rain , etc .\n天气。很好\ta\u00a0b|||c ||| d\u3000e \n ||| \n"
    )
    pairs = read_pairs(path)
    assert [pair.id for pair in pairs] == ["line-1", "line-2", "line-3"]
    assert pairs[0].document.sentences() == [("It", "rained", "."), ("We", "left")]
    assert pairs[0].abstract.tokens == ("Rain", ",", "etc", ".")
    assert pairs[1].document.tokens == ("天气。很好", "a\u00a0b|||c")
    assert pairs[1].abstract.tokens == ("d\u3000e",)
    assert len(pairs[2].document) == len(pairs[2].abstract) == 0
    assert {pair.tokenizer for pair in pairs} == {"whitespace"}


# Files with one text in each


def test_files_of_one_name_are_a_pair_in_the_order_of_the_documents(tmp_path):
    texts = {"documents/b.txt": "It rained.\nWe left.\n", "documents/a.x.txt": "{Rain}."}
    texts |= {"abstracts/a.x.sum": "", "abstracts/b.gz": "Rain.", "abstracts/_SUCCESS": "x"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        content = text.encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if ".gz" in name else content)
    documents, abstracts = tmp_path / "documents", tmp_path / "abstracts"
    read = {pair.id: pair for pair in read_pairs(documents, abstracts=abstracts)}
    assert list(read) == ["a.x", "b"]
    assert read["b"].document.strings == ("It rained.\nWe left.\n",)
    assert read["b"].abstract.tokens == ("Rain", ".") and not read["a.x"].abstract
    assert str(read["b"].source) == str(documents / "b.txt")
    named = [documents / "b.txt", documents / "a.x.txt"]
    assert [pair.id for pair in read_pairs(named, abstracts=abstracts)] == ["b", "a.x"]
    with pytest.raises(BadUsage, match="needs a single file of documents"):
        read_pairs(named, abstracts=abstracts / "b.gz")
    for names, problem in (
        (["documents/c"], f"documents/c: no abstract of this name in {abstracts}$"),
        (
            ["abstracts/c", "abstracts/d"],
            "c: no document of this name in .*, and 1 other abstract$",
        ),
        (["abstracts/c", "abstracts/d", "abstracts/e"], "documents, and 2 other abstracts$"),
        (["documents/b.csv"], "b.txt: .*b.csv has the same name: each pair needs its own"),
    ):
        for name in names:
            (tmp_path / name).touch()
        with pytest.raises(BadData, match=problem):
            read_pairs(documents, abstracts=abstracts)
        for name in names:
            (tmp_path / name).unlink()
    (documents / "_c").write_text('\n{"id": "JSON"}\n')
    with pytest.raises(BadData, match="_c, line 1: the file looks like JSON lines"):
        read_pairs(documents / "_c", abstracts=documents / "_c")


def test_a_story_has_a_sentence_for_each_highlight(tmp_path):
    path = tmp_path / "one.Story.gz"
    story = "It rained.\r\n We left. \n\n@highlight\n\nRain  fell\nhere\n\n@highlight\n\nAll left\n"
    path.write_bytes(gzip.compress(story.encode()))
    (pair,) = read_pairs(path)
    assert (pair.id, pair.source.line) == ("one", 1)
    assert pair.document.strings == ("It rained.\nWe left.\n",)
    assert pair.abstract.strings == ("Rain fell here", "All left")
    path.write_bytes(gzip.compress(b"It rained.\n@highlights\nRain"))
    with pytest.raises(BadData, match="no line '@highlight', expected a story"):
        read_pairs(path)


# Tables


@pytest.mark.parametrize(
    ("name", "text", "pairs"),
    [
        ("a.csv", "document;abstract\na, b, c;d\n", [("a, b, c", "d")]),
        ("a.csv", "document;abstract;note, if any\na, b;c;d\n", [("a, b", "c")]),
        ("a.CSV.gz", "document\tabstract\na, b;c\td\n", [("a, b;c", "d")]),
        ("a.csv", "the long name of a column,document,abstract\n1,a,b\n", [("a", "b")]),
        ("a.tab", "document\tabstract\na,b\tc\n", [("a,b", "c")]),
        ("a.txt", ",document,abstract\n0,a,b\n\n1,c,d\n", [("a", "b"), ("c", "d")]),
        ("a.txt", ' document , abstract\n"a\nb",c\nd,e\n', [("a\nb", "c"), ("d", "e")]),
        ("a.txt", "document,abstract,a;b\nc,d,e\n", None),
        ("a.txt", "the long name of a column,document,abstract\n1,a,b\n", None),
        ("a.txt", "document,abstract\na,b,c\n", None),
        ("a.txt", "document\na\n", None),
        ("a.txt", ",the long name of a column,abstract\n0,a,b\n", None),
        ("a.txt", "document,abstract\n", []),
    ],
)
def test_a_table_is_known_by_its_ending_or_its_first_two_lines(tmp_path, name, text, pairs):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    if not pairs:
        with pytest.raises(PlainTextPairs if pairs is None else BadData, match=r"expect|no pairs"):
            read_pairs(path)
        return
    read = read_pairs(path, tokenizer="whitespace")
    assert [(one.document.strings[0], one.abstract.strings[0]) for one in read] == pairs


@pytest.mark.parametrize(
    ("lines", "number"), [('{"id": 1}\n{"id": 2}\n', 1), ("\n \na\n\nb\nc\nd\ne\nf\n", 5), ("", 1)]
)
def test_a_format_is_known_by_its_first_lines_and_nothing_is_lost(tmp_path, lines, number):
    (tmp_path / "a").write_text(lines)
    file = PairsFile(tmp_path / "a")
    assert len(file.head) == number and not any(line.isspace() for line in file.head)
    numbered = [*enumerate(lines.splitlines(keepends=True), start=1)]
    # Blanks in the lines before the first text are not kept.
    begun = sum(line.isspace() for line in lines.partition("a")[0].splitlines(keepends=True))
    assert [*file.lines()] == [(n, "\n" if n <= begun else line) for n, line in numbered]


@pytest.mark.parametrize("blank", ["\n", "\r\n", " \t\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_many_line_breaks_need_no_memory(tmp_path, blank, pack):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(pack(blank.encode() * 100_000))
    tracemalloc.start()
    try:
        with pytest.raises(BadData, match="the file is empty"):
            read_pairs(path)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_lines_after_many_line_breaks_have_their_numbers(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n" * 100_000 + '{"document": "It rained.", "abstract": "Rain."}\n{')
    with pytest.raises(BadData, match="line 100002: broken JSON"):
        read_pairs(path)
    path.write_text("\n" * 100_000 + "[\n\n{]")
    with pytest.raises(BadData, match="line 100003: broken JSON"):
        read_pairs(path)
