"""The best paths of a batch, one pair after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.jump_kernels import Jumps
from semihmm.inference.batch_kernels import lattice_of, ways_of_pair
from semihmm.inference.lattice_kernels import Lattice
from semihmm.inference.viterbi_kernels import viterbi


class BestPaths(NamedTuple):
    """The best path of each pair.

    ``phrases``            int32 [F, 4] (a_start, a_end, d_start, d_end over the batch), in order. A
                           pair that the model cannot explain has none.
    ``starts``             int64 [P + 1], where the phrases of each pair begin.
    ``log_probabilities``  float64 [P], -inf where there is no path.
    """

    phrases: np.ndarray
    starts: np.ndarray
    log_probabilities: np.ndarray


@compiled
def _fill_paths(batch, jumps, paths):
    """Do what ``best_paths`` says, which has made room for the result."""
    size = 0
    for pair in range(len(batch.log_weights)):
        best = viterbi(lattice_of(batch, pair), ways_of_pair(batch, jumps, pair))
        paths.log_probabilities[pair] = best.log_probability
        a, d = batch.abstract_starts[pair], batch.document_starts[pair]
        for phrase in best.phrases:
            for i in range(4):
                paths.phrases[size, i] = phrase[i] + (a if i < 2 else d)
            size += 1
        paths.starts[pair + 1] = size


def best_paths(batch: Lattice, jumps: Jumps) -> BestPaths:
    """Return the Viterbi phrases of every pair."""
    pairs = len(batch.log_weights)
    rows = np.empty((len(batch.null), 4), dtype=np.int32)
    paths = BestPaths(rows, np.zeros(pairs + 1, dtype=np.int64), np.empty(pairs))
    _fill_paths(batch, jumps, paths)
    return paths._replace(phrases=rows[: paths.starts[-1]].copy())
