"""Probabilities and counts of the decisions of a walk, each of which is yes or no."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

DECISION_PSEUDO_COUNTS = 0.5
"""Pseudo-counts of either outcome of a decision: a Beta prior, so that both stay possible."""


class BinaryDecisions(NamedTuple):
    """Probabilities or counts of two decisions in a row.

    Yes ends the walk in the first decision (to stay; to stop). In the second, yes means forward or
    over, no means backward or into.
    """

    first_yes: np.ndarray
    first_no: np.ndarray
    second_yes: np.ndarray
    second_no: np.ndarray

    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the probability of yes in either decision, at the mode of the posterior."""
        return frequency(*self[:2]), frequency(*self[2:])


def decided(events: np.ndarray) -> BinaryDecisions:
    """Return the counts of the decisions from the counts of the events.

    ``events``  with the axes [..., second open, first open, action].
    """
    first = events[..., 1, :].sum(axis=-2)
    second = events[..., 1, :, :].sum(axis=-2)
    return BinaryDecisions(
        first[..., 0], first[..., 1] + first[..., 2], second[..., 1], second[..., 2]
    )


def events_of(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the probabilities of the events, with the axes of ``decided``, from the decisions'."""
    # A decision that was not open has probability 1: its events keep the weight one.
    events = np.ones((*first.shape, 2, 2, 3))
    events[..., :, 1, 0] *= first[..., None]
    events[..., :, 1, 1:] *= 1.0 - first[..., None, None]
    events[..., 1, :, 1] *= second[..., None]
    events[..., 1, :, 2] *= 1.0 - second[..., None]
    return events


def frequency(yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    """Return the probability of yes at the mode of the posterior, from expected counts."""
    return (yes + DECISION_PSEUDO_COUNTS) / (yes + no + 2 * DECISION_PSEUDO_COUNTS)


def log_density(*decisions: np.ndarray) -> float:
    """Return the log density of the Beta priors of decisions, up to a constant.

    ``decisions``  the probabilities of yes, in arrays of any shape.
    """
    return float(
        sum(DECISION_PSEUDO_COUNTS * (np.log(p) + np.log(1.0 - p)).sum() for p in decisions)
    )


def average(p: np.ndarray, decisions: np.ndarray) -> np.ndarray:
    """Average probabilities [K, 2, L] over the sources, weighted by their decisions: [2, L]."""
    total = decisions.sum(axis=0)
    undefined = np.full(total.shape, np.nan)
    return np.divide((p * decisions).sum(axis=0), total, out=undefined, where=total > 0)
