"""The semi-Markov HMM: its parts as one value, and what a batch of pairs says about them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import join_parts, take_part
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.model_part import Counts
from jump_models.jump_model import JumpModel
from jump_models.null_jump import NullJump, NullJumpCounts
from rewrite_models.mixture import Cells, Mixture, Rewritten, merge
from rewrite_models.null_emission import NullEmission
from rewrite_models.null_factor import NullFactor, NullLinks
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

    ``evidence``  by the name of the part; some have none.
    """

    batch: Batch
    evidence: dict[str, Any]

    @property
    def cells(self) -> Cells:
        """Return the phrase pairs with evidence of the rewrite models."""
        cells: Cells = self.evidence["rewrite"]
        return cells

    @property
    def fusions(self) -> Fusions | None:
        """Return the pairs that the jump model walks over, where they are not the batch's own."""
        return self.evidence.get(Fusion.name)


class Walked(NamedTuple):
    """What the jumps of a batch walk over.

    ``lattice``   the lattices of its pairs, or of its fusions.
    ``known``     what is known of the fusions, if there are any.
    ``forwards``  the forward passes that were needed for it.
    """

    lattice: BatchLattice
    known: Weighed | None
    forwards: Forwards


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
    """All parameters of the model (section 3.2): the parts, and which word has which number.

    ``vocabulary``  the training corpus's; words beyond it are unseen words.
    ``parts``       by the names that their arrays and counts have, in the order of the story that
                    the model tells. Each has a role:

    - ``jump``, a ``JumpModel``, and ``null_jump``: where the next abstract word comes from;
    - ``length``: a factor of every phrase pair's emission;
    - ``rewrite``: the mixture of emission components (``RewriteModel``);
    - ``null`` and all other ``NullFactor``: how null emits;
    - ``fusion``: the mixture of documents that abstracts may be rewritten from. Without it they are
      rewritten from all sentences of their extracts.
    """

    vocabulary: Vocabulary
    parts: Mapping[str, Any]

    @classmethod
    def of(cls, vocabulary: Vocabulary, rewrite: Mixture, others: Mapping[str, Any]) -> SemiHmm:
        """Make the model of the mixture and all other parts."""
        story = ("jump", NullJump.name, PhraseLength.name, "rewrite", NullEmission.name)
        parts = {**others, "rewrite": rewrite}
        return cls(vocabulary, {name: parts[name] for name in dict.fromkeys((*story, *others))})

    def with_parts(self, **parts: Any) -> SemiHmm:
        """Return the model with other parts; ``None`` leaves one out."""
        changed = {**self.parts, **parts}
        return replace(
            self, parts={name: part for name, part in changed.items() if part is not None}
        )

    @property
    def jump(self) -> JumpModel[Any]:
        """Return the jump model."""
        jump: JumpModel[Any] = self.parts["jump"]
        return jump

    @property
    def rewrite(self) -> Mixture:
        """Return the rewrite models."""
        rewrite: Mixture = self.parts["rewrite"]
        return rewrite

    @property
    def length(self) -> PhraseLength:
        """Return the factor of the phrases' lengths."""
        length: PhraseLength = self.parts[PhraseLength.name]
        return length

    @property
    def null_factors(self) -> dict[str, NullFactor[Any]]:
        """Return what the probabilities of words in null are products of."""
        return {name: part for name, part in self.parts.items() if isinstance(part, NullFactor)}

    def restricted(self, kept: np.ndarray) -> SemiHmm:
        """Return the model of a smaller vocabulary: the words with the numbers ``kept``, int64.

        They are ascending; all other words become unseen words. Raises ``BadUsage`` if a part
        cannot do without them.
        """
        parts = {name: part.restricted(kept) for name, part in self.parts.items()}
        return SemiHmm(self.vocabulary.restricted(kept), parts)

    def encode(self, batch: Batch) -> Encoded:
        """Return the evidence of a batch, which does not depend on the parameters.

        Raises ``BadPair`` that names a pair which takes too much memory (``memory_limit``).
        """
        with reserved(largest_lattice(batch)):
            of_components = self.rewrite.evidence(batch)
            require_memory_of_cells(batch, [part.cells for part in of_components])
            cells = merge(of_components)
        evidence = {name: part.evidence(batch) for name, part in self.null_factors.items()}
        fusions = None
        if Fusion.name in self.parts:
            fusions = self.parts[Fusion.name].evidence(Extracts(batch, cells.cells))
        evidence["jump"] = self.jump.evidence(batch if fusions is None else fusions.batch)
        kept = None if fusions is None else without_trees(fusions)
        return Encoded(batch, {**evidence, "rewrite": cells, Fusion.name: kept})

    def lattice(self, encoded: Encoded, scores: list[np.ndarray]) -> BatchLattice:
        """Make the arrays for the kernels from the scores of the rewrite models.

        In plain Python, without cells: ``semihmm.reference.lattice``.
        """
        from semihmm.inference.batch_kernels import BatchLattice
        from semihmm.inference.lattice_kernels import Lattice

        batch = encoded.batch
        cells = encoded.cells.cells
        emission = self.emission(encoded, scores)
        base_score = self.rewrite.base_score(batch, encoded.cells)
        base_document = base_score.document * self.length.scores(np.ones(1, dtype=np.int64))
        lattice = Lattice(
            null=self._null_scores(encoded),
            cells=np.ascontiguousarray(cells),
            emission=emission,
            base_abstract=base_score.abstract,
            base_class=base_score.classes,
            base_document=np.ascontiguousarray(base_document),
            null_jump=self.parts[NullJump.name].scores(None),
        )
        ends = np.searchsorted(cells[:, 1], batch.abstract_offsets, side="right")
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
        if encoded.fusions is None:
            return Walked(lattice, None, Forwards.with_room(lattice, NO_TABLES))
        lattice = fused_lattice(lattice, encoded.fusions)
        tables = room_for_tables(encoded.fusions.batch) if keep else NO_TABLES
        kept = forwards(lattice, self.jumps(encoded), tables)
        joint = kept.log_totals + self.fusion_scores(encoded)
        known = weighed(encoded.fusions, joint)
        return Walked(lattice._replace(log_weights=known.log_posteriors), known, kept)

    def _null_scores(self, encoded: Encoded) -> np.ndarray:
        """Return float64 [M], the probability of each abstract word in null."""
        scores = [part.scores(encoded.evidence[name]) for name, part in self.null_factors.items()]
        product: np.ndarray = math.prod(scores[1:], start=scores[0])
        return product

    def null_links(self, encoded: Encoded, null: np.ndarray) -> NullLinks:
        """Return the links of null words; a model of the paper has none.

        ``null``  float64 [M], the posterior of each abstract word of null, as the kernels count it.
        """
        parts = self.null_factors.items()
        links = [part.links(encoded.evidence[name], null) for name, part in parts]
        return NullLinks(*map(np.concatenate, zip(*links, strict=True)))

    def null_words(self, counts: Counts) -> float:
        """Return how many words are expected to come from null without a link."""
        parts = self.null_factors.items()
        return sum(part.null_words(take_part(counts, name)) for name, part in parts)

    def jumps(self, encoded: Encoded) -> Any:
        """Return the jumps of a batch (``jump_models.forms.jump_kernels.Jumps``)."""
        return self.jump.scores(encoded.evidence["jump"])

    def fusion_scores(self, encoded: Encoded) -> np.ndarray:
        """Return float64 [U], the log probability of each fusion of a batch that has some."""
        scores: np.ndarray = self.parts[Fusion.name].scores(encoded.fusions)
        return scores

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

    def expected_counts(self, encoded: Encoded) -> Counts:
        """Run the E-step of a batch.

        The counts of batches add up. In plain Python: ``semihmm.reference.e_step``.
        """
        posteriors = self.posteriors(encoded)
        counts = posteriors.counts
        corpus = {
            "log_likelihood": counts.log_totals.sum(),
            "words": np.float64(len(encoded.batch.abstract)),
        }
        gamma = self.gamma(encoded, posteriors)
        counted = {
            "jump": counts.jump,
            NullJump.name: NullJumpCounts(counts.null_jumps, counts.jumps),
            PhraseLength.name: self._lengths(encoded, posteriors),
            "rewrite": Rewritten(encoded.batch, posteriors.scores, gamma, counts.base_score),
            Fusion.name: posteriors.fusions,
            **dict.fromkeys(self.null_factors, counts.null),
        }
        parts = {
            name: part.fold(encoded.evidence.get(name), counted[name])
            for name, part in self.parts.items()
        }
        return join_parts(parts | {"corpus": corpus})

    def _lengths(self, encoded: Encoded, posteriors: Posteriors) -> LengthCounts:
        """Return the lengths of the phrases of the cells and of the base score."""
        base_score = posteriors.counts.base_score
        of_cells = self.length.evidence(encoded.cells.cells)
        # The base score links single words.
        lengths = np.append(of_cells, 1)
        return LengthCounts(lengths, np.append(posteriors.cells, base_score.sum()))

    def m_step(self, counts: Counts) -> SemiHmm:
        """Return the model that raises the MAP objective, given the counts of the whole corpus."""
        parts = {name: part.m_step(take_part(counts, name)) for name, part in self.parts.items()}
        return replace(self, parts=parts)

    def log_prior(self) -> float:
        """Return the logarithm of the prior density at these parameters, up to a constant."""
        total: float = sum(part.log_prior() for part in self.parts.values())
        return total
