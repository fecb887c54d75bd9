"""The semi-Markov HMM: its parts as one value, and the E-step and M-step of all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.base.arrays import join_parts, take_part
from corpus_tools.base.errors import ImpossiblePair, warn_caller
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Counts
from corpus_tools.model_parts.text_arrays import Vocabulary
from jump_models.jump_model import JumpModel, NullJump
from jump_models.kernel_arrays import Jumps
from rewrite_models.null_factor import NullFactor, NullLinks
from rewrite_models.rewrite_model import CandidatePairs, Mixture, merge
from semihmm.inference.lattice_arrays import (
    BackgroundLinks,
    BatchCounts,
    Fusions,
    Lattice,
    Lattices,
)
from semihmm.model import memory
from semihmm.model.fusion import Fusion, batch_of_fusions
from semihmm.model.link_weights import LinkWeights
from semihmm.model.phrase_length import PhraseLength

ABSTRACT_WORDS = "corpus.words"
"""The name of the count of abstract words."""

LOG_LIKELIHOOD = "corpus.log_likelihood"
"""The name of the log-likelihood, which adds up like a count."""


class Encoded(NamedTuple):
    """A batch with the features of the model's parts.

    Features are computed once, probabilities from them in each iteration.

    ``jump``        the features of the jump model; ``None`` for a model of distances.
    ``candidates``  the phrase pairs with features of the rewrite models.
    ``null``        the features of each factor of null.
    ``fusions``     the fusions of the units, each of which has a lattice.
    """

    batch: Batch
    jump: Any
    candidates: CandidatePairs
    null: tuple[Any, ...]
    fusions: Fusions


class Probabilities(NamedTuple):
    """The probabilities of a batch, in the form that the kernels take.

    ``lattices``  the emissions, the null jump and the fusions.
    ``jumps``     the jumps to positions and to the documents' ends.
    ``rewrites``  the terms of equation 2: for each rewrite model float64 [its candidates]. The
                  emissions are their sums.
    """

    lattices: Lattices
    jumps: Jumps
    rewrites: list[np.ndarray]


class BatchPosteriors(NamedTuple):
    """The results of forward and backward for a batch.

    ``counts``, ``background``, ``fusions``, ``log_likelihoods``  as in ``Expected``.
    ``rewrites``    for each rewrite model float64, the posteriors of its own candidates.
    ``candidates``  float64 [C], the posterior of each candidate.
    """

    counts: BatchCounts
    background: BackgroundLinks
    fusions: np.ndarray
    log_likelihoods: np.ndarray
    rewrites: list[np.ndarray]
    candidates: np.ndarray


@dataclass(frozen=True)
class SemiHmm:
    """All parameters of the model (section 3.2): its parts, and the numbers of the words.

    ``vocabulary``  the words of the training corpus; all others are unseen words.
    ``jump``, ``null_jump``  the transition probabilities, a_{i,j}: where the next abstract word
                    comes from.
    ``length``      a factor of the emission of every phrase pair.
    ``rewrite``     the mixture of rewrite models, which emits phrases.
    ``null``        the factors of p(word | null): ``NullEmission``, then all others.
    ``fusion``      the mixture over the document sentences that an abstract may be rewritten from;
                    ``None``: it is rewritten from all sentences of its extract.
    ``counts``      the expected counts of the last M-step that have the same meaning in any corpus
                    (``ModelPart.common``), and the number of abstract words; empty before the first
                    M-step.
    ``transferred``  pseudo-counts of another model, which every M-step adds to the expected counts
                    (``semihmm.training.starts``).
    ``link_weights``  the weights of the decoder ``fitted`` that were fitted on hand alignments with
                    this model; ``None``: the shipped ones. EM leaves them as they are.
    """

    vocabulary: Vocabulary
    jump: JumpModel[Any]
    null_jump: NullJump
    length: PhraseLength
    rewrite: Mixture
    null: tuple[NullFactor[Any], ...]
    fusion: Fusion | None = None
    counts: Counts = field(default_factory=dict)
    transferred: Counts = field(default_factory=dict)
    link_weights: LinkWeights | None = None

    @classmethod
    def from_parts(cls, vocabulary: Vocabulary, parts: Mapping[str, Any]) -> SemiHmm:
        """Make the model of parts by name."""
        return cls(
            vocabulary,
            parts["jump"],
            parts[NullJump.name],
            parts[PhraseLength.name],
            parts["rewrite"],
            tuple(part for part in parts.values() if isinstance(part, NullFactor)),
            parts.get(Fusion.name),
        )

    def __str__(self) -> str:
        """Return the parts of the model, one a line."""
        parts = {**self.parts, "rewrite": self.rewrite.components}
        lines = [f"vocabulary: {len(self.vocabulary)} words"]
        for name, part in parts.items():
            kinds = part if isinstance(part, tuple) else (part,)
            lines.append(f"{name}: {', '.join(type(kind).__name__ for kind in kinds)}")
        return "\n".join(lines)

    @property
    def parts(self) -> dict[str, Any]:
        """Return all parts by the names that their arrays and counts have."""
        named: dict[str, Any] = {
            "jump": self.jump,
            NullJump.name: self.null_jump,
            PhraseLength.name: self.length,
            "rewrite": self.rewrite,
        }
        null_emission, *others = self.null
        named[null_emission.name] = null_emission
        if self.fusion:
            named[Fusion.name] = self.fusion
        return named | {factor.name: factor for factor in others}

    def encode(self, batch: Batch) -> Encoded:
        """Return the features of a batch, which do not depend on the parameters.

        Raises ``BadPair`` that names a pair which takes too much memory (``memory_limit``).
        """
        with memory.reserved(memory.largest_lattice(batch)):
            # Identical texts of n words have n^2 phrase pairs. Merging them takes the most memory,
            # so their number is checked before.
            of_components = self.rewrite.features(batch)
            memory.require_memory_of_candidates(batch, [part.spans for part in of_components])
            candidates = merge(of_components)
        null = tuple(factor.features(batch) for factor in self.null)
        if self.fusion:
            fusions = self.fusion.features((batch, candidates.spans))
        else:
            offsets = batch.abstract_offsets, batch.document_offsets
            fusions = Fusions.of_units(*offsets, candidates.spans)
        # For the jump model, the sentences of a fusion are the whole document.
        jump = self.jump.features(batch_of_fusions(batch, fusions))
        return Encoded(batch, jump, candidates, null, fusions)

    def probabilities(self, encoded: Encoded) -> Probabilities:
        """Compute the probabilities of a batch from its features.

        b_{i,j} = the sum over the rewrite models of (weight * probability) * p(length). In plain
        Python, without candidate phrase pairs: ``semihmm.reference.lattice``.
        """
        candidates = encoded.candidates
        rewrites = self.rewrite.probabilities(candidates)
        background = self.rewrite.background(encoded.batch, candidates)
        # The background emission links single words: the length is 1.
        of_words = background.document * self.length.probabilities(np.ones(1, dtype=np.int64))
        null = [
            factor.probabilities(features)
            for factor, features in zip(self.null, encoded.null, strict=True)
        ]
        # Kernels are compiled for contiguous arrays.
        batch = Lattice(
            null=math.prod(null[1:], start=null[0]),
            spans=candidates.spans,
            emission=candidates.sums(rewrites) * self._length_probabilities(encoded),
            background_abstract=background.abstract,
            background_class=background.classes,
            background_document=np.ascontiguousarray(of_words),
            null_jump=self.null_jump.probability,
        )
        log_prior = np.zeros(len(encoded.fusions.unit))
        if self.fusion:
            log_prior = self.fusion.probabilities(encoded.fusions)
        lattices = Lattices(batch, encoded.fusions, log_prior)
        return Probabilities(lattices, self.jump.probabilities(encoded.jump), rewrites)

    def _length_probabilities(self, encoded: Encoded) -> np.ndarray:
        """Return float64 [C], the probability of each candidate's length."""
        return self.length.probabilities(self.length.features(encoded.candidates.spans))

    def posteriors(self, encoded: Encoded, background_threshold: float = np.inf) -> BatchPosteriors:
        """Run forward and backward over a batch, once.

        The result lists the word pairs of the background emission with a posterior above
        ``background_threshold``; by default none. Warns with ``ImpossiblePair`` of pairs
        that the model cannot explain, and counts nothing in them.
        """
        # Imported here because it loads numba, which many commands do not need.
        from semihmm.inference.batch_kernels import expect

        with memory.reserved(memory.largest_lattice(encoded.batch)):
            lattices, jumps, rewrites = self.probabilities(encoded)
            expected = expect(lattices, jumps, background_threshold)
        if len(impossible := np.flatnonzero(expected.log_likelihoods == -np.inf)):
            warn_caller(ImpossiblePair.from_ids(encoded.batch.ids[pair] for pair in impossible))
        # The kernels return posterior / emission. The posterior of a rewrite model is that, times
        # its own term of the emission: weight * probability * p(length).
        lengths = self._length_probabilities(encoded)
        per_emission = expected.counts.posterior_per_emission
        per_rewrite = per_emission * lengths
        terms = zip(rewrites, encoded.candidates.indices, strict=True)
        of_rewrites = [probability * per_rewrite[rows] for probability, rows in terms]
        return BatchPosteriors(*expected, of_rewrites, per_emission * lattices.batch.emission)

    def expected_counts(self, encoded: Encoded) -> Counts:
        """Run the E-step of a batch.

        The counts of batches add up. In plain Python: ``semihmm.reference.e_step``.
        """
        posteriors = self.posteriors(encoded)
        counts = posteriors.counts
        corpus = {
            "log_likelihood": posteriors.log_likelihoods.sum(),
            "words": np.float64(len(encoded.batch.abstract)),
        }
        to_null = {"null_jumps": counts.null_jumps, "jumps": counts.jumps}
        rewritten = self.rewrite.expected_statistics(
            encoded.batch, encoded.candidates, posteriors.rewrites, counts.background
        )
        # The background emission links single words: one more entry, of length 1, for all of them.
        lengths = np.append(self.length.features(encoded.candidates.spans), 1)
        of_lengths = np.append(posteriors.candidates, counts.background.sum())
        statistics = {
            "jump": self.jump.expected_statistics(encoded.jump, counts.jump),
            NullJump.name: self.null_jump.expected_statistics(None, to_null),
            "rewrite": rewritten,
            **{
                factor.name: factor.expected_statistics(features, counts.null)
                for factor, features in zip(self.null, encoded.null, strict=True)
            },
            PhraseLength.name: self.length.expected_statistics(lengths, (lengths, of_lengths)),
            "corpus": corpus,
        }
        if self.fusion:
            of_fusions = self.fusion.expected_statistics(encoded.fusions, posteriors.fusions)
            statistics[Fusion.name] = of_fusions
        return join_parts(statistics)

    def null_links(self, encoded: Encoded, null: np.ndarray) -> NullLinks:
        """Return the links of null words; the paper's model has none.

        ``null``  float64 [M], the posterior that null emits each abstract word.
        """
        links = [
            factor.links(features, null)
            for factor, features in zip(self.null, encoded.null, strict=True)
        ]
        return NullLinks(*map(np.concatenate, zip(*links, strict=True)))

    def null_words(self, counts: Counts) -> float:
        """Return how many words are expected to come from null without a link."""
        return sum(factor.null_words(take_part(counts, factor.name)) for factor in self.null)

    def m_step(self, counts: Counts) -> SemiHmm:
        """Return the model that raises the MAP objective, given the counts of the whole corpus."""
        # Pseudo-counts of another model are added like counts of the corpus.
        counts = counts | {
            name: counts[name] + transferred for name, transferred in self.transferred.items()
        }
        parts = {name: part.m_step(take_part(counts, name)) for name, part in self.parts.items()}
        # numpy returns whole numbers where a batch has no features.
        common = {name: np.asarray(counts[name], dtype=np.float64) for name in self.common()}
        model = SemiHmm.from_parts(self.vocabulary, parts)
        model = replace(model, counts=common, transferred=self.transferred)
        return replace(model, link_weights=self.link_weights)

    def common(self) -> list[str]:
        """Return the names of counts with the same meaning in any corpus (``ModelPart.common``)."""
        of_parts = (f"{name}.{count}" for name, part in self.parts.items() for count in part.common)
        return [ABSTRACT_WORDS, *of_parts]

    def log_prior(self) -> float:
        """Return the logarithm of the prior density at these parameters, up to a constant."""
        parts = [(part, take_part(self.transferred, name)) for name, part in self.parts.items()]
        # Transferred counts are a prior, whose density is the likelihood of these counts.
        of_transferred = sum(part.log_likelihood(counts) for part, counts in parts if counts)
        return of_transferred + sum(part.log_prior() for part, _ in parts)
