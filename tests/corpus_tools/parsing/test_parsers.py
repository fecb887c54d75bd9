"""What every parser keeps, that sentences are parsed once, and trees that users give."""

import gzip
from dataclasses import dataclass, field, replace

import pytest

from corpus_tools.base.errors import BadData, BadUsage, SemiHmmWarning
from corpus_tools.parsing import (
    PARSERS,
    SentenceParser,
    make_parser,
    parse_documents,
    read_trees,
    with_trees,
)
from corpus_tools.texts.trees import Bracket, flat, read_tree
from tests.naive.trees import problems
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
        assert problems(tree, len(tokens)) == []


@pytest.mark.parametrize("name", [name for name, kind in PARSERS.items() if not kind.takes_source])
def test_a_source_that_nothing_would_read_is_refused(name):
    with pytest.raises(BadUsage, match=f"'{name}' has no models .* 'trees.mrg'"):
        make_parser(name, "trees.mrg")


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


def test_each_document_sentence_is_parsed_once_and_no_abstract(capsys):
    first = story("a", ["one two", "three", "one two"], ["never parsed"])
    pairs = [first, story("b", [], []), story("c", ["", "what ?", "three"], [])]
    two, one = noun_phrase(2), noun_phrase(1)
    parser = Stub()
    with pytest.warns(SemiHmmWarning, match=r"^1 of 6 .*'stub'"):
        trees = list(parse_documents(pairs, parser))
    assert trees == [[two, one, two], [], [flat(0), flat(2), one]]
    assert parser.given == [("one", "two"), ("three",), ("what", "?")]
    assert list(parse_documents([story("b", [], [])], parser)) == [[]]
    assert capsys.readouterr() == ("", "")


def test_several_processes_give_the_same_trees():
    pairs = [story("a", [f"{number} cats left" + number % 3 * " ." for number in range(120)], [])]
    elsewhere, here = Stub(), Stub()
    assert list(elsewhere.document_trees(pairs, processes=2)) == list(here.document_trees(pairs))
    assert (len(elsewhere.given), len(here.given)) == (0, 120)


# Trees that users give

FIRST = "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))"
SECOND = "(ROOT (S (NP (NNS Dogs)) (VP (VBP -LRB-))))"
THIRD = "(ROOT (FRAG (UH Yes)))"
PAIRS = [
    story("a", ["Cats sleep", "Dogs ("], ["x"]),
    story("b", [], []),
    story("c", ["", "yes"], []),
]
EXPECTED = [
    [read_tree(FIRST, ("Cats", "sleep")), read_tree(SECOND, ("Dogs", "("))],
    [],
    [flat(0), read_tree(THIRD, ("yes",))],
]


@pytest.mark.parametrize("layout", ["{}\n{}\n{}\n", "\n{}\n\n{}\n\n\n{}"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_with_a_tree_a_sentence(tmp_path, layout, pack):
    path = tmp_path / "trees"
    over_lines = SECOND.replace(" (VP", "\n\n   (VP")
    path.write_bytes(pack(layout.format(FIRST, over_lines, THIRD).encode()))
    assert list(read_trees(path, PAIRS)) == EXPECTED


def test_pairs_take_their_trees_along_and_a_tree_without_leaves_is_flat_and_counted(tmp_path):
    path = tmp_path / "trees"
    path.write_text(f"{FIRST}\n{SECOND}\n(())\n", encoding="utf-8")
    first, empty, failed = with_trees(PAIRS, path)
    assert (first.trees, empty.trees, failed.trees) == (tuple(EXPECTED[0]), (), (flat(0), None))
    assert (first.document, first.abstract) == (PAIRS[0].document, PAIRS[0].abstract)
    for parser in (make_parser("trees"), make_parser("trees", path)):
        with pytest.warns(SemiHmmWarning, match=r"^1 of 4 .*'trees'"):
            trees = list(parse_documents([first, empty, failed], parser))
        assert trees == [EXPECTED[0], [], [flat(0), flat(1)]]


@pytest.mark.parametrize(
    ("trees", "problem"),
    [
        ([FIRST], ": the trees end before pair 'a', sentence 2 of the document"),
        ([FIRST, SECOND], ": the trees end before pair 'c', sentence 2 of the document"),
        ([FIRST, SECOND, THIRD, "", FIRST], ", line 5: there are more trees than sentences"),
        ([FIRST, SECOND, "(ROOT (X (UH No)))"], ", line 3: pair 'c', sentence 2 of the document: "),
        ([FIRST, SECOND, "(ROOT (X (UH Yes))"], ", line 3: .* 1 brackets of the tree are not"),
    ],
)
def test_trees_that_do_not_fit_are_named(tmp_path, trees, problem):
    path = tmp_path / "trees"
    path.write_text("\n".join(trees), encoding="utf-8")
    with pytest.raises(BadData, match=f"trees{problem}"):
        list(read_trees(path, PAIRS))
