"""Tests of the kernels of ROUGE against its definitions, on texts that hypothesis makes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.errors import BadUsage
from corpus_tools.measures.registry import make_measure
from corpus_tools.measures.sequence_kernels import table_height, union_marks, weighted_marks
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import Words
from tests.naive import rouge

TEXTS = st.lists(st.lists(st.integers(0, 5), max_size=7), max_size=4)
SHORT = st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=2)
FORMULAS = ("program", "paper")


def numbered(sentences) -> Words:
    bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int32)
    return Words(np.array(rouge.flat(sentences), np.int32), bounds)


def counted(metric, summary, reference, formula="program"):
    measure = make_measure(metric, MeasureSettings(stem="none", formula=formula))
    return tuple(measure.counts(numbered(summary), numbered(reference)))


@settings(deadline=None)
@given(summary=TEXTS, reference=TEXTS, n=st.integers(1, 9))
def test_ngrams(summary, reference, n):
    own = rouge.ngrams(rouge.flat(summary), n)
    others = rouge.ngrams(rouge.flat(reference), n)
    assert counted(f"rouge-{n}", summary, reference) == rouge.shared(own, others)


@settings(deadline=None)
@given(
    summary=TEXTS,
    reference=TEXTS,
    gap=st.sampled_from([None, 0, 1, 4]),
    single=st.booleans(),
    formula=st.sampled_from(FORMULAS),
)
def test_skip_bigrams(summary, reference, gap, single, formula):
    units = {"program": rouge.program_skip_units, "paper": rouge.paper_skip_units}[formula]
    expected = rouge.shared(units(summary, gap, single), units(reference, gap, single))
    metric = f"rouge-s{'u' * single}{'*' if gap is None else gap}"
    assert counted(metric, summary, reference, formula) == expected


@settings(deadline=None)
@given(summary=TEXTS, reference=TEXTS, formula=st.sampled_from(FORMULAS))
def test_unions_of_subsequences(summary, reference, formula):
    expected = rouge.union_counts(reference, summary, clipped=formula == "program")
    assert counted("rouge-l", summary, reference, formula) == expected


@settings(deadline=None)
@given(summary=SHORT, reference=SHORT)
def test_subsequences_of_whole_texts(summary, reference):
    own = rouge.flat(summary)
    others = rouge.flat(reference)
    expected = (rouge.sequence_length(own, others), len(others), len(own))
    assert counted("rouge-l-sequence", summary, reference) == expected


@settings(deadline=None)
@given(summary=TEXTS, reference=TEXTS, weight=st.sampled_from([1, 1.2, 1.7, 2, 3.5]))
def test_weighted_subsequences_of_the_program(summary, reference, weight):
    expected = rouge.program_weighted_counts(reference, summary, weight)
    assert counted(f"rouge-w-{weight}", summary, reference) == expected


@settings(deadline=None)
@given(summary=TEXTS, reference=TEXTS, weight=st.sampled_from([1, 1.2, 2]))
def test_weighted_subsequences_of_the_paper(summary, reference, weight):
    own, others = tuple(rouge.flat(summary)), tuple(rouge.flat(reference))
    expected = (
        rouge.paper_weight(others, own, weight),
        float(len(others)) ** weight,
        float(len(own)) ** weight,
    )
    found = counted(f"rouge-w-{weight}", summary, reference, "paper")
    assert found == pytest.approx(expected, rel=1e-12)


def test_large_numbers_of_words_do_not_meet():
    """Numbers as large as int32 has: pairs of them are told apart."""
    largest = np.iinfo(np.int32).max
    summary = [[largest, 0, largest - 1]]
    reference = [[largest - 1, largest, 0], [0, largest - 1]]
    expected = rouge.shared(
        rouge.program_skip_units(summary, None, True),
        rouge.program_skip_units(reference, None, True),
    )
    assert counted("rouge-su*", summary, reference) == expected


def test_skip_bigrams_of_long_texts_are_not_listed():
    """They would be 5 * 10^9, and more than int32 holds."""
    words = 100_000
    pairs = words * (words - 1) // 2
    text = [[7] * words]
    assert counted("rouge-s*", text, text) == (pairs, pairs, pairs)
    assert counted("rouge-su*", text, [[7, 8, 7]]) == (1 + 1, 3 + 2, pairs + words - 1)


@settings(deadline=None)
@given(summary=TEXTS, reference=TEXTS, height=st.integers(1, 4))
def test_long_sentences_have_their_table_in_parts(summary, reference, height):
    """It is the same as with the table at once; the parts need little memory."""
    texts = (*numbered(summary), *numbered(reference))
    assert (union_marks(*texts, height) == union_marks(*texts)).all()
    powers = np.arange(40.0) ** 1.2
    assert (weighted_marks(*texts, powers, height) == weighted_marks(*texts, powers)).all()


def test_only_large_tables_are_in_parts():
    assert table_height(2000, 2000) == 2000
    assert table_height(100_000, 100_000) == 317
    assert table_height(0, 0) == 1


def test_high_weights_of_w_have_figures():
    text = [list(range(60))]
    assert counted("rouge-w-20", text, text) == (60.0**20, np.inf, 60.0**20)
    measure = make_measure("rouge-w-20", MeasureSettings(stem="none"))
    assert measure.share(60.0**20, np.inf) == 0.0
    for weight in ("0.5", "20.1", "300"):
        with pytest.raises(BadUsage, match=f"rouge-w-{weight} must be from 1 to 20"):
            make_measure(f"rouge-w-{weight}")
