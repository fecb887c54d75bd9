"""Matching n-grams, numbered phrases and the t-table, beside what their definitions say."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadUsage
from rewrite_models import ngrams
from rewrite_models.lexical import LexicalSettings, read_phrase_limit
from tests.examples import fuzz
from tests.tiny_corpora import all_spans, one_batch, pair, sides, words_of


def matching(batch, *longest):
    offsets = batch.abstract_offsets, batch.document_offsets
    return ngrams.matching_ngrams(batch.abstract, batch.document, *offsets, *longest)


def equal_phrases(abstract, document, longest, per_word):
    """List the spans of equal phrases, of each length that has room; single words have."""
    spans = [
        (a, a + length, d, d + length)
        for length in range(1, min(longest, len(abstract), len(document)) + 1)
        for a in range(len(abstract) - length + 1)
        for d in range(len(document) - length + 1)
        if abstract[a : a + length] == document[d : d + length]
    ]
    room = per_word * (len(abstract) + len(document))
    up_to = Counter(a_end - a for a, a_end, *_ in spans)
    listed = [sum(up_to[shorter] for shorter in range(1, a_end - a + 1)) for a, a_end, *_ in spans]
    return [
        span
        for span, number in zip(spans, listed, strict=True)
        if span[1] - span[0] == 1 or number <= room
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
    begins = zip(batch.abstract_offsets, batch.document_offsets, strict=True)
    expected = [
        (a + begin, a_end + begin, d + d_begin, d_end + d_begin)
        for own, (begin, d_begin) in zip(sides(batch), begins, strict=False)
        for a, a_end, d, d_end in equal_phrases(*own, longest, per_word)
    ]
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


NUMBERED = st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=3)
"""Texts of word numbers; the vocabulary has those below 3."""


def laid_out(numbered):
    return np.array(list(chain(*numbered)), np.int32), np.cumsum([0, *map(len, numbered)])


@fuzz(60)
@given(st.lists(NUMBERED, min_size=1, max_size=2), NUMBERED, st.integers(1, 4))
def test_phrases_are_numbered_by_length_and_then_by_words(training, new, longest):
    phrases = ngrams.NumberedPhrases.from_texts(list(map(laid_out, training)), 3, longest)
    known = [(word,) for word in range(3)]
    for length in range(2, longest + 1):
        runs = {
            tuple(text[start : start + length])
            for text in chain(*training)
            for start in range(len(text) - length + 1)
        }
        known += sorted(run for run in runs if max(run) < 3)
    expected = [
        [
            known.index(run) if len(run) == length and run in known else ngrams.ABSENT_PHRASE
            for text in new
            for start in range(len(text))
            for run in [tuple(text[start : start + length])]
        ]
        for length in range(1, longest + 1)
    ]
    assert len(phrases) == len(known)
    assert phrases.number(*laid_out(new)).tolist() == expected


@pytest.mark.parametrize(
    ("text", "limit"),
    [("3x2", (3, 2)), ("3+2", (3, 2)), ("4", (4, 4)), ("100x1", (100, 1))]
    + [(text, None) for text in ("3by3", "1x2x3", "x3", "-1x2", "9" * 100, "0x1", "1x101")],
)
def test_a_phrase_limit_is_one_number_or_two_up_to_100(text, limit):
    if limit:
        assert LexicalSettings.choose({"limit": read_phrase_limit(text)}).limit == limit
    else:
        with pytest.raises((BadUsage, ValueError), match=r"two (whole )?numbers"):
            LexicalSettings(limit=read_phrase_limit(text))
