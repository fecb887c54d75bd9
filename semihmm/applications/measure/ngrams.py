"""Measures of n-grams and words other than ROUGE: Ngram, PS, RS and AEv, BLEU, recall by idf.

Lin and Hovy (2003), Soricut and Brill (2004), Hori et al. (2003).
"""

import math
from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import Self

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.base.packages import needing
from corpus_tools.base.resampling import ratio
from corpus_tools.texts.forms import normal_form
from semihmm.applications.measure.measure import (
    FIGURE_SIDES,
    CountingMeasure,
    Measure,
    Parameters,
    Sides,
    Texts,
    over_references,
)
from semihmm.applications.measure.rouge_kernels import ngram_hits
from semihmm.applications.measure.words import WORD_SETTINGS, MeasuredText, MeasureSettings


def geometric_mean(shares: np.ndarray) -> np.ndarray:
    """Return the geometric means over the last axis, float64 [...]; 0 where a share is 0."""
    with np.errstate(divide="ignore"):
        means: np.ndarray = np.exp(np.log(shares).mean(axis=-1))
    return means


# Lin and Hovy


class Ngram(CountingMeasure):
    """Ngram(i,j): the geometric mean of the coverages C_i to C_j (equation 6).

    A unit is a sentence of the reference. C_n is the share of the units' n-grams that the summary
    has. An n-gram of the summary may match several units. The measure is a recall. The figure of a
    system is the mean over its summaries (section 4.1). With ``several=sum`` the units of all
    references are joined.
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

    def counts(self, summary: MeasuredText, reference: MeasuredText, /) -> np.ndarray:
        """Return the sums over units of Count_match and Count (eq. 5): float64 [2, j - i + 1]."""
        summary_ids, words = summary.words(self.settings).ids, reference.words(self.settings)
        units = [words.ids[start:end] for start, end in pairwise(words.bounds.tolist())]
        matched = [sum(ngram_hits(summary_ids, unit, n) for unit in units) for n in self.sizes]
        counted = [sum(max(len(unit) - n + 1, 0) for unit in units) for n in self.sizes]
        return np.array([matched, counted], dtype=float)

    def of_counts(self, counts: np.ndarray, /) -> Sides:
        """Return the recall."""
        return float(geometric_mean(ratio(counts[0], counts[1], 0.0))), np.nan, np.nan


# Soricut and Brill, section 3: counts and lengths are summed over all summaries and their
# references, before any quotient.


DECIMAL_NUMBER = r"\d+(?:\.\d+)?"


def penalty(length: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Return exp(1 - length / limit) where a length exceeds its limit, else 1: float64 [...]."""
    return np.where(length > limit, np.exp(1 - ratio(length, limit, np.inf)), 1.0)


class NgramShares(Measure):
    """PS(N), RS(N) and AEv(alpha, N).

    ``ps-4``       BP times the geometric mean of the n-gram precisions. BP penalises summaries that
                   are shorter than B times the references.
    ``rs-4``       WP times the geometric mean of the n-gram recalls. WP penalises summaries that
                   are longer than W times the references.
    ``aev-0.5-4``  the weighted harmonic mean of PS and RS: alpha 0 gives the recall RS, alpha 1 the
                   precision PS. Its recall is RS, its precision PS.

    The settings of stems and stop words apply to unigrams only. With ``-text`` in the name they
    apply to all n-grams. The statistics are, for n from 1 to N, the numbers of common n-grams, of
    the summary's and of the reference's n-grams; then the numbers of words of both texts, stop
    words included.
    """

    name = "ngram-shares"
    pattern = (
        rf"(?:(?P<only>ps|rs)|aev-(?P<alpha>{DECIMAL_NUMBER}))-(?P<n>[1-9])"
        rf"(?:-b(?P<brevity>{DECIMAL_NUMBER}))?(?:-w(?P<wordiness>{DECIMAL_NUMBER}))?(?P<text>-text)?"
    )
    examples = ("ps-1", "ps-4", "rs-1", "rs-4", "aev-0-1", "aev-0.5-4", "aev-1-4")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.side = {"ps": "precision", "rs": "recall"}.get(parameters["only"], "f")
        self.sizes = range(1, int(parameters["n"]) + 1)
        self.alpha = float(parameters["alpha"] or 0)
        if self.alpha > 1:
            raise BadUsage(f"{metric}: alpha must be a number from 0 to 1")
        # B and W are by default as in section 3 of the paper.
        self.brevity = float(parameters["brevity"] or 1)
        self.wordiness = float(parameters["wordiness"] or 2)
        if not (self.brevity > 0 and self.wordiness > 0):
            raise BadUsage(f"{metric}: B and W must be greater than 0")
        self._plain = replace(self.settings, stem="none", stop_words=False)
        # The settings for n-grams of two words and more.
        self._longer = self._plain if parameters["text"] is None else self.settings

    def statistics(self, summary: MeasuredText, references: Texts, /) -> np.ndarray:
        rows = np.array([self._of_pair(summary, text) for text in references], dtype=float)
        figures = self.figure(rows)[:, FIGURE_SIDES.index(self.side)].tolist()
        return over_references(rows, figures, self.settings.several)

    def _of_pair(self, *texts: MeasuredText) -> list[int]:
        """Return the statistics of a summary and a reference."""
        hits, numbers = [], []
        for n in self.sizes:
            chosen = self.settings if n == 1 else self._longer
            both = [text.words(chosen).ids for text in texts]
            hits.append(ngram_hits(*both, n))
            numbers.append([max(len(ids) - n + 1, 0) for ids in both])
        of_summary, of_reference = zip(*numbers, strict=True)
        lengths = [len(text.words(self._plain).ids) for text in texts]
        return [*hits, *of_summary, *of_reference, *lengths]

    def figure(self, sums: np.ndarray) -> np.ndarray:
        hits, of_summaries, of_references = np.split(sums[..., :-2], 3, axis=-1)
        c, r = sums[..., -2], sums[..., -1]
        # PS(N) = BP geometric mean of the precisions, RS(N) = WP geometric mean of the recalls,
        # AEv(alpha, N) = PS RS / (alpha RS + (1 - alpha) PS).
        precision = geometric_mean(ratio(hits, of_summaries, 0.0)) * penalty(self.brevity * r, c)
        recall = geometric_mean(ratio(hits, of_references, 0.0)) * penalty(c, self.wordiness * r)
        below = self.alpha * recall + (1 - self.alpha) * precision
        figures = np.stack([recall, precision, ratio(precision * recall, below, 0.0)], axis=-1)
        if self.parameters["only"]:
            figures[..., [side != self.side for side in FIGURE_SIDES]] = np.nan
        return figures


# BLEU and recall by idf


class Bleu(Measure):
    """BLEU over all summaries, without smoothing.

    The setting ``several`` has no effect, since BLEU combines several references itself: hits are
    clipped by the greatest count in a reference, and the reference length is the one nearest to
    the summary's. A compression has the words of its source. The statistics are the hits and the
    n-grams of 1 to 4 words, and the lengths of summary and reference.
    """

    name = "bleu"
    pattern = "bleu"
    examples = ("bleu",)
    side = "precision"
    uses = WORD_SETTINGS

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        with needing("the measure 'bleu'", "bleu"):
            from sacrebleu import BLEU
        # Only the counts of the sentence score are used; ``effective_order`` avoids its warning.
        self._bleu = BLEU(tokenize="none", smooth_method="none", effective_order=True)

    def statistics(self, summary: MeasuredText, references: Texts, /) -> np.ndarray:
        numbers: dict[str, int] = {}
        ours, *theirs = (self._numbered(text, numbers) for text in (summary, *references))
        score = self._bleu.sentence_score(ours, theirs)
        lengths = [score.sys_len, score.ref_len]
        return np.array([*score.counts, *score.totals, *lengths], dtype=float)

    def _numbered(self, text: MeasuredText, numbers: dict[str, int]) -> str:
        """Return the words as numbers with blanks between them: each is one token of sacreBLEU."""
        if text.choice is None:
            return " ".join(map(str, text.words(self.settings).ids.tolist()))
        words = map(normal_form, text.choice.words)
        return " ".join(str(numbers.setdefault(word, len(numbers))) for word in words)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        hits, ngrams = np.split(sums[..., :-2], 2, axis=-1)
        c, r = sums[..., -2], sums[..., -1]
        # BLEU = BP geometric mean of the precisions of 1- to 4-grams.
        bleu = geometric_mean(ratio(hits, ngrams, 0.0)) * penalty(r, c)
        none = np.full(bleu.shape, np.nan)
        return np.stack([none, bleu, none], axis=-1)


class Idf:
    """The weight of each word: ln((N + 1) / n), where n of the N references have the word.

    N + 1 in place of N gives weights above 0 even with a single reference. A word that no
    reference has counts as a word of one reference. Without references all words have the same
    weight. Words are numbers, the same in all texts of an evaluation.
    """

    def __init__(self, references: Iterable[np.ndarray]) -> None:
        """Count the references that have each word; each is int32 [words]."""
        distinct = [np.unique(ids) for ids in references]
        self._references = max(len(distinct), 1)
        having = np.bincount(np.concatenate([np.zeros(0, np.int32), *distinct]))
        # The last entry is for all words that no reference has.
        self._having = np.maximum(np.append(having, 1), 1)

    def weights(self, ids: np.ndarray) -> np.ndarray:
        """Return the weight of each word of a text: float64 [words]."""
        having = self._having[np.minimum(ids, len(self._having) - 1)]
        return math.log(self._references + 1) - np.log(having)


class WeightedWords(CountingMeasure):
    """A measure that weights each word by its idf over all references of an evaluation."""

    idf = Idf(())
    """The weights of the words, from ``prepared``."""

    def prepared(self, references: Iterable[MeasuredText]) -> Self:
        """Return the measure with the weights of the references' words."""
        weighted = copy(self)
        weighted.idf = Idf(text.words(self.settings).ids for text in references)
        return weighted


class IdfRecall(WeightedWords):
    """The weighted share of the reference's words whose stem is anywhere in the summary.

    Each occurrence of a word counts. This is a baseline for measures that align words: it ignores
    order and synonyms. It has no precision and no F. The setting ``stem`` says which stems.
    """

    name = "idf-recall"
    pattern = "idf-recall"
    examples = ("idf-recall",)
    side = "recall"

    def counts(self, summary: MeasuredText, reference: MeasuredText, /) -> np.ndarray:
        """Return the weight of the reference's words that the summary has, and of all its words."""
        summary_ids, ids = summary.words(self.settings).ids, reference.words(self.settings).ids
        weights = self.idf.weights(ids)
        return np.array([weights[np.isin(ids, summary_ids)].sum(), weights.sum()])

    def of_counts(self, counts: np.ndarray, /) -> Sides:
        """Return the recall."""
        covered, all_words = counts.tolist()
        return covered / all_words if all_words else 0.0, np.nan, np.nan
