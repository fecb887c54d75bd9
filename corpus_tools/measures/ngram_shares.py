"""The n-gram precision, recall and lengths of Soricut and Brill (2004), section 3."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.measures.ngram_counts import geometric_mean
from corpus_tools.measures.ngram_kernels import ngram_hits
from corpus_tools.scores.score import ratio


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
