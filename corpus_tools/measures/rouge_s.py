"""ROUGE-S and ROUGE-SU: skip-bigrams (Lin 2004, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.measures.rouge import Counts, Rouge
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.skip_kernels import skip_hits, skip_total
from corpus_tools.measures.words import Words

MOST_WORDS = 1 << 30
"""More words than a text has: the distance of ``*``."""


class RougeS(Rouge):
    """ROUGE-S: pairs of words in their order with at most so many words between.

    For the program a text is one sequence. In the paper a pair is one of a sentence.
    """

    name = "rouge-s"
    pattern = r"rouge-s(?P<gap>\d+|\*)"
    examples = ("rouge-s4", "rouge-s*")
    single_words: ClassVar[bool] = False

    def __init__(
        self, metric: str, parameters: Mapping[str, str], settings: MeasureSettings
    ) -> None:
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
