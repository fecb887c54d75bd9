from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.parsing import (
    PROVIDERS,
    flat,
    make_provider,
    parse_documents,
    parse_pairs,
    read_trees,
)
from corpus_tools.parsing.sentence_parser import BATCH_SENTENCES, SentenceParser
from corpus_tools.texts.brackets import Bracket
from corpus_tools.texts.text import Text

seen: list[tuple[str, ...]] = []


@dataclass(frozen=True)
class Stub(SentenceParser):
    """A noun phrase over each sentence but those with "?"."""

    source: str = "1"
    name = "stub"

    @property
    def version(self):
        return self.source

    def parse(self, sentences):
        seen.extend(sentences)
        return [None if "?" in sentence else noun_phrase(len(sentence)) for sentence in sentences]


def noun_phrase(length):
    root, *tags = flat(length)
    return [root, Bracket("NP", 0, length), *tags]


@pytest.fixture(autouse=True)
def stub(monkeypatch):
    monkeypatch.setitem(PROVIDERS, "stub", Stub)
    seen.clear()


def pair(name, document, abstract="never parsed"):
    return Pair(
        name,
        Text.from_sentences([sentence.split() for sentence in document]),
        Text.from_sentences([abstract.split()]),
    )


PAIRS = [
    pair("a", ["one two", "three", "one two"]),
    pair("b", []),
    pair("c", ["", "what ?", "three"]),
]
TREES = [[noun_phrase(2), noun_phrase(1), noun_phrase(2)], [], [flat(0), flat(2), noun_phrase(1)]]


def test_each_document_sentence_is_parsed_once_and_no_abstract(capsys):
    assert list(parse_documents(PAIRS, "stub")) == TREES
    assert seen == [("one", "two"), ("three",), ("what", "?")]
    assert capsys.readouterr() == (
        "",
        "warning: 1 of 6 sentences could not be parsed by 'stub' and are flat\n",
    )


def test_the_cache_knows_the_parser_its_version_and_the_sentence(tmp_path, capsys):
    cache = tmp_path / "cache"
    for _ in range(2):
        assert list(parse_documents(PAIRS, "stub", cache=cache)) == TREES
        assert len(seen) == 3
        # What cannot be parsed is not tried again, but told again.
        assert "1 of 6" in capsys.readouterr().err
    list(parse_documents([*PAIRS, pair("d", ["four", "three"])], "stub", cache=cache))
    assert seen[3:] == [("four",)]
    list(parse_documents(PAIRS, "stub", source="2", cache=cache))
    assert len(seen) == 4 + 3


def test_what_was_parsed_before_a_failure_is_not_lost(tmp_path, monkeypatch):
    pairs = [pair("a", [f"word {number}" for number in range(2 * BATCH_SENTENCES)])]
    parse = Stub.parse

    def fail(self, sentences):
        if ("word", "60") in sentences:
            raise KeyboardInterrupt
        return parse(self, sentences)

    monkeypatch.setattr(Stub, "parse", fail)
    with pytest.raises(KeyboardInterrupt):
        list(parse_documents(pairs, "stub", cache=tmp_path / "cache"))
    monkeypatch.setattr(Stub, "parse", parse)
    list(parse_documents(pairs, "stub", cache=tmp_path / "cache"))
    assert len(seen) == len(set(seen)) == 2 * BATCH_SENTENCES


def test_a_process_that_dies_is_told(monkeypatch):
    def die(*_):
        raise BrokenProcessPool("terminated abruptly")

    monkeypatch.setattr(ProcessPoolExecutor, "map", die)
    with pytest.raises(
        BadUsage, match=r"a parsing process died, for want of memory\? Use fewer than 2"
    ):
        list(parse_documents(PAIRS, "stub", processes=2))


def test_none_is_flat():
    assert list(parse_documents(PAIRS, "none")) == [
        [flat(2), flat(1), flat(2)],
        [],
        [flat(0), flat(2), flat(1)],
    ]


def test_unknown_names_and_needless_sources():
    with pytest.raises(
        BadUsage,
        match=r"unknown parser 'chunk'. Did you mean 'chunks'\? Known: .*bllip, chunks, none, stanza",
    ):
        list(parse_documents(PAIRS, "chunk"))
    for name in ("chunks", "none"):
        with pytest.raises(
            BadUsage, match=f"the parser '{name}' has no models to choose from, found 'model'"
        ):
            make_provider(name, "model")
    assert make_provider().name == "chunks"
    assert {name: provider.name for name, provider in PROVIDERS.items()} == {
        name: name for name in PROVIDERS
    }


def written(rows, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_rows_keep_the_pairs_and_their_trees(tmp_path):
    gold = PAIRS[0]
    gold = Pair(
        "gold", gold.document, gold.abstract, frozenset({(1, 0), (0, 1)}), frozenset({(2, 1)})
    )
    path = written(parse_pairs([*PAIRS, gold], "stub"), tmp_path / "parsed.jsonl")
    again = read_pairs(path)
    assert [one.id for one in again] == ["a", "b", "c", "gold"]
    assert [one.document.sentences() for one in again] == [
        one.document.sentences() for one in [*PAIRS, gold]
    ]
    assert [one.abstract.sentences() for one in again] == [
        one.abstract.sentences() for one in [*PAIRS, gold]
    ]
    assert (again[3].sure, again[3].possible, again[0].sure) == (gold.sure, gold.possible, None)
    assert list(read_trees(path, again)) == [*TREES, TREES[0]]


@pytest.mark.parametrize(
    "document",
    [
        "Mr. Fox ran (fast). The cat\n\n sat.  It's raining.",
        ["Mr. Fox ran (fast).", " The cat sat. It rained. "],
        [["Mr.", "Fox", "ran", "(", "fast", ")"], ["New York"]],
        "",
        [],
        ["", "One."],
        "The fox ran home.",
    ],
)
def test_raw_text_is_split_and_tokenized_the_same_again(tmp_path, document):
    path = written(
        [{"id": "a", "document": document, "abstract": "A fox ran. Fast, too."}],
        tmp_path / "raw.jsonl",
    )
    (raw,) = read_pairs(path, tokenizer="treebank")
    rows = list(parse_pairs([raw], "none"))
    (again,) = read_pairs(written(rows, tmp_path / "parsed.jsonl"), tokenizer="treebank")
    assert (again.document.sentences(), again.abstract.sentences()) == (
        raw.document.sentences(),
        raw.abstract.sentences(),
    )
    assert (again.document.characters is None) == (raw.document.characters is None)
    trees = [[flat(len(sentence)) for sentence in raw.document.sentences()]]
    assert list(read_trees(tmp_path / "parsed.jsonl", [again])) == trees
