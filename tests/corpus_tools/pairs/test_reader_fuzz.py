"""Readers get thousands of broken files: they read them well, or name file, line and reason."""

import copy
import gzip
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import alignment_of_row, alignment_row
from corpus_tools.alignments.formats import check_consistency
from corpus_tools.base.errors import BadData
from tests.corpus_tools.pairs.test_reading import GOOD, NAME, READERS
from tests.examples import fuzz

NO_IDS = {"nan", "inf", "-inf", "None", "True", "False"}
"""What ``str`` makes of values that are no ids."""

LINES = {
    "pairs": ["a b . ||| a .", " ||| ", "a ||| b ||| c", "document,abstract", "a,b", '[{"id": 1}]'],
    "summaries": ["a b c .", "\ufeffd", " ", '{"id": 1}', "[1]", "id,summary", "<html>", "a, b"],
    "pharaoh": ["0-0 1-1 2-0", "0-1", "", "9-9 -1-0 0-0-0 \u0663-1 1e9-0"],
}
"""Lines of other formats, by reader."""

STRANGE: tuple = (
    *(True, 0, -1, 10**30, 1.0, -0.0, math.nan, math.inf, -math.inf, None, {}, {"": None}),
    *("", " ", "\x00", "\ud800", "é", "a" * 300, "NaN", "one", "2"),
    *([], [[]], [[[]]], [""], ["a"], [["a"], "b"], [[1]], [1, 0], [[0, 0]], [[0, 10**20]]),
)
VALUES = st.sampled_from(STRANGE).map(copy.deepcopy)
KEYS = ("id", "null", "phrases", "sure", "text", "x")


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
        new = draw(st.lists(VALUES, max_size=1))
        if isinstance(chosen, list):
            start = draw(st.integers(0, len(chosen)))
            chosen[start : start + draw(st.integers(0, 1))] = new
        else:
            key = draw(st.sampled_from([*chosen, *KEYS]))
            chosen.pop(key, None)
            chosen.update(zip([key], new, strict=False))
    lines = [json.dumps(record, ensure_ascii=draw(st.booleans())) for record in records]
    layout = draw(st.sampled_from(["\n", "\n", "\r\n", "\n\n", "", "\r", ",\n", "\u2028"]))
    return layout.join([*lines, ""]).encode("utf-8", "surrogatepass")


@st.composite
def damaged(draw, content):
    """Return bytes of which some are others, more or fewer, or that are packed or recoded."""
    changed = bytearray(draw(content))
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(changed)))
        end = min(start + draw(st.sampled_from([0, 1, 8, 10**6])), len(changed))
        changed[start:end] = draw(st.binary(max_size=4) | st.sampled_from([b"\n", b'"', b"}"]))
    if draw(st.sampled_from([False, False, True])):
        how = draw(st.sampled_from(["utf-8-sig", "UTF-16", "latin-1"]))
        return changed.decode("utf-8", "replace").encode(how, "replace")
    packed = gzip.compress(bytes(changed))
    is_packed = draw(st.sampled_from([False, False, False, True]))
    return packed[: len(packed) - draw(st.integers(0, 9))] if is_packed else bytes(changed)


def files_of(name):
    """Return damaged files for a reader."""
    kinds = [st.binary(max_size=60)]
    if name in GOOD:
        kinds.append(changed_json(GOOD[name]))
    if name in LINES:
        lines = st.lists(st.sampled_from(LINES[name]), max_size=7)
        kinds.append(lines.map(lambda some: ("\n".join(some) + "\n").encode()))
    return damaged(st.one_of(kinds))


def check_pairs(pairs):
    check_ids([one.id for one in pairs])
    for one in pairs:
        for d, a in one.gold_links() if one.sure else ():
            assert 0 <= d < len(one.document) and 0 <= a < len(one.abstract)


def check_alignments(alignments):
    """They would be read again, and as they are."""
    check_ids(list(alignments))
    for alignment in alignments.values():
        check_consistency(alignment)
        assert alignment_of_row(alignment_row(alignment)) == alignment


def check_ids(ids):
    assert len(set(ids)) == len(ids)
    for id in ids:
        assert NO_IDS.isdisjoint([id])
        json.dumps(id, ensure_ascii=False).encode()


def check_ratings(columns):
    for column, values in columns.items():
        assert column.name not in ("id", "system") and values
        assert not any(map(math.isinf, values.values()))


CHECKS = {
    "pairs": check_pairs,
    "alignments": check_alignments,
    "pharaoh": check_alignments,
    "summaries": lambda some: check_ids([f"{one.system} {one.id}" for one in some]),
    "references": lambda some: check_ids(list(some)),
    "scores": check_ratings,
    "judgements": check_ratings,
}
HARD = [
    b'{"id": -Infinity, "text": [["a"]], "summary": [["a"]]}',
    b'{"id": 1e999, "system": "A", "x": 1e999}',
    b"[" * 100_000,
    b"{}\n" + b"[" * 100_000,
    b'{"id": ' + b"9" * 5000 + b"}",
    b'{"id": "a", "summary": "\\ud800"}',
    b'{"id": "a", "references": [[]]}',
    b'{"summaries": [],\n "a": 1, "a": 2}',
    b"\n" * 9 + b"{",
]


def read_or_refused(name, path, content):
    path.write_bytes(content)
    try:
        found = READERS[name](path)
    except BadData as error:
        message = str(error)
    else:
        CHECKS[name](found)
        return
    assert NAME in message


@pytest.mark.parametrize("name", CHECKS)
@fuzz(60)
@given(data=st.data())
def test_what_is_read_is_sound_or_refused_with_the_file(tmp_path, name, data):
    read_or_refused(name, tmp_path / NAME, data.draw(files_of(name)))


@pytest.mark.parametrize("name", CHECKS)
def test_hard_files_are_read_or_refused_with_the_file(tmp_path, name):
    for content in HARD:
        read_or_refused(name, tmp_path / NAME, content)
