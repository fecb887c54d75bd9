"""The adapters to stanza, benepar and bllipparser.

They meet stand-ins, and the real classes where those are installed. No model is downloaded: the
real parsers are given random weights, or trees to hand out.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from types import ModuleType, SimpleNamespace

import pytest

from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing import make_parser, model_parsers, parse_documents
from corpus_tools.parsing.penn import read_tree
from corpus_tools.texts.text import Text

SENTENCES = [("A", "cat", "-LRB-", "sat", ")", "."), ("``", "No", "way", "''")]
TREES = [
    "(ROOT (S (NP (DT A) (NN cat)) (PRN (-LRB- -LRB-) (VP (VBD sat)) (-RRB- -RRB-)) (. .)))",
    "(ROOT (NP (`` ``) (DT No) (NN way) ('' '')))",
]
EXPECTED = [read_tree(tree, sentence) for tree, sentence in zip(TREES, SENTENCES, strict=True)]
PAIRS = [Pair("a", Text.from_sentences(SENTENCES), Text.from_sentences([]))]


@pytest.fixture(autouse=True)
def no_model_is_kept():
    yield
    loads = ("_stanza_pipeline", "_benepar_model", "_bllip_model")
    for load in (getattr(model_parsers, name) for name in loads):
        load.cache_clear()


def install(monkeypatch, package, **contents):
    """Put a stand-in in the place of a package."""
    module = ModuleType(package)
    vars(module).update({"__version__": "1.0", **contents})
    monkeypatch.setitem(sys.modules, package, module)
    monkeypatch.setattr(model_parsers, "installed_version", lambda _: "1.0")


# stanza


def stanza_document(trees):
    return SimpleNamespace(sentences=[SimpleNamespace(constituency=tree) for tree in trees])


def test_stanza_gets_plain_tokens_and_no_download(monkeypatch):
    calls = []

    def pipeline(*arguments, **options):
        calls.append((arguments, options))
        return lambda sentences: calls.append(sentences) or stanza_document(TREES)

    install(monkeypatch, "stanza", Pipeline=pipeline)
    parser = make_parser("stanza", "models")
    assert parser.parse(SENTENCES) == EXPECTED
    (language,), options = calls[0]
    assert (
        language == "en"
        and options["dir"] == "models"
        and options["processors"] == "tokenize,pos,constituency"
    )
    assert options["tokenize_pretokenized"] is True and options["download_method"] is None
    assert calls[1] == [["A", "cat", "(", "sat", ")", "."], ["``", "No", "way", "''"]]
    parser.parse(SENTENCES)
    assert len(calls) == 3, "the model is loaded once"
    assert parser.version == "1.0 models" and make_parser("stanza").version == "1.0 None"


# benepar

InputSentence = namedtuple("InputSentence", "words")


def install_benepar(monkeypatch, longest=100, missing=False):
    from nltk.tree import Tree

    given = dict(
        zip([("A", "cat", "(", "sat", ")", "."), ("``", "No", "way", "''")], TREES, strict=True)
    )
    calls = []

    class Parser:
        def __init__(self, name):
            if missing:
                raise LookupError(f"Resource {name!r} not found.")
            calls.append(name)

        def parse_sents(self, sentences):
            if any(len(sentence.words) > longest for sentence in sentences):
                raise ValueError("Sentence of length 6 exceeds the maximum supported length of 5")
            yield from (Tree.fromstring(given[tuple(sentence.words)]) for sentence in sentences)

        def parse(self, sentence):
            return next(self.parse_sents([sentence]))

    install(monkeypatch, "benepar", Parser=Parser, InputSentence=InputSentence)
    return calls


def test_benepar_gets_plain_tokens(monkeypatch):
    calls = install_benepar(monkeypatch)
    assert list(parse_documents(PAIRS, make_parser("benepar"))) == [EXPECTED]
    assert list(parse_documents(PAIRS, make_parser("benepar", "other"))) == [EXPECTED]
    assert calls == ["benepar_en3", "other"]
    assert make_parser("benepar", "other").version == "1.0 other"


# bllip


def install_bllip(monkeypatch, model):
    install(
        monkeypatch, "bllipparser", RerankingParser=SimpleNamespace(from_unified_model_dir=model)
    )


class StandIn:
    """Fails on the first sentence as a real parser does."""

    def __init__(self, directory, failure=None):
        self.directory, self.failure = directory, failure

    def check_models_loaded_or_error(self, rerank):
        assert rerank == "auto"

    def parse(self, tokens):
        if self.failure is not None and "cat" in tokens:
            if self.failure:
                raise self.failure
            return []
        best = SimpleNamespace(
            ptb_parse={"A": TREES[0], "``": TREES[1]}[tokens[0]].replace("ROOT", "S1")
        )
        assert tokens[2] != "(" and tokens[-2] != ")"
        return [best, None]


def test_bllip_gets_escaped_tokens_and_the_model_by_name_or_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    directories = []
    install_bllip(
        monkeypatch, lambda directory: directories.append(directory) or StandIn(directory)
    )
    for source in (None, "WSJ", str(tmp_path)):
        assert list(parse_documents(PAIRS, make_parser("bllip", source))) == [EXPECTED]
    installed = tmp_path / ".local" / "share" / "bllipparser"
    assert directories == [str(installed / "WSJ-PTB3"), str(installed / "WSJ"), str(tmp_path)]
    assert make_parser("bllip").version == "1.0 WSJ-PTB3"
