"""A table of weights for bucketed distances, and how EM estimates it."""

from __future__ import annotations

import numpy as np

FAKE = 0.1
"""Fake counts of each bucket, spread evenly over its distances.

A distance that training never saw stays possible.
"""


def _widths() -> np.ndarray:
    # Imported late, because importing a kernel compiles or loads it.
    from jump_models.forms.bucket_kernels import WIDTHS

    result: np.ndarray = WIDTHS
    return result


def buckets() -> int:
    """Return B, the number of buckets of distances."""
    return len(_widths())


def uniform_table(sources: int) -> np.ndarray:
    """Return weights float64 [K, B] that make every target equally likely.

    Their scale is the mode of the prior.
    """
    widths = _widths()
    return np.full((sources, len(widths)), len(widths) / widths.sum())


def estimate(jumps: np.ndarray, exposure: np.ndarray) -> np.ndarray:
    """Return the weights that raise the likelihood of ``jumps``, given ``exposure``.

    Both are expected counts, float64 [K, B]. With fixed counts, the weights that maximise a
    renormalised likelihood have no closed form. This is one step of the minorise-maximise algorithm
    for it (Hunter 2004, "MM algorithms for generalized Bradley-Terry models"), which never lowers
    it. A Gamma prior (``FAKE`` counts a bucket) keeps every weight positive and fixes their scale.
    """
    return (jumps + FAKE) / (exposure + FAKE * _widths())


def log_prior(table: np.ndarray) -> float:
    """Return the logarithm of the Gamma prior's density at a table, up to a constant."""
    return float(FAKE * (np.log(table) - _widths() * table).sum())
