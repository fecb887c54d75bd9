"""What every parser of the registry has to keep."""

from __future__ import annotations

import importlib.util
import pickle
import re
import tomllib

import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing import PARSERS, make_parser
from corpus_tools.plugins.options import Options
from corpus_tools.texts.brackets import flat
from corpus_tools.texts.text import Text
from tests.naive.trees import problems
from tests.paths import ROOT

ALWAYS_THERE = {"none", "trees", *(["chunks"] if importlib.util.find_spec("HanTa") else [])}
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
def test_a_parser_describes_itself(name):
    parser = PARSERS[name]
    assert parser.name == name and issubclass(parser.Settings, Options)
    assert all(described.help for described in parser.Settings.described().values())
    made = make_parser(name)
    assert type(made) is parser and made.settings == parser.Settings()


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_can_be_sent_to_other_processes(name):
    made = make_parser(name)
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize("name", PARSERS)
def test_a_source_is_a_setting_or_refused(name):
    if "source" in PARSERS[name].Settings.described():
        assert make_parser(name, ROOT / "model").settings == PARSERS[name].Settings(
            source=str(ROOT / "model")
        )
    else:
        message = f"the parser '{name}' has no models to choose from, found 'model'"
        with pytest.raises(BadUsage, match=message):
            make_parser(name, "model")


@pytest.mark.parametrize("name", PARSERS)
def test_each_sentence_has_a_tree_over_its_tokens(name):
    first, empty, last = documents(name)
    assert empty == [] and last == first[:1]
    assert first[3] == first[0] and first[1] == flat(0)
    for tree, tokens in zip(first, SENTENCES, strict=True):
        assert problems(tree, len(tokens)) == []


@pytest.mark.parametrize("name", PARSERS)
def test_the_trees_are_the_same_again(name):
    assert documents(name) == documents(name)


def test_some_parsers_are_never_skipped():
    for name in ALWAYS_THERE:
        assert len(documents(name)) == len(PAIRS)


def test_the_extra_of_a_parser_installs_its_package():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    packages = {name: parser.package for name, parser in PARSERS.items() if parser.package}
    assert "chunks" in packages
    for name, package in packages.items():
        assert package in {re.match(r"[\w-]+", needed).group() for needed in extras[name]}


def test_an_unknown_name_is_told_with_those_that_there_are():
    message = r"unknown parser 'chunk'. Did you mean 'chunks'\? Known: benepar, bllip, chunks, none"
    with pytest.raises(BadUsage, match=message):
        make_parser("chunk")
