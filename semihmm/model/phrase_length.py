"""The length of document phrases: decision (b) of the generative story.

Daumé III and Marcu (2005), section 3.1. The paper names the decision but gives it no distribution.
Here it is geometric, p(l) = (1 - more) more**(l - 1), so that the probabilities of all lengths sum
to one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from corpus_tools.model_parts import model_part
from corpus_tools.model_parts.model_part import Corpus, Counts, ModelPart
from corpus_tools.plugins import Options, option
from jump_models.jump_model import EVEN_START_HELP, LEAST_PSEUDO_COUNTS, UNIFORM_START

INITIAL_MORE = 0.3
"""``more`` before training. EM moves it in the first iterations."""

LENGTH_PSEUDO_COUNTS = 1.0
"""Pseudo-counts of going on and of stopping, so that neither becomes impossible.

The paper has none: with the even start they are ``LEAST_PSEUDO_COUNTS``.
"""


@dataclass(frozen=True)
class PhraseLengthSettings(Options):
    """``even_start``: whether ``more`` starts at ``UNIFORM_START``, and has no prior."""

    even_start: bool = option(False, EVEN_START_HELP)


LengthCounts = tuple[np.ndarray, np.ndarray]
"""The lengths of document phrases, int [..], and the posterior of each phrase, float64 [..]."""


@dataclass(frozen=True)
class PhraseLength(ModelPart):
    """``more`` is the probability that a phrase goes on for one more document word.

    Its features are made of candidates, int32 [C, 4]: the lengths of their document phrases. In
    plain Python: ``semihmm.reference.lengths``.
    """

    more: Annotated[float, model_part.open_shares()] = INITIAL_MORE
    even_start: bool = False
    name = "length"
    Settings = PhraseLengthSettings
    common: ClassVar = {"phrases": model_part.amounts(), "words": model_part.amounts()}

    @classmethod
    def initial(cls, corpus: Corpus, settings: PhraseLengthSettings) -> PhraseLength:
        """Make the distribution before training."""
        return cls(UNIFORM_START if settings.even_start else INITIAL_MORE, settings.even_start)

    @property
    def pseudo_counts(self) -> float:
        """Return the pseudo-counts of going on, and of stopping."""
        return LEAST_PSEUDO_COUNTS if self.even_start else LENGTH_PSEUDO_COUNTS

    def features(self, spans: np.ndarray) -> np.ndarray:
        """Return the length of each candidate's document phrase, int [C]."""
        return spans[:, 3] - spans[:, 2]

    def probabilities(self, lengths: np.ndarray) -> np.ndarray:
        """Return p(l) for each length, float64."""
        return (1.0 - self.more) * self.more ** (lengths - 1)

    def expected_statistics(self, features: np.ndarray, phrases: LengthCounts) -> Counts:
        """Return the expected phrases and their expected words.

        ``phrases`` includes the phrases of the background emission, which are no candidates.
        """
        lengths, posteriors = phrases
        return {"phrases": posteriors.sum(), "words": (lengths * posteriors).sum()}

    def m_step(self, counts: Counts) -> PhraseLength:
        """Return more = (words - phrases + pseudo) / (words + 2 pseudo), of the expected counts.

        In a phrase of l words, l - 1 words go on and the last stops. It is the mode under a Beta
        prior.
        """
        # Rounding errors may make the difference negative if all phrases are single words.
        going_on = max(float(counts["words"] - counts["phrases"]), 0.0) + self.pseudo_counts
        stopping = float(counts["phrases"]) + self.pseudo_counts
        return replace(self, more=going_on / (going_on + stopping))

    def log_prior(self) -> float:
        """Return the log density of the Beta prior."""
        return float(self.pseudo_counts * (np.log(self.more) + np.log(1.0 - self.more)))

    def log_likelihood(self, counts: Counts) -> float:
        """Return the log-likelihood of counts of phrases and of their words."""
        going_on = counts["words"] - counts["phrases"]
        return float(going_on * np.log(self.more) + counts["phrases"] * np.log(1.0 - self.more))
