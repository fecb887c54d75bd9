"""Files of pairs in all forms are read, or refused with place and reason."""

import gzip
import io
import json
import tracemalloc
import warnings
from pathlib import Path

import pytest

from corpus_tools.base.errors import BadData, SemiHmmError
from corpus_tools.pairs.fields import SIDE_KEYS
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.read_pairs import iterate_pairs, read_pairs
from corpus_tools.pairs.text_files import PairsFile
from tests.paths import records_beside

# Small files of all kinds

TABLE = Path(__file__).with_name("files.jsonl").read_text(encoding="utf-8").splitlines()


def shown(pair):
    """Return what a pair holds, as JSON has it."""
    sides = [[text.strings, text.sentences()] for text in (pair.document, pair.abstract)]
    links = [None if links is None else sorted(links) for links in (pair.sure, pair.possible)]
    more = [pair.tokenizer, pair.system, pair.passages, pair.source.line]
    return [pair.id, *sides, links, more]


@pytest.mark.parametrize("case", [*map(json.loads, TABLE)], ids=lambda case: case["what"])
def test_files_are_read_or_refused(tmp_path, case):
    """A case has files, what is read with which options, and the pairs or the error."""
    for name, content in case.pop("files").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        data = content.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if ".gz" in name else data)
    options = case.pop("options", {})
    if "abstracts" in options:
        options["abstracts"] = tmp_path / options["abstracts"]
    read = case.pop("read")
    paths = [tmp_path / name for name in read] if isinstance(read, list) else tmp_path / read
    found = {"what": case["what"]}
    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            found["pairs"] = [*map(shown, iterate_pairs(paths, **options))]
        except SemiHmmError as error:
            found["error"] = [type(error).__name__, str(error)]
    if caught:
        found["warnings"] = [str(one.message) for one in caught]
    text = json.dumps(found).replace(f"{tmp_path}/", "").replace(f"{tmp_path}", "")
    assert json.loads(text) == case


@pytest.mark.parametrize(("records", "options", "said"), records_beside(__file__, "doubts.jsonl"))
def test_doubts_are_said_once_for_each_kind(records, options, said):
    with warnings.catch_warnings(record=True, action="always") as caught:
        # A list is a tuple: both sides of a pair.
        as_pairs([tuple(one) if isinstance(one, list) else one for one in records], **options)
    messages = [str(one.message) for one in caught]
    assert len(messages) == len(said)
    for message, part in zip(messages, said, strict=True):
        assert part in message


@pytest.mark.parametrize("side", SIDE_KEYS)
def test_every_usual_name_is_read(side):
    other = next(name for name in SIDE_KEYS if name != side)
    for name in SIDE_KEYS[side]:
        for written in (name, name.capitalize(), name.upper()):
            (pair,) = as_pairs([{written: "It sank.", other: "It sank."}])
            assert pair.document.tokens == pair.abstract.tokens == ("It", "sank", ".")


# Tables


def workbook(*sheets):
    book = pytest.importorskip("openpyxl").Workbook()
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def columns_of_one_name():
    pa = pytest.importorskip("pyarrow")
    content = io.BytesIO()
    table = pa.table([pa.array(["It rained."])] * 2, ["document"] * 2)
    pytest.importorskip("pyarrow.parquet").write_table(table, content)
    return content.getvalue()


@pytest.mark.parametrize(
    ("made", "sheets", "problem"),
    [
        (columns_of_one_name, (), "two columns are called 'document'"),
        (workbook, [[["document", "abstract"]], [["Notes"]]], r"2 sheets \(Sheet1, Sheet2\)"),
        (workbook, [[["document"] * 2, ["a", "b"]]], "line 1: two columns are called 'document'"),
        (workbook, [[["text", "summary"], [*"abc"]]], "line 2: 3 fields, but the header has 2"),
        (workbook, [[["document", "abstract"]]], "the file has no pairs"),
        (workbook, [], "the file has no pairs"),
    ],
)
def test_broken_binary_tables_are_named(tmp_path, made, sheets, problem):
    path = tmp_path / "pairs.xlsx"
    path.write_bytes(made(*sheets))
    with pytest.raises(BadData, match=problem):
        read_pairs(path)


def test_a_damaged_workbook_is_named_or_read(tmp_path):
    path, content = tmp_path / "pairs.xlsx", workbook([["document", "abstract"], ["a b", "a"]])
    problems = []
    for start in range(0, len(content), 131):
        damaged = bytes(byte ^ 85 for byte in content[start : start + 8])
        path.write_bytes(content[:start] + damaged + content[start + 8 :])
        try:
            read_pairs(path)
        except BadData as error:
            problems.append(str(error))
    assert all(problem.startswith(str(path)) for problem in problems)
    assert any("broken Excel workbook" in problem for problem in problems)


def test_cells_of_a_workbook_are_texts(tmp_path):
    path = tmp_path / "pairs.xlsx"
    rows = [["id", "document", "abstract", "note"], [12, "It rained._x000D_\nWe left.", "Rain."]]
    path.write_bytes(workbook(rows))
    (pair,) = read_pairs(path)
    assert pair.id == "12" and pair.abstract.strings == ("Rain.",)
    assert len(pair.document.sentences()) == 2


# Lines


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


MANY = 30_000


@pytest.mark.parametrize(
    ("blank", "pack", "then", "problem"),
    [
        ("\n", gzip.compress, "", "the file is empty"),
        (" \t\n", bytes, "", "the file is empty"),
        ("\r\n", bytes, '{"document": "It rained.", "abstract": "Rain."}\n{', "line 30002: broken"),
        ("\n", bytes, "[\n\n{]", "line 30003: broken"),
    ],
)
def test_many_line_breaks_need_no_memory_and_are_counted(tmp_path, blank, pack, then, problem):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(pack((blank * MANY + then).encode()))
    tracemalloc.start()
    try:
        with pytest.raises(BadData, match=problem):
            read_pairs(path)
        assert tracemalloc.get_traced_memory()[1] < 20 * MANY
    finally:
        tracemalloc.stop()
