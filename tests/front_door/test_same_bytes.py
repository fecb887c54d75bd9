"""A pair gets the same alignment to the last digit, whatever stands beside it."""

from __future__ import annotations

import pytest

from semihmm import Aligner
from tests.semihmm.program_runs import SAMPLE, rows


@pytest.fixture(scope="module", params=["posterior", "viterbi"])
def aligner(request):
    return Aligner.load(decoder=request.param)


@pytest.fixture(scope="module")
def listed(aligner):
    return aligner.align(rows(SAMPLE))


def links(alignments):
    return [(one.phrases, one.null) for one in alignments]


def test_alone_in_a_list_and_in_another_order(aligner, listed):
    assert [aligner.align(row) for row in rows(SAMPLE)] == listed
    assert aligner.align(rows(SAMPLE)[::-1])[::-1] == listed


def test_sentences_without_words_change_nothing(aligner, listed):
    odd = [
        row
        | {
            "document": ["", *row["document"][:2], " ", "", *row["document"][2:]],
            "abstract": [*row["abstract"][:1], "", *row["abstract"][1:], ""],
        }
        for row in rows(SAMPLE)
    ]
    assert links(aligner.align(odd)) == links(listed)
