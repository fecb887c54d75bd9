"""Run the lattice kernels over one pair, as the tests need them."""

from __future__ import annotations

from typing import NamedTuple

from semihmm.lattice_kernels import Counts, Forward, backward, forward, normalisers
from semihmm.viterbi_kernels import Best, viterbi


class Solved(NamedTuple):
    """``counts`` is ``None`` for a pair that the model cannot explain."""

    forward: Forward
    counts: Counts | None
    best: Best


def solve(lattice, jump) -> Solved:
    normaliser = normalisers(jump, lattice.floor_document.shape[2])
    fwd = forward(lattice, jump, normaliser)
    counts = backward(lattice, jump, normaliser, fwd) if fwd.log_total > -float("inf") else None
    return Solved(fwd, counts, viterbi(lattice, jump, normaliser))
