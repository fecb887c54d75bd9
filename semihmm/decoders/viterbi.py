"""The Viterbi decoder: the phrases of the best path. Daumé III and Marcu (2005), section 3.5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.encoding.named_arrays import selected
from semihmm.decoders.decoder import Decoder, Phrase
from semihmm.model.fusion import Fusions, whole_rows
from semihmm.model.parallel import largest_lattice, reserved
from semihmm.model.semi_hmm import Encoded, SemiHmm

if TYPE_CHECKING:
    from semihmm.inference.viterbi_kernels import BestPaths


@dataclass(frozen=True)
class Viterbi(Decoder):
    """Choose the best path."""

    name = "viterbi"

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[Phrase, float]]:
        """Return the phrases of the best path, each with the posterior of exactly this phrase.

        A word that the path takes from null is linked if null rather links it than not, with the
        probability of this, given that it comes from null.
        """
        from semihmm.inference.viterbi_kernels import best_paths

        with reserved(largest_lattice(encoded.batch)):
            lattice = model.lattice(encoded, model.rewrite.scores(encoded.cells))
            paths = best_paths(lattice, model.jumps(encoded))
        logs = paths.log_probabilities + model.fusion_scores(encoded)
        phrases = _whole_paths(paths, logs, encoded.fusions)
        posteriors = _posteriors(model, encoded, phrases)
        rows = [(a, a_end, d, d_end) for a, a_end, d, d_end in phrases.tolist()]
        links = list(zip(rows, posteriors.tolist(), strict=True))
        return sorted(links + _of_null(model, encoded, phrases))


def _of_null(model: SemiHmm, encoded: Encoded, phrases: np.ndarray) -> list[tuple[Phrase, float]]:
    """Return the links of null among the words that no phrase of the path holds, int [P, 4]."""
    null = np.ones(len(encoded.batch.abstract))
    for a, a_end, _, _ in phrases.tolist():
        null[a:a_end] = 0.0
    links = model.null_links(encoded, null)
    # No other link of the same word can be as probable.
    likely = links.posteriors > 0.5
    rows = [(a, a_end, d, d_end) for a, a_end, d, d_end in links.cells[likely].tolist()]
    return list(zip(rows, links.posteriors[likely].tolist(), strict=True))


def _whole_paths(paths: BestPaths, logs: np.ndarray, fusions: Fusions) -> np.ndarray:
    """Return int32 [F, 4], the phrases of each pair's best path among those of its fusions.

    ``logs`` float64 [U] are the logarithms of the probabilities of the paths.
    """
    # Of fusions that differ in the last digits alone, the first.
    order = np.lexsort((-np.round(logs, 9), fusions.unit))
    best = order[np.unique(fusions.unit[order], return_index=True)[1]]
    rows, _ = selected(paths.starts, best)
    return whole_rows(paths.phrases[rows], fusions)


def _posteriors(model: SemiHmm, encoded: Encoded, phrases: np.ndarray) -> np.ndarray:
    """Return float64 [F], the posteriors of phrase pairs, which other fusions may have too."""
    posteriors = model.posteriors(encoded, 0.0)
    cells = np.concatenate([encoded.cells.cells, posteriors.base_cells])
    of_cells = np.concatenate([posteriors.cells, posteriors.base_posteriors])
    together = np.concatenate([phrases, cells])
    _, index = np.unique(together, axis=0, return_inverse=True)
    index = index.ravel()
    sums = np.bincount(index[len(phrases) :], of_cells, int(index.max(initial=-1)) + 1)
    result: np.ndarray = sums[index[: len(phrases)]]
    return result
