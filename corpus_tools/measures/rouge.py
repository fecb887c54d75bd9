"""ROUGE (Lin 2004): n-grams, longest common subsequences, weighted ones, skip-bigrams.

What the measures have in common is ``Rouge``: the figures of counts, and how one of several
references is chosen. A family only says what it counts.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import NamedTuple

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
    common_marks,
    ngram_hits,
    run_weight,
    sequence_weight,
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

EACH_WORD = np.zeros(0, np.int32)
"""No weights of runs: each word counts 1."""


class Counts(NamedTuple):
    """What a summary and a reference have in common, and what each has."""

    hits: float
    of_reference: float
    of_summary: float


class Rouge(MeanMeasure):
    """A ROUGE measure: it counts what a summary shares with a reference."""

    uses = (*WORDS, "several", "formula", "beta")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.as_program = settings.formula == "program"

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
        return round(value, DIGITS) if self.as_program else value

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        own = summary.words(self.words)
        others = [reference.words(self.words) for reference in references]
        counted = [self.counts(own, other) for other in others]
        if len(others) == 1:
            return self._sides(counted[0])
        choices = list(map(self.choice, counted, others))
        rows = [np.array(counts) for counts in counted]
        return over_references(rows, self._sides, self.settings.several, choices)

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
    reference sentence anew. ``rouge-l-sequence`` is that of two texts as one sentence each, as
    rouge-score's ``rougeL``.
    """

    name = "rouge-l"
    pattern = "rouge-l(?P<sequence>-sequence)?"
    examples = ("rouge-l", "rouge-l-sequence")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.sequence = parameters["sequence"] is not None

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        if self.sequence:
            hits = int(sequence_weight(summary.ids, reference.ids, EACH_WORD))
        else:
            marked = common_marks(*summary, *reference, EACH_WORD)
            if self.as_program:
                marked = clip(summary.ids, reference.ids, marked)
            hits = int(marked.sum())
        return Counts(hits, len(reference.ids), len(summary.ids))

    def choice(self, counts: Counts, reference: Words, /) -> float:
        # For L the program chooses by the recall before it is rounded.
        recall = self.share(counts.hits, counts.of_reference)
        return self.rounded(recall) if self.sequence else recall


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
        if not self.as_program:
            hits = sequence_weight(summary.ids, reference.ids, powers)
            return Counts(hits, float(powers[len(reference.ids)]), of_summary)
        marked = common_marks(*summary, *reference, powers)
        counted = clip(summary.ids, reference.ids, marked)
        hits = run_weight(marked, counted, reference.bounds, powers)
        return Counts(hits, self._raised(self._base(reference)), of_summary)

    def share(self, part: float, whole: float) -> float:
        return float((part / whole) ** (1 / self.weight)) if whole else 0.0

    def choice(self, counts: Counts, reference: Words, /) -> float:
        # The program chooses by the reference's weight raised once, before rounding.
        whole = self._base(reference) if self.as_program else counts.of_reference
        return self.share(counts.hits, whole)

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
        # How many words at the end of a part do not count alone; -1: no word does.
        self.last = int(self.as_program) if parameters["single"] else -1

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        if self.as_program:
            summary, reference = summary.as_one_sentence(), reference.as_one_sentence()
        return Counts(
            skip_hits(*summary, *reference, self.gap, self.last),
            skip_total(reference.bounds, self.gap, self.last),
            skip_total(summary.bounds, self.gap, self.last),
        )
