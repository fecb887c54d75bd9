"""PS(N), RS(N) and AEv(alpha, N): n-gram precision, recall and their mean.

Soricut and Brill (2004), section 3. Counts and lengths are summed over all summaries, each beside
its reference, before any quotient.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.measures.measure import (
    SIDES,
    Measure,
    Parameters,
    Texts,
    statistics_over_references,
)
from corpus_tools.measures.ngram import geometric_mean
from corpus_tools.measures.ngram_kernels import ngram_hits
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import MeasuredText
from corpus_tools.scores.scopes import ratio

NUMBER = r"\d+(?:\.\d+)?"
SIZE = "(?P<n>[1-9])"
BREVITY = f"(?:-b(?P<brevity>{NUMBER}))?"
WORDINESS = f"(?:-w(?P<wordiness>{NUMBER}))?"
TEXT = "(?P<text>-text)?"


class CountedText(NamedTuple):
    """A summary or a reference as its n-grams are counted.

    ``unigrams``  int32, the words that are counted one by one: stemmed, without stop words.
    ``words``     int32, the words whose longer n-grams are counted.
    ``length``    how many words there are with stop words: what |c| and |r| are sums of.
    """

    unigrams: np.ndarray
    words: np.ndarray
    length: int


class Sums(NamedTuple):
    """Sums of statistics over pairs of a summary and a reference.

    ``hits``       float64 [..., N]: n-grams of both, clipped pair by pair, for n from 1 to N.
    ``summaries``  float64 [..., N]: n-grams of the summaries.
    ``references`` float64 [..., N]: n-grams of the references.
    ``c``, ``r``   float64 [...]: the words of the summaries and of the references.
    """

    hits: np.ndarray
    summaries: np.ndarray
    references: np.ndarray
    c: np.ndarray
    r: np.ndarray


def pair_statistics(summary: CountedText, reference: CountedText, longest: int) -> np.ndarray:
    """Return what a pair adds to the sums, for n-grams up to ``longest``: float64 [3 N + 2]."""
    hits = []
    in_summary = []
    in_reference = []
    for n in range(1, longest + 1):
        ours = summary.unigrams if n == 1 else summary.words
        theirs = reference.unigrams if n == 1 else reference.words
        hits.append(ngram_hits(ours, theirs, n))
        in_summary.append(max(len(ours) - n + 1, 0))
        in_reference.append(max(len(theirs) - n + 1, 0))
    lengths = [summary.length, reference.length]
    return np.array([*hits, *in_summary, *in_reference, *lengths], dtype=float)


def sums_of(statistics: np.ndarray) -> Sums:
    """Name the columns of sums of ``pair_statistics``."""
    longest = statistics.shape[-1] // 3
    hits, summaries, references = (
        statistics[..., k * longest : (k + 1) * longest] for k in range(3)
    )
    return Sums(hits, summaries, references, statistics[..., -2], statistics[..., -1])


def precision(sums: Sums, brevity: float) -> np.ndarray:
    """Return PS(N), float64 [...]: the mean n-gram precision times the brevity penalty BP.

    ``brevity``  B: summaries shorter than this times the references are penalised.
    """
    shares = ratio(sums.hits, sums.summaries, 0.0)
    too_short = sums.c < brevity * sums.r
    excess = ratio(brevity * sums.r, sums.c, np.inf)
    penalty = np.where(too_short, np.exp(1 - excess), 1.0)
    figures: np.ndarray = penalty * geometric_mean(shares)
    return figures


def recall(sums: Sums, wordiness: float) -> np.ndarray:
    """Return RS(N), float64 [...]: the mean n-gram recall times the wordiness penalty WP.

    ``wordiness``  W: summaries longer than this times the references are penalised.
    """
    shares = ratio(sums.hits, sums.references, 0.0)
    too_long = sums.c > wordiness * sums.r
    excess = ratio(sums.c, wordiness * sums.r, np.inf)
    penalty = np.where(too_long, np.exp(1 - excess), 1.0)
    figures: np.ndarray = penalty * geometric_mean(shares)
    return figures


def weighted_mean(precision: np.ndarray, recall: np.ndarray, alpha: float) -> np.ndarray:
    """Return AEv(alpha, N), float64 [...]: recall for alpha 0, precision for alpha 1."""
    return ratio(precision * recall, alpha * recall + (1 - alpha) * precision, 0.0)


class NgramShares(Measure):
    """What the three families share: the statistics, and the words of n-grams.

    Stems and stop words, as far as the settings ask for them, concern unigrams only, in summaries
    and references alike. With ``-text`` in the name they concern the whole text.
    """

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.longest = int(parameters["n"])
        self.whole_text = parameters["text"] is not None
        self.brevity = self._constant(parameters.get("brevity"), 1.0)
        self.wordiness = self._constant(parameters.get("wordiness"), 2.0)
        self._plain = replace(self.words, stem="none", stop_words=False)

    def _constant(self, given: str | None, default: float) -> float:
        """Return B or W, by default as in section 3 of the paper. Raises ``BadUsage`` for 0."""
        if given is not None and not float(given) > 0:
            raise BadUsage(f"{self.metric}: B and W must be greater than 0")
        return default if given is None else float(given)

    def statistics(self, summary: MeasuredText, references: Texts, /) -> np.ndarray:
        ours = self._counted(summary)
        rows = np.array(
            [pair_statistics(ours, self._counted(text), self.longest) for text in references]
        )
        figures = self.figure(rows)[:, SIDES.index(self.side)]
        return statistics_over_references(rows, figures, self.settings.several)

    def _counted(self, text: MeasuredText) -> CountedText:
        words = text.words(self._plain).ids
        unigrams = text.words(self.words).ids
        return CountedText(unigrams, unigrams if self.whole_text else words, len(words))

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return np.stack(self._sides(sums_of(sums)), axis=-1)

    @abstractmethod
    def _sides(self, sums: Sums) -> Sequence[np.ndarray]:
        """Return recall, precision and F, float64 [...] each; NaN for what the family lacks."""


class NgramPrecision(NgramShares):
    """PS(N): BP times the geometric mean of the n-gram precisions."""

    name = "ps"
    pattern = f"ps-{SIZE}{BREVITY}{TEXT}"
    examples = ("ps-1", "ps-4")
    side = "precision"

    def _sides(self, sums: Sums) -> Sequence[np.ndarray]:
        none = np.full(np.shape(sums.c), np.nan)
        return none, precision(sums, self.brevity), none


class NgramRecall(NgramShares):
    """RS(N): WP times the geometric mean of the n-gram recalls."""

    name = "rs"
    pattern = f"rs-{SIZE}{WORDINESS}{TEXT}"
    examples = ("rs-1", "rs-4")
    side = "recall"

    def _sides(self, sums: Sums) -> Sequence[np.ndarray]:
        none = np.full(np.shape(sums.c), np.nan)
        return recall(sums, self.wordiness), none, none


class WeightedNgrams(NgramShares):
    """AEv(alpha, N): the weighted harmonic mean of PS(N) and RS(N), which are its other figures."""

    name = "aev"
    pattern = f"aev-(?P<alpha>{NUMBER})-{SIZE}{BREVITY}{WORDINESS}{TEXT}"
    examples = ("aev-0-1", "aev-0.5-4", "aev-1-4")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.alpha = float(parameters["alpha"])
        if self.alpha > 1:
            raise BadUsage(f"{metric}: alpha must be a number from 0 to 1")

    def _sides(self, sums: Sums) -> Sequence[np.ndarray]:
        both = recall(sums, self.wordiness), precision(sums, self.brevity)
        return *both, weighted_mean(both[1], both[0], self.alpha)
