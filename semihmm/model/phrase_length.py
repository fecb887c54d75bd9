"""Decision (b) of the generative story: how long the document phrase is.

Daumé III and Marcu (2005), section 3.1. The paper names the decision but gives it no distribution.
Here it is geometric, p(l) = (1 - more) more**(l - 1), so that the probabilities of what can happen
at a state sum to one for phrases of any length.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from corpus_tools.plugins.model_part import Corpus, Counts, ModelPart, open_shares
from corpus_tools.plugins.options import Options, option
from jump_models.jump_model import EVEN, EVEN_START

START = 0.3
"""``more`` before training. EM moves it in the first iterations."""

FAKE, TINY = 1.0, 1e-100
"""Fake counts of going on and of stopping, so that neither becomes impossible.

The paper has none: with the even start they are the smallest that a double has use for.
"""


@dataclass(frozen=True)
class PhraseLengthSettings(Options):
    """``even_start``: whether ``more`` starts at ``EVEN``, and has no prior."""

    even_start: bool = option(False, EVEN_START)


class LengthCounts(NamedTuple):
    """The lengths of document phrases, int [..], and the posterior of each phrase, float64 [..]."""

    lengths: np.ndarray
    posteriors: np.ndarray


@dataclass(frozen=True)
class PhraseLength(ModelPart[np.ndarray, np.ndarray, np.ndarray, LengthCounts]):
    """``more`` is the probability that a phrase goes on for one more document word.

    Its evidence is made of cells, int32 [C, 4]: the lengths of their document phrases. In plain
    Python: ``semihmm.reference.lengths``.
    """

    more: Annotated[float, open_shares()] = START
    even_start: bool = False
    name = "length"
    Settings = PhraseLengthSettings

    @classmethod
    def initial(cls, corpus: Corpus, settings: PhraseLengthSettings) -> PhraseLength:
        """Make the distribution before training."""
        return cls(EVEN if settings.even_start else START, settings.even_start)

    @property
    def fake(self) -> float:
        """Return the fake counts."""
        return TINY if self.even_start else FAKE

    def evidence(self, cells: np.ndarray) -> np.ndarray:
        """Return the length of each cell's document phrase, int [C]."""
        result: np.ndarray = cells[:, 3] - cells[:, 2]
        return result

    def scores(self, lengths: np.ndarray) -> np.ndarray:
        """Return p(l) for each length, float64."""
        return (1.0 - self.more) * self.more ** (lengths - 1)

    def fold(self, evidence: np.ndarray, counted: LengthCounts) -> Counts:
        """Return the expected phrases and their expected words.

        ``counted`` has the phrases of the base score too, which are no cells.
        """
        words = (counted.lengths * counted.posteriors).sum()
        return {"phrases": counted.posteriors.sum(), "words": words}

    def m_step(self, counts: Counts) -> PhraseLength:
        """Return the maximum, fake counts included."""
        # Where all phrases are single words, rounded sums may differ by a hair.
        going_on = max(float(counts["words"] - counts["phrases"]), 0.0) + self.fake
        stopping = float(counts["phrases"]) + self.fake
        return replace(self, more=going_on / (going_on + stopping))

    def log_prior(self) -> float:
        """Return the log density of the Beta prior."""
        return float(self.fake * (np.log(self.more) + np.log(1.0 - self.more)))
