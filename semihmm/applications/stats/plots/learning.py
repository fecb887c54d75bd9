"""The plot of what hand alignments gain: SoftF by the number of pairs that were aligned by hand."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean
from typing import TYPE_CHECKING, Any

from corpus_tools.base.errors import BadData
from corpus_tools.base.files import StrPath
from corpus_tools.base.reading import in_line, numbered_json_lines
from semihmm.applications.stats.plots.plot import Learned, Plot, PlotData

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Learning(Plot):
    """SoftF by the number of hand-aligned pairs: the mean of several draws of these pairs.

    Bars reach from the least draw to the greatest.
    """

    name = "learning"
    help = "SoftF by the number of hand-aligned pairs; PAIRS: a table of scripts/research/own_links"
    reads = ("curves", "names")

    def draw(self, data: PlotData, figure: Figure) -> None:
        """Draw a line for each name."""
        axes = figure.subplots()
        for name, points in data.curves.items():
            means = [100 * mean(point.soft_f) for point in points]
            below = [at - 100 * min(point.soft_f) for at, point in zip(means, points, strict=True)]
            above = [100 * max(point.soft_f) - at for at, point in zip(means, points, strict=True)]
            # The mean of equal figures may differ from them in the last digit.
            bars = [[max(0.0, length) for length in lengths] for lengths in (below, above)]
            pairs = [point.pairs for point in points]
            axes.errorbar(pairs, means, bars, label=name, elinewidth=0.6, capsize=1.5)
        # Each doubling of the work has the same width, and 0 has a place.
        axes.set_xscale("symlog", base=2, linthresh=10, linscale=1)
        ticks = sorted({point.pairs for points in data.curves.values() for point in points})
        axes.set_xticks(ticks, map(str, ticks))
        axes.minorticks_off()
        axes.set_xlabel("Pairs with hand alignments")
        axes.set_ylabel("SoftF of other pairs (%)")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))


def read_curves(path: StrPath) -> dict[str, list[Learned]]:
    """Read the table of a plot: JSON lines with ``name``, ``pairs`` and ``soft_f``.

    Return the points of each name by their number of pairs. Raises ``BadData`` for a file that is
    no such table.
    """
    curves: dict[str, list[Learned]] = {}
    for number, row in numbered_json_lines(path):
        with in_line(number, path):
            name, point = _point(row)
            points = curves.setdefault(name, [])
            if any(point.pairs == other.pairs for other in points):
                raise BadData(f"{name!r} with {point.pairs} pairs occurs twice")
            points.append(point)
    return {name: sorted(points) for name, points in curves.items()}


def _point(row: Mapping[str, Any]) -> tuple[str, Learned]:
    """Return the name and the point of a row."""
    name, pairs, soft_f = (row.get(key) for key in ("name", "pairs", "soft_f"))
    if not isinstance(name, str) or type(pairs) is not int or pairs < 0:
        raise BadData("expected a 'name', which is a string, and 'pairs', a number from 0 on")
    if not isinstance(soft_f, list) or not soft_f or not all(map(_is_share, soft_f)):
        raise BadData("expected 'soft_f' to be a list of numbers from 0 to 1")
    return name, Learned(pairs, soft_f)


def _is_share(value: Any) -> bool:
    """Tell whether a value is a number from 0 to 1."""
    return type(value) in {int, float} and 0 <= value <= 1
