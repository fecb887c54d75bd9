import gzip

import pytest

from corpus_tools.base.errors import SemiHmmWarning
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing import make_parser, parse_documents, read_trees, with_trees
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import flat, read_tree

FIRST = "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))"
SECOND = "(ROOT (S (NP (NNS Dogs)) (VP (VBP -LRB-))))"
THIRD = "(ROOT (FRAG (UH Yes)))"


def pair(name: str, *sentences: str) -> Pair:
    return Pair(
        name,
        Text.from_sentences([sentence.split() for sentence in sentences]),
        Text.from_sentences([["x"]]),
    )


PAIRS = [pair("a", "Cats sleep", "Dogs ("), pair("b"), pair("c", "", "yes")]
EXPECTED = [
    [read_tree(FIRST, ("Cats", "sleep")), read_tree(SECOND, ("Dogs", "("))],
    [],
    [flat(0), read_tree(THIRD, ("yes",))],
]


@pytest.mark.parametrize("layout", ["{}\n{}\n{}\n", "\n{}\n\n{}\n\n\n{}", "{}{}{}"])
def test_a_file_with_a_tree_a_sentence(tmp_path, layout):
    trees = [FIRST, SECOND.replace(" (VP", "\n\n   (VP"), THIRD]
    if layout == "{}{}{}":
        trees = [tree + "\n" for tree in trees]
    path = tmp_path / "trees"
    path.write_text(layout.format(*trees), encoding="utf-8")
    assert list(read_trees(path, PAIRS)) == EXPECTED
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert list(read_trees(str(path), PAIRS)) == EXPECTED


def test_a_tree_without_leaves_is_flat_and_counted(tmp_path):
    path = tmp_path / "trees"
    path.write_text(f"(())\n{SECOND}\n{THIRD}\n", encoding="utf-8")
    with pytest.warns(SemiHmmWarning, match=r"^1 of 4 .*'trees'"):
        trees = list(parse_documents(PAIRS, make_parser("trees", path)))
    assert trees == [[flat(2), EXPECTED[0][1]], *EXPECTED[1:]]


def test_pairs_take_their_trees_along(tmp_path):
    path = tmp_path / "trees"
    path.write_text(f"{FIRST}\n{SECOND}\n(())\n", encoding="utf-8")
    first, empty, failed = with_trees(PAIRS, path)
    assert (first.trees, empty.trees, failed.trees) == (tuple(EXPECTED[0]), (), (flat(0), None))
    assert (first.document, first.abstract) == (PAIRS[0].document, PAIRS[0].abstract)
    with pytest.warns(SemiHmmWarning, match="^1 of 4 "):
        trees = list(parse_documents([failed, first], make_parser("trees")))
    assert trees == [[flat(0), flat(1)], EXPECTED[0]]
