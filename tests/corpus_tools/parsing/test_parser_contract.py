"""What every parser of the registry has to keep."""

from __future__ import annotations

import importlib.util

import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing import PARSERS, make_parser
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import flat
from tests.naive.trees import problems

SENTENCES = [
    ["The", "firm", "'s", "owner", "said", "so", "."],
    [],
    ["``", "-LRB-", "No", ")", "''"],
    ["The", "firm", "'s", "owner", "said", "so", "."],
]


def pair(name: str, sentences: list[list[str]]) -> Pair:
    """Make a pair with trees of its own, which the parser ``trees`` gives back."""
    trees = tuple(flat(len(sentence)) for sentence in sentences)
    document = Text.from_sentences(sentences)
    return Pair(name, document, Text.from_sentences([["never", "parsed"]]), trees=trees)


PAIRS = [pair("a", SENTENCES), pair("b", []), pair("c", SENTENCES[:1])]


def documents(name: str) -> list[list]:
    """Return the trees by a parser. Skips the test where its package or its model is missing."""
    package = PARSERS[name].package
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed: pip install 'semihmm[{name}]'")
    try:
        return list(make_parser(name).document_trees(PAIRS))
    except BadUsage as error:
        if "finds no" not in str(error):
            raise
        pytest.skip(str(error))


@pytest.mark.parametrize("name", PARSERS)
def test_each_sentence_has_a_tree_over_its_tokens(name):
    first, empty, last = documents(name)
    assert empty == [] and last == first[:1]
    assert first[3] == first[0] and first[1] == flat(0)
    for tree, tokens in zip(first, SENTENCES, strict=True):
        assert problems(tree, len(tokens)) == []
