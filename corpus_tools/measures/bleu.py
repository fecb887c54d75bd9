"""BLEU of up to four words, computed by sacreBLEU (Hori et al. 2003, equations 5 and 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.errors import needing
from corpus_tools.measures.measure import Measure, Parameters, Texts
from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.words import MeasuredText
from corpus_tools.texts.tokenizers import normal_form

if TYPE_CHECKING:
    from sacrebleu import BLEU

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
