"""Best paths of a batch with the posterior of each of their phrases."""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner
from semihmm.inference.backward_kernels import backward
from semihmm.inference.batch_kernels import lattice_of, ways_of_pair
from semihmm.inference.lattice_kernels import PHRASE, base_score_of, forward, ratio
from semihmm.inference.viterbi_kernels import viterbi, with_base_score


@inner
def _emission(whole, phrase):
    """Return the whole emission of a phrase pair; ``whole`` is what ``with_base_score`` gave."""
    s, t, j, e = phrase
    emission = base_score_of(whole, s, t, j, e)
    for i in range(len(whole.emission)):
        cell = whole.cells[i]
        if cell[0] == s and cell[1] == t and cell[2] == j and cell[3] == e:
            emission = whole.emission[i]
    return emission


@inner
def _posterior(whole, fwd, counts, phrase):
    """Return p(this phrase pair is one step of the path | both texts)."""
    s, t, j, e = phrase
    scale = ratio(fwd.log_scale[s] + counts.log_scale[t], fwd.log_total)
    return _emission(whole, phrase) * fwd.start[s, j] * counts.backward[t, PHRASE, e] * scale


@compiled
def best_paths(batch, jumps):
    """Return the Viterbi phrases of every pair, in order, with their posteriors.

    The phrases are int32 [F, 4] (a_start, a_end, d_start, d_end over the batch), the posteriors
    float64 [F]. A pair that the model cannot explain has none. Return also float64 [P], the
    logarithm of the probability of each best path, and int64 [P + 1], where its phrases begin.
    """
    log_probabilities = np.full(len(batch.cell_offsets) - 1, -np.inf)
    offsets = np.zeros(len(batch.cell_offsets), dtype=np.int64)
    rows = np.empty((len(batch.lattice.null), 4), dtype=np.int32)
    posteriors = np.empty(len(batch.lattice.null))
    size = 0
    for pair in range(len(batch.cell_offsets) - 1):
        lattice, ways = lattice_of(batch, pair), ways_of_pair(batch, jumps, pair)
        fwd = forward(lattice, ways)
        if fwd.log_total > -np.inf:
            counts = backward(lattice, ways, fwd)
            whole = with_base_score(lattice)
            best = viterbi(lattice, ways)
            log_probabilities[pair] = best.log_probability
            for phrase in best.phrases:
                rows[size, :2] = phrase[:2] + batch.abstract_offsets[pair]
                rows[size, 2:] = phrase[2:] + batch.document_offsets[pair]
                posteriors[size] = _posterior(whole, fwd, counts, phrase)
                size += 1
        offsets[pair + 1] = size
    return rows[:size].copy(), posteriors[:size].copy(), log_probabilities, offsets
