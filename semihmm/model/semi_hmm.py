"""The semi-Markov HMM: its parts as one value, and what a batch of pairs says about them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import join_parts, take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from jump_models.jump_model import JumpModel
from jump_models.null_jump import NullJump
from rewrite_models.mixture import Cells, Mixture
from rewrite_models.null_emission import NullEmission
from semihmm.model.phrase_length import PhraseLength

Counts = dict[str, np.ndarray]


class Encoded(NamedTuple):
    """A batch with the evidence of the rewrite models, made once and scored in each iteration."""

    batch: Batch
    cells: Cells


class Posteriors(NamedTuple):
    """What the batch says: the kernels' counts, and the weighted scores that they answer."""

    counts: NamedTuple
    scores: list[np.ndarray]
    lattice: NamedTuple


@dataclass(frozen=True)
class SemiHmm:
    """All parameters of the model (section 3.2): jump and rewrite, with null and phrase lengths.

    ``vocabulary`` is the training corpus's; words beyond it are unseen words.
    """

    vocabulary: Vocabulary
    jump: JumpModel
    null_jump: NullJump
    length: PhraseLength
    rewrite: Mixture
    null: NullEmission

    def encode(self, batch: Batch) -> Encoded:
        """Find the evidence in a batch; none of it depends on what EM changes."""
        return Encoded(batch, self.rewrite.cells(batch))

    def lattice(self, encoded: Encoded, scores: list[np.ndarray]):
        """The arrays for the kernels (``batch_kernels.BatchLattice``)."""
        from semihmm.inference.batch_kernels import BatchLattice
        from semihmm.inference.lattice_kernels import Lattice

        batch, cells = encoded.batch, encoded.cells.cells
        emission = np.zeros(len(cells))
        for places, score in zip(encoded.cells.places, scores, strict=True):
            emission[places] += score
        emission *= self.length.scores(cells[:, 3] - cells[:, 2])
        base_score = self.rewrite.base_score(batch, encoded.cells)
        base_document = (
            base_score.document
            * self.length.scores(np.arange(1, base_score.document.shape[1] + 1))[:, None]
        )
        columns = (np.ascontiguousarray(column) for column in cells.T)
        lattice = Lattice(
            self.null.scores(batch),
            *columns,
            emission,
            base_score.abstract,
            base_score.sort,
            base_document,
            self.null_jump.probability,
        )
        ends = np.searchsorted(cells[:, 1], batch.abstract_offsets, side="right")
        return BatchLattice(lattice, batch.abstract_offsets, batch.document_offsets, ends)

    def posteriors(self, encoded: Encoded) -> Posteriors:
        """Forward and backward over a batch."""
        from semihmm.inference.batch_kernels import expect

        scores = self.rewrite.scores(encoded.cells)
        lattice = self.lattice(encoded, scores)
        return Posteriors(expect(lattice, self.jump.scores(encoded.batch)), scores, lattice)

    def base_score_cells(self, encoded: Encoded, threshold: float) -> tuple[np.ndarray, np.ndarray]:
        """What the base score explains: int32 [F, 4] cells with a posterior above the threshold, and the posteriors."""
        from semihmm.inference.batch_kernels import base_score_cells

        lattice = self.lattice(encoded, self.rewrite.scores(encoded.cells))
        return base_score_cells(lattice, self.jump.scores(encoded.batch), threshold)

    def expected_counts(self, encoded: Encoded) -> Counts:
        """The E-step of a batch. Counts of batches add up."""
        answer = self.posteriors(encoded)
        counts, cells = answer.counts, encoded.cells.cells
        lengths = np.concatenate(
            [cells[:, 3] - cells[:, 2], np.arange(1, counts.base_score.shape[1] + 1)]
        )
        by_length = np.concatenate(
            [counts.gamma * answer.lattice.lattice.emission, counts.base_score.sum(axis=(0, 2))]
        )
        # gamma answers the whole emission; the components' scores are without the length's probability.
        gamma = counts.gamma * self.length.scores(cells[:, 3] - cells[:, 2])
        parts = {
            "jump": self.jump.fold(counts.jump),
            "null_jump": {"null_jumps": counts.null_jumps, "jumps": counts.jumps},
            "length": self.length.fold(lengths, by_length),
            "rewrite": self.rewrite.fold(
                encoded.batch, encoded.cells, answer.scores, gamma, counts.base_score
            ),
            "null": self.null.fold(encoded.batch, counts.null),
            "corpus": {
                "log_likelihood": counts.log_totals.sum(),
                "words": np.float64(len(encoded.batch.abstract)),
            },
        }
        return join_parts(parts)

    def m_step(self, counts: Counts) -> SemiHmm:
        """The model that raises the MAP objective, given the counts of the whole corpus."""
        parts = ("jump", "null_jump", "length", "rewrite", "null")
        return replace(
            self, **{part: getattr(self, part).m_step(take_part(counts, part)) for part in parts}
        )

    def log_prior(self) -> float:
        """The logarithm of the prior density at these parameters, up to a constant."""
        return sum(part.log_prior() for part in (self.jump, self.length, self.rewrite, self.null))
