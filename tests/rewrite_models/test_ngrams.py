"""Matching n-grams and equal phrases, beside what their definitions say; limits of phrases."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadUsage
from rewrite_models import ngrams
from rewrite_models.lexical import LexicalSettings, read_phrase_limit
from tests.examples import fuzz
from tests.tiny_corpora import all_spans, one_batch, pair, words_of


def matching(batch, *longest):
    offsets = batch.abstract_offsets, batch.document_offsets
    return ngrams.matching_ngrams(batch.abstract, batch.document, *offsets, *longest)


def equal_phrases(batch, longest, per_word):
    """List the spans of equal phrases, of each length that has room; single words have."""
    both = all_spans(batch, (longest, longest))
    spans = [span for span in both if len(set(words_of(batch, span))) == 1]
    lengths = np.array([end - start for start, end, *_ in spans])
    pairs = (
        np.searchsorted(batch.abstract_offsets, [start for start, *_ in spans], side="right") - 1
    )
    room = per_word * (np.diff(batch.abstract_offsets) + np.diff(batch.document_offsets))
    return [
        span
        for span, length, pair in zip(spans, lengths, pairs, strict=True)
        if length == 1 or ((pairs == pair) & (lengths <= length)).sum() <= room[pair]
    ]


TEXT = st.text("abc", max_size=8).map(" ".join)
SIDES = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3)


@fuzz(60)
@given(SIDES, st.integers(1, 9), st.integers(1, 4))
@example([("a a a a a a", "a a a a a a")], 9, 6)
@example([("a a a a a a", "a a a a a a")], 9, 7)
def test_all_equal_phrases_are_listed_once_that_have_room(of_pairs, longest, per_word):
    batch = one_batch(*(pair(str(number), *own) for number, own in enumerate(of_pairs)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "PHRASE_PAIRS_PER_WORD", per_word)
        rows = matching(batch, longest)
    assert rows.dtype == np.int32
    expected = equal_phrases(batch, longest, per_word)
    assert sorted(map(tuple, rows.tolist())) == sorted(expected)


@pytest.mark.parametrize(("words", "all_of_them"), [(1023, True), (1024, False)])
def test_texts_of_1023_words_keep_all_phrases(words, all_of_them):
    same = " ".join(map(str, range(words)))
    rows = matching(one_batch(pair("1", same, same)))
    assert (len(rows) == words * (words + 1) // 2) == all_of_them


@fuzz(30)
@given(st.text("ab", max_size=17), st.text("ab", max_size=9))
def test_phrases_have_equal_keys_where_all_their_words_have(document, abstract):
    batch = one_batch(pair("1", " ".join(document), " ".join(abstract)))
    spans = all_spans(batch)
    rows = np.array(spans, np.int32).reshape(-1, 4)
    found = ngrams.have_equal_keys(rows, batch.abstract, batch.document)
    assert found.tolist() == [len(set(words_of(batch, span))) == 1 for span in spans]


def test_words_that_training_lacks_are_in_no_phrase():
    """The phrases of the words 0 and 1 that follow each other have the numbers 2 and 3."""
    phrases = ngrams.NumberedPhrases.from_texts([(np.array([0, 1, 0]), np.array([0, 3]))], 2, 2)
    numbers = phrases.number(np.array([1, 0, 1, 2, 0, 2]), np.array([0, 6]))
    assert numbers.tolist() == [[1, 0, 1, -1, 0, -1], [3, 2, -1, -1, -1, -1]]


@pytest.mark.parametrize(
    ("text", "limit"),
    [("3x2", (3, 2)), ("3+2", (3, 2)), ("4", (4, 4)), ("100x1", (100, 1))]
    + [(text, None) for text in ("3by3", "1x2x3", "x3", "-1x2", "9" * 5000, "0x1", "1x101")],
)
def test_a_phrase_limit_is_one_number_or_two_up_to_100(text, limit):
    if limit:
        assert LexicalSettings.choose({"limit": read_phrase_limit(text)}).limit == limit
    else:
        assert LexicalSettings().limit == (3, 3)
        with pytest.raises((BadUsage, ValueError), match=r"two (whole )?numbers"):
            LexicalSettings(limit=read_phrase_limit(text))
