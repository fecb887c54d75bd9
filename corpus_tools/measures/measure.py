"""Defines what a measure is: statistics of one summary, and the figures of their sum.

As with scores of alignments, the bootstrap and the figures of a system only add up statistics.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple, Self

import numpy as np

from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.words import MeasuredText
from corpus_tools.plugins.registry import Plugin
from corpus_tools.progress import counted

Sides = Sequence[float]
"""Recall, precision and F."""


def over_references(
    counts: Sequence[np.ndarray],
    sides_of: Callable[[np.ndarray], Sides],
    several: str,
    choices: Sequence[float] | None = None,
) -> Sides:
    """Return recall, precision and F of a summary against its references.

    ``counts``    what the summary has against each reference: float64 [k].
    ``sides_of``  makes the three figures of counts or of their sum.
    ``several``   one of ``settings.SEVERAL``: ``sum`` adds up the counts (Lin 2004, equation 1);
                  ``best`` takes the reference of the best recall, the first of equal ones;
                  ``mean`` takes the mean of each figure; ``jackknife`` leaves out each reference
                  in turn and takes the mean of the best among the others (section 2.1).
    ``choices``   what the best reference is chosen by, if it is not the recall: one number each.
    """
    if several == "sum":
        return sides_of(np.sum(counts, axis=0))
    if len(counts) == 1:
        return sides_of(counts[0])
    each = np.array([sides_of(one) for one in counts])
    chosen_by = each[:, 0] if choices is None else np.array(choices)
    return list(statistics_over_references(each, chosen_by, several).tolist())


def statistics_over_references(rows: np.ndarray, figures: np.ndarray, several: str) -> np.ndarray:
    """Return what a summary with its references adds to the sum over a corpus: float64 [k].

    ``rows``     the statistics against each reference, float64 [references, k].
    ``figures``  the figure of each row alone, by which the best is chosen: float64 [references].
    ``several``  one of ``settings.SEVERAL``, as in ``over_references``, but for statistics.
    """
    if several == "sum":
        chosen: np.ndarray = rows.sum(axis=0)
    elif several == "best":
        chosen = rows[np.argmax(figures)]
    elif several == "jackknife" and len(rows) > 1:
        others = np.where(np.eye(len(rows)), -np.inf, figures)
        chosen = rows[others.argmax(axis=1)].mean(axis=0)
    else:
        chosen = rows.mean(axis=0)
    return chosen


SIDES = ("recall", "precision", "f")
"""The figures of a measure, in this order in arrays."""

Parameters = Mapping[str, str]
"""The named groups of the pattern of a measure in its name."""

Texts = Sequence[MeasuredText]
"""The references of a summary."""


class Case(NamedTuple):
    """A summary and its references: one or more."""

    summary: MeasuredText
    references: Sequence[MeasuredText]


class Measure(Plugin, ABC):
    """A family of measures; an instance is one of them.

    ``name``      of the family, as "rouge-n".
    ``pattern``   a regular expression for the names of its measures. Its named groups are the
                  parameters.
    ``examples``  names of the usual ones, for help texts, close matches and contract tests.
    ``side``      the figure to quote where there is room for one.
    ``uses``      names of the settings that its figures depend on.
    """

    pattern: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]
    side: ClassVar[str] = "f"
    uses: ClassVar[tuple[str, ...]] = (*WORDS, "several")

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        """Make the measure of a name.

        ``metric``      the name, as "rouge-2".
        ``parameters``  the named groups of ``pattern`` in it.

        ``words`` are the settings of the words, to ask texts with.

        Raises ``BadUsage`` for parameters out of range.
        """
        self.metric = metric
        self.parameters = parameters
        self.settings = settings
        self.words = settings.words

    def prepared(self, references: Iterable[MeasuredText]) -> Self:
        """Return the measure with what it learns from all references of an evaluation."""
        return self

    @abstractmethod
    def statistics(self, summary: MeasuredText, references: Texts, /) -> np.ndarray:
        """Return what a summary adds to the sum: float64 [k], the same k for every summary.

        There is at least one reference. Summary and references may have no words.
        """

    def all_statistics(self, cases: Sequence[Case]) -> np.ndarray:
        """Return the statistics of many summaries: float64 [cases, k]."""
        shown = counted(cases, self.metric, unit="summaries")
        return np.array([self.statistics(*case) for case in shown])

    @abstractmethod
    def figure(self, sums: np.ndarray) -> np.ndarray:
        """Return the figures, float64 [..., 3], of sums of statistics [..., k].

        A sum may weigh a summary more than once, and may be one summary's alone. A figure that the
        measure does not have is NaN.
        """


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
        means: np.ndarray = sums[..., :-1] / sums[..., -1:]
        return means


def f_measure(recall: float, precision: float, beta: float) -> float:
    """Return (1 + beta^2) R P / (R + beta^2 P); 0 where both are 0 (Lin 2004, equation 4)."""
    # 1 / (1 + beta^2), so that an infinite beta gives the recall.
    share = 1.0 / (1.0 + beta * beta)
    weighted = (1.0 - share) * precision + share * recall
    return recall * precision / weighted if weighted > 0.0 else 0.0
