"""ROUGE (Lin 2004): n-grams, longest common subsequences, weighted ones, skip-bigrams.

All are one family. A measure counts the units that a summary and a reference have in common, and
the units of each. Its name says what a unit is: an n-gram, a word of a common subsequence, a pair
of words.
"""

import math

import numpy as np

from corpus_tools.base.errors import BadUsage
from semihmm.applications.measure import rouge_kernels as kernels
from semihmm.applications.measure.measure import CountingMeasure, Parameters, Sides, f_measure
from semihmm.applications.measure.words import WORD_SETTINGS, MeasuredText, MeasureSettings, Words

PRINTED_DIGITS = 5
"""The decimal places to which ROUGE-1.5.5 rounds recall and precision, and then F."""

HIGHEST_WEIGHT = 20
"""The highest exponent w: (10^15)^20, the weight of a run of 10^15 words, is still a float64.
Papers have exponents up to 2."""

UNLIMITED_WORDS = 1 << 30
"""The distance for ``*``: more words than any text has."""

RougeMatches = tuple[float, float, float, float]
"""Four weights: of the common units, of the reference's units, of the summary's units, and of the
reference's units when the best of several references is chosen."""


class Rouge(CountingMeasure):
    """A ROUGE measure, by its name.

    ``rouge-2``           N (section 2): n-grams of 1 to 9 words, which may run over the end of a
                          sentence.
    ``rouge-l``           L (section 3): for each reference sentence the union of the longest common
                          subsequences with the summary's sentences. The program counts a word at
                          most as often as it occurs in the summary. The paper (equation 5) counts
                          it again for each reference sentence.
    ``rouge-l-sequence``  L with each text as one sentence, as ``rougeL`` of rouge-score.
    ``rouge-w-1.2``       W (section 4): L, but a run of k words weighs k^w. The paper has one
                          sequence of words for each text (equations 13 to 15). The program works by
                          sentences and is odd in three ways. It raises the reference's weight
                          twice. A common word that exceeds its count in the summary neither ends a
                          run nor adds its weight. Ties depend on the last bit of its sums.
    ``rouge-s4``          S (section 5): pairs of words in order, with at most 4 words between them,
                          for ``*`` any number. For the program a text is one sequence. In the paper
                          both words of a pair are in one sentence.
    ``rouge-su4``         SU (section 5.1): single words too. For the program these are all words
                          but the last of the text, in the paper all words.
    """

    name = "rouge"
    pattern = (
        r"rouge-(?:(?P<n>[1-9])|l(?P<sequence>-sequence)?|w-(?P<weight>\d+(?:\.\d+)?)"
        r"|s(?P<single>u?)(?P<gap>\d+|\*))"
    )
    examples = (
        *("rouge-1", "rouge-2", "rouge-3", "rouge-4", "rouge-l", "rouge-l-sequence"),
        *("rouge-w-1.2", "rouge-s4", "rouge-s*", "rouge-su4", "rouge-su*"),
    )
    uses = (*WORD_SETTINGS, "several", "formula", "beta")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.as_program = settings.formula == "program"
        self.weight = float(parameters["weight"] or 1)
        if not 1 <= self.weight <= HIGHEST_WEIGHT:
            raise BadUsage(f"the weight of {metric} must be from 1 to {HIGHEST_WEIGHT}")
        gap = parameters["gap"]
        self.gap = UNLIMITED_WORDS if gap == "*" else int(gap or 0)
        if self.gap > UNLIMITED_WORDS:
            raise BadUsage(f"the distance of {metric} is longer than any text; write *")
        self._powers = np.zeros(0)

    def counts(self, summary: MeasuredText, reference: MeasuredText, /) -> np.ndarray:
        """Return the matches of the two texts."""
        return np.array(self.matches(summary.words(self.settings), reference.words(self.settings)))

    def matches(self, summary: Words, other: Words) -> RougeMatches:
        """Count the units that a summary and a reference have in common, and the units of each.

        ``summary``, ``other``  the words of the summary and of the reference.
        """
        if self.parameters["n"]:
            return self._ngrams(summary, other)
        if self.parameters["gap"]:
            return self._skip_bigrams(summary, other)
        self._compute_powers(len(summary.ids), len(other.ids))
        by_texts = self.parameters["weight"] and not self.as_program
        if by_texts or self.parameters["sequence"]:
            return self._sequences(summary, other)
        return self._sentences(summary, other)

    def of_counts(self, counts: np.ndarray, /) -> Sides:
        """Return the figures, rounded as the program does; in the paper nothing is rounded."""
        hits, *wholes = counts.tolist()
        recall, precision = (self._rounded(self._share(hits, whole)) for whole in wholes[:2])
        return recall, precision, self._rounded(f_measure(recall, precision, self.settings.beta))

    def choice(self, counts: np.ndarray, /) -> float:
        """Return the recall by which the best of several references is chosen."""
        hits, *_, whole = counts.tolist()
        recall = self._share(hits, whole)
        # For L and W by sentences the program compares recalls before it rounds them.
        rounded = self.parameters["n"] or self.parameters["gap"] or self.parameters["sequence"]
        return self._rounded(recall) if rounded else recall

    def _share(self, part: float, whole: float) -> float:
        """Return (part / whole)^(1 / w), the recall or precision; 0 if the whole is 0."""
        return float((part / whole) ** (1 / self.weight)) if whole else 0.0

    def _rounded(self, value: float) -> float:
        return round(value, PRINTED_DIGITS) if self.as_program else value

    # Units

    def _ngrams(self, summary: Words, other: Words) -> RougeMatches:
        n = int(self.parameters["n"])
        of_own, of_other = (max(len(text.ids) - n + 1, 0) for text in (summary, other))
        return kernels.ngram_hits(summary.ids, other.ids, n), of_other, of_own, of_other

    def _skip_bigrams(self, summary: Words, other: Words) -> RougeMatches:
        if self.as_program:
            summary, other = summary.as_one_sentence(), other.as_one_sentence()
        hits = kernels.skip_hits(*summary, *other, self.gap)
        of_own, of_other = self._pairs(summary), self._pairs(other)
        if self.parameters["single"]:
            last = -1 if self.as_program else None
            hits += kernels.ngram_hits(summary.ids[:last], other.ids[:last], 1)
            of_own += len(summary.ids[:last])
            of_other += len(other.ids[:last])
        return hits, of_other, of_own, of_other

    def _pairs(self, text: Words) -> int:
        """Return the number of skip-bigrams of a text."""
        pairs = 0
        for words in np.diff(text.bounds).tolist():
            # A word has a pair with each of the ``gap`` + 1 words before it; the first words of a
            # part have fewer before them.
            first = min(words, self.gap + 1)
            pairs += first * (first - 1) // 2 + (words - first) * (self.gap + 1)
        return pairs

    def _compute_powers(self, *lengths: int) -> None:
        """Compute the weights k^w of all runs in texts of some lengths, if they are not known."""
        most = max(lengths)
        if len(self._powers) < most + 2:
            # Python's power, because NumPy's may differ in the last bit.
            self._powers = np.array([float(k) ** self.weight for k in range(2 * most + 2)])

    def _sequences(self, summary: Words, other: Words) -> RougeMatches:
        """Match two texts, each as one sequence."""
        powers = self._powers
        marked = np.zeros(len(other.ids), np.bool_)
        none = np.zeros(len(powers))
        hits = kernels.heaviest_subsequence(summary.ids, other.ids, np.diff(powers), none, marked)
        whole = float(powers[len(other.ids)])
        return hits, whole, float(powers[len(summary.ids)]), whole

    def _sentences(self, summary: Words, other: Words) -> RougeMatches:
        """Match the union of the summary's sentences with each sentence of the reference."""
        powers = self._powers
        marked = kernels.common_words(*summary, *other, powers[1:], powers)
        counted = kernels.clip(summary.ids, other.ids, marked) if self.as_program else marked
        hits = float(counted.sum())
        if self.parameters["weight"]:
            hits = kernels.run_weight(marked, counted, other.bounds, powers)
        # The sum goes from left to right, as in the program: other orders change the last bit.
        base = float(np.cumsum([0.0, *powers[np.diff(other.bounds)]])[-1])
        try:
            whole = base**self.weight
        except OverflowError:
            # With so large a whole the recall is far below 10^-5.
            whole = math.inf
        return hits, whole, float(powers[len(summary.ids)]), base
