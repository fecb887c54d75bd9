"""Training as a whole: its state, where it stops, and what it tells of losses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from semihmm.training.em import Iteration
from semihmm.training.fit import TrainingState


def state_after(*objectives, words=10, **changes):
    """Make the state after iterations with these objectives. It has no model."""
    iterations = tuple(
        Iteration(number, objective, 0.25, {"identity": 1.0})
        for number, objective in enumerate(objectives, start=1)
    )
    state = TrainingState(None, "semihmm 0", "f00d", 2, 30, words, "whitespace", iterations)
    return replace(state, **changes)


@pytest.mark.parametrize(
    ("objectives", "tolerance", "converged"),
    [
        ((), 1.0, False),
        ((-9.0,), 1.0, False),
        ((-9.0, -8.0), 0.2, True),
        ((-9.0, -8.0), 0.1, False),
        ((-9.0, -8.0), 0.05, False),
        ((-100.0, -9.0, -8.5), 0.1, True),
        ((-9.0, -8.5, 0.0), 0.1, False),
        ((-9.0, -9.0), 0.0, False),
        ((-9.0, -9.1), 0.0, True),
    ],
)
def test_training_has_converged_when_the_last_gain_is_below_the_tolerance(
    objectives, tolerance, converged
):
    """In nats per abstract word, of which there are ten."""
    assert state_after(*objectives).converged(tolerance) == converged
