"""Trees of sentences; the lists of ignored words and of paraphrases."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.errors import BadData
from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.lexicons import Paraphrases, read_ignore_list
from corpus_tools.texts.trees import Bracket, flat, read_tree, write_tree
from tests.naive.trees import problems

CAT = ("The", "cat", "sat")


def test_a_tree_is_its_brackets_in_pre_order():
    tree = read_tree("(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat))))", CAT)
    assert tree == [
        ("ROOT", 0, 3),
        ("S", 0, 3),
        ("NP", 0, 2),
        ("DT", 0, 1),
        ("NN", 1, 2),
        ("VP", 2, 3),
        ("VBD", 2, 3),
    ]
    assert all(isinstance(bracket, Bracket) for bracket in tree)
    assert write_tree(tree, CAT) == "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat))))"


@pytest.mark.parametrize(
    "text",
    [
        "(ROOT (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "(TOP (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "(S1 (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "( (NP (DT The) (NN cat)) (VP (VBD sat)) )",
        "(ROOT (NP-SBJ (-NONE- *)) (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "((NP-SBJ-1 (DT The)(NN cat))\n   (VP=2 (VBD  sat)\n (NP (-NONE- *T*-1))))",
    ],
)
def test_roots_function_labels_traces_and_layout_make_no_difference(text):
    assert write_tree(read_tree(text, CAT), CAT) == "(ROOT (NP (DT The) (NN cat)) (VP (VBD sat)))"


def test_a_tree_without_leaves_is_none_unless_the_sentence_is_empty():
    for text in ("(())", "()", "", "(ROOT (S (-NONE- *)))"):
        assert read_tree(text, CAT) is None
    for text in ("(ROOT)", "()", ""):
        assert read_tree(text, ()) == flat(0)
    assert write_tree(flat(0), ()) == "(ROOT)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(S (NP The cat) (VP sat)", "1 brackets .* not closed"),
        ("(NP The cat) (VP sat)", "outside the tree, expected one tree"),
        ("(S The dog sat)", "leaf 1 of the tree is 'dog'"),
        ("(S The cat)", "2 leaves, the sentence 3"),
    ],
)
def test_what_is_no_tree_of_the_sentence_is_an_error(text, problem):
    with pytest.raises(BadData, match=problem):
        read_tree(text, CAT)


@st.composite
def trees(draw, length):
    """Random brackets over ``length`` tokens, by splitting, with unary chains."""

    def grow(start, end):
        brackets = [
            Bracket(draw(st.sampled_from(["NP", "VP", "S"])), start, end)
            for _ in range(draw(st.integers(0, 2)))
        ]
        if end == start + 1:
            return [*brackets, Bracket(draw(st.sampled_from(["NN", ",", "-LRB-"])), start, end)]
        middle = draw(st.integers(start + 1, end - 1))
        return brackets + grow(start, middle) + grow(middle, end)

    return [Bracket("ROOT", 0, length), *grow(0, length)]


@given(
    st.data(),
    st.lists(
        st.text("ab(){}[]-\\/ *", min_size=1).filter(lambda token: not token.isspace()), min_size=1
    ),
)
def test_what_is_written_is_read_again(data, tokens):
    tree = data.draw(trees(len(tokens)))
    assert not problems(tree, len(tokens))
    assert read_tree(write_tree(tree, tokens), tokens) == tree


def test_the_default_ignore_list_is_58_forms():
    # As many forms as entries: none is doubled by another spelling.
    assert len(language(ENGLISH).ignore_list) == len(read_ignore_list()) == 58
    assert {"the", "of", "'s", ",", "."} <= read_ignore_list()


# Few letters, so that words begin alike, and lengths around that of a key.
WORDS = st.one_of(
    st.text("ab\0é\u2019", max_size=10),
    st.sampled_from(["s", "'s", "``", "''", '"', "\u201c", "-lrb-", "(", "`", "'"]),
)


def content_of(rows):
    return "\n".join("\t".join(row) for row in rows).encode()


@given(st.lists(st.tuples(WORDS, WORDS), max_size=30), WORDS)
def test_the_words_of_all_lines_are_found(rows, other):
    expected = defaultdict(list)
    for first, second in rows:
        expected[normal_form(first)].append(normal_form(second))
    listed = Paraphrases(content_of(rows))
    for word in {normal_form(other), *expected}:
        assert sorted(listed[word]) == sorted(expected[word])
        assert listed[word] is listed[word]
