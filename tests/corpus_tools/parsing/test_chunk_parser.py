import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.parsing import Chunks
from corpus_tools.texts.trees import read_tree, write_tree
from tests.examples import examples
from tests.naive.trees import bracket_scores, constituents, problems
from tests.paths import ROOT, lines_beside

pytest.importorskip("HanTa", reason="the parser 'chunks' needs HanTa: pip install '.[chunks]'")


def parse(sentence: str):
    (tree,) = Chunks().parse([tuple(sentence.split())])
    return tree


def shown(sentence: str) -> str:
    """Write the tree of a sentence without its tags."""
    tokens = sentence.split()
    tree = [
        bracket
        for bracket in parse(sentence)
        if bracket.label in ("ROOT", "S", "SBAR", "NP", "VP", "PP", "ADJP", "ADVP")
    ]
    text = ""
    for index, token in enumerate(tokens):
        text += "".join(f"({label} " for label, start, _ in tree if start == index)
        text += token + ")" * sum(end == index + 1 for _, _, end in tree) + " "
    return text.strip()


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
    trees = Chunks().parse([tokens for _, tokens in sentences])
    gold = [constituents(*sentence) for sentence in sentences]
    parsed = list(map(constituents, trees, [tokens for _, tokens in sentences]))
    precision, recall, f = bracket_scores(gold, parsed)
    print(f"{name}: precision {precision:.3f}, recall {recall:.3f}, F {f:.3f}")
    assert f > least


@pytest.mark.parametrize("line", lines_beside(__file__, "trees.txt"))
def test_trees_by_hand(line):
    sentence, tree = line.split(" => ")
    assert shown(sentence) == tree


WORDS = """
    the a his cats house Monday said thinks saw closed closing to of in for since that who where
    and but not very big is been has may he it there 's , . : -- `` '' ( ) -LRB- ! 7 years more
    than last xyzzy \u00e9t\u00e9 % :-)
    """.split()  # noqa: SIM905


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40))
def test_whatever_the_words_there_is_a_tree_over_them(tokens):
    tree = parse(" ".join(tokens))
    assert problems(tree, len(tokens)) == []
    assert read_tree(write_tree(tree, tokens), tokens) == tree
    assert tree == parse(" ".join(tokens))


def test_only_the_length_decides_whether_a_sentence_is_parsed():
    """No clock of NLTK's does: patterns that take the cube of the length have no limit of time."""
    assert parse(" ".join(["1"] * 300)) is not None
    assert parse(" ".join(["1"] * 301)) is None
