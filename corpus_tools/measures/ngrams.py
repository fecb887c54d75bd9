"""Measures of n-grams and words beside ROUGE: Ngram, PS, RS and AEv, BLEU, recall by idf.

Lin and Hovy (2003), Soricut and Brill (2004), Hori et al. (2003).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from corpus_tools.errors import BadUsage, needing
from corpus_tools.measures.measure import (
    SIDES,
    MeanMeasure,
    Measure,
    Parameters,
    Sides,
    Texts,
    over_references,
    statistics_over_references,
)
from corpus_tools.measures.rouge_kernels import ngram_hits
from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.words import MeasuredText
from corpus_tools.scores.scopes import ratio
from corpus_tools.texts.tokenizers import normal_form

if TYPE_CHECKING:
    from sacrebleu import BLEU


def geometric_mean(shares: np.ndarray) -> np.ndarray:
    """Return the geometric means over the last axis, float64 [...]; 0 where a share is 0."""
    with np.errstate(divide="ignore"):
        means: np.ndarray = np.exp(np.log(shares).mean(axis=-1))
    return means


# Lin and Hovy


class Ngram(MeanMeasure):
    """Ngram(i,j): the geometric mean of the coverages C_i to C_j (equation 6).

    C_n is the share of the n-grams of a reference's units, its sentences, that the summary has. An
    n-gram of the summary may serve several units. It is a recall, and the mean over summaries as in
    the paper (section 4.1). With ``several=sum`` the units of all references count as those of one.
    """

    name = "ngram"
    pattern = "ngram-(?P<i>[1-4])-(?P<j>[1-4])"
    examples = ("ngram-1-1", "ngram-2-2", "ngram-1-4")
    side = "recall"

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.sizes = range(int(parameters["i"]), int(parameters["j"]) + 1)
        if not self.sizes:
            raise BadUsage(f"{metric}: the first number must not be greater than the second")

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        matches = [self._matches(summary, reference) for reference in references]
        return over_references(matches, self._sides, self.settings.several)

    def _matches(self, summary: MeasuredText, reference: MeasuredText) -> np.ndarray:
        """Return the sums over units of Count_match and Count (eq. 5): float64 [2, j - i + 1]."""
        own, words = summary.words(self.words).ids, reference.words(self.words)
        units = [words.ids[start:end] for start, end in pairwise(words.bounds.tolist())]
        matched = [sum(ngram_hits(own, unit, n) for unit in units) for n in self.sizes]
        counted = [sum(max(len(unit) - n + 1, 0) for unit in units) for n in self.sizes]
        return np.array([matched, counted], dtype=float)

    @staticmethod
    def _sides(matches: np.ndarray) -> Sides:
        return float(geometric_mean(ratio(matches[0], matches[1], 0.0))), np.nan, np.nan


# Soricut and Brill, section 3: counts and lengths are summed over all summaries, each beside its
# reference, before any quotient.


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

    def of_size(self, n: int) -> np.ndarray:
        """Return the words whose n-grams of a size are counted."""
        return self.unigrams if n == 1 else self.words


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
    sizes = range(1, longest + 1)
    hits = [ngram_hits(summary.of_size(n), reference.of_size(n), n) for n in sizes]
    in_summary, in_reference = (
        [max(len(text.of_size(n)) - n + 1, 0) for n in sizes] for text in (summary, reference)
    )
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
    shares = geometric_mean(ratio(sums.hits, sums.summaries, 0.0))
    penalised: np.ndarray = shares * penalty(brevity * sums.r, sums.c)
    return penalised


def recall(sums: Sums, wordiness: float) -> np.ndarray:
    """Return RS(N), float64 [...]: the mean n-gram recall times the wordiness penalty WP.

    ``wordiness``  W: summaries longer than this times the references are penalised.
    """
    shares = geometric_mean(ratio(sums.hits, sums.references, 0.0))
    penalised: np.ndarray = shares * penalty(sums.c, wordiness * sums.r)
    return penalised


def penalty(length: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Return exp(1 - length / limit) where a length is beyond its limit, else 1: float64 [...]."""
    return np.where(length > limit, np.exp(1 - ratio(length, limit, np.inf)), 1.0)


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
        rows = [pair_statistics(ours, self._counted(text), self.longest) for text in references]
        if len(rows) == 1:
            return rows[0]
        figures = self.figure(np.array(rows))[:, SIDES.index(self.side)]
        return statistics_over_references(np.array(rows), figures, self.settings.several)

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


# BLEU and recall by idf


LONGEST = 4


class Bleu(Measure):
    """BLEU over all summaries, without smoothing.

    sacreBLEU takes several references together, whatever ``several`` says: hits are clipped by the
    greatest count in a reference, and the length that counts is the one next to the summary's. The
    words are those of the settings; a compression's are its source's words. Its statistics are
    hits and n-grams of 1 to 4 words and the lengths of summaries and references.
    """

    name = "bleu"
    pattern = "bleu"
    examples = ("bleu",)
    side = "precision"
    uses = WORDS

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self._bleu = _sacrebleu()

    def statistics(self, summary: MeasuredText, references: Texts, /) -> np.ndarray:
        numbers: dict[str, int] = {}
        ours, *theirs = (self._numbered(text, numbers) for text in (summary, *references))
        score = self._bleu.sentence_score(ours, theirs)
        lengths = [score.sys_len, score.ref_len]
        return np.array([*score.counts, *score.totals, *lengths], dtype=float)

    def _numbered(self, text: MeasuredText, numbers: dict[str, int]) -> str:
        """Return the words as numbers with blanks between them: each one token of sacreBLEU's."""
        if text.choice is None:
            return " ".join(map(str, text.words(self.words).ids.tolist()))
        words = map(normal_form, text.choice.words)
        return " ".join(str(numbers.setdefault(word, len(numbers))) for word in words)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        rows = sums.reshape(-1, sums.shape[-1]).astype(int).tolist()
        figures = np.array([self._figure(row) for row in rows]).reshape(sums.shape[:-1])
        none = np.full(figures.shape, np.nan)
        return np.stack([none, figures, none], axis=-1)

    def _figure(self, row: list[int]) -> float:
        hits, ngrams = row[:LONGEST], row[LONGEST : 2 * LONGEST]
        score = self._bleu.compute_bleu(hits, ngrams, row[-2], row[-1], smooth_method="none")
        return score.score / 100


def _sacrebleu() -> BLEU:
    """Return sacreBLEU's scorer. Raises ``BadUsage`` where it is not installed."""
    with needing("the measure 'bleu'", "bleu"):
        from sacrebleu import BLEU
    # The effective order is for the score of a sentence, of which only the counts are used.
    return BLEU(tokenize="none", smooth_method="none", effective_order=True)


class Idf:
    """The weight of each word: ln((N + 1) / n), where n of the N references have the word.

    A word of no reference has the weight of a word of one. The 1 keeps the weights of a single
    reference's words above 0. Without references all words have the same weight. Words are numbers
    that all texts of an evaluation share.
    """

    def __init__(self, references: Iterable[np.ndarray]) -> None:
        """Count the references that have each word; each is int32 [words]."""
        known = [np.unique(ids) for ids in references]
        every = np.concatenate([np.zeros(0, np.int32), *known])
        self._references = max(len(known), 1)
        self._having = np.bincount(every)

    def weights(self, ids: np.ndarray) -> np.ndarray:
        """Return the weight of each word of a text: float64 [words]."""
        having = np.ones(len(ids))
        counted = ids < len(self._having)
        having[counted] = np.maximum(self._having[ids[counted]], 1)
        result: np.ndarray = math.log(self._references + 1) - np.log(having)
        return result


class IdfRecall(MeanMeasure):
    """The weighted share of the reference's words whose stem is anywhere in the summary.

    A word counts each time that the reference has it. This is the baseline of every measure that
    aligns words: it looks at no order and no synonym. It has no precision and no F. Stems are those
    of the settings.
    """

    name = "idf-recall"
    pattern = "idf-recall"
    examples = ("idf-recall",)
    side = "recall"

    def __init__(
        self,
        metric: str,
        parameters: Parameters,
        settings: MeasureSettings,
        idf: Idf | None = None,
    ) -> None:
        """Make the measure. ``idf`` are the weights of the words, from ``prepared``."""
        super().__init__(metric, parameters, settings)
        self._idf = Idf(()) if idf is None else idf

    def prepared(self, references: Iterable[MeasuredText]) -> Self:
        """Return the measure with the weights of the references' words."""
        idf = Idf(text.words(self.settings.words).ids for text in references)
        return type(self)(self.metric, {}, self.settings, idf)

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        """Return the recall, and NaN twice."""
        own = summary.words(self.settings.words).ids
        counts = [self._counts(own, one.words(self.settings.words).ids) for one in references]
        return over_references(counts, _sides, self.settings.several)

    def _counts(self, summary: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """Return the weight of the reference's words that the summary has, and of all of them."""
        weights = self._idf.weights(reference)
        return np.array([weights[np.isin(reference, summary)].sum(), weights.sum()])


def _sides(counts: np.ndarray) -> Sides:
    covered, all_words = counts.tolist()
    return (covered / all_words if all_words else 0.0, np.nan, np.nan)
