"""The result of ``measure``: figures of summaries, with intervals as ROUGE-1.5.5 draws them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_tools.base.progress import counted
from corpus_tools.base.resampling import (
    INTERVAL_PERCENTILES,
    Figure,
    bootstrap_sums,
    p_of_better,
    shown_p,
)
from corpus_tools.languages.language import ENGLISH
from corpus_tools.texts.text_table import Table, data_frame
from semihmm.applications.measure.measure import FIGURE_SIDES, Measure
from semihmm.applications.measure.summaries import SystemSummary

if TYPE_CHECKING:
    from pandas import DataFrame


BOOTSTRAP_RESAMPLES = 1000
"""The number of resamples that ROUGE-1.5.5 draws by default."""


class MeasureFigures(NamedTuple):
    """Recall, precision and F over several summaries, each with its 95 % confidence interval."""

    recall: Figure
    precision: Figure
    f: Figure


@dataclass(frozen=True)
class Evaluation:
    """The figures of summaries, of each system and of all, by measure.

    ``signature``   the settings in one line.
    ``measures``    the measures by name.
    ``summaries``   the summaries in the order of the input.
    ``statistics``  the statistics of the summaries by measure, float64 [summaries, k].
    ``resamples``   the number of resamples for the intervals; 0 for no intervals.
    ``language``    the code of the language of the texts (``language_of``).
    """

    signature: str
    measures: Mapping[str, Measure]
    summaries: tuple[SystemSummary, ...]
    statistics: Mapping[str, np.ndarray]
    resamples: int = BOOTSTRAP_RESAMPLES
    language: str = ENGLISH

    @cached_property
    def metrics(self) -> dict[str, MeasureFigures]:
        """The figures of each measure over all summaries."""
        return self._figures(range(len(self.summaries)))

    @cached_property
    def _rows(self) -> dict[str, dict[str, int]]:
        """The rows of the summaries of each system by id."""
        rows: dict[str, dict[str, int]] = {}
        for row, summary in enumerate(self.summaries):
            rows.setdefault(summary.system, {})[summary.id] = row
        return rows

    @cached_property
    def systems(self) -> dict[str, dict[str, MeasureFigures]]:
        """The figures of each measure over the summaries of each system."""
        counted_rows = counted(self._rows.items(), "intervals", unit="systems")
        return {system: self._figures(rows.values()) for system, rows in counted_rows}

    @cached_property
    def values(self) -> dict[str, np.ndarray]:
        """The figures of each summary by measure: float64 [summaries, figures]."""
        return {
            name: measure.figure(self.statistics[name]) for name, measure in self.measures.items()
        }

    def _figures(self, rows: Iterable[int]) -> dict[str, MeasureFigures]:
        """Return the figures over some summaries."""
        # ROUGE-1.5.5 draws from a sorted list of strings.
        ordered = sorted(rows, key=lambda row: "{0.id}.{0.system}".format(self.summaries[row]))
        statistics = [self.statistics[name][ordered] for name in self.measures]
        # All measures are drawn at once.
        ends = np.cumsum([statistic.shape[1] for statistic in statistics])[:-1]
        drawn = np.split(resampled_sums(np.hstack(statistics), self.resamples), ends, axis=1)
        figures = {}
        for (name, measure), statistic_rows, sums in zip(
            self.measures.items(), statistics, drawn, strict=True
        ):
            bounds = bounds_as_the_program(measure.figure(sums))
            sides = np.vstack([measure.figure(statistic_rows.sum(axis=0)), bounds]).T.tolist()
            figures[name] = MeasureFigures(*(Figure(*side) for side in sides))
        return figures

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON holds it; a figure that a measure lacks is ``None``."""
        rows = [
            {"id": summary.id, "system": summary.system}
            | {name: _by_side(figures[number]) for name, figures in self.values.items()}
            for number, summary in enumerate(self.summaries)
        ]
        return {
            "signature": self.signature,
            "metrics": self._plain(self.metrics),
            "systems": {system: self._plain(of_it) for system, of_it in self.systems.items()},
            "summaries": rows,
        }

    def _plain(self, figures: Mapping[str, MeasureFigures]) -> dict[str, object]:
        plain: dict[str, object] = {}
        for name, sides in figures.items():
            _, *interval = map(_number, getattr(sides, self.measures[name].side))
            plain[name] = {**_by_side(side.value for side in sides), "interval": interval}
        return plain

    @cached_property
    def p_values(self) -> dict[str, dict[str, float]]:
        """Return for each measure the one-sided p-value of every system but the best.

        Resamples are those of the ids that both have, and the figure is the measure's main one
        (``p_of_better``). Systems with fewer than two such ids are left out.
        """
        p_by_measure: dict[str, dict[str, float]] = {}
        for name, measure in self.measures.items():
            means = {
                system: getattr(figures[name], measure.side).value
                for system, figures in self.systems.items()
            }
            # A mean may be NaN in a plug-in, and below any number.
            best = max(means, key=lambda system: np.nan_to_num(means[system], nan=-np.inf))
            tested = {other: self._p_value(name, best, other) for other in means if other != best}
            p_by_measure[name] = {other: p for other, p in tested.items() if p is not None}
        return p_by_measure

    def _p_value(self, name: str, best: str, other: str) -> float | None:
        """Return the p-value of a system; ``None`` if fewer than two ids are those of both."""
        common = [id for id in self._rows[other] if id in self._rows[best]]
        if len(common) < 2 or not self.resamples:
            return None
        measure, statistics = self.measures[name], self.statistics[name]
        of_both = [statistics[[self._rows[of][id] for id in common]] for of in (best, other)]
        sums = np.hsplit(bootstrap_sums(np.hstack(of_both), self.resamples, 0), 2)
        side = FIGURE_SIDES.index(measure.side)
        return p_of_better(*(measure.figure(sums_of_system)[:, side] for sums_of_system in sums))

    def to_pandas(self) -> "DataFrame":
        """Return a data frame with a row for each summary: id, system, each measure's main figure.

        Raises ``ImportError`` without pandas.
        """
        columns = [
            self.values[name][:, FIGURE_SIDES.index(measure.side)].tolist()
            for name, measure in self.measures.items()
        ]
        ids = [(summary.id, summary.system) for summary in self.summaries]
        rows = [(*id, *figures) for id, *figures in zip(ids, *columns, strict=True)]
        return data_frame(rows, ("id", "system", *self.measures))

    def table(self) -> str:
        """Return the figures of the systems as a table in plain text.

        The interval is that of the measure's main figure. With several systems ``p`` says how
        certainly the best one is better (``p_values``).
        """
        rows = [["system", "metric", *FIGURE_SIDES, "95 %"]]
        notes = ["95 %: the bootstrap interval of the figure that it names"]
        if has_test := any(self.p_values.values()):
            rows[0].append("p")
            notes.append(
                "p: the share of resamples in which the best system by the metric is not better"
            )
        for system, figures in self.systems.items():
            for name, sides in figures.items():
                side = self.measures[name].side
                _, low, high = map(_shown, getattr(sides, side))
                usual = [_shown(figure.value) for figure in sides]
                rows.append([system, name, *usual, f"{side} [{low}, {high}]"])
                if has_test:
                    rows[-1].append(shown_p(self.p_values[name].get(system, np.nan), ""))
        return Table(rows, notes=notes, align="<<>>><>"[: len(rows[0])]).text()


def _by_side(values: Iterable[float]) -> dict[str, object]:
    return dict(zip(FIGURE_SIDES, map(_number, values), strict=True))


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _shown(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def bounds_as_the_program(figures: np.ndarray) -> np.ndarray:
    """Return the bounds of the 95 % intervals, as ROUGE-1.5.5 computes them: float64 [2, k].

    ``figures``  the figures of the resamples, float64 [resamples, k].

    The bounds are the figures 2.5 % from either end. If that is between two resamples, the program
    interpolates: it moves both bounds up by the share that is right for the upper one. Without
    resamples the bounds are NaN.
    """
    if not len(figures):
        return np.full((2, figures.shape[1]), np.nan)
    ordered = np.sort(figures, axis=0)
    last = len(ordered) - 1
    beyond = len(ordered) * INTERVAL_PERCENTILES[0] / 100
    upper = max(int(last - beyond), 0)
    share = max(last - beyond - upper, 0.0)
    rows = np.array([int(beyond), upper])
    steps = ordered[np.minimum(rows + 1, last)] - ordered[rows]
    return ordered[rows] + share * steps


DRAND48_MULTIPLIER = np.uint64(0x5DEECE66D)


DRAND48_INCREMENT = np.uint64(0xB)


DRAND48_SEED = 0x330E
"""The low 16 bits of the state that the C library's ``srand48`` sets."""


DRAND48_STATES = 1 << 48


def resampled_sums(statistics: np.ndarray, resamples: int) -> np.ndarray:
    """Sum up the statistics of the summaries in each resample: float64 [resamples, k].

    ``statistics``  float64 [summaries, k], the summaries in the order from which ROUGE-1.5.5 draws.

    A resample has as many summaries as there are. Resample i is drawn by ``drand48`` with seed i,
    as in ROUGE-1.5.5.
    """
    sums = np.zeros((resamples, statistics.shape[1]))
    states = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(DRAND48_SEED)
    for _draw in range(len(statistics) if resamples else 0):
        # Products are cut to 64 bits, of which the generator keeps the lower 48.
        states = (states * DRAND48_MULTIPLIER + DRAND48_INCREMENT) & np.uint64(DRAND48_STATES - 1)
        sums += statistics[(states / DRAND48_STATES * len(statistics)).astype(int)]
    return sums
