"""Sentences, running text, trees of sentences, and lists of words."""

import re
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData, BadResource
from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.lexicons import (
    PARAPHRASES_FILE,
    Paraphrases,
    content_tokens,
    paraphrases,
    read_ignore_list,
)
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import to_text
from corpus_tools.texts.trees import Bracket, flat, read_tree, without_rank, write_tree
from tests.examples import examples
from tests.naive.trees import is_tree
from tests.paths import lines_beside


def sentences(string: str, code: str = ENGLISH) -> list[str]:
    return [string[start:end].strip() for start, end in split_sentences(string, code)]


@pytest.mark.parametrize("line", lines_beside(__file__, "sentence_ends.txt"))
def test_sentences_end_where_a_reader_ends_them(line):
    code, _, text = line.partition(" ")
    together = text.replace("|", " ").replace("\u00a6", "")
    assert sentences(together, code) == re.split("[|\u00a6]", text)


WORDS = "Mr No no nos Dr. U.S. e.g. a I Next words it 2 3. 2015 \u00c9t\u00e9 x.y z. B."
MARKS = """. ? ! .. ... ." .) ?' !\u201d , ; : - -- " ( ) ' \u201c \u201d « » [ ] 。 」"""
BLANKS = [*[" "] * 12, "\t", "\u00a0", "\n"]
PIECES = [*WORDS.split(), *MARKS.split(), *BLANKS, "end. Then", "(end.) So"]
"""Pieces of text about which there are rules; blanks are frequent."""


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=24).map("".join),
    st.sampled_from([ENGLISH, "de", "fr", "ja"]),
)
def test_sentences_hold_all_but_the_blanks_between_them(string, code):
    spans = split_sentences(string, code)
    parts = [string[start:end] for start, end in spans]
    assert all(part.strip() == part != "" for part in parts)
    edges = [0, *(edge for span in spans for edge in span), len(string)]
    assert edges == sorted(edges)
    assert not "".join(string[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)).strip()


# Tokens as running text: what a reader sees, and where each token stands in it


@pytest.mark.parametrize("line", lines_beside(__file__, "running_text.txt"))
def test_tokens_are_shown_as_people_write_them(line):
    tokens, expected = line.split(" | ")
    strings = tokens.split(" / ")
    as_lists = running_text(Text.from_sentences([*map(str.split, strings)]))
    assert as_lists[0] == expected
    assert running_text(to_text(strings, "whitespace")) == as_lists


def test_running_text_stays_as_it_was_given():
    given = ' "It"  costs\n $ 5 , ok .  '
    assert running_text(to_text(given, "treebank"))[0] == given
    chinese = "\u6211\u4eec OK \u5417 , \u597d"
    assert running_text(to_text(chinese, "unicode"))[0] == chinese
    # A tokenizer divides some words of tokenized text.
    penn = to_text(["Its mill ( of 1820 ) cannot burn ."], "treebank")
    assert running_text(penn)[0] == "Its mill (of 1820) cannot burn."
    broken = to_text(["one  two\nthree ,", "four\n, five \n"], "whitespace")
    assert running_text(broken)[0] == "one  two\nthree, four\n, five \n"


PARTS = st.sampled_from(["``", "''", '"', "'", "`", "(", "-RRB-", ",", "$", "5", "n't", "a", "ß"])


@given(st.lists(st.lists(PARTS, min_size=1)))
def test_each_token_stands_in_order_and_only_blanks_are_between(sentences):
    running = running_text(Text.from_sentences(sentences))
    string, spans = running
    for start, end in combinations(range(len(spans) + 1), 2):
        assert running.words(start, end) == string[spans[start][0] : spans[end - 1][1]]
    assert len(spans) == sum(map(len, sentences))
    ends = [0, *(end for _, end in spans)]
    assert all(end <= start < stop for end, (start, stop) in zip(ends, spans, strict=False))
    assert {string[end:start] for end, (start, _) in zip(ends, spans, strict=False)} <= {"", " "}


# Trees of sentences; the lists of ignored words and of paraphrases


def read_from(line: str) -> list[str]:
    """Return the tree of a notation as the program writes it, or what is wrong."""
    text, _, sentence = line.partition(" | ")
    tokens = sentence.split()
    try:
        tree = read_tree(text.replace("\u21b5", "\n"), tokens)
    except BadData as error:
        return [str(error)]
    return ["none" if tree is None else write_tree(tree, tokens)]


def test_a_tree_is_read_in_any_notation(worked_out):
    worked_out("trees.txt", read_from)
    assert flat(0) == read_tree("(ROOT)", ())
    labels = [*map(without_rank, ("ROOT#12", "NP", "#", "#1"))]
    assert labels == ["ROOT", "NP", "#", "#1"]


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
        st.text("ab(){}[]-\\/ *", min_size=1, max_size=5).filter(lambda token: token.strip()),
        min_size=1,
        max_size=8,
    ),
)
def test_what_is_written_is_read_again(data, tokens):
    tree = data.draw(trees(len(tokens)))
    assert is_tree(tree, len(tokens))
    written = write_tree(tree, tokens)
    assert read_tree(written, tokens) == tree
    for other in (tokens[:-1], [*tokens, "a"], [*tokens[:-1], f"c{tokens[-1]}"]):
        with pytest.raises(BadData, match=r" of the tree is | lea(f|ves), the sentence "):
            read_tree(written, other)


def test_the_default_ignore_list_is_58_forms():
    # As many forms as entries: none is doubled by another spelling.
    assert len(language(ENGLISH).ignore_list) == len(read_ignore_list()) == 58
    assert {"the", "of", "'s", ",", "."} <= read_ignore_list()
    assert content_tokens(["The", "cat", "\u2019s", "sat", "."], read_ignore_list()) == {1, 3}
    german = read_ignore_list(code="de")
    assert {"der", "."} <= german and "the" not in german
    assert read_ignore_list("none") == frozenset()


def test_a_list_of_words_may_have_comments_and_words_with_their_sign(tmp_path):
    (tmp_path / "words").write_text("# marks\n#\n#1\n\n  The \n")
    assert read_ignore_list(str(tmp_path / "words")) == {"#", "#1", "the"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a\tb\nc d\n", "line 2: expected two words with a tab between them"),
        (b"a\tb\n\n", "line 2: expected two words"),
        (b"a\tb\tc\n", "line 1: expected two words"),
        (b"a\t\xff\n", "this list of paraphrases is damaged: "),
        (None, "is no list of paraphrases: expected a file, or ppdb"),
    ],
)
def test_a_list_of_paraphrases_has_two_words_a_line(tmp_path, content, problem):
    path = tmp_path / PARAPHRASES_FILE
    if content is not None:
        path.write_bytes(b"Aeroplane\tC\r\naeroplane\tB")
        read = [paraphrases(str(place))["aeroplane"] for place in (tmp_path, path)]
        assert read == [("b", "c"), ("b", "c")]
        path.write_bytes(content)
    paraphrases.cache_clear()
    with pytest.raises(BadResource, match=problem):
        paraphrases(str(tmp_path))
    paraphrases.cache_clear()


# Few letters, so that words begin alike, and lengths around that of a key.
TOKENS = st.one_of(
    st.text("ab\0éÉ\u2018\u2019", max_size=10),
    st.sampled_from(["s", "'s", "``", "''", '"', "\u201c", "-lrb-", "(", "`", "'"]),
)


LONG = [("aaaaaaaab", "d"), ("aaaaaaaaa", "c"), ("aaaaaaaab", "b"), ("aaaaaaaaa", "a")]
"""Words that differ after the letters that are their key."""


@example(LONG, "a")
@given(st.lists(st.tuples(TOKENS, TOKENS), max_size=30), TOKENS)
def test_the_words_of_all_lines_are_found(rows, other):
    forms = [[*map(normal_form, row)] for row in rows]
    listed = Paraphrases("\n".join(map("\t".join, rows)).encode())
    for word in {normal_form(other), *(first for first, _ in forms)}:
        assert sorted(listed[word]) == sorted(second for first, second in forms if first == word)
        assert listed[word] is listed[word]
