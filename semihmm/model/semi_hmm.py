"""The semi-Markov HMM: its parts as one value, and what a batch of pairs says about them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast

import numpy as np

from corpus_tools.base.arrays import join_parts, take_part
from corpus_tools.base.errors import ImpossiblePair, warn_caller
from corpus_tools.model_parts.encoding import Batch, Vocabulary
from corpus_tools.model_parts.model_part import Counts, Declared, amounts, inside
from jump_models.jump_model import JumpModel, NullJump
from jump_models.kernel_arrays import Jumps
from rewrite_models.null_factor import NullEmission, NullFactor, NullLinks
from rewrite_models.rewrite_model import CandidatePairs, Mixture, Rewritten, merge
from semihmm.inference.lattice_arrays import (
    BackgroundLinks,
    BatchCounts,
    Forwards,
    Fusions,
    Lattice,
    Lattices,
)
from semihmm.model import memory
from semihmm.model.parts import Fusion, PhraseLength, batch_of_fusions, weighed

WORDS = "corpus.words"
"""The name of the count of abstract words."""


class Encoded(NamedTuple):
    """A batch with the features of the model's parts.

    They are computed once. Probabilities are computed from them in each iteration.

    ``features``  by the name of the part; some have none.
    """

    batch: Batch
    features: dict[str, Any]

    @property
    def candidates(self) -> CandidatePairs:
        """Return the phrase pairs with features of the rewrite models."""
        return cast("CandidatePairs", self.features["rewrite"])

    @property
    def fusions(self) -> Fusions:
        """Return the units with the sentences chosen for each, which have lattices of their own."""
        return cast("Fusions", self.features[Fusion.name])


class BatchPosteriors(NamedTuple):
    """What forward and backward say about a batch.

    ``counts``           what the kernels counted.
    ``rewrites``         of each rewrite model, float64, the posteriors of its own candidates.
    ``spans``            float64 [C], the posterior of each candidate.
    ``background``       the pairs of words that the background emission links.
    ``fusions``          float64 [U], the posteriors of the fusions.
    """

    counts: BatchCounts
    rewrites: list[np.ndarray]
    candidates: np.ndarray
    background: BackgroundLinks
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

    ``counts``  the expected counts that the last M-step was made from, as far as they mean the same
                in any corpus (``ModelPart.common``), and of how many words they are; empty before
                the first M-step.
    ``transferred``  pseudo-counts that every M-step adds to the corpus's: those of another model
                (``semihmm.training.em``).
    """

    vocabulary: Vocabulary
    parts: Mapping[str, Any]
    counts: Counts = field(default_factory=dict)
    transferred: Counts = field(default_factory=dict)

    @classmethod
    def of(cls, vocabulary: Vocabulary, rewrite: Mixture, others: Mapping[str, Any]) -> SemiHmm:
        """Make the model of the mixture and all other parts."""
        story = ("jump", NullJump.name, PhraseLength.name, "rewrite", NullEmission.name)
        parts = {**others, "rewrite": rewrite}
        return cls(vocabulary, {name: parts[name] for name in dict.fromkeys((*story, *others))})

    @property
    def jump(self) -> JumpModel[Any]:
        """Return the jump model."""
        return cast("JumpModel[Any]", self.parts["jump"])

    @property
    def rewrite(self) -> Mixture:
        """Return the rewrite models."""
        return cast("Mixture", self.parts["rewrite"])

    @property
    def length(self) -> PhraseLength:
        """Return the factor of the phrases' lengths."""
        return cast("PhraseLength", self.parts[PhraseLength.name])

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
        return replace(self, vocabulary=self.vocabulary.restricted(kept), parts=parts)

    def encode(self, batch: Batch) -> Encoded:
        """Return the features of a batch, which do not depend on the parameters.

        Raises ``BadPair`` that names a pair which takes too much memory (``memory_limit``).
        """
        with memory.reserved(memory.largest_lattice(batch)):
            of_components = self.rewrite.features(batch)
            memory.require_memory_of_candidates(batch, [part.spans for part in of_components])
            candidates = merge(of_components)
        features = {name: part.features(batch) for name, part in self.null_factors.items()}
        if Fusion.name in self.parts:
            fusions = self.parts[Fusion.name].features((batch, candidates.spans))
        else:
            offsets = batch.abstract_offsets, batch.document_offsets
            fusions = Fusions.of_units(*offsets, candidates.spans)
        walked = batch
        if batch.sentences is not None and fusions.is_choice:
            walked = batch_of_fusions(batch, batch.sentences)
        features["jump"] = self.jump.features(walked)
        return Encoded(batch, {**features, "rewrite": candidates, Fusion.name: fusions})

    def lattices(self, encoded: Encoded, probabilities: list[np.ndarray]) -> Lattices:
        """Make the arrays for the kernels from the probabilities of the rewrite models.

        In plain Python, without candidate phrase pairs: ``semihmm.reference.lattice``.
        """
        background = self.rewrite.background(encoded.batch, encoded.candidates)
        of_words = background.document * self.length.probabilities(np.ones(1, dtype=np.int64))
        null = [
            part.probabilities(encoded.features[name]) for name, part in self.null_factors.items()
        ]
        batch = Lattice(
            null=math.prod(null[1:], start=null[0]),
            spans=np.ascontiguousarray(encoded.candidates.spans),
            emission=self.emission(encoded, probabilities),
            background_abstract=background.abstract,
            background_class=background.classes,
            background_document=np.ascontiguousarray(of_words),
            null_jump=self.parts[NullJump.name].probabilities(None),
        )
        return Lattices(batch, encoded.batch.abstract_offsets, encoded.fusions)

    def emission(self, encoded: Encoded, probabilities: list[np.ndarray]) -> np.ndarray:
        """Return float64 [C], the emission of each candidate with its length."""
        emission = np.zeros(len(encoded.candidates.spans))
        for rows, probability in zip(encoded.candidates.indices, probabilities, strict=True):
            emission[rows] += probability
        emission *= self._length_probabilities(encoded)
        return emission

    def weighed(
        self, encoded: Encoded, lattices: Lattices, jumps: Jumps, keeps_tables: bool = False
    ) -> Forwards:
        """Return how much each fusion counts: as often as its posterior says.

        The forward passes that this takes may be kept, as far as there is room for their tables.
        Where there is no choice of fusions, it takes none.
        """
        from semihmm.inference.batch_kernels import forwards

        kept = Forwards.empty(lattices)
        if not encoded.fusions.is_choice:
            return kept
        if keeps_tables:
            kept = kept._replace(tables=memory.room_for_tables(int(kept.offsets[-1])))
        kept = forwards(lattices, jumps, kept)
        logs, _ = weighed(encoded.fusions, kept.log_totals + self.fusion_log_probabilities(encoded))
        return kept._replace(log_weights=logs)

    def null_links(self, encoded: Encoded, null: np.ndarray) -> NullLinks:
        """Return the links of null words; a model of the paper has none.

        ``null``  float64 [M], the posterior of each abstract word of null, as the kernels count it.
        """
        parts = self.null_factors.items()
        links = [part.links(encoded.features[name], null) for name, part in parts]
        return NullLinks(*map(np.concatenate, zip(*links, strict=True)))

    def null_words(self, counts: Counts) -> float:
        """Return how many words are expected to come from null without a link."""
        parts = self.null_factors.items()
        return sum(part.null_words(take_part(counts, name)) for name, part in parts)

    def jumps(self, encoded: Encoded) -> Jumps:
        """Return the jumps of a batch."""
        return self.jump.probabilities(encoded.features["jump"])

    def fusion_log_probabilities(self, encoded: Encoded) -> np.ndarray:
        """Return float64 [U], the log probability of each fusion."""
        if Fusion.name not in self.parts:
            return np.zeros(len(encoded.fusions.unit))
        return self.parts[Fusion.name].log_probabilities(encoded.fusions)

    def _length_probabilities(self, encoded: Encoded) -> np.ndarray:
        """Return float64 [C], the probability of each candidate's length."""
        return self.length.probabilities(self.length.features(encoded.candidates.spans))

    def posteriors(self, encoded: Encoded, background_threshold: float = np.inf) -> BatchPosteriors:
        """Run forward and backward over a batch, once.

        The phrase pairs that the background emission explains are listed from a posterior of
        ``background_threshold`` on; by default none are. Warns with ``ImpossiblePair`` of pairs
        that the model cannot explain: nothing is counted of them.
        """
        from semihmm.inference.batch_kernels import expect

        probabilities, fusions = self.rewrite.probabilities(encoded.candidates), encoded.fusions
        with memory.reserved(memory.largest_lattice(encoded.batch)):
            lattices = self.lattices(encoded, probabilities)
            jumps = self.jumps(encoded)
            kept = self.weighed(encoded, lattices, jumps, keeps_tables=True)
            counts, background = expect(lattices, jumps, kept, background_threshold)
        # Backward leaves out fusions that weigh next to nothing.
        log_totals = kept.log_totals if fusions.is_choice else counts.log_totals
        logs, log_totals = weighed(fusions, log_totals + self.fusion_log_probabilities(encoded))
        if len(impossible := np.flatnonzero(log_totals == -np.inf)):
            warn_caller(ImpossiblePair.of(encoded.batch.ids[pair] for pair in impossible))
        # The kernels divide by the whole emission, the rewrite models' share has no length.
        lengths = self._length_probabilities(encoded)
        posterior_over_emission = counts.posterior_over_emission * lengths
        own = zip(probabilities, encoded.candidates.indices, strict=True)
        return BatchPosteriors(
            counts._replace(log_totals=log_totals),
            [probability * posterior_over_emission[rows] for probability, rows in own],
            counts.posterior_over_emission * lattices.batch.emission,
            background,
            np.exp(logs),
        )

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
        # The background emission links single words.
        lengths = np.append(self.length.features(encoded.candidates.spans), 1)
        of_lengths = np.append(posteriors.candidates, counts.background.sum())
        counted = {
            "jump": counts.jump,
            NullJump.name: {"null_jumps": counts.null_jumps, "jumps": counts.jumps},
            PhraseLength.name: (lengths, of_lengths),
            "rewrite": Rewritten(encoded.batch, posteriors.rewrites, counts.background),
            Fusion.name: posteriors.fusions,
            **dict.fromkeys(self.null_factors, counts.null),
        }
        parts = {
            name: part.expected_statistics(encoded.features.get(name), counted[name])
            for name, part in self.parts.items()
        }
        return join_parts(parts | {"corpus": corpus})

    def m_step(self, counts: Counts) -> SemiHmm:
        """Return the model that raises the MAP objective, given the counts of the whole corpus."""
        counts = counts | {
            name: counts[name] + transferred for name, transferred in self.transferred.items()
        }
        parts = {name: part.m_step(take_part(counts, name)) for name, part in self.parts.items()}
        # Where a batch has no features, counts of whole numbers come from numpy.
        kept = {name: np.asarray(counts[name], dtype=np.float64) for name in self.common()}
        return replace(self, parts=parts, counts=kept)

    def common(self) -> dict[str, Declared]:
        """Return the counts that mean the same in any corpus (``ModelPart.common``)."""
        own = {WORDS: amounts()}
        for name, part in self.parts.items():
            own |= inside(name, part.common)
        return own

    def log_prior(self) -> float:
        """Return the logarithm of the prior density at these parameters, up to a constant."""
        known = [(part, take_part(self.transferred, name)) for name, part in self.parts.items()]
        of_transferred = sum(part.log_likelihood(counts) for part, counts in known if counts)
        return of_transferred + sum(part.log_prior() for part, _ in known)
