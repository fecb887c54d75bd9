"""What every parser of the registry keeps, and that sentences are parsed once."""

from dataclasses import dataclass, field

import pytest

from corpus_tools.base.errors import SemiHmmWarning
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing import PARSERS, SentenceParser, make_parser, parse_documents
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Bracket, flat
from tests.naive.trees import problems


def pair(name: str, sentences: list[list[str]]) -> Pair:
    """Make a pair with trees of its own, which the parser ``trees`` gives back."""
    trees = tuple(flat(len(sentence)) for sentence in sentences)
    document = Text.from_sentences(sentences)
    return Pair(name, document, Text.from_sentences([["never", "parsed"]]), trees=trees)


# All parsers

SENTENCES = [
    ["The", "firm", "'s", "owner", "said", "so", "."],
    [],
    ["``", "-LRB-", "No", ")", "''"],
    ["The", "firm", "'s", "owner", "said", "so", "."],
]


@pytest.mark.parametrize("name", PARSERS)
def test_each_sentence_has_a_tree_over_its_tokens(name):
    if name == "chunks":
        pytest.importorskip("HanTa", reason="pip install '.[chunks]'")
    pairs = [pair("a", SENTENCES), pair("b", []), pair("c", SENTENCES[:1])]
    first, empty, last = make_parser(name).document_trees(pairs)
    assert empty == [] and last == first[:1]
    assert first[3] == first[0] and first[1] == flat(0)
    for tree, tokens in zip(first, SENTENCES, strict=True):
        assert problems(tree, len(tokens)) == []


# Parsers of sentences


@dataclass(frozen=True)
class Stub(SentenceParser):
    """Gives a noun phrase over each sentence but those with "?", and keeps what it was given."""

    name = "stub"

    given: list[tuple[str, ...]] = field(default_factory=list)

    def parse(self, sentences):
        self.given.extend(sentences)
        return [None if "?" in sentence else noun_phrase(len(sentence)) for sentence in sentences]


def noun_phrase(length):
    root, *tags = flat(length)
    return [root, Bracket("NP", 0, length), *tags]


PAIRS = [
    pair("a", [["one", "two"], ["three"], ["one", "two"]]),
    pair("b", []),
    pair("c", [[], ["what", "?"], ["three"]]),
]
TREES = [[noun_phrase(2), noun_phrase(1), noun_phrase(2)], [], [flat(0), flat(2), noun_phrase(1)]]


def test_each_document_sentence_is_parsed_once_and_no_abstract(capsys):
    parser = Stub()
    with pytest.warns(SemiHmmWarning, match=r"^1 of 6 .*'stub'"):
        assert list(parse_documents(PAIRS, parser)) == TREES
    assert parser.given == [("one", "two"), ("three",), ("what", "?")]
    assert capsys.readouterr() == ("", "")
