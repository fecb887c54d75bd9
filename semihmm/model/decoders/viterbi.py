"""Viterbi decoding: the best path."""

from dataclasses import dataclass

import numpy as np

from corpus_tools.base.arrays import selected
from semihmm.model.decoders.decoder import Decoder, PhraseSpan, with_probabilities
from semihmm.model.memory import largest_lattice, reserved
from semihmm.model.semi_hmm import Encoded, SemiHmm


@dataclass(frozen=True)
class Viterbi(Decoder):
    """Choose the best path. Daumé III and Marcu (2005), section 3.5."""

    name = "viterbi"

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the phrases of the best path, each with the posterior of exactly this phrase.

        A word of null may have a link too (``NullFactor.links``). It is kept if its probability,
        given that the word comes from null, exceeds one half.
        """
        from semihmm.inference.batch_kernels import best_paths

        with reserved(largest_lattice(encoded.batch)):
            lattices, jumps, _ = model.probabilities(encoded)
            paths = best_paths(lattices, jumps)
        fusions = encoded.fusions
        # The best fusion of each unit; the first one if only the last digits differ.
        order = np.lexsort((-np.round(paths.log_probabilities, 9), fusions.unit))
        best = order[np.unique(fusions.unit[order], return_index=True)[1]]
        rows, _ = selected(paths.starts, best)
        phrases = paths.phrases[rows]
        posteriors = _posteriors(model, encoded, phrases)
        of_null = _null_links(model, encoded, phrases)
        return sorted(with_probabilities(phrases, posteriors) + of_null)


def _null_links(
    model: SemiHmm, encoded: Encoded, phrases: np.ndarray
) -> list[tuple[PhraseSpan, float]]:
    """Return the links of null words, which are in no phrase of the path, int [P, 4]."""
    # Given the path, p(null) is 1 for these words and 0 for all others.
    null = np.ones(len(encoded.batch.abstract))
    for a, a_end, _, _ in phrases.tolist():
        null[a:a_end] = 0.0
    links = model.null_links(encoded, null)
    # Above one half no other link of the same word, nor the lack of a link, is as probable.
    likely = links.posteriors > 0.5
    return with_probabilities(links.spans[likely], links.posteriors[likely])


def _posteriors(model: SemiHmm, encoded: Encoded, phrases: np.ndarray) -> np.ndarray:
    """Return float64 [F], the posteriors of phrase pairs, summed over all fusions."""
    posteriors = model.posteriors(encoded, 0.0)
    spans = np.concatenate([encoded.candidates.spans, posteriors.background.spans])
    span_posteriors = np.concatenate([posteriors.candidates, posteriors.background.posteriors])
    # Equal phrase pairs get the same number, by which the posteriors are added up.
    together = np.concatenate([phrases, spans])
    _, index = np.unique(together, axis=0, return_inverse=True)
    index = index.ravel()
    sums = np.bincount(index[len(phrases) :], span_posteriors, int(index.max(initial=-1)) + 1)
    return sums[index[: len(phrases)]]
