"""Files in other formats: what they look like, and how they are converted."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys

import pytest

from corpus_tools.errors import BadData
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.storage.file_formats import binary_format, text_format
from corpus_tools.storage.files import numbered_json_lines

ROW = {"id": "1", "document": "a, b and c .\nd", "abstract": 'a "b" ; c'}
ROWS = [ROW, ROW | {"id": "2"}]
CHINESE = json.dumps({"document": "天气很好" * 99}, ensure_ascii=False) + "\n"
UNICODE = json.dumps(ROW | {"document": "é"}, ensure_ascii=False) + "\n"


LINE = json.dumps(ROW) + "\n"


def table(separator: str) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(ROW), delimiter=separator)
    writer.writeheader()
    writer.writerows(ROWS)
    return text.getvalue()


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (json.dumps(ROWS), 1, "looks like a JSON array: put its items on lines: jq -c"),
        (json.dumps(ROWS, indent=2), 1, "looks like a JSON array"),
        ("\n\n[", 3, "looks like a JSON array"),
        (json.dumps(ROW, indent=2), 1, "looks like a JSON object over several lines: .*jq -c"),
        (json.dumps(ROW).replace(", ", ",\n"), 1, "looks like a JSON object over several lines"),
        (str(ROW) + "\n", 1, "looks like Python dictionaries: write them with json.dumps"),
        (table(","), 1, "looks like CSV: python -c"),
        (table("\t"), 1, "looks like TSV: python -c"),
        (table(";"), 1, "looks like CSV with semicolons: python -c"),
        ("id,document\n", 1, "looks like CSV"),
        ("<html><body>\n", 1, "looks like XML or HTML"),
        ("Apple sold Macs, and more.\nSo it is, they say.\n", 1, "looks like plain text"),
        ("0-0 1-1\n", 1, "looks like plain text"),
        (LINE.replace("\n", "\r") * 2, 1, r"lines end in carriage returns: .*tr '\\r' '\\n'"),
        (LINE.strip() * 2, 1, "looks like JSON objects without line breaks between them: .*jq -c"),
        (LINE.replace("\n", ",\n") * 2, 1, "looks like JSON objects with commas between them"),
        ("\x1e" + LINE, 1, r"looks like a JSON text sequence .*tr -d '\\036'"),
        (json.dumps(LINE) + "\n", 1, "looks like JSON that was encoded twice: .*jq -r"),
        ("- id: 1\n  document: x\n", 1, "looks like YAML"),
        ("It rained.\tRain.\nIt snowed.\tSnow.\n", 1, "looks like TSV without a header: .*cut"),
        (f"// a comment\n{LINE}", 1, "broken JSON at column 1: Expecting value$"),
        ("\ufeff\ufeff" + LINE, 1, "broken JSON at column 1: a byte order mark, .*, once$"),
        ("\0" * 99 + LINE, 1, "broken JSON at column 1: a zero byte, as damaged files have$"),
        (LINE + "\0" * 99, 2, "broken JSON at column 1: a zero byte"),
        (LINE.replace("and", "\0"), 1, "broken JSON at column .*: a zero byte"),
        (LINE.replace('"id"', '"document": "x", "id"'), 1, "the key 'document' stands twice"),
        (LINE.replace('"1"', '{"a": 1, "a": 1}'), 1, "the key 'a' stands twice in an object"),
        ('{"a": ' * 100_000, 1, "unreadable JSON: lists or objects are nested too deeply"),
        (f'{{"a": 1{"0" * 5000}}}', 1, "unreadable JSON: a number has more than 4300 digits"),
        ('{"a": "\\udc00"}', 1, r"half a surrogate pair, \\udc00, is no character"),
    ],
)
def test_text_that_is_no_json_lines(tmp_path, content, line, message):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(content.encode())
    with pytest.raises(BadData, match=rf"pairs\.jsonl, line {line}: .*{message}"):
        list(numbered_json_lines(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PAR1\x15\x04\x15", r"a Parquet file: convert it with pandas, read_parquet\(\.\.\.\)"),
        (b"ARROW1\x00\x00", "an Arrow file"),
        (b"PK\x03\x04\x14\x00", "a zip file"),
        (b"BZh91AY&SY", "a bzip2 file: unpack it first"),
        (b"\xfd7zXZ\x00\x00", "an xz file"),
        (b"\x28\xb5\x2f\xfd\x04", "a zstd file"),
        (b"SQLite format 3\x00\x10", "an SQLite database"),
        (b"%PDF-1.7\n%", "a PDF file"),
        (b"\x80\x04\x95", "a pickle"),
        (UNICODE.encode("utf-16"), r"a text file in UTF-16: convert it to UTF-8: iconv -f UTF-16"),
        (UNICODE.encode("utf-16-le"), "a text file in UTF-16LE"),
        (UNICODE.encode("utf-16-be"), "a text file in UTF-16BE"),
        (UNICODE.encode("utf-32"), "a text file in UTF-32"),
        (UNICODE.encode("utf-32-be"), "a text file in UTF-32BE"),
        (CHINESE.encode("utf-16-le"), "a text file in UTF-16LE"),
        (CHINESE.encode("utf-16-be"), "a text file in UTF-16BE"),
        (gzip.compress(gzip.compress(LINE.encode())), "a gzip file in a gzip file: unpack it once"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_binary_files(tmp_path, content, message, packed):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(BadData, match=rf"pairs\.jsonl: the file looks like {message}"):
        list(numbered_json_lines(path))


def test_what_is_fine_is_not_recognised_as_something_else(tmp_path):
    assert binary_format(UNICODE.encode()) is None
    assert binary_format(b"") is None
    assert binary_format(b'{"id": "\x00"}') is None
    assert text_format(['{"id": \n', '{"id": 2}\n']) is None
    path = tmp_path / "gzip under another name.json"
    path.write_bytes(gzip.compress(UNICODE.encode()))
    assert len(read_pairs(path)) == 1
    path.write_bytes(b"\xef\xbb\xbf" + "".join(f"{json.dumps(row)}\r\n" for row in ROWS).encode())
    assert [pair.id for pair in read_pairs(path)] == ["1", "2"]
    path.write_text(json.dumps(ROW | {"x": 10**400, "y": "\0"}) + "\n")
    assert len(read_pairs(path)) == 1


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_the_conversion_of_tables_works_as_it_stands(tmp_path, separator):
    (tmp_path / "FILE").write_text(table(separator))
    looks = text_format(table(separator).splitlines(keepends=True))
    command = looks.remedy.replace("python ", f"{sys.executable} ", 1)
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    assert [row for _, row in numbered_json_lines(tmp_path / "NEW")] == ROWS
