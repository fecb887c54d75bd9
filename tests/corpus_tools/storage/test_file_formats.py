"""Files in other formats: what they look like, and how they are converted."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest

from corpus_tools.errors import BadData
from corpus_tools.storage.files import numbered_json_lines

ROW = {"id": "1", "document": "a, b and c .\nd", "abstract": 'a "b" ; c'}
ROWS = [ROW, ROW | {"id": "2"}]
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
        (json.dumps(ROW, indent=2), 1, "looks like a JSON object over several lines: .*jq -c"),
        (table(","), 1, "looks like CSV or TSV: .*pandas"),
        ("Apple sold Macs, and more.\nSo it is, they say.\n", 1, "looks like plain text"),
        (LINE.replace('"id"', '"document": "x", "id"'), 1, "the key 'document' stands twice"),
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
        (UNICODE.encode("utf-16"), "a text file in UTF-16: .*iconv -f UTF-16"),
    ],
)
def test_binary_files(tmp_path, content, message):
    path = tmp_path / "pairs.jsonl"
    for stored in (content, gzip.compress(content)):
        path.write_bytes(stored)
        with pytest.raises(BadData, match=rf"pairs\.jsonl: the file looks like {message}"):
            list(numbered_json_lines(path))
