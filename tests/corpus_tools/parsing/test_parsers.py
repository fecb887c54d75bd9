"""What every parser keeps, that sentences are parsed once, trees that users give, and chunks."""

import gzip
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics import f_measure

from corpus_tools.base.errors import BadData, BadUsage, SemiHmmWarning
from corpus_tools.pairs.records import make_pair
from corpus_tools.parsing import (
    PARSERS,
    Chunks,
    SentenceParser,
    make_parser,
    parse_documents,
    parse_pairs,
    read_trees,
    with_trees,
)
from corpus_tools.texts.trees import Bracket, flat, read_tree, write_tree
from tests.examples import examples
from tests.naive.trees import constituents, is_tree
from tests.paths import ROOT
from tests.tiny_corpora import story

# All parsers

SENTENCES = ["The firm 's owner said so .", "", "`` -LRB- No ) ''", "The firm 's owner said so ."]


@pytest.mark.parametrize("name", PARSERS)
def test_each_sentence_has_a_tree_over_its_tokens(name):
    if name == "chunks":
        pytest.importorskip("HanTa", reason="pip install '.[chunks]'")
    stories = [story("a", SENTENCES, ["x"]), story("b", [], []), story("c", SENTENCES[:1], [])]
    # The parser ``trees`` gives them back.
    pairs = [
        replace(one, trees=tuple(flat(len(sentence)) for sentence in one.document.sentences()))
        for one in stories
    ]
    first, empty, last = make_parser(name).document_trees(pairs)
    assert empty == [] and last == first[:1]
    assert first[3] == first[0] and first[1] == flat(0)
    for tree, tokens in zip(first, pairs[0].document.sentences(), strict=True):
        assert is_tree(tree, len(tokens))


@pytest.mark.parametrize("name", [name for name, kind in PARSERS.items() if not kind.takes_source])
def test_a_source_that_nothing_would_read_is_refused(name):
    with pytest.raises(BadUsage, match=f"'{name}' has no models .* 'trees.mrg'"):
        make_parser(name, "trees.mrg")


def test_a_side_is_written_as_it_was_given_or_as_its_sentences():
    given = ["A cat ran. It sat.", ["A cat ran.", "It sat. It ate."], [["a", "cat", "."], ["it"]]]
    pairs = [make_pair(side, side) for side in given]
    rows = list(parse_pairs(pairs, make_parser("none")))
    sides = [["A cat ran.", "It sat."], *given[1:]]
    assert [(row["document"], row["abstract"]) for row in rows] == [(one, one) for one in sides]


# Parsers of sentences


def stub():
    """Make a parser; processes get its class as it is, and need not import this file."""

    @dataclass(frozen=True)
    class Stub(SentenceParser):
        """Gives a noun phrase over each sentence without "?", and keeps what it was given."""

        name = "stub"

        given: list[tuple[str, ...]] = field(default_factory=list)

        def parse(self, sentences):
            self.given.extend(sentences)
            return [None if "?" in one else self.noun_phrase(len(one)) for one in sentences]

        @staticmethod
        def noun_phrase(length):
            root, *tags = flat(length)
            return [root, Bracket("NP", 0, length), *tags]

    return Stub()


def test_each_document_sentence_is_parsed_once_and_no_abstract(capsys):
    first = story("a", ["one two", "three", "one two"], ["never parsed"])
    pairs = [first, story("b", [], []), story("c", ["", "what ?", "three"], [])]
    parser = stub()
    two, one = parser.noun_phrase(2), parser.noun_phrase(1)
    with pytest.warns(SemiHmmWarning, match=r"^1 of 6 .*'stub'"):
        trees = list(parse_documents(iter(pairs), parser))
    assert trees == [[two, one, two], [], [flat(0), flat(2), one]]
    assert parser.given == [("one", "two"), ("three",), ("what", "?")]
    assert list(parse_documents([story("b", [], [])], parser)) == [[]]
    assert capsys.readouterr() == ("", "")


def test_several_processes_give_the_same_trees():
    pairs = [story("a", [f"{number} cats left" + number % 3 * " ." for number in range(120)], [])]
    elsewhere, here = stub(), stub()
    assert list(elsewhere.document_trees(pairs, processes=2)) == list(here.document_trees(pairs))
    assert (len(elsewhere.given), len(here.given)) == (0, 120)


# Trees that users give

PAIRS = [
    story("a", ["Cats sleep", "Dogs ("], ["x"]),
    story("b", [], []),
    story("c", ["", "yes"], []),
]
NAMED = {
    "1": "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))",
    "2": "(ROOT (S (NP (NNS Dogs)) (VP (VBP -LRB-))))",
    "3": "(ROOT (FRAG (UH Yes)))",
}


def read_from(line: str) -> list[str]:
    """Return the trees of each pair in a file, or what is wrong. A number is one of ``NAMED``."""
    text = re.sub(r"\b\d\b", lambda number: NAMED[number[0]], line.replace("\u21b5", "\n"))
    Path("trees.gz").write_bytes(gzip.compress(text.encode()))
    Path("trees").write_text(text, encoding="utf-8")
    try:
        documents = list(read_trees("trees", PAIRS))
    except BadData as error:
        return [str(error)]
    assert list(read_trees("trees.gz", PAIRS)) == documents
    return [
        " / ".join(
            "none" if tree is None else write_tree(tree, tokens)
            for tree, tokens in zip(trees, pair.document.sentences(), strict=True)
        )
        for trees, pair in zip(documents, PAIRS, strict=True)
    ]


def test_a_file_has_a_tree_for_each_sentence(worked_out, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    worked_out("given_trees.txt", read_from)


def test_pairs_take_their_trees_along_and_a_tree_without_leaves_is_flat_and_counted(tmp_path):
    path = tmp_path / "trees"
    path.write_text(f"{NAMED['1']}\n{NAMED['2']}\n(())\n", encoding="utf-8")
    pairs = with_trees(PAIRS, path)
    assert [replace(pair, trees=None) for pair in pairs] == PAIRS
    assert [pair.trees for pair in pairs] == [*map(tuple, read_trees(path, PAIRS))]
    first = list(pairs[0].trees)
    for parser in (make_parser("trees"), make_parser("trees", path)):
        with pytest.warns(SemiHmmWarning) as warned:
            trees = list(parse_documents(pairs, parser))
        assert trees == [first, [], [flat(0), flat(1)]]
        (said,) = (str(one.message) for one in warned)
        assert said == "1 of 4 sentences could not be parsed by 'trees' and are flat"
    with pytest.raises(BadUsage, match="pair 'a' has no trees, which the parser 'trees' needs"):
        list(parse_documents(PAIRS, make_parser("trees")))


# Chunks


def parse(*sentences: tuple[str, ...]):
    pytest.importorskip("HanTa", reason="the parser 'chunks' needs HanTa: pip install '.[chunks]'")
    return Chunks().parse(sentences)


def golden(name: str) -> list[tuple[list, tuple[str, ...]]]:
    sentences = []
    for line in (ROOT / "tests" / "golden" / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            tokens = tuple(re.findall(r"(?<!\S)[^\s()]+", line))
            tree = read_tree(line, tokens)
            assert tree is not None
            sentences.append((tree, tokens))
    return sentences


@pytest.mark.parametrize(
    ("name", "least"), [("brackets-tuned.penn", 0.9), ("brackets-held-out.penn", 0.8)]
)
def test_bracket_f_on_hand_bracketed_sentences(name, least):
    sentences = golden(name)
    assert len(sentences) == 30
    both = [tree for tree, _ in sentences], parse(*(tokens for _, tokens in sentences))
    gold, parsed = (
        {
            (number, *one)
            for number, (tree, (_, tokens)) in enumerate(zip(trees, sentences, strict=True))
            for one in constituents(tree, tokens)
        }
        for trees in both
    )
    f = f_measure(gold, parsed)
    print(f"{name}: F {f:.3f}")
    assert f > least


def brackets_of(line: str) -> list[str]:
    """Return the tree of a sentence without tags."""
    (tree,) = parse(tokens := tuple(line.split()))
    return [re.sub(r"\(\S+ ([^\s()]+)\)", r"\1", write_tree(tree, tokens))]


def test_trees_by_hand(worked_out):
    worked_out("trees.txt", brackets_of)


WORDS = """
    the a his cats house Monday said thinks saw closed closing to of in for since that who where
    and but not very big is been has may he it there 's , . : -- `` '' ( ) -LRB- ! 7 years more
    than last xyzzy \u00e9t\u00e9 % :-)
    """.split()  # noqa: SIM905


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40))
def test_whatever_the_words_there_is_a_tree_over_them(tokens):
    tree, again = parse(tuple(tokens), tuple(tokens))
    assert is_tree(tree, len(tokens))
    assert read_tree(write_tree(tree, tokens), tokens) == tree == again


def test_only_the_length_decides_whether_a_sentence_is_parsed():
    """No clock of NLTK's does: patterns that take the cube of the length have no limit of time."""
    longest, longer = parse(("1",) * 300, ("1",) * 301)
    assert longest is not None and longer is None
