"""What no reader can read is refused with the name of the file, the line and the reason."""

import gzip
import json
import math
import re

import pytest

from corpus_tools.base.errors import BadData
from corpus_tools.base.reading import numbered_json_lines
from corpus_tools.parsing import read_trees
from tests.corpus_tools.pairs.test_formats import table
from tests.corpus_tools.pairs.test_reader_fuzz import NAME, READERS
from tests.tiny_corpora import story

TREED = [story("a", ["Cats sleep", "Dogs ("], []), story("b", [], [])]
REFUSING = READERS | {
    "lines": lambda path: list(numbered_json_lines(path)),
    "trees": lambda path: list(read_trees(path, TREED)),
}
"""The readers by name; alignments are of the pairs "one" (3 tokens, 2 tokens) and "2" (1, 2)."""


def spans(abstract=(0, 1), document=(2, 3), **more):
    return {"abstract": abstract, "document": document, **more}


PAIR = {"id": "1", "document": [["a", "b"], ["c"]], "abstract": [["a"]]}
TEXTS = {"id": "1", "document": "a, b and c .\nd", "abstract": 'a "b" ; c'}
ROW = {"id": "1", "phrases": []}
SAID = {"id": "a", "system": "s", "summary": "x"}
SOURCE = {"id": "a", "words": ["x", "y", "z"], "compressions": [[0, 2], [1]]}
RATED = {"id": "0", "system": "A", "x": 1}
CATS = "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))"
DOGS = "(ROOT (S (NP (NNS Dogs)) (VP (VBP -LRB-))))"


HEADER = "document,abstract\n"
REFUSED = {
    "lines": [
        ("", "file: the file is empty"),
        ('{}\n{"a": 1\n', "line 2: broken JSON at column 8"),
        ("{}\n  [1, 2]\n", "line 2: expected a JSON object"),
        ("{}\n" + "[" * 100_000, "line 2: unreadable JSON: .*recursion"),
        ('{}\n{"a": "\\ud83d!"}', "line 2: .*surrogates not allowed"),
        ('{"a": 1, "a": 2}\n', "line 1: .*the key 'a' occurs twice"),
        (json.dumps([TEXTS], indent=2), "line 1: .*expected JSON lines"),
        (json.dumps(TEXTS, indent=2), "line 1: broken JSON at column"),
        (table([TEXTS, TEXTS]), "line 1: .*expected JSON lines: one object"),
        ("Apple sold Macs, and more.\nSo it is.\n", "line 1: .*expected JSON lines"),
        (b'{}\n{}\n{"a": "na\xefve"}\n', "line 3: invalid UTF-8: byte 0xef"),
        (b"PK\x03\x04\xff", "line 1: invalid UTF-8: .* UTF-8, plain"),
        (gzip.compress(json.dumps(TEXTS).encode("utf-16")), "line 1: invalid UTF-8: .* UTF-8"),
    ],
    "pairs": [
        (f"{HEADER}a,b\na,b,c\n", "line 3: 3 fields"),
        (f'{HEADER}a,b\n"a,b\n', "line 3: broken table: unexpected end"),
        ("\n\ndocument,document\na,b\n", "line 3: two columns are called 'document'"),
        ("id,document,abstract\n1,a,b\n1,c,d\n", "line 3: the id '1' is that of .*, line 2 too"),
        (table([TEXTS | {"sure": "0-0"}]), "line 2: pair '1': 'sure' must be a list of links"),
        ('[\n{"a": 1} {', "line 2: broken JSON at column 10"),
        ("[" + '{"id": 1, "text": "a", "summary": "a"},' * 2 + "{}]", "item 2: the id '1'"),
        ('[\n{"a": "\\ud800"}]', "unreadable JSON: .*surrogates not allowed"),
        ("a ||| a\n" * 9 + "\n", r"line 10: 0 times ' \|\|\| '"),
        ("a ||| a\n" * 9 + "a|||b\n", "line 10: 0 times"),
        ("a ||| a\n" * 9 + "a ||| b ||| c\n", "line 10: 2 times"),
        ([PAIR | {"document": None}], "line 1: .*'document' is None"),
        ([PAIR | {"abstract": [["a", ""]]}], "line 1: .*'abstract' is .* expected a string"),
        ([PAIR | {"id": True}], "line 1: .*'id' is True"),
        ([PAIR | {"sure": [[0, 0], [3, 0]]}], "line 1: .*'sure' is out of .* has 3 tokens"),
        ([PAIR | {"sure": [], "possible": [[3, 0]]}], "line 1: .*'possible' is out of range"),
        ([PAIR | {"sure": [[0, 0, 0]]}], "line 1: .*'sure' must be a list of links"),
        ([PAIR | {"possible": [[0, 0]]}], "line 1: .*'possible' links but no 'sure'"),
        ([PAIR | {"trees": [CATS]}], "line 1: pair '1': the field 'trees' is .*, expected a list"),
        ([PAIR | {"trees": [CATS, CATS]}], "line 1: pair '1', sentence 1 .*is 'Cats'"),
    ],
    "alignments": [
        ("", "file: the file is empty"),
        ([{"phrases": []}], "line 1: .*without 'id'"),
        ([ROW, ROW], "line 2: .*the id '1' was used"),
        ([ROW | {"phrases": [spans((2, 4))], "null": [0, 3]}], "line 1: .*token 3 is both"),
        ([ROW | {"null": [1, 0, 1]}], "line 1: .*token 1 occurs twice"),
        ([ROW | {"phrases": [spans(), spans(probability=0.5)]}], "line 1: .*occurs twice"),
        (
            [ROW | {"phrases": [{"abstract": [0, 1]}]}],
            r"line 1: .*'document' .* None, expected \[start, end\]",
        ),
        ([ROW | {"phrases": [spans((2, 0))]}], r"line 1: .*expected \[start, end\]"),
        ([ROW | {"phrases": [spans(probability=1.5)]}], "line 1: .*'probability' is 1.5"),
    ],
    "pharaoh": [
        ("", "file: (the file is empty|0 lines)"),
        ("0-0\n", "file: 1 line for 2 pairs"),
        ("0-0 0:1\n\n", "line 1: '0:1' is no link"),
        ("0-0\n1-0\n", "line 2: .*'2' refers to document token 1"),
    ],
    "trees": [
        (f"{CATS}\n{CATS}\n", "line 2: pair 'a', sentence 2 .*: leaf 0 of the tree is 'Cats'"),
        (f"{CATS}\n\n(ROOT (S\n(X Dogs)))", "line 3: pair 'a', sentence 2 .*: .* 1 leaves"),
        (f"{CATS}{DOGS}\n", "line 1: pair 'a', sentence 1 .* expected one tree"),
        (CATS, "the trees end before pair 'a', sentence 2"),
        (f"{CATS}\n{DOGS}\n\n{CATS}\n(", "line 4: here the trees go on"),
    ],
    "summaries": [
        ([SAID | {"summary": 7}], "line 1: 'summary' is 7"),
        (f"{json.dumps(SAID)}\n{{", "line 2: broken JSON"),
        (f"\n{json.dumps(SAID)}\n" * 2, "line 4: the summary 'a' of 's' is given twice"),
        ([SAID | {"positions": [0]}], "line 1: found both"),
        ([{"id": "a", "positions": [1, 1]}], "line 1: 'positions': position 1 follows 1"),
        ('[\n{"id": "a"}\n]\n', "line 1: expected JSON lines or plain text"),
    ],
    "references": [
        ("a\n\nb\n", "line 2: reference 1 is empty"),
        ([{"id": "a", "references": []}], r"line 1: 'references' is \[\]"),
        ([{"id": "a", "references": ["x"]}] * 2, "line 2: the id 'a' is that of an earlier line"),
        ([{"id": "a", "compressions": [[0]]}], "line 1: 'words' is None"),
        ([SOURCE | {"compressions": [[0, 3]]}], "line 1: compression 1: position 3"),
        ([SOURCE | {"compressions": [[-1]]}], "line 1: compression 1: position -1"),
    ],
    "scores": [
        ("", "file: the file is empty"),
        ('{"summaries": [\n{"id": "1",\n', "line [23]: broken JSON"),
        ('{"summaries": [{"id": "1", "system": "A", "x": "y"}]}', "entry 1: 'x' is 'y'"),
        ('{\n "metrics": {}\n}', "line 1: broken JSON"),
        ("id,system,x\n1,A,2\n1,B,y\n", "line 3: 'x' is 'y', expected a finite number"),
    ],
}
RATINGS = [
    ({"id": "1", "x": 1}, "no 'system'"),
    ({"id": "1", "system": "A", "x": "0.5"}, "'x' is '0.5', expected a finite number"),
    ({"id": "1", "system": "A", "x": -math.inf}, "'x' is -inf"),
    ({"id": "1", "system": "A", "x": 10**400}, "'x' is 1000.*, expected a finite number"),
    ({"id": "1", "system": None, "x": 1}, "'system' is None"),
    (RATED, ".*is given twice"),
]
REFUSED["judgements"] = [([RATED, row], f"line 2: {message}") for row, message in RATINGS]
REFUSED["scores"] += REFUSED["judgements"]


@pytest.mark.parametrize(
    ("reader", "content", "message"),
    [(reader, *case) for reader, cases in REFUSED.items() for case in cases],
)
def test_the_message_names_file_line_and_reason(tmp_path, reader, content, message):
    path = tmp_path / NAME
    if isinstance(content, list):
        content = "".join(json.dumps(row) + "\n" for row in content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadData, match=message) as caught:
        REFUSING[reader](path)
    assert str(caught.value).startswith(str(path))
    line = re.match(r"line (\d+):", message)
    assert line is None or caught.value.line == int(line[1])
