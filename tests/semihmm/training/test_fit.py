"""Training as a whole: its state, where it stops, and what it tells of losses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from semihmm import Aligner
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


def test_a_table_keeps_its_likeliest_entries_and_tells_of_the_rest(sample):
    settings = {"preset": "paper", "rewrite": ("identity", "lexical"), "iterations": 2}
    whole = Aligner(**settings).fit(sample).model.rewrite.components[1]
    aligner = Aligner(**settings, table_entries=200).fit(sample)
    table = aligner.model.rewrite.components[1].table
    assert len(table.document) == 200 < len(whole.table.document)
    assert aligner.provenance["dropped"]["entries"] == len(whole.table.document) - 200
    assert 0.0 < aligner.provenance["dropped"]["share"] < 1.0
    one, two = aligner.provenance["iterations"]
    assert two["objective"] > one["objective"]
    kept = set(zip(table.document, table.abstract, strict=True))
    assert kept < set(zip(whole.table.document, whole.table.abstract, strict=True))
