from __future__ import annotations

import json

import pytest

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.read_pairs import read_pairs

# Pairs, document tokens, abstract tokens, sure and possible links: the table in the README.md of
# the data.


@pytest.fixture
def reading(tmp_path):
    """Return a function that writes records to a file and reads them back as pairs."""

    def read(*records: dict, **options):
        path = tmp_path / "pairs.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return read_pairs(path, **options)

    return read


def record(**fields) -> dict:
    return {"id": "one", "document": [["a", "b"], ["c"]], "abstract": [["a"]], **fields}


# What is read


def test_a_side_is_a_string_or_sentences_or_tokens(reading):
    (pair,) = reading(
        {
            "id": "x",
            "document": "Mr. Hall slept.  It rained.",
            "abstract": ["He slept.", "It rained, too."],
        }
    )
    assert pair.document.sentences() == [("Mr.", "Hall", "slept", "."), ("It", "rained", ".")]
    assert pair.abstract.sentences() == [("He", "slept", "."), ("It", "rained", ",", "too", ".")]
    assert pair.abstract.strings == ("He slept.", "It rained, too.")
    assert pair.document.characters[-2] == (0, 20, 26)
    assert pair.tokenizer == "treebank"

    (pair,) = reading(record(document=[["its", "a b"], [], ["c."]], abstract=[]))
    assert pair.document.sentences() == [("its", "a b"), (), ("c.",)]
    assert pair.document.characters is None
    assert len(pair.abstract) == 0


def test_the_tokenizer_is_decided_for_each_text_or_named(reading):
    raw = record(id="raw", document="It ends.", abstract="It ends.")
    tokenized = record(id="tokenized", document="Well , it ends .", abstract="It ends .")
    first, second = reading(raw, tokenized)
    assert (first.tokenizer, second.tokenizer) == ("treebank", "whitespace")
    assert first.document.tokens == ("It", "ends", ".")
    (both,) = reading(record(id="both", document="It's raw.", abstract="Tokenized , it ends ."))
    assert both.tokenizer == "treebank+whitespace"
    assert both.abstract.tokens == ("Tokenized", ",", "it", "ends", ".")
    first, second = reading(raw, tokenized, tokenizer="treebank")
    assert first.document.tokens == ("It", "ends", ".")
    first, second = reading(raw, tokenized, tokenizer="whitespace")
    assert first.document.tokens == ("It", "ends.")
    with pytest.raises(BadUsage, match=r"unknown tokenizer 'treebnak'\. Did you mean 'treebank'"):
        reading(raw, tokenizer="treebnak")


def test_ids(reading):
    body = {"document": "d", "abstract": "a"}
    pairs = reading(
        {"id": "x", **body},
        {"guid": 7, **body},
        body,
        {"uid": 2.5, **body},
        {"article_id": "y", **body},
    )
    assert [pair.id for pair in pairs] == ["x", "7", "line-3", "2.5", "y"]


def test_gold(reading):
    (pair,) = reading(record(sure=[[0, 0], [2, 0]], possible=[[1, 0]]))
    assert pair.sure == {(0, 0), (2, 0)}
    assert pair.possible == {(1, 0)}
    (pair,) = reading(record(sure=[]))
    assert pair.sure == pair.possible == frozenset()
    (pair,) = reading(record())
    assert pair.sure is None
    assert pair.possible is None


def test_parallel_plain_text(tmp_path):
    (tmp_path / "documents").write_bytes(b"Long text.\r\n\r\nIt ended. We left.\n")
    (tmp_path / "abstracts").write_bytes(b"Text.\nSecond.\nEnd.")
    pairs = read_pairs(tmp_path / "documents", abstracts=tmp_path / "abstracts")
    assert [pair.id for pair in pairs] == ["line-1", "line-2", "line-3"]
    assert [len(pair.document) for pair in pairs] == [3, 0, 6]
    assert pairs[2].document.boundaries == (0, 3, 6)
    assert pairs[2].abstract.tokens == ("End", ".")


# What is refused


def test_parallel_files_must_agree(tmp_path):
    (tmp_path / "documents").write_text("one\ntwo\n")
    (tmp_path / "abstracts").write_text("one\n")
    with pytest.raises(
        BadData, match=r"documents: 2 lines, but .*abstracts has 1: parallel files must"
    ):
        read_pairs(tmp_path / "documents", abstracts=tmp_path / "abstracts")
    (tmp_path / "abstracts").write_text("")
    with pytest.raises(BadData, match="abstracts: the file is empty, expected plain text"):
        read_pairs(tmp_path / "documents", abstracts=tmp_path / "abstracts")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"document": None}, "'document' is None"),
        ({"abstract": [["a", ""]]}, "'abstract' is .* expected a string"),
        ({"id": True}, "'id' is True"),
        ({"sure": [[0, 0], [3, 0]]}, "'sure' is out of .* the document has 3 tokens"),
        ({"sure": [], "possible": [[3, 0]]}, "'possible' is out of range"),
        ({"sure": [[0, 0, 0]]}, "'sure' must be a list of links"),
        ({"possible": [[0, 0]]}, "'possible' links but no 'sure'"),
    ],
)
def test_what_is_wrong_in_a_record_is_named(reading, fields, problem):
    with pytest.raises(BadData, match=f"line 1: .*{problem}"):
        reading(record(**fields))
