"""Defines the factors of the probability with which null emits abstract words.

    p(abstract word | null) = the product of the factors

The first factor of every model is ``NullEmission``. The others are plug-ins, in ``NULL_FACTORS``
(``rewrite_models.registry``). A setting with the name of a factor says whether a model has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, ModelPart, amounts, shares
from corpus_tools.plugins import Options, option

FactorFeatures = TypeVar("FactorFeatures")


class NullLinks(NamedTuple):
    """Links of null words to document words, C of them.

    ``spans``       int32 [C, 4], both words of each link as a candidate phrase pair.
    ``posteriors``  float64 [C], the posterior of each.
    """

    spans: np.ndarray
    posteriors: np.ndarray

    def left_over(self, null: np.ndarray) -> np.ndarray:
        """Return float64 [M], the posteriors of null without a link.

        ``null``  float64 [M], the posteriors of null with and without a link.
        """
        linked = np.bincount(self.spans[:, 0], weights=self.posteriors, minlength=len(null))
        # Rounding errors may make the difference negative.
        return np.maximum(null - linked, 0.0)


class NullFactor(ModelPart, Generic[FactorFeatures]):
    """A factor of p(abstract word | null).

    ``probabilities`` returns float64 [M], the factor of each abstract word. ``expected_statistics``
    takes float64 [M], the posterior of null for each.
    """

    makes_links: ClassVar[bool] = False
    """Whether the factor may link words of null."""

    def links(self, features: FactorFeatures, null: np.ndarray) -> NullLinks:
        """Return the links of null words that the factor makes; by default there are none.

        ``null``  float64 [M], the posterior that null emits each abstract word.
        """
        return NullLinks(np.zeros((0, 4), dtype=np.int32), np.zeros(0))

    def null_words(self, counts: Counts) -> float:
        """Return the summand of this factor in the expected number of null words without a link."""
        return 0.0


NULL_PRIORS = ("lexical", "unigram")


@dataclass(frozen=True)
class NullEmissionSettings(Options):
    """The prior of the null emission, which the paper does not specify.

    ``null_prior``     ``lexical`` treats null like any other word in the lexical model, with
                       ``null_strength`` pseudo-counts for each word. ``unigram`` divides
                       ``null_strength`` pseudo-counts among all words by their frequencies in the
                       abstracts, so that null explains a frequent word better than a rare one.
    ``null_strength``  the pseudo-counts, for each word or for all together.
    """

    null_prior: str = option(
        "unigram", "prior of unaligned words", names=NULL_PRIORS, on_start=True
    )
    null_strength: float = option(
        1e6,
        "pseudo-counts of the prior of unaligned words",
        metavar="COUNT",
        least=0,
        on_start=True,
    )


@dataclass(frozen=True)
class NullEmission(NullFactor[np.ndarray]):
    """p(word | null), a multinomial with a Dirichlet prior (``NullEmissionSettings``).

    In plain Python, as in the preset ``paper``: ``semihmm.reference.null_emission``.

    ``probability``    float64 [V + 1], over the training vocabulary; the last entry is for all
                       words that no training abstract has.
    ``pseudo_counts``  float64 [V + 1], the pseudo-counts of the prior (section 4.3).
    """

    probability: Annotated[np.ndarray, shares("V+1")]
    pseudo_counts: Annotated[np.ndarray, amounts("V+1")]
    name = "null"
    Settings = NullEmissionSettings

    @classmethod
    def initial(cls, corpus: Corpus, settings: NullEmissionSettings) -> NullEmission:
        """Make the factor at the mode of the prior."""
        counts = corpus.abstract_counts()
        return cls._at_mode(counts > 0, counts + 0.5, settings)

    def warm_start(self, corpus: Corpus, settings: NullEmissionSettings) -> NullEmission:
        """Return the factor at the mode of a prior from the words of both corpora's abstracts."""
        unseen = len(self.pseudo_counts) - 1
        in_abstracts = (self.pseudo_counts[corpus.known] > 0) & (corpus.known != unseen)
        in_abstracts |= corpus.abstract_counts() > 0
        before = self.pseudo_counts / self.pseudo_counts.sum()
        # For the other model's null, a word that only documents had was an unseen word.
        before = np.where(before > 0, before, before[unseen])
        return self._at_mode(in_abstracts, corpus.smoothed_counts(before), settings)

    @classmethod
    def _at_mode(
        cls, in_abstracts: np.ndarray, counts: np.ndarray, settings: NullEmissionSettings
    ) -> NullEmission:
        """Make the factor at the mode of the prior.

        ``in_abstracts``  bool [V + 1], which words abstracts have.
        ``counts``        float64 [V + 1], how often abstracts have each word.
        """
        # The last entry, unseen words, stands for words of other texts.
        in_abstracts = np.append(in_abstracts[:-1], True)
        if settings.null_prior == "lexical":
            pseudo_counts = np.where(in_abstracts, settings.null_strength, 0.0)
        else:
            pseudo_counts = np.where(in_abstracts, counts, 0.0)
            pseudo_counts *= settings.null_strength / pseudo_counts.sum()
        return cls(pseudo_counts / pseudo_counts.sum(), pseudo_counts)

    def features(self, batch: Batch) -> np.ndarray:
        """Return int64 [M], the entry of each abstract word."""
        last = len(self.pseudo_counts) - 1
        words = np.minimum(batch.abstract, last)
        return np.where(self.pseudo_counts[words] > 0, words, last)

    def probabilities(self, features: np.ndarray) -> np.ndarray:
        """Return float64 [M], p(word | null) of each abstract word."""
        return self.probability[features]

    def expected_statistics(self, features: np.ndarray, posteriors: np.ndarray) -> Counts:
        """Return the expected emissions, float64 [V + 1], from null posteriors, float64 [M]."""
        return {
            "words": np.bincount(features, weights=posteriors, minlength=len(self.pseudo_counts))
        }

    def null_words(self, counts: Counts) -> float:
        """Return the expected number of words that null emits."""
        return float(counts["words"].sum())

    def m_step(self, counts: Counts) -> NullEmission:
        """Return the mode of the posterior under the Dirichlet prior (section 4.3).

        p(w) = (c(w) + pseudo(w)) / sum over w' of (c(w') + pseudo(w')), where c are the expected
        counts. The parameters of the prior are the pseudo-counts plus 1.
        """
        total = counts["words"] + self.pseudo_counts
        return NullEmission(total / total.sum(), self.pseudo_counts)

    def log_prior(self) -> float:
        """Return the log density of the prior, relative to its mode.

        The density itself is so large under a strong prior that the objective would lose digits.
        """
        has_counts = self.pseudo_counts > 0
        mode = self.pseudo_counts[has_counts] / self.pseudo_counts.sum()
        return float(self.pseudo_counts[has_counts] @ np.log(self.probability[has_counts] / mode))
