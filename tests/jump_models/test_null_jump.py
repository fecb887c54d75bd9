"""The jump to null: relative frequencies, by source or together."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.encoding.vocabulary import Vocabulary
from jump_models.null_jump import START, NullJump, NullJumpSettings

COUNTS = {"null_jumps": np.array([2.0, 9.0]), "jumps": np.array([6.0, 1.0])}


def initial(after_null):
    """Make the null jump before training."""
    return NullJump.initial([], Vocabulary.empty(), NullJumpSettings(after_null))


def likelihood(probability, counts):
    return float(
        (
            counts["null_jumps"] * np.log(probability) + counts["jumps"] * np.log(1 - probability)
        ).sum()
    )


def test_m_step_by_source_is_the_relative_frequency():
    model = initial(True).m_step(COUNTS)
    np.testing.assert_allclose(model.probability, [0.25, 0.9], rtol=1e-15)


def test_a_source_that_never_occurred_stays_as_it_was():
    counts = {"null_jumps": np.array([1.0, 0.0]), "jumps": np.array([3.0, 0.0])}
    np.testing.assert_allclose(initial(True).m_step(counts).probability, [0.25, START], rtol=1e-15)


@pytest.mark.parametrize("after_null", [True, False])
@pytest.mark.parametrize("step", [1e-3, -1e-3, 0.05, -0.05])
def test_a_perturbed_m_step_is_never_better(after_null, step):
    best = initial(after_null).m_step(COUNTS).probability
    for moved in ([step, step], *([[step, 0], [0, step]] if after_null else [])):
        assert likelihood(best + moved, COUNTS) < likelihood(best, COUNTS)
