from __future__ import annotations

import math

import numpy as np
import pytest

from semihmm.model.phrase_length import LengthCounts, PhraseLength


@pytest.mark.parametrize("more", [0.01, 0.3, 0.9])
def test_the_lengths_of_all_phrases_sum_to_one(more):
    scores = PhraseLength(more).scores(np.arange(1, 5000))
    assert scores.sum() == pytest.approx(1.0)
    assert scores[:3] == pytest.approx([1 - more, (1 - more) * more, (1 - more) * more**2])


def test_expected_phrases_and_words():
    model = PhraseLength(0.3)
    lengths = model.evidence(np.array([[0, 1, 2, 3], [0, 1, 2, 6]], dtype=np.int32))
    assert lengths.tolist() == [1, 4]
    counted = LengthCounts(np.array([1, 4, 1]), np.array([0.5, 0.25, 2.0]))
    counts = model.fold(lengths, counted)
    assert (counts["phrases"], counts["words"]) == (2.75, 3.5)


def test_the_m_step_by_hand():
    """Three phrases of five words go on twice and stop three times; fake counts add one of each."""
    assert PhraseLength(0.3).m_step({"phrases": 3.0, "words": 5.0}).more == pytest.approx(
        (2 + 1) / (2 + 1 + 3 + 1)
    )


@pytest.mark.parametrize(("phrases", "words"), [(0.0, 0.0), (7.0, 7.0), (7.0, 30.0), (1e6, 1e6)])
def test_no_other_parameter_is_better(phrases, words):
    def objective(model):
        likelihood = (words - phrases) * math.log(model.more) + phrases * math.log(1 - model.more)
        return likelihood + model.log_prior()

    best = PhraseLength(0.3).m_step({"phrases": phrases, "words": words})
    assert 0.0 < best.more < 1.0
    assert all(
        objective(PhraseLength(more)) <= objective(best)
        for more in np.linspace(1e-6, 1 - 1e-6, 999)
    )
