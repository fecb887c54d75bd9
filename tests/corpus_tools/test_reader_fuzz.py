"""Readers get thousands of broken files: they raise ``BadData`` with the file, or read it well."""

from __future__ import annotations

import copy
import csv
import gzip
import io
import json
import math

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from corpus_tools.alignments import formats
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.errors import BadData
from corpus_tools.measures.read_references import read_references
from corpus_tools.measures.read_summaries import read_summaries
from corpus_tools.meta_evaluation.read_ratings import read_judgements, read_scores
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text import Text
from tests.examples import examples

FUZZ = settings(
    max_examples=examples(100),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
NAME = "fuzzed file"

GOOD_PAIRS = [
    {
        "id": "one",
        "document": [["Apple", "sold", "Macs"], ["So", "."]],
        "abstract": [["Macs", "."]],
        "sure": [[2, 0]],
        "possible": [[4, 1]],
        "trees": ["(S Apple sold Macs)", "(S So .)"],
    },
    {"guid": 2, "article": [["a", "b"]], "summary": [["b"]]},
    {"id": 3.5, "text": ["a b c .", "d e ."], "highlights": "a b ."},
]
GOOD_ALIGNMENTS = [
    {
        "id": "one",
        "phrases": [
            {"abstract": [0, 1], "document": [2, 3], "probability": 0.5},
            {"abstract": [0, 1], "document": [1, 3]},
        ],
        "null": [1],
    },
    {"id": 2, "phrases": []},
]
GOOD_SUMMARIES = [
    {"id": "one", "system": "A", "summary": "Apple sold Macs .\nSo ."},
    {"id": "one", "system": 2, "summary": ["Apple sold Macs .", "So ."]},
    {"id": 3.5, "summary": ""},
    {"id": 4, "system": "A", "positions": [0, 2]},
]
GOOD_REFERENCES = [
    {"id": "one", "references": ["Apple sold Macs .", ["So .", ""]]},
    {"id": 2, "references": ["a b"]},
    {"id": 4, "words": ["a", "b", "c"], "compressions": [[0, 2], [1]]},
]
GOOD_RATINGS = [
    {"id": "one", "system": "A", "x": 0.5, "y": None},
    {"id": 2, "system": 3, "x": 1, "rouge-1": {"recall": 0.5, "f": None}},
    {"system": "A", "z": 1e9},
]
GOOD_REPORT = {
    "signature": "semihmm",
    "systems": {"A": {"x": {"recall": 0.25, "f": None, "interval": [0, 1]}}},
    "summaries": GOOD_RATINGS,
}
PAIRS = [
    Pair(
        "one", Text.from_sentences([["Apple", "sold", "Macs"]]), Text.from_sentences([["a", "b"]])
    ),
    Pair("2", Text.from_sentences([["a"]]), Text.from_sentences([["b", "c"]])),
]

NUMBERS = (True, False, 0, -1, 1, 10**30, 1.0, -0.0, math.nan, math.inf, -math.inf, 1e308)
TEXTS = ("", " ", "\x00", "\ud800", "é", "a" * 300, "NaN", "one", "2")
LISTS: tuple[object, ...] = (
    [],
    [[]],
    [[[]]],
    [""],
    ["a"],
    [["a"], "b"],
    [[1]],
    [0, 1],
    [1, 0],
    [[0, 0]],
    [[0, 10**20]],
)
OTHERS: tuple[object, ...] = (None, {}, {"": None}, {"abstract": [0, 1], "document": [0, 1]})

# Copies: what is drawn is changed later.
strange_values = st.sampled_from([*NUMBERS, *TEXTS, *LISTS, *OTHERS]).map(copy.deepcopy)
values = strange_values | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


def containers(value):
    """Return all objects and lists inside a JSON value, itself included."""
    inside = value.values() if isinstance(value, dict) else value
    some = [item for item in inside if isinstance(item, dict | list)]
    return [value, *(deeper for item in some for deeper in containers(item))]


@st.composite
def changed_json(draw, good):
    """Return the bytes of JSON lines of which some values are others, more or fewer."""
    records = copy.deepcopy(good)
    for _ in range(draw(st.integers(0, 3))):
        chosen = draw(st.sampled_from(containers(records)))
        keys = list(chosen) if isinstance(chosen, dict) else list(range(len(chosen)))
        change = draw(st.sampled_from(["replace", "remove", "add", "repeat"]))
        if change == "replace" and keys:
            chosen[draw(st.sampled_from(keys))] = draw(values)
        elif change == "remove" and keys:
            del chosen[draw(st.sampled_from(keys))]
        elif change == "repeat" and keys and isinstance(chosen, list):
            chosen.append(copy.deepcopy(chosen[draw(st.sampled_from(keys))]))
        elif isinstance(chosen, list):
            chosen.append(draw(values))
        else:
            chosen[
                draw(st.sampled_from(["id", "null", "phrases", "sure", "system", "text", "x"]))
            ] = draw(values)
    lines = [json.dumps(record, ensure_ascii=draw(st.booleans())) for record in records]
    layout = draw(st.sampled_from(["\n"] * 5 + ["\r\n", "\n\n", "", " ", "\r", "\u2028"]))
    return layout.join([*lines, ""]).encode("utf-8", "surrogatepass")


@st.composite
def damaged(draw, content):
    """Return bytes of which some are others, more or fewer, or that are packed or recoded."""
    changed = bytearray(draw(content))
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(changed)))
        end = draw(
            st.integers(start, min(start + draw(st.sampled_from([0, 1, 8, 10**6])), len(changed)))
        )
        changed[start:end] = draw(
            st.binary(max_size=4) | st.sampled_from([b"\n", b'"', b"}", b"["])
        )
    how = draw(
        st.sampled_from(["as is"] * 6 + ["mark", "UTF-16", "gzip", "broken gzip", "latin-1"])
    )
    if how == "mark":
        return b"\xef\xbb\xbf" + changed
    if how in ("UTF-16", "latin-1"):
        return changed.decode("utf-8", "replace").encode(how, "replace")
    if how == "gzip":
        return gzip.compress(bytes(changed))
    if how == "broken gzip":
        return gzip.compress(bytes(changed))[: -draw(st.integers(1, 20))]
    return bytes(changed)


def files_like(good):
    return damaged(changed_json(good)) | st.binary(max_size=60)


def plain_files(*lines):
    """Return files of lines that may stand in other orders, more than once or not at all."""
    words = "".join(lines).split()
    line = st.sampled_from(lines) | st.lists(st.sampled_from(words), max_size=9).map(" ".join)
    joined = st.lists(line, max_size=7).map(lambda some: ("\n".join(some) + "\n").encode())
    return damaged(joined) | st.binary(max_size=60)


ALIGNMENT_FILES = {
    "jsonl": files_like(GOOD_ALIGNMENTS),
    "pharaoh": plain_files("0-0 1-1 2-0", "0-1", "", "9-9 -1-0 0-0-0 \u0663-1 1e9-0"),
    "naacl": plain_files("1 1 1 S 0.5", "1 0 2", "2 1 2 P", "9 9 9 X nan 1e999 -1 \u0661"),
    "a3": plain_files(
        "# Sentence pair (1) source length 3 target length 2 alignment score : 1",
        "# Sentence pair (2) source length 1 target length 2 alignment score : nan",
        "a b",
        "b c",
        "NULL ({ 1 }) Apple ({ 2 }) sold ({ }) Macs ({ 2 })",
        "NULL ({ }) a ({ 1 2 })",
    ),
}


def outcome(read, path, content):
    """Return what is read, or nothing for a file that is refused with its name."""
    path.write_bytes(content)
    try:
        return read()
    except BadData as error:
        message = str(error)
    assert NAME in message
    return ()


NO_IDS = {"nan", "inf", "-inf", "None", "True", "False"}
"""What ``str`` makes of values that are no ids."""


def check_pairs(pairs):
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert NO_IDS.isdisjoint(pair.id for pair in pairs)
    for pair in pairs:
        json.dumps(
            [pair.id, *pair.document.tokens, *pair.abstract.tokens], ensure_ascii=False
        ).encode()
        for d, a in (pair.sure or frozenset()) | (pair.possible or frozenset()):
            assert 0 <= d < len(pair.document)
            assert 0 <= a < len(pair.abstract)


@FUZZ
@given(content=files_like(GOOD_PAIRS))
@example(content=b'{"id": NaN, "text": [["a"]], "summary": [["a"]]}')
@example(content=b'{"id": -Infinity, "text": [["a"]], "summary": [["a"]]}')
@example(content=b'{"id": 1e999, "text": [["a"]], "summary": [["a"]]}')
@example(content=b"[" * 100_000)
@example(content=b'{"id": ' + b"9" * 5000 + b"}")
@example(content=b'{"id": ' + b"9" * 400 + b', "text": [["a"]], "summary": [["a"]]}')
def test_pairs(tmp_path, content):
    path = tmp_path / NAME
    check_pairs(outcome(lambda: read_pairs(path), path, content))


def as_table(separator, end):
    """Return how JSON lines are written as a table. Other lines and values come in as they are."""

    def write(content):
        text = io.StringIO()
        writer = csv.writer(text, delimiter=separator, lineterminator=end)
        for line in content.decode("utf-8", "surrogateescape").splitlines():
            try:
                fields = json.loads(line)
            except (ValueError, RecursionError):
                fields = line
            row = fields if isinstance(fields, dict) else {"document": line}
            if not text.tell():
                writer.writerow(row)
            writer.writerow(row.values())
        return text.getvalue().encode("utf-8", "surrogatepass")

    return write


def as_array(content):
    lines = content.splitlines()
    return b"[" + b",\n ".join(lines) + b"]"


def indented(content):
    return content.replace(b", ", b",\n  ")


OTHER_FORMATS = {
    "array": as_array,
    "indented": indented,
    "indented array": lambda content: indented(as_array(content)),
    "CSV": as_table(",", "\r\n"),
    "TSV": as_table("\t", "\n"),
}


@pytest.mark.parametrize("name", OTHER_FORMATS)
@FUZZ
@given(content=changed_json(GOOD_PAIRS), more=st.data())
def test_pairs_in_other_formats(tmp_path, name, content, more):
    path = tmp_path / NAME
    written = more.draw(damaged(st.just(OTHER_FORMATS[name](content))))
    check_pairs(outcome(lambda: read_pairs(path), path, written))


def is_well_formed(alignment: Alignment) -> bool:
    in_phrases = {
        token
        for phrase in alignment.phrases
        for token in alignment.null
        if phrase.abstract[0] <= token < phrase.abstract[1]
    }
    spans = [(phrase.abstract, phrase.document) for phrase in alignment.phrases]
    return (
        not in_phrases
        and len(set(spans)) == len(spans)
        and len(set(alignment.null)) == len(alignment.null)
        and all(0 <= start < end for sides in spans for start, end in sides)
        and all(0 <= phrase.probability <= 1 for phrase in alignment.phrases)
    )


@pytest.mark.parametrize("name", formats.READERS)
@FUZZ
@given(data=st.data())
def test_alignments(tmp_path, name, data):
    path = tmp_path / NAME
    content = data.draw(ALIGNMENT_FILES[name])
    alignments = outcome(lambda: formats.read(name, path, PAIRS), path, content)
    assert NO_IDS.isdisjoint(alignments)
    for id, alignment in dict(alignments).items():
        assert id == alignment.id
        assert is_well_formed(alignment)


def check_texts(ids, texts):
    assert NO_IDS.isdisjoint(ids)
    for sentences in texts:
        assert all(isinstance(sentence, str) for sentence in sentences)
        json.dumps([*ids, *sentences], ensure_ascii=False).encode()


TEXT_LINES = ("a b c .", "\ufeffd", "", " ", '{"id": 1}', "[1]", "id,summary", "<html>", "a, b")


@FUZZ
@given(content=files_like(GOOD_SUMMARIES) | plain_files(*TEXT_LINES))
@example(content=b'{"id": 1, "system": NaN, "summary": "a"}')
@example(content=b'{"id": "a", "summary": "\\ud800"}')
@example(content=b"\n" * 9 + b"{")
def test_summaries(tmp_path, content):
    path = tmp_path / NAME
    summaries = outcome(lambda: read_summaries(path), path, content)
    keys = [(one.system, one.id) for one in summaries]
    assert len(set(keys)) == len(keys)
    check_texts({part for key in keys for part in key}, [one.sentences for one in summaries])


@FUZZ
@given(content=files_like(GOOD_REFERENCES) | plain_files(*TEXT_LINES))
@example(content=b'{"id": "a", "references": [[]]}')
def test_references(tmp_path, content):
    path = tmp_path / NAME
    references = dict(outcome(lambda: read_references([path]), path, content))
    check_texts(set(references), [one for of_id in references.values() for one in of_id])
    for of_id in references.values():
        assert of_id
        assert all(any(map(str.strip, sentences)) for sentences in of_id)


def check_ratings(columns):
    for column, values in columns.items():
        assert column.name not in ("id", "system")
        assert values
        for key, value in values.items():
            assert not math.isinf(value)
            json.dumps([*column, *key], ensure_ascii=False).encode()


@FUZZ
@given(content=files_like(GOOD_RATINGS) | files_like([GOOD_REPORT]))
@example(content=json.dumps(GOOD_REPORT, indent=1).encode())
@example(content=b'{"summaries": [{"id": 1, "system": "A", "x": 1}], "systems": {"A": {"x": 1}}}')
@example(content=b'{"summaries": [],\n "a": 1, "a": 2}')
def test_scores(tmp_path, content):
    path = tmp_path / NAME
    check_ratings(dict(outcome(lambda: read_scores([path]).columns, path, content)))


@FUZZ
@given(content=files_like(GOOD_RATINGS[:1] + GOOD_RATINGS[2:]))
@example(content=b'{"system": "A", "x": 1e999}')
def test_judgements(tmp_path, content):
    path = tmp_path / NAME
    check_ratings(dict(outcome(lambda: read_judgements(path).columns, path, content)))
