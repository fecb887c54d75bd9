from __future__ import annotations

import math

import numpy as np
import pytest

from semihmm.model.phrase_length import PhraseLength


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
