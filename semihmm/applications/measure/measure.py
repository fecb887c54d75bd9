"""Defines a measure: it computes statistics of one summary, and figures from their sum.

As with scores of alignments, the bootstrap and the figures of a system only add up statistics.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Self

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.base.progress import counted
from corpus_tools.plugins import Plugin
from semihmm.applications.measure.words import (
    WORD_SETTINGS,
    MeasuredText,
    MeasureSettings,
    WordIndexes,
)

FIGURE_SIDES = ("recall", "precision", "f")
"""The figures of a measure, in this order in arrays."""

Sides = Sequence[float]
"""Recall, precision and F."""

Parameters = Mapping[str, str]
"""The named groups that a measure's pattern finds in its name; ``None`` for a missing one."""

Texts = Sequence[MeasuredText]
"""The references of a summary."""

Case = tuple[MeasuredText, Texts]
"""A summary and its references: one or more."""


def over_references(rows: np.ndarray, chosen_by: Sequence[float], several: str) -> np.ndarray:
    """Combine the figures or statistics of a summary against each reference: float64 [k].

    ``rows``       float64 [references, k], figures or statistics.
    ``chosen_by``  a number for each reference; the best reference has the highest.
    ``several``    one of ``words.REFERENCE_COMBINATIONS``: ``sum`` adds up the rows; ``best``
                   takes the best reference, the first of equal ones; ``mean`` takes the mean;
                   ``jackknife`` leaves out each reference in turn and takes the mean of the best
                   among the others (Lin 2004, section 2.1).
    """
    if several == "sum":
        row: np.ndarray = rows.sum(axis=0)
    elif several == "best":
        row = rows[np.argmax(chosen_by)]
    elif several == "jackknife":
        others = np.where(np.eye(len(rows)), -np.inf, chosen_by)
        row = rows[others.argmax(axis=1)].mean(axis=0)
    else:
        row = rows.mean(axis=0)
    return row


class Measure(Plugin, ABC):
    """A family of measures; an instance is one of them.

    ``name``      the name of the family, as "rouge".
    ``pattern``   a regular expression for the names of its measures. Its named groups are the
                  parameters.
    ``examples``  names of usual measures, for help texts, close matches and contract tests.
    ``side``      the main figure, which a table with room for one figure shows.
    ``uses``      the names of the settings on which its figures depend.
    """

    contract = "semihmm.applications.measure.measure:check_measure"

    pattern: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]
    side: str = "f"
    uses: ClassVar[tuple[str, ...]] = (*WORD_SETTINGS, "several")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        """Make the measure of a name.

        ``metric``      the name, as "rouge-2".
        ``parameters``  the named groups of ``pattern`` in it.

        Raises ``BadUsage`` for parameters out of range.
        """
        self.metric = metric
        self.parameters = parameters
        self.settings = settings

    def prepared(self, references: Iterable[MeasuredText]) -> Self:
        """Return the measure after it has learned from all references of an evaluation."""
        return self

    @abstractmethod
    def statistics(self, summary: MeasuredText, references: Texts, /) -> np.ndarray:
        """Return the statistics of a summary: float64 [k], the same k for every summary.

        There is at least one reference. Summary and references may have no words.
        """

    def all_statistics(self, cases: Sequence[Case]) -> np.ndarray:
        """Return the statistics of many summaries: float64 [cases, k]."""
        counted_cases = counted(cases, self.metric, unit="summaries")
        return np.array([self.statistics(*case) for case in counted_cases])

    @abstractmethod
    def figure(self, sums: np.ndarray) -> np.ndarray:
        """Return the figures, float64 [..., 3], of sums of statistics [..., k].

        A sum may weigh a summary more than once, and may be one summary's alone. A figure that the
        measure does not have is NaN.
        """

    def made_by(self) -> str:
        """Return what else the figures depend on apart from the settings, for the signature."""
        return ""


class MeanMeasure(Measure):
    """A measure whose figures over several summaries are the means of the summaries' figures.

    Its statistics are its figures and 1.
    """

    @abstractmethod
    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        """Return the figures of a summary; NaN for one that the measure lacks."""

    def statistics(self, summary: MeasuredText, references: Texts, /) -> np.ndarray:
        return np.array([*self.sides(summary, references), 1.0])

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return sums[..., :-1] / sums[..., -1:]


class CountingMeasure(MeanMeasure):
    """A measure made of counts against each reference, such as hits and n-grams.

    Where counts of several references are summed, the figures are those of the sum (Lin 2004,
    equation 1). Otherwise each reference has figures of its own.
    """

    @abstractmethod
    def counts(self, summary: MeasuredText, reference: MeasuredText, /) -> np.ndarray:
        """Count against one reference: float64, of the same shape for each."""

    @abstractmethod
    def of_counts(self, counts: np.ndarray, /) -> Sides:
        """Return the figures of counts or of their sum; NaN for one that the measure lacks."""

    def choice(self, counts: np.ndarray, /) -> float:
        """Return the number by which the best of several references is chosen."""
        return self.of_counts(counts)[FIGURE_SIDES.index(self.side)]

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        return self.over_counts([self.counts(summary, reference) for reference in references])

    def over_counts(self, counts: Sequence[np.ndarray]) -> Sides:
        """Return the figures of a summary from its counts against each reference."""
        several = self.settings.several
        if several == "sum" or len(counts) == 1:
            return self.of_counts(np.sum(counts, axis=0))
        rows = np.array([self.of_counts(count) for count in counts])
        chosen_by = [self.choice(count) for count in counts]
        return list(over_references(rows, chosen_by, several).tolist())


def f_measure(recall: float, precision: float, beta: float) -> float:
    """Return (1 + beta^2) R P / (R + beta^2 P); 0 where both are 0 (Lin 2004, equation 4)."""
    # 1 / (1 + beta^2), so that an infinite beta gives the recall.
    share = 1.0 / (1.0 + beta * beta)
    weighted = (1.0 - share) * precision + share * recall
    return recall * precision / weighted if weighted > 0.0 else 0.0


def check_measure(kind: type[Measure]) -> None:
    """Raise ``BadUsage`` if a measure breaks the contract."""
    from semihmm.testing.parts import TEXTS, require, require_statistics

    require(kind.side in FIGURE_SIDES, f"side: {kind.side!r} is none of {', '.join(FIGURE_SIDES)}")
    require(kind.examples, "examples: there are none")
    texts = [MeasuredText([text], WordIndexes()) for text in (*TEXTS[0], *TEXTS[1], "", "the")]
    for name in kind.examples:
        match = re.fullmatch(kind.pattern, name)
        if match is None:
            raise BadUsage(f"pattern: it does not match the example {name!r}")
        measure = kind(name, match.groupdict(), MeasureSettings()).prepared(texts)
        # Both documents and the empty text.
        references = texts[0], texts[2], texts[4]
        cases = [(text, references) for text in texts]
        statistics = require_statistics([measure.statistics(*case) for case in cases], name)
        together = np.asarray(measure.all_statistics(cases))
        same = np.allclose(together, statistics, equal_nan=True)
        require(same, "all_statistics: not what statistics gives")
        sums = np.stack([statistics.sum(axis=0), *statistics])
        figures = np.asarray(measure.figure(sums))
        expected = (len(sums), len(FIGURE_SIDES))
        require(figures.shape == expected, f"figure: {figures.shape}, expected {expected}")
        alone = np.array([measure.figure(row) for row in sums])
        same = np.allclose(alone, figures, equal_nan=True)
        require(same, "figure: one sum by itself has other figures")
