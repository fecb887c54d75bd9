"""The measure ``coverage``: how much of the references a summary covers by an alignment's account.

The summary is the document and the reference the abstract, so that the posterior of a reference's
word of being linked says how likely the summary has its content.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np

from corpus_tools.measures.compressions import SystemSummary
from corpus_tools.measures.measure import (
    Case,
    MeanMeasure,
    Parameters,
    Sides,
    Texts,
    f_measure,
    over_references,
)
from corpus_tools.measures.ngrams import Idf
from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.words import MeasuredText
from corpus_tools.views.pair_view import LEAST_COVERED
from semihmm.aligner import Aligner
from semihmm.coverage.word_coverage import JUMP, CoveredPair, CoveredText, word_coverage
from semihmm.resources import resources_read, with_resources_at_hand
from semihmm.settings import preset

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


class Coverage(MeanMeasure):
    """Recall, precision and F of the words that are linked, each word weighted by its idf.

    Recall is the covered share of a reference's words, which stands for the measure; precision is
    that of the summary's words in the other direction.
    """

    name = "coverage"
    pattern = "coverage"
    examples = ("coverage",)
    side = "recall"
    uses = (*WORDS, "several", "beta")

    def __init__(
        self,
        metric: str,
        parameters: Parameters,
        settings: MeasureSettings,
        model: Aligner | None = None,
        idf: Idf | None = None,
    ) -> None:
        """Make the measure.

        ``model``  a trained aligner; without it, models are trained on what is measured.
        ``idf``    the weights of the words, from ``prepared``.
        """
        super().__init__(metric, parameters, settings)
        self._model = model
        self._idf = Idf(()) if idf is None else idf
        self.covered: list[list[CoveredPair]] = []
        """What was measured last: of each summary its references, word by word."""

    @property
    def made_by(self) -> str:
        """Return what it aligns with, for the signature of an evaluation."""
        if self._model is None:
            read = resources_read(with_resources_at_hand(preset("default")))
            return f"coverage by models trained on these, {JUMP} jumps, {', '.join(read)}"
        return f"coverage by {self._model.made_by}"

    def prepared(self, references: Iterable[MeasuredText]) -> Self:
        """Return the measure with the weights of the references' words."""
        idf = Idf(text.words(self.settings.words).ids for text in references)
        return type(self)(self.metric, {}, self.settings, self._model, idf)

    def all_statistics(self, cases: Sequence[Case]) -> np.ndarray:
        """Return the figures of all summaries and 1, after training on all of them."""
        self.covered = word_coverage(cases, self.settings.words, self._idf, self._model)
        return np.array([[*self._figures(pairs), 1.0] for pairs in self.covered])

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        """Return the figures of a summary that is measured by itself."""
        row: list[float] = self.all_statistics([Case(summary, references)])[0, :-1].tolist()
        return row

    def _figures(self, pairs: Sequence[CoveredPair]) -> Sides:
        counts = [np.array([*pair.reference.sums(), *pair.summary.sums()]) for pair in pairs]
        return over_references(counts, self._of_counts, self.settings.several)

    def _of_counts(self, counts: np.ndarray) -> Sides:
        covered, reference, precise, summary = counts.tolist()
        recall = covered / reference if reference else 0.0
        precision = precise / summary if summary else 0.0
        f = f_measure(recall, precision, self.settings.beta)
        return (recall, precision, f)
