"""Lists the words of references that summaries do not cover."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus_tools.measures.compressions import SystemSummary
from corpus_tools.views.pair_view import LEAST_COVERED
from semihmm.coverage.coverage import Coverage
from semihmm.coverage.word_coverage import CoveredText

COLUMNS = 100
"""The width of the listing."""


class UncoveredWord(NamedTuple):
    """A word of a reference that is more likely not covered.

    ``position``   in the words of the reference, counted from 0.
    ``posterior``  of being covered.
    ``weight``     its idf over the references.
    """

    word: str
    position: int
    posterior: float
    weight: float


class UncoveredWords(NamedTuple):
    """The uncovered words of a summary's reference.

    ``reference``  its number among those of the summary, counted from 1.
    ``of``         how many words the reference has.
    """

    summary: SystemSummary
    reference: int
    of: int
    words: list[UncoveredWord]

    def as_dict(self) -> dict[str, object]:
        """Return the words for JSON."""
        return {
            "id": self.summary.id,
            "system": self.summary.system,
            "reference": self.reference,
            "words": [word._asdict() for word in self.words],
        }

    def text(self) -> str:
        """Return the words for a terminal, each with its posterior."""
        head = f"{self.summary.id}  {self.summary.system}"
        if self.reference > 1:
            head += f"  reference {self.reference}"
        listed = "  ".join(f"{word.word} {word.posterior:.2f}" for word in self.words)
        lines = textwrap.wrap(
            listed, COLUMNS, initial_indent="  ", subsequent_indent="  ", break_long_words=False
        )
        return "\n".join([f"{head}: {len(self.words)} of {self.of} words", *lines])


def uncovered_words(
    coverage: Coverage, summaries: Sequence[SystemSummary]
) -> Iterator[UncoveredWords]:
    """Yield the uncovered words of every summary's references.

    ``coverage``   has measured the summaries.
    ``summaries``  in the order in which they were measured.
    """
    for summary, pairs in zip(summaries, coverage.covered, strict=True):
        for number, pair in enumerate(pairs, start=1):
            text = pair.reference
            yield UncoveredWords(summary, number, len(text.words), _uncovered(text))


def _uncovered(text: CoveredText) -> list[UncoveredWord]:
    rows = zip(text.words, text.covered.tolist(), text.weights.tolist(), strict=True)
    return [
        UncoveredWord(word, position, posterior, weight)
        for position, (word, posterior, weight) in enumerate(rows)
        if posterior < LEAST_COVERED
    ]
