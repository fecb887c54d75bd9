from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from corpus_tools.errors import SemiHmmWarning
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing import (
    parse_documents,
)
from corpus_tools.parsing.parser import SentenceParser
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Bracket, flat


@dataclass(frozen=True)
class Stub(SentenceParser):
    """Gives a noun phrase over each sentence but those with "?", and keeps what it was given."""

    name = "stub"

    model: str = "1"
    given: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def version(self):
        return self.model

    def parse(self, sentences):
        if ("fail", "now") in sentences:
            raise KeyboardInterrupt
        self.given.extend(sentences)
        return [None if "?" in sentence else noun_phrase(len(sentence)) for sentence in sentences]


def noun_phrase(length):
    root, *tags = flat(length)
    return [root, Bracket("NP", 0, length), *tags]


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


def parsed(pairs, parser, **options):
    """Return the trees of documents of which one sentence cannot be parsed."""
    with pytest.warns(SemiHmmWarning, match=" of . sentences could not be parsed by 'stub' and"):
        return list(parse_documents(pairs, parser, **options))


def test_each_document_sentence_is_parsed_once_and_no_abstract(capsys):
    parser = Stub()
    message = "^1 of 6 sentences could not be parsed by 'stub' and are flat$"
    with pytest.warns(SemiHmmWarning, match=message):
        assert list(parse_documents(PAIRS, parser)) == TREES
    assert parser.given == [("one", "two"), ("three",), ("what", "?")]
    assert capsys.readouterr() == ("", "")


def test_the_cache_knows_the_parser_its_version_and_the_sentence(tmp_path):
    cache = tmp_path / "cache"
    parser = Stub()
    for _ in range(2):
        # What cannot be parsed is not tried again, but the warning comes again.
        assert parsed(PAIRS, parser, cache=cache) == TREES
        assert len(parser.given) == 3
    parsed([*PAIRS, pair("d", ["four", "three"])], parser, cache=cache)
    assert parser.given[3:] == [("four",)]
    other_version = Stub(model="2")
    parsed(PAIRS, other_version, cache=cache)
    assert len(other_version.given) == 3
