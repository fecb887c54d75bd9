"""Files of pairs in all forms are read, or refused with place and reason."""

import gzip
import io
import json
import tracemalloc
import warnings
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from corpus_tools.alignments import formats
from corpus_tools.base.errors import BadData, SemiHmmError
from corpus_tools.base.files import json_line
from corpus_tools.base.reading import numbered_json_lines
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import iterate_pairs, read_pairs
from corpus_tools.pairs.text_files import PairsFile
from corpus_tools.parsing import read_trees
from semihmm.applications.measure.ratings import read_judgements, read_scores
from semihmm.applications.measure.summary_files import read_references, read_summaries
from tests.paths import records_beside
from tests.tiny_corpora import pair, story

# Tables of small files, of pairs from Python, and of what any reader may meet

NAME = "small.file"

GOOD: dict[str, list[dict[str, Any]]] = {}
"""Records that are read well, by reader."""

for reader, record in records_beside(__file__, "good_records.jsonl"):
    GOOD.setdefault(reader, []).append(record)

PAIRS = [pair("one", "x y new Mac", "new Mac well"), pair("2", "a", "b c")]
TREED = [story("a", ["Cats sleep", "Dogs ("], []), story("b", [], [])]
READERS: dict[str, Callable[[Path], Any]] = {
    "pairs": read_pairs,
    "alignments": lambda path: formats.read("jsonl", path, PAIRS),
    "pharaoh": lambda path: formats.read("pharaoh", path, PAIRS),
    "summaries": read_summaries,
    "references": lambda path: read_references([path]),
    "scores": lambda path: read_scores([path]).columns,
    "judgements": lambda path: read_judgements(path).columns,
    "lines": lambda path: [*numbered_json_lines(path)],
    "trees": lambda path: [*read_trees(path, TREED)],
}


def workbook(*sheets):
    book = pytest.importorskip("openpyxl").Workbook()
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def asked_for(what, value):
    """Return what is read of files in this folder, of pairs in Python, or by a reader."""
    if what == "given":
        return as_pairs(value[0], **value[1])
    if what == "files":
        for name, content in value[0].items():
            Path(name).parent.mkdir(exist_ok=True, parents=True)
            data = content.encode() if isinstance(content, str) else workbook(*content)
            Path(name).write_bytes(gzip.compress(data) if ".gz" in name else data)
        return [*iterate_pairs(**value[1])]
    if isinstance(value, dict):
        value = "".join(map(json_line, [*GOOD[what], value]))
    Path(NAME).write_bytes(value.encode("utf-8", "surrogateescape"))
    found = READERS[what](Path(NAME))
    return [*(found.items() if isinstance(found, dict) else found)][-1:]


def shown(one):
    """Return what a pair holds, as JSON has it."""
    if not isinstance(one, Pair):
        return str(one)
    sides = [[text.strings, text.sentences()] for text in (one.document, one.abstract)]
    links = [None if links is None else sorted(links) for links in (one.sure, one.possible)]
    more = [one.tokenizer, one.system, one.passages, one.source.line]
    return json.dumps([one.id, *sides, links, more], ensure_ascii=False)


@pytest.mark.parametrize("table", ["files.txt", "given.txt", "readers.txt", "workbooks.txt"])
def test_what_is_read_or_refused_and_warned_of(table, tmp_path, monkeypatch, worked_out):
    folders = map(str, count())

    def outcome(line):
        folder = tmp_path / next(folders)
        folder.mkdir()
        monkeypatch.chdir(folder)
        what, _, value = line.partition(" ")
        with warnings.catch_warnings(record=True, action="always") as caught:
            try:
                found = [*map(shown, asked_for(what, json.loads(value)))]
            except SemiHmmError as error:
                found = [f"{type(error).__name__}: {error}"]
        return [*found, *(f"warning: {one.message}" for one in caught)]

    worked_out(table, outcome)


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


def test_a_name_of_two_columns_of_a_binary_table_is_refused(tmp_path):
    table = pytest.importorskip("pyarrow").table([["It rained."]] * 2, ["document"] * 2)
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "pairs")
    with pytest.raises(BadData, match=r"pairs: two columns are called 'document'$"):
        read_pairs(tmp_path / "pairs")


# Lines


def test_json_lines_are_known_by_the_first_one(tmp_path):
    """Whoever writes them may wait for an answer."""
    (tmp_path / "a").write_text("{}\n{}\n")
    assert PairsFile(tmp_path / "a").head == ["{}\n"]


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
