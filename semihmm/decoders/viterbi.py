"""The Viterbi decoder: the phrases of the best path. Daumé III and Marcu (2005), section 3.5."""

from __future__ import annotations

from dataclasses import dataclass

from semihmm.decoders.decoder import Decoder, Phrase
from semihmm.model.memory import largest_lattice, reserved
from semihmm.model.semi_hmm import Encoded, SemiHmm


@dataclass(frozen=True)
class Viterbi(Decoder):
    """Choose the best path."""

    name = "viterbi"

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[Phrase, float]]:
        """Return the phrases of the best path, each with the posterior of exactly this phrase."""
        from semihmm.inference.best_path_kernels import best_paths

        lattice = model.lattice(encoded, model.rewrite.scores(encoded.cells))
        with reserved(largest_lattice(encoded.batch)):
            phrases, posteriors = best_paths(lattice, model.jumps(encoded))
        rows = [(a, a_end, d, d_end) for a, a_end, d, d_end in phrases.tolist()]
        return list(zip(rows, posteriors.tolist(), strict=True))
