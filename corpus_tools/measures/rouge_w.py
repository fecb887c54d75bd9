"""ROUGE-W: weighted longest common subsequences (Lin 2004, section 4)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.measures.rouge import Counts, Rouge
from corpus_tools.measures.sequence_kernels import clip, run_weight, weighted_length, weighted_marks
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import Words

HIGHEST_WEIGHT = 20
"""The highest weight, chosen by hand: with it the weight of a text of 10^15 words is a float64.
Papers have weights up to 2."""


class RougeW(Rouge):
    """ROUGE-W: a run of k words of a common subsequence counts k^w.

    The program works by sentences, as for L, and is odd in three ways. It raises the reference's
    weight twice. A marked word that the summary does not have once more neither ends a run nor pays
    it out. Ties hang on the last bit of its sums. The paper has one sequence of words for each text
    (equations 13 to 15).
    """

    name = "rouge-w"
    pattern = r"rouge-w-(?P<weight>\d+(\.\d+)?)"
    examples = ("rouge-w-1.2",)

    def __init__(
        self, metric: str, parameters: Mapping[str, str], settings: MeasureSettings
    ) -> None:
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
