"""What no reader can read is refused with the name of the file, the line and the reason."""

import gzip
import json
from typing import Any

import pytest

from corpus_tools.base.errors import BadData, MissingText
from corpus_tools.base.reading import numbered_json_lines
from corpus_tools.parsing import read_trees
from tests.corpus_tools.pairs.test_formats import table
from tests.corpus_tools.pairs.test_reader_fuzz import GOOD, NAME, READERS
from tests.paths import records_beside
from tests.semihmm.program_runs import write
from tests.tiny_corpora import story

TREED = [story("a", ["Cats sleep", "Dogs ("], []), story("b", [], [])]
REFUSING = READERS | {
    "lines": lambda path: list(numbered_json_lines(path)),
    "trees": lambda path: list(read_trees(path, TREED)),
}
"""The readers by name; alignments are of the pairs "one" (3 tokens, 2 tokens) and "2" (1, 2)."""


TEXTS = {"id": "1", "document": "a, b and c .\nd", "abstract": 'a "b" ; c'}
SAID = {"id": "a", "system": "s", "summary": "x"}
RATED = {"id": "0", "system": "A", "x": 1}
CATS = "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))"
DOGS = "(ROOT (S (NP (NNS Dogs)) (VP (VBP -LRB-))))"


def report(*entries, **more):
    """Return a report of measures with one good entry."""
    return json.dumps({"summaries": [RATED, *entries], **more})


HEADER = "document,abstract\n"
REFUSED: dict[str, list[Any]] = {
    "lines": [
        ("", None, "empty"),
        ('{}\n{"a": 1\n', 2, "column 8"),
        ("{}\n  [1, 2]\n", 2, "object"),
        ("{}\n" + "[" * 100_000, 2, "recursion"),
        ('{}\n{"a": "\\ud83d!"}', 2, "surrogates"),
        ('{"a": 1, "a": 2}\n', 1, "'a'"),
        (json.dumps([TEXTS], indent=2), 1, "JSON lines"),
        (json.dumps(TEXTS, indent=2), 1, "column 2"),
        (table([TEXTS, TEXTS]), 1, "JSON lines"),
        ("Apple sold Macs, and more.\nSo it is.\n", 1, "JSON lines"),
        (b'{}\n{}\n{"a": "na\xefve"}\n', 3, "0xef"),
        (b"PK\x03\x04\xff", 1, "UTF-8"),
        (gzip.compress(json.dumps(TEXTS).encode("utf-16")), 1, "UTF-8"),
    ],
    "pairs": [
        (f"{HEADER}a,b\na,b,c\n", 3, "3 fields"),
        (f'{HEADER}a,b\n"a,b\n', 3, "unexpected end"),
        ("\n\ndocument,document\na,b\n", 3, "'document'"),
        ("id,document,abstract\n1,a,b\n1,c,d\n", 3, "line 2"),
        (table([TEXTS | {"sure": "0-0"}]), 2, "'sure'"),
        ('[\n{"a": 1} {', 2, "column 10"),
        ("[" + '{"id": 1, "text": "a", "summary": "a"},' * 2 + "{}]", None, "item 2"),
        ('[\n{"a": "\\ud800"}]', None, "surrogates"),
        ("a ||| a\n" * 9 + "\n", 10, "0 times"),
        ("a ||| a\n" * 9 + "a|||b\n", 10, "0 times"),
        ("a ||| a\n" * 9 + "a ||| b ||| c\n", 10, "2 times"),
    ],
    "alignments": [("", None, "empty")],
    "pharaoh": [
        ("", None, ""),
        ("0-0\n", None, "1 line for 2 pairs: expected one for each"),
        ("0-0\n0-0\n\n", None, "3 lines for 2 pairs: expected one for each"),
        ("0-0\n0-0 1\n", 2, "'1' is no link i-j"),
        ("0-1000000000\n\n", 1, "'0-1000000000' is no link i-j"),
        ("0-0\n1-0\n", 2, "token 1"),
        ("0-0\n0-3\n", 2, "abstract token 3, but the abstract has 2 tokens"),
    ],
    "trees": [
        (f"{CATS}\n{CATS}\n", 2, "sentence 2"),
        (f"{CATS}\n\n(ROOT (S\n(X Dogs)))", 3, "sentence 2"),
        (f"{CATS}{DOGS}\n", 1, "sentence 1"),
        (CATS, None, "sentence 2"),
        (f"{CATS}\n{DOGS}\n\n{CATS}\n(", 4, ""),
    ],
    "summaries": [
        (f"{json.dumps(SAID)}\n{{", 2, "broken JSON"),
        (f"\n{json.dumps(SAID)}\n" * 2, 4, "'a'"),
        ('[\n{"id": "a"}\n]\n', 1, "JSON lines"),
        ('[{"id": 1}]\n', 1, "JSON lines or plain text"),
        ("[\n1]\n", 1, "JSON lines or plain text"),
        ("<HTML>\n<p>One.\n", 1, "JSON lines or plain text"),
        ("<?xml version='1.0'?>\n", 1, "JSON lines or plain text"),
        ("id,summary\n1,One.\n", 1, "JSON lines or plain text"),
        ("\n\tsummary\tid\n", 1, "JSON lines or plain text"),
        ("", None, "JSON lines or plain text"),
    ],
    "references": [("a\n\nb\n", 2, "reference 1")],
    "scores": [
        ("", None, "empty"),
        ('{"summaries": [\n{"id": "1",\n', 3, "broken JSON"),
        ('{\n "metrics": {}\n}', 1, "broken JSON"),
        ('{"summaries": []}', None, "'summaries' is no list of objects"),
        ('{"summaries": [1]}', None, "'summaries' is no list of objects"),
        (report({"m": 1}), None, "entry 2: no 'system'"),
        (report(systems={"A": 1}), None, "'systems' holds no figures by system and measure"),
        (report(systems=[1]), None, "'systems' holds no figures by system and measure"),
        (report(systems={"A": {"m": {"f": "x"}}}), None, "'m f' is 'x', expected a finite number"),
        ("id,system,x\n1,A,2\n1,B,y\n", 3, "'x'"),
        ([RATED, RATED | {"id": "1", "x": 10**400}], 2, "'x'"),
    ],
}


@pytest.mark.parametrize(
    ("reader", "content", "line", "field"),
    [(reader, *case) for reader, cases in REFUSED.items() for case in cases],
)
def test_the_error_names_file_line_and_field(tmp_path, reader, content, line, field):
    path = tmp_path / NAME
    if isinstance(content, list):
        content = "".join(json.dumps(row) + "\n" for row in content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    # Not by pytest.raises: what it returns keeps the file open until Python looks for cycles.
    named = None
    try:
        REFUSING[reader](path)
    except BadData as error:
        message = str(error)
        named = message.startswith(str(path)), error.line, field in message.removeprefix(str(path))
    assert named == (True, line, True)


@pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")
@pytest.mark.parametrize(
    ("reader", "record", "problem"), records_beside(__file__, "refused_records.jsonl")
)
def test_a_wrong_record_after_good_ones_is_named(tmp_path, reader, record, problem):
    """The table has records beside the wrong ones that are read; these have no problem."""
    path = tmp_path / NAME
    write(path, *GOOD[reader], record)
    if not problem:
        assert len(READERS[reader](path)) == len(GOOD[reader]) + 1
        return
    with pytest.raises(BadData) as refused:
        READERS[reader](path)
    error = refused.value
    assert (error.file, error.line) == (str(path), len(GOOD[reader]) + 1)
    assert problem in error.problem
    assert isinstance(error, MissingText) == ("name the field" in error.problem)
