"""Files of pairs in all forms are read, or refused with place and reason."""

import gzip
import io
import json
import tracemalloc
import warnings
from importlib.util import find_spec
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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
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


needs_openpyxl = pytest.mark.skipif(
    find_spec("openpyxl") is None, reason="openpyxl is not installed"
)
# Tables


def test_two_columns_of_one_name_are_refused(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    one = pa.array(["It rained."])
    parquet.write_table(pa.table([one, one], ["document", "document"]), tmp_path / "pairs")
    with pytest.raises(BadData, match="two columns are called 'document'"):
        read_pairs(tmp_path / "pairs")


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


@pytest.mark.parametrize(
    ("blank", "pack"), [("\n", gzip.compress), ("\n", bytes), ("\r\n", bytes), (" \t\n", bytes)]
)
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
