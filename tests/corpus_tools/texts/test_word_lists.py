"""The lists of ignored words and of paraphrases."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.lexicons import DEFAULT, Paraphrases, read_ignore_list
from corpus_tools.texts.tokenizers import normal_form


def test_the_default_ignore_list_is_58_forms():
    entries = [
        line
        for line in DEFAULT.read_text(encoding="utf-8").splitlines()
        if not line.startswith("# ")
    ]
    # As many forms as lines: no entry is doubled by another spelling.
    assert len(entries) == len(read_ignore_list()) == 58
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
