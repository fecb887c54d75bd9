"""ROUGE (Lin 2004): n-grams, longest common subsequences, weighted ones, skip-bigrams.

What the measures have in common is ``Rouge``: the figures of counts, and how one of several
references is chosen. A family only says what it counts.
"""

from __future__ import annotations

import math
from abc import abstractmethod

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
from corpus_tools.measures.rouge_kernels import (
    clip,
    common_words,
    heaviest_subsequence,
    ngram_hits,
    run_weight,
    skip_hits,
)
from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.words import MeasuredText, Words

DIGITS = 5
"""Places that ROUGE-1.5.5 rounds recall and precision to, and then F."""

HIGHEST_WEIGHT = 20
"""The highest weight, chosen by hand: with it the weight of a text of 10^15 words is a float64.
Papers have weights up to 2."""

MOST_WORDS = 1 << 30
"""More words than a text has: the distance of ``*``."""

Counts = tuple[float, float, float]
"""What a summary and a reference have in common, what the reference has, and what the summary."""


class Rouge(MeanMeasure):
    """A ROUGE measure: it counts what a summary shares with a reference.

    ``weight``  a run of k words of a common subsequence counts k to the power of it.
    """

    uses = (*WORDS, "several", "formula", "beta")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.as_program = settings.formula == "program"
        self.weight = float(parameters.get("weight", 1))
        self._powers = np.zeros(0)

    @abstractmethod
    def counts(self, summary: Words, reference: Words, /) -> Counts:
        """Count for one reference."""

    def choice(self, counts: Counts, reference: Words, /) -> float:
        """Return the recall by which the best of several references is chosen."""
        return self._rounded(self.share(counts[0], counts[1]))

    def share(self, part: float, whole: float) -> float:
        """Return recall or precision, of hits among all; 0 where there is nothing."""
        return float((part / whole) ** (1 / self.weight)) if whole else 0.0

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        own = summary.words(self.words)
        others = [reference.words(self.words) for reference in references]
        counts = [self.counts(own, other) for other in others]
        choices = [self.choice(*both) for both in zip(counts, others, strict=True)]
        rows = [np.array(row, dtype=float) for row in counts]
        return over_references(rows, self._sides, self.settings.several, choices)

    def _sides(self, counts: np.ndarray) -> Sides:
        hits, of_reference, of_summary = counts.tolist()
        recall = self._rounded(self.share(hits, of_reference))
        precision = self._rounded(self.share(hits, of_summary))
        return recall, precision, self._rounded(f_measure(recall, precision, self.settings.beta))

    def _rounded(self, value: float) -> float:
        """Round as the program does; as printed in the paper, nothing is rounded."""
        return round(value, DIGITS) if self.as_program else value

    def powers(self, *texts: Words) -> np.ndarray:
        """Return what runs weigh, from no word to one more than the texts have: float64."""
        most = max(len(text.ids) for text in texts)
        if len(self._powers) < most + 2:
            # By Python's own power: NumPy's may differ in the last bit.
            self._powers = np.array([float(k) ** self.weight for k in range(2 * most + 2)])
        return self._powers


class RougeN(Rouge):
    """ROUGE-N (section 2) for n-grams of 1 to 9 words, which may run over the end of a sentence."""

    name = "rouge-n"
    pattern = "rouge-(?P<n>[1-9])"
    examples = ("rouge-1", "rouge-2", "rouge-3", "rouge-4")

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        n = int(self.parameters["n"])
        hits = ngram_hits(summary.ids, reference.ids, n)
        return hits, max(len(reference.ids) - n + 1, 0), max(len(summary.ids) - n + 1, 0)


class RougeL(Rouge):
    """ROUGE-L (section 3): the union over the summary's sentences, for each reference sentence.

    The program counts a word as often as both texts have it, the paper (equation 5) for each
    reference sentence anew. ``rouge-l-sequence`` is that of two texts as one sentence each, as
    rouge-score's ``rougeL``.
    """

    name = "rouge-l"
    pattern = "rouge-l(?P<sequence>-sequence)?"
    examples = ("rouge-l", "rouge-l-sequence")

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        powers = self.powers(summary, reference)
        if self.parameters["sequence"]:
            summary, reference = summary.as_one_sentence(), reference.as_one_sentence()
        marked = common_words(*summary, *reference, powers[1:], powers)
        if self.as_program and not self.parameters["sequence"]:
            marked = clip(summary.ids, reference.ids, marked)
        return int(marked.sum()), len(reference.ids), len(summary.ids)

    def choice(self, counts: Counts, reference: Words, /) -> float:
        # For L the program chooses by the recall before it is rounded.
        if self.parameters["sequence"]:
            return super().choice(counts, reference)
        return self.share(counts[0], counts[1])


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
        if not 1 <= self.weight <= HIGHEST_WEIGHT:
            raise BadUsage(f"the weight of {metric} must be from 1 to {HIGHEST_WEIGHT}")

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        powers = self.powers(summary, reference)
        of_summary = float(powers[len(summary.ids)])
        if not self.as_program:
            marked = np.zeros(len(reference.ids), np.bool_)
            gains, losses = np.diff(powers), np.zeros(len(powers))
            hits = heaviest_subsequence(summary.ids, reference.ids, gains, losses, marked)
            return hits, float(powers[len(reference.ids)]), of_summary
        marked = common_words(*summary, *reference, powers[1:], powers)
        counted = clip(summary.ids, reference.ids, marked)
        hits = run_weight(marked, counted, reference.bounds, powers)
        try:
            of_reference = self._base(reference) ** self.weight
        except OverflowError:
            # Where it is that large, the recall is far below 10^-5.
            of_reference = math.inf
        return hits, of_reference, of_summary

    def choice(self, counts: Counts, reference: Words, /) -> float:
        # The program chooses by the reference's weight raised once, before rounding.
        whole = self._base(reference) if self.as_program else counts[1]
        return self.share(counts[0], whole)

    def _base(self, reference: Words) -> float:
        """Sum up the weights of the sentences of a reference, from left to right."""
        base = 0.0
        for length in np.diff(reference.bounds).tolist():
            base += float(self._powers[length])
        return base


class RougeS(Rouge):
    """ROUGE-S (section 5): pairs of words in order, with a limit to the words between them.

    For the program a text is one sequence. In the paper a pair is one of a sentence. ROUGE-SU has
    single words too: with the program every word but the text's last, in the paper every word.
    """

    name = "rouge-s"
    pattern = r"rouge-s(?P<single>u?)(?P<gap>\d+|\*)"
    examples = ("rouge-s4", "rouge-s*", "rouge-su4", "rouge-su*")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        given = parameters["gap"]
        self.gap = MOST_WORDS if given == "*" else int(given)
        if self.gap > MOST_WORDS:
            raise BadUsage(f"the distance of {metric} is longer than any text; write *")
        self.with_single_words = bool(parameters["single"])

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        if self.as_program:
            summary, reference = summary.as_one_sentence(), reference.as_one_sentence()
        hits = skip_hits(*summary, *reference, self.gap)
        if self.with_single_words:
            hits += ngram_hits(self._single(summary), self._single(reference), 1)
        return hits, self._units(reference), self._units(summary)

    def _single(self, text: Words) -> np.ndarray:
        return text.ids[:-1] if self.as_program else text.ids

    def _units(self, text: Words) -> int:
        """Return how many skip-bigrams a text has, and single words where they count."""
        units = len(self._single(text)) if self.with_single_words else 0
        for words in np.diff(text.bounds).tolist():
            # The first words of a part follow fewer words than the distance admits.
            first = min(words, self.gap + 1)
            units += first * (first - 1) // 2 + (words - first) * (self.gap + 1)
        return units
