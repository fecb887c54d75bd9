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
from corpus_tools.storage.file_formats import text_format
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
        (json.dumps(ROWS, indent=2), 1, "looks like a JSON array: .*jq -c"),
        ("\n\n[", 3, "looks like a JSON array"),
        (json.dumps(ROW, indent=2), 1, "looks like a JSON object over several lines: .*jq -c"),
        (str(ROW) + "\n", 1, "looks like Python dictionaries"),
        (table(","), 1, "looks like CSV: python -c"),
        (table("\t"), 1, "looks like TSV: python -c"),
        (table(";"), 1, "looks like CSV with semicolons"),
        ("<html><body>\n", 1, "looks like XML or HTML"),
        ("Apple sold Macs, and more.\nSo it is, they say.\n", 1, "looks like plain text"),
        ("0-0 1-1\n", 1, "looks like plain text"),
        (LINE.replace("\n", "\r") * 2, 1, "carriage returns"),
        (LINE.strip() * 2, 1, "without line breaks between them: .*jq -c"),
        (LINE.replace("\n", ",\n") * 2, 1, "with commas between them"),
        (json.dumps(LINE) + "\n", 1, "encoded twice: .*jq -r"),
        ("- id: 1\n  document: x\n", 1, "looks like YAML"),
        ("It rained.\tRain.\nIt snowed.\tSnow.\n", 1, "TSV without a header"),
        (LINE + "\0" * 99, 2, "a zero byte"),
        (LINE.replace('"id"', '"document": "x", "id"'), 1, "the key 'document' stands twice"),
        (LINE + "plain text\n", 2, "broken JSON at column 1"),
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
        (b"PAR1\x15\x04\x15", "a Parquet file"),
        (b"PK\x03\x04\x14\x00", "a zip file"),
        (b"BZh91AY&SY", "a bzip2 file"),
        (b"%PDF-1.7\n%", "a PDF file"),
        (b"\x80\x04\x95", "a pickle"),
        (UNICODE.encode("utf-16"), "a text file in UTF-16: .*iconv -f UTF-16"),
        (UNICODE.encode("utf-16-le"), "a text file in UTF-16LE"),
        (CHINESE.encode("utf-16-be"), "a text file in UTF-16BE"),
        (UNICODE.encode("utf-32"), "a text file in UTF-32"),
        (gzip.compress(gzip.compress(LINE.encode())), "a gzip file in a gzip file"),
    ],
)
def test_binary_files(tmp_path, content, message):
    path = tmp_path / "pairs.jsonl"
    for stored in (content, gzip.compress(content)):
        path.write_bytes(stored)
        with pytest.raises(BadData, match=rf"pairs\.jsonl: the file looks like {message}"):
            list(numbered_json_lines(path))


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_the_conversion_of_tables_works_as_it_stands(tmp_path, separator):
    (tmp_path / "FILE").write_text(table(separator))
    looks = text_format(table(separator).splitlines(keepends=True))
    command = looks.remedy.replace("python ", f"{sys.executable} ", 1)
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    assert [row for _, row in numbered_json_lines(tmp_path / "NEW")] == ROWS
