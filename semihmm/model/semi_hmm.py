"""The semi-Markov HMM: its parts as one value, and what a batch of pairs says about them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import join_parts, take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.model_part import Counts
from jump_models.jump_model import JumpModel
from jump_models.null_jump import NullJump, NullJumpCounts
from rewrite_models.asides import AsideEvidence, Asides
from rewrite_models.mixture import Cells, Mixture, merge
from rewrite_models.null_emission import NullEmission
from semihmm.model.fused_texts import (
    Fusions,
    Weighed,
    fused_lattice,
    weighed,
    whole_cells,
    whole_counts,
    without_trees,
)
from semihmm.model.fusion import Extracts, Fusion
from semihmm.model.memory import (
    NO_TABLES,
    largest_lattice,
    require_memory_of_cells,
    reserved,
    room_for_tables,
)
from semihmm.model.phrase_length import LengthCounts, PhraseLength

if TYPE_CHECKING:
    from semihmm.inference.batch_kernels import BatchCounts, BatchLattice, Forwards


class Encoded(NamedTuple):
    """A batch with the evidence of the model's parts.

    It is computed once and scored in each iteration.

    ``cells``  the phrase pairs with evidence of the rewrite models.
    ``jump``   the evidence of the jump model.
    ``null``   the evidence of the null emission, int64 [M].
    ``fusions``  the pairs that the jump model walks over, where these are not those of the batch.
    ``asides``   that of the asides; ``None`` for a model without.
    """

    batch: Batch
    cells: Cells
    jump: Any
    null: np.ndarray
    fusions: Fusions | None = None
    asides: AsideEvidence | None = None


class Walked(NamedTuple):
    """What the jumps of a batch walk over.

    ``lattice``   the lattices of its pairs, or of its fusions.
    ``known``     what is known of the fusions, if there are any.
    ``forwards``  the forward passes that were needed for it.
    """

    lattice: BatchLattice
    known: Weighed | None
    forwards: Forwards


class AsideLinks(NamedTuple):
    """The asides of a batch, C of them.

    ``cells``       int32 [C, 4], the words of each.
    ``posteriors``  float64 [C].
    """

    cells: np.ndarray
    posteriors: np.ndarray

    def left_over(self, null: np.ndarray) -> np.ndarray:
        """Return float64 [M], the posteriors of null by itself (``null`` as in ``aside_links``)."""
        asides = np.bincount(self.cells[:, 0], weights=self.posteriors, minlength=len(null))
        # Sums of rounded numbers may end a hair below 0.
        return np.maximum(null - asides, 0.0)


class Posteriors(NamedTuple):
    """What forward and backward say about a batch.

    ``counts``           what the kernels counted.
    ``scores``           of each rewrite model, the weighted scores of its own cells.
    ``cells``            float64 [C], the posterior of each cell.
    ``base_cells``       int32 [F, 4], the phrase pairs that the base score explains.
    ``base_posteriors``  float64 [F], the posterior of each of them.
    ``fusions``          float64 [U], the posteriors of the fusions, if there are any.
    """

    counts: BatchCounts
    scores: list[np.ndarray]
    cells: np.ndarray
    base_cells: np.ndarray
    base_posteriors: np.ndarray
    fusions: np.ndarray


@dataclass(frozen=True)
class SemiHmm:
    """All parameters of the model (section 3.2): jump and rewrite, with null and phrase lengths.

    ``vocabulary`` is the training corpus's; words beyond it are unseen words. Without ``fusion``
    abstracts are rewritten from all sentences of their extracts.
    """

    vocabulary: Vocabulary
    jump: JumpModel[Any]
    null_jump: NullJump
    length: PhraseLength
    rewrite: Mixture
    null: NullEmission
    fusion: Fusion | None = None
    asides: Asides | None = None

    @property
    def parts(self) -> dict[str, Any]:
        """Return the learned parts by the names of their fields, which their counts have too.

        Each is a ``ModelPart``, but for the mixture, which makes one of several. Optional parts
        that the model does not have are left out.
        """
        chosen = {
            "jump": self.jump,
            "null_jump": self.null_jump,
            "length": self.length,
            "rewrite": self.rewrite,
            "null": self.null,
            "fusion": self.fusion,
            "asides": self.asides,
        }
        return {name: part for name, part in chosen.items() if part is not None}

    def restricted(self, kept: np.ndarray) -> SemiHmm:
        """Return the model of a smaller vocabulary: the words with the numbers ``kept``, int64.

        They are ascending; all other words become unseen words. Raises ``BadUsage`` if a part
        cannot do without them.
        """
        parts = {name: part.restricted(kept) for name, part in self.parts.items()}
        return replace(self, vocabulary=self.vocabulary.restricted(kept), **parts)

    def encode(self, batch: Batch) -> Encoded:
        """Return the evidence of a batch, which does not depend on the parameters.

        Raises ``BadPair`` that names a pair which takes too much memory (``memory_limit``).
        """
        with reserved(largest_lattice(batch)):
            evidence = self.rewrite.evidence(batch)
            require_memory_of_cells(batch, [part.cells for part in evidence])
            cells = merge(evidence)
        null = self.null.evidence(batch)
        asides = None if self.asides is None else self.asides.evidence(batch)
        fusions = None
        if self.fusion is not None:
            fusions = self.fusion.evidence(Extracts(batch, cells.cells))
        jump = self.jump.evidence(batch if fusions is None else fusions.batch)
        kept = None if fusions is None else without_trees(fusions)
        return Encoded(batch, cells, jump, null, kept, asides)

    def lattice(self, encoded: Encoded, scores: list[np.ndarray]) -> BatchLattice:
        """Make the arrays for the kernels from the scores of the rewrite models."""
        from semihmm.inference.batch_kernels import BatchLattice
        from semihmm.inference.lattice_kernels import Lattice

        batch = encoded.batch
        cells = encoded.cells.cells
        emission = self.emission(encoded, scores)
        base_score = self.rewrite.base_score(batch, encoded.cells)
        lengths = np.arange(1, base_score.document.shape[1] + 1)
        base_document = base_score.document * self.length.scores(lengths)[:, None]
        a_start, a_end, d_start, d_end = (np.ascontiguousarray(column) for column in cells.T)
        lattice = Lattice(
            null=self._null_scores(encoded),
            a_start=a_start,
            a_end=a_end,
            d_start=d_start,
            d_end=d_end,
            emission=emission,
            base_abstract=base_score.abstract,
            base_class=base_score.classes,
            base_document=np.ascontiguousarray(base_document),
            null_jump=self.null_jump.scores(None),
        )
        ends = np.searchsorted(a_end, batch.abstract_offsets, side="right")
        weights = np.zeros(len(batch))
        offsets = batch.abstract_offsets, batch.document_offsets
        return BatchLattice(lattice, *offsets, ends, weights)

    def emission(self, encoded: Encoded, scores: list[np.ndarray]) -> np.ndarray:
        """Return float64 [C], the emission of each cell with its length."""
        emission = np.zeros(len(encoded.cells.cells))
        for rows, score in zip(encoded.cells.indices, scores, strict=True):
            emission[rows] += score
        emission *= self._length_scores(encoded)
        return emission

    def walked(self, encoded: Encoded, scores: list[np.ndarray], keep: bool = False) -> Walked:
        """Return the lattices that the jumps of a batch fit.

        They are those of its pairs, or of its fusions, with what is known of these. The latter
        count as often as their posteriors say. With ``keep``, their forward passes are kept as far
        as there is room, until the thread keeps others.
        """
        from semihmm.inference.batch_kernels import Forwards, forwards

        lattice = self.lattice(encoded, scores)
        if self.fusion is None or encoded.fusions is None:
            return Walked(lattice, None, Forwards.none())
        lattice = fused_lattice(lattice, encoded.fusions)
        tables = room_for_tables(encoded.fusions.batch) if keep else NO_TABLES
        kept = forwards(lattice, self.jumps(encoded), tables)
        joint = kept.log_totals + self.fusion.scores(encoded.fusions)
        known = weighed(encoded.fusions, joint)
        return Walked(lattice._replace(log_weights=known.log_posteriors), known, kept)

    def _null_scores(self, encoded: Encoded) -> np.ndarray:
        """Return float64 [M], the probability of each abstract word in null or as an aside."""
        scores = self.null.scores(encoded.null)
        if self.asides is None or encoded.asides is None:
            return scores
        result: np.ndarray = scores * self.asides.scores(encoded.asides)
        return result

    def aside_links(self, encoded: Encoded, null: np.ndarray) -> AsideLinks:
        """Return the asides; a model without them has none.

        ``null``  float64 [M], the posterior of each abstract word of null, asides included, as the
                  kernels count it.
        """
        if self.asides is None or encoded.asides is None:
            return AsideLinks(np.zeros((0, 4), dtype=np.int32), np.zeros(0))
        a, d = encoded.asides.abstract, encoded.asides.document
        cells = np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)
        return AsideLinks(cells, self.asides.links(encoded.asides, null))

    def jumps(self, encoded: Encoded) -> Any:
        """Return the jumps of a batch in the form that the kernels know."""
        return self.jump.scores(encoded.jump)

    def _length_scores(self, encoded: Encoded) -> np.ndarray:
        """Return float64 [C], the probability of each cell's length."""
        return self.length.scores(self.length.evidence(encoded.cells.cells))

    def posteriors(self, encoded: Encoded, base_threshold: float = np.inf) -> Posteriors:
        """Run forward and backward over a batch, once.

        The phrase pairs that the base score explains are listed from a posterior of
        ``base_threshold`` on; by default none are.
        """
        from semihmm.inference.batch_kernels import expect

        scores = self.rewrite.scores(encoded.cells)
        with reserved(largest_lattice(encoded.batch)):
            lattice, known, kept = self.walked(encoded, scores, keep=True)
            counts, base_cells = expect(lattice, self.jumps(encoded), kept, base_threshold)
        emission = lattice.lattice.emission
        fusions = np.zeros(0)
        if known is not None and encoded.fusions is not None:
            batch = encoded.batch
            sizes = len(encoded.cells.cells), len(batch.document)
            counts = whole_counts(counts, encoded.fusions, known.log_totals, *sizes)
            base_cells = whole_cells(base_cells, encoded.fusions)
            fusions = np.exp(known.log_posteriors)
            emission = self.emission(encoded, scores)
        cells = counts.gamma * emission
        return Posteriors(counts, scores, cells, base_cells.rows, base_cells.posteriors, fusions)

    def gamma(self, encoded: Encoded, posteriors: Posteriors) -> np.ndarray:
        """Return the posterior of each cell divided by the rewrite models' score: float64 [C]."""
        # The kernels' gamma is divided by the whole emission, which has one more factor.
        result: np.ndarray = posteriors.counts.gamma * self._length_scores(encoded)
        return result

    def expected_counts(self, encoded: Encoded, posteriors: Posteriors | None = None) -> Counts:
        """Run the E-step of a batch, from its posteriors if they are given.

        The counts of batches add up.
        """
        posteriors = self.posteriors(encoded) if posteriors is None else posteriors
        counts = posteriors.counts
        gamma = self.gamma(encoded, posteriors)
        null_jump = NullJumpCounts(counts.null_jumps, counts.jumps)
        corpus = {
            "log_likelihood": counts.log_totals.sum(),
            "words": np.float64(len(encoded.batch.abstract)),
        }
        rewrite = self.rewrite.fold(
            encoded.batch, encoded.cells, posteriors.scores, gamma, counts.base_score
        )
        parts = {
            "jump": self.jump.fold(encoded.jump, counts.jump),
            "null_jump": self.null_jump.fold(None, null_jump),
            "length": self._fold_lengths(encoded, posteriors),
            "rewrite": rewrite,
            "null": self.null.fold(encoded.null, counts.null),
            "corpus": corpus,
        }
        if self.fusion is not None:
            parts["fusion"] = self.fusion.fold(encoded.fusions, posteriors.fusions)
        if self.asides is not None and encoded.asides is not None:
            parts["asides"] = self.asides.fold(encoded.asides, counts.null)
        return join_parts(parts)

    def _fold_lengths(self, encoded: Encoded, posteriors: Posteriors) -> Counts:
        """Count the phrases of the cells and of the base score by length."""
        base_score = posteriors.counts.base_score
        of_cells = self.length.evidence(encoded.cells.cells)
        lengths = np.concatenate([of_cells, np.arange(1, base_score.shape[1] + 1)])
        counted = np.concatenate([posteriors.cells, base_score.sum(axis=(0, 2))])
        return self.length.fold(of_cells, LengthCounts(lengths, counted))

    def m_step(self, counts: Counts) -> SemiHmm:
        """Return the model that raises the MAP objective, given the counts of the whole corpus."""
        parts = {name: part.m_step(take_part(counts, name)) for name, part in self.parts.items()}
        return replace(self, **parts)

    def log_prior(self) -> float:
        """Return the logarithm of the prior density at these parameters, up to a constant."""
        total: float = sum(part.log_prior() for part in self.parts.values())
        return total
