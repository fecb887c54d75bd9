"""Run the kernels over one pair, as the tests need them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import (
    count,
    new_counts,
    new_workspace,
    of_pair,
    reach,
    source_count,
)
from semihmm.inference.backward_kernels import Counts, backward
from semihmm.inference.lattice_kernels import Forward, forward
from semihmm.inference.viterbi_kernels import Best, viterbi


class Solved(NamedTuple):
    """What the kernels say about a pair.

    ``counts``  ``None`` for a pair that the model cannot explain.
    ``jump``    what the form of jump counted.
    """

    forward: Forward
    counts: Counts | None
    jump: NamedTuple
    best: Best


@compiled
def _forward(lattice, jump, pair):
    own = of_pair(jump, pair)
    work = new_workspace(own, lattice.base_document.shape[2])
    return forward(lattice, own, work), viterbi(lattice, own, work), new_counts(own)


@compiled
def _backward(lattice, jump, pair, alpha, counts):
    own = of_pair(jump, pair)
    work = new_workspace(own, lattice.base_document.shape[2])
    answer = backward(lattice, own, work, alpha)
    count(own, work, counts)
    return answer


def solve(lattice, jump, pair=0) -> Solved:
    """Forward, backward and Viterbi of a lattice, with the jumps of one pair."""
    alpha, best, counted = _forward(lattice, jump, pair)
    answer = _backward(lattice, jump, pair, alpha, counted) if alpha.log_total > -np.inf else None
    return Solved(alpha, answer, counted, best)


@compiled
def empty_counts(jump):
    return new_counts(jump)


@compiled
def jump_matrix(jump, pair, n):
    """float64 [K, n + 1, n + 1]: p(j | k, e), target by target."""
    own = of_pair(jump, pair)
    work, column = new_workspace(own, n), np.empty((source_count(own), n + 1))
    out = np.empty((source_count(own), n + 1, n + 1))
    for j in range(n + 1):
        reach(own, work, j, column)
        out[:, :, j] = column
    return out
