"""ROUGE (Lin 2004): n-grams, longest common subsequences, weighted ones, skip-bigrams."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.measures.measure import (
    MeanMeasure,
    Parameters,
    Sides,
    Texts,
    f_measure,
    over_references,
)
from corpus_tools.measures.ngram_kernels import ngram_hits
from corpus_tools.measures.sequence_kernels import (
    clip,
    run_weight,
    sequence_length,
    union_marks,
    weighted_length,
    weighted_marks,
)
from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.skip_kernels import skip_hits, skip_total
from corpus_tools.measures.words import MeasuredText, Words

DIGITS = 5
"""Places that ROUGE-1.5.5 rounds recall and precision to, and then F."""

HIGHEST_WEIGHT = 20
"""The highest weight, chosen by hand: with it the weight of a text of 10^15 words is a float64.
Papers have weights up to 2."""

MOST_WORDS = 1 << 30
"""More words than a text has: the distance of ``*``."""


class Counts(NamedTuple):
    """What a summary and a reference have in common, and what each has."""

    hits: float
    of_reference: float
    of_summary: float


class Rouge(MeanMeasure):
    """A ROUGE measure: it counts what a summary shares with a reference."""

    uses = (*WORDS, "several", "formula", "beta")

    @abstractmethod
    def counts(self, summary: Words, reference: Words, /) -> Counts:
        """Count for one reference."""

    def share(self, part: float, whole: float) -> float:
        """Return recall or precision, of hits among all; 0 where there is nothing."""
        return part / whole if whole else 0.0

    def choice(self, counts: Counts, reference: Words, /) -> float:
        """Return the recall by which the best of several references is chosen."""
        return self.rounded(self.share(counts.hits, counts.of_reference))

    def rounded(self, value: float) -> float:
        """Round as the program does; as printed in the paper, nothing is rounded."""
        return round(value, DIGITS) if self.settings.formula == "program" else value

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        own = summary.words(self.words)
        others = [reference.words(self.words) for reference in references]
        counted = [self.counts(own, other) for other in others]
        if len(others) == 1:
            return self._sides(counted[0])
        choices = list(map(self.choice, counted, others))
        return over_references(
            [np.array(counts) for counts in counted], self._sides, self.settings.several, choices
        )

    def _sides(self, counts: Counts | np.ndarray) -> Sides:
        hits, of_reference, of_summary = map(float, counts)
        recall = self.rounded(self.share(hits, of_reference))
        precision = self.rounded(self.share(hits, of_summary))
        return recall, precision, self.rounded(f_measure(recall, precision, self.settings.beta))


class RougeN(Rouge):
    """ROUGE-N (section 2) for n-grams of 1 to 9 words, which may run over the end of a sentence."""

    name = "rouge-n"
    pattern = "rouge-(?P<n>[1-9])"
    examples = ("rouge-1", "rouge-2", "rouge-3", "rouge-4")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.n = int(parameters["n"])

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        hits = ngram_hits(summary.ids, reference.ids, self.n)
        before = self.n - 1
        return Counts(hits, max(len(reference.ids) - before, 0), max(len(summary.ids) - before, 0))


class RougeL(Rouge):
    """ROUGE-L (section 3): the union over the summary's sentences, for each reference sentence.

    The program counts a word as often as both texts have it, the paper (equation 5) for each
    reference sentence anew.
    """

    name = "rouge-l"
    pattern = "rouge-l"
    examples = ("rouge-l",)

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        marked = union_marks(*summary, *reference)
        if self.settings.formula == "program":
            marked = clip(summary.ids, reference.ids, marked)
        return Counts(int(marked.sum()), len(reference.ids), len(summary.ids))

    def choice(self, counts: Counts, reference: Words, /) -> float:
        # For L the program chooses by the recall before it is rounded.
        return self.share(counts.hits, counts.of_reference)


class RougeLSequence(Rouge):
    """ROUGE-L of two texts as one sequence of words each, as rouge-score's ``rougeL``."""

    name = "rouge-l-sequence"
    pattern = "rouge-l-sequence"
    examples = ("rouge-l-sequence",)

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        hits = sequence_length(summary.ids, reference.ids)
        return Counts(hits, len(reference.ids), len(summary.ids))


class RougeW(Rouge):
    """ROUGE-W (section 4): a run of k words of a common subsequence counts k^w.

    The program works by sentences, as for L, and is odd in three ways. It raises the reference's
    weight twice. A marked word that the summary does not have once more neither ends a run nor pays
    it out. Ties hang on the last bit of its sums. The paper has one sequence of words for each text
    (equations 13 to 15).
    """

    name = "rouge-w"
    pattern = r"rouge-w-(?P<weight>\d+(\.\d+)?)"
    examples = ("rouge-w-1.2",)

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.weight = float(parameters["weight"])
        if not 1 <= self.weight <= HIGHEST_WEIGHT:
            raise BadUsage(f"the weight of {metric} must be from 1 to {HIGHEST_WEIGHT}")
        self._powers = np.zeros(0)

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        powers = self._powers_to(max(len(reference.ids), len(summary.ids)))
        of_summary = float(powers[len(summary.ids)])
        if self.settings.formula == "paper":
            hits = weighted_length(summary.ids, reference.ids, powers)
            return Counts(hits, float(powers[len(reference.ids)]), of_summary)
        marked = weighted_marks(*summary, *reference, powers)
        counted = clip(summary.ids, reference.ids, marked)
        hits = run_weight(marked, counted, reference.bounds, powers)
        return Counts(hits, self._raised(self._base(reference)), of_summary)

    def share(self, part: float, whole: float) -> float:
        return float((part / whole) ** (1 / self.weight)) if whole else 0.0

    def choice(self, counts: Counts, reference: Words, /) -> float:
        # The program chooses by the reference's weight raised once, before rounding.
        if self.settings.formula == "paper":
            return self.share(counts.hits, counts.of_reference)
        return self.share(counts.hits, self._base(reference))

    def _base(self, reference: Words) -> float:
        """Sum up the weights of the sentences of a reference."""
        base = 0.0
        for length in np.diff(reference.bounds).tolist():
            base += float(self._powers[length])
        return base

    def _raised(self, base: float) -> float:
        """Raise a weight once more. Where it is infinite, the recall is far below 10^-5."""
        try:
            return float(base**self.weight)
        except OverflowError:
            return math.inf

    def _powers_to(self, words: int) -> np.ndarray:
        """Return k^w for k from 0 to the number of words at least."""
        if len(self._powers) <= words:
            # By Python's own power: NumPy's may differ in the last bit.
            self._powers = np.array([float(k) ** self.weight for k in range(2 * words + 2)])
        return self._powers


class RougeS(Rouge):
    """ROUGE-S (section 5): pairs of words in their order with at most so many words between.

    For the program a text is one sequence. In the paper a pair is one of a sentence.
    """

    name = "rouge-s"
    pattern = r"rouge-s(?P<gap>\d+|\*)"
    examples = ("rouge-s4", "rouge-s*")
    single_words: ClassVar[bool] = False

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        given = parameters["gap"]
        self.gap = MOST_WORDS if given == "*" else int(given)
        if self.gap > MOST_WORDS:
            raise BadUsage(f"the distance of {metric} is longer than any text; write *")

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        found, wanted = self._parts(summary), self._parts(reference)
        last = self._last()
        hits = skip_hits(summary.ids, found, reference.ids, wanted, self.gap, last)
        of_reference = skip_total(wanted, self.gap, last)
        return Counts(hits, of_reference, skip_total(found, self.gap, last))

    def _parts(self, text: Words) -> np.ndarray:
        """Return the bounds of the parts of a text that no pair leaves, int32 [parts + 1]."""
        if self.settings.formula == "program":
            return np.array([0, len(text.ids)], np.int32)
        return text.bounds

    def _last(self) -> int:
        """Return how many words at the end of a part do not count alone; -1: no word does."""
        if not self.single_words:
            return -1
        return 1 if self.settings.formula == "program" else 0


class RougeSU(RougeS):
    """ROUGE-SU: ROUGE-S with single words.

    The program takes every word but the text's last, the paper every word.
    """

    name = "rouge-su"
    pattern = r"rouge-su(?P<gap>\d+|\*)"
    examples = ("rouge-su4", "rouge-su*")
    single_words = True
