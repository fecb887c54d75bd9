"""Measures of compressions (Hori et al. 2003): words, strings of words, networks of words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.measures.measure import MeanMeasure, Sides, Texts, over_references
from corpus_tools.measures.settings import WORDS, WordSettings
from corpus_tools.measures.words import MeasuredText


def compared(text: MeasuredText, words: WordSettings) -> list[int]:
    """Return numbers by which the words of a text are compared, one after the other.

    Those of a compression are positions in the source: a word that occurs twice there is two words
    (Hori et al. 2003, section 3.2). Those of other texts number equal words alike.
    """
    if text.choice is not None:
        return list(text.choice.positions)
    ids: list[int] = text.words(words).ids.tolist()
    return ids


def word_errors(target: Sequence[int], summary: Sequence[int]) -> int:
    """Return the fewest substitutions, insertions and deletions between two sequences of words."""
    found = np.array(summary, dtype=np.int64)
    places = np.arange(len(found) + 1)
    # The errors of the words of the target so far beside those of the summary up to each place.
    row = places
    for word in target:
        after = row + 1
        after[1:] = np.minimum(after[1:], row[:-1] + (found != word))
        # What the summary has too much costs one a word: the least of all places before.
        row = np.minimum.accumulate(after - places) + places
    return int(row[-1])


class WordAccuracy(MeanMeasure):
    """(Len - Sub - Ins - Del) / Len, Len being the reference's words (equation 2).

    It may be negative. Errors count what is missing and what is too much, so it stands as F.
    """

    name = "word-accuracy"
    pattern = "word-accuracy"
    examples = ("word-accuracy",)

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        found = compared(summary, self.words)
        counts = []
        for reference in references:
            words = compared(reference, self.words)
            counts.append(np.array([len(words) - word_errors(words, found), len(words)]))
        # The best reference is the one of the best recall, so the accuracy stands in its place.
        accuracy, *_ = over_references(counts, _as_recall, self.settings.several)
        return np.nan, np.nan, accuracy


def _as_recall(counts: np.ndarray) -> Sides:
    right, words = counts
    return float(right / words) if words else 0.0, np.nan, np.nan


class WordStringPrecision(MeanMeasure):
    """p_n: the share of the summary's strings of n words that some reference has; by default n = 1.

    Equation 3. Strings are not clipped. Of several references any one counts, whatever ``several``
    says.
    """

    name = "word-string-precision"
    pattern = "word-string-precision(?:-(?P<n>[1-9]))?"
    examples = ("word-string-precision", "word-string-precision-2")
    side = "precision"
    uses = WORDS

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        found = self._strings(summary)
        known = set(chain(*map(self._strings, references)))
        return np.nan, sum(string in known for string in found) / max(len(found), 1), np.nan

    def _strings(self, text: MeasuredText) -> list[tuple[int, ...]]:
        """Return the strings of n words, one after the other."""
        words = compared(text, self.words)
        n = int(self.parameters["n"] or 1)
        return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


class NetworkAccuracy(MeanMeasure):
    """SumACCY: the word accuracy of a summary against the nearest word sequence of the network.

    WSumACCY is SumACCY times the weight of that sequence (equation 7). The network of all subjects
    is one reference, so ``several`` is not used. An accuracy may be negative. The words are those
    of the source.
    """

    name = "sumaccy"
    pattern = "(?P<weighted>w?)sumaccy"
    examples = ("sumaccy", "wsumaccy")
    uses = ()

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        chosen = summary.choice
        if chosen is None:
            raise BadUsage(
                f"{self.metric} needs compressions as references: "
                "JSON lines with 'words' and 'compressions' (lists of positions)"
            )
        target = chosen.source.network.nearest(chosen.positions)
        weight = target.weight if self.parameters["weighted"] else 1.0
        return np.nan, np.nan, weight * target.accuracy
