"""The plot of the portraits of some corpora: five small pictures in a row for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from semihmm.applications.stats.plot import COLUMN_WIDTH, Plot, PlotData
from semihmm.applications.stats.portrait_columns import PortraitColumn
from semihmm.applications.stats.portrait_counts import (
    COUNTED_WORD_CLASSES,
    DECILES,
    MOST_SOURCES,
    WORD_KINDS,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


TEXT_WIDTH = 6.9
"""The width of the figure, in inches: five pictures need both columns of a page."""

ROW_HEIGHT = 0.42
"""The height of the pictures of one corpus, in widths of a column."""

GREYS = ("0.15", "0.45", "0.7", "0.95")
"""The greys of ``WORD_KINDS``, from copied words to unaligned ones."""

BINS = 15
"""The number of bins of an axis, in the pictures of coverage and density and of the order."""


class PortraitPlot(Plot):
    """How abstracts are made of their documents: copied, rewritten, moved, merged, and from where.

    Each corpus has a row. The figures are those of ``semihmm stats``.
    """

    name = "portrait"
    help = "how abstracts are made of their documents: five pictures for each corpus"
    reads = ("models", "pairs", "alignments", "columns", "names")
    width = TEXT_WIDTH

    def draw(self, data: PlotData, figure: Figure) -> None:
        """Draw a row of pictures for each corpus."""
        columns = data.columns
        figure.set_figheight(ROW_HEIGHT * COLUMN_WIDTH * (len(columns) + 0.25))
        panels = figure.subplots(len(columns), len(PICTURES), squeeze=False, sharex="col")
        for row, column in zip(panels, columns, strict=True):
            for axes, picture in zip(row, PICTURES.values(), strict=True):
                picture(axes, column)
            row[0].set_ylabel(f"{column.name}\ndensity")
        for axes, title in zip(panels[0], PICTURES, strict=True):
            axes.set_title(title)
        for axes, label in zip(panels[-1], X_LABELS, strict=True):
            axes.set_xlabel(label)


def _means(column: PortraitColumn, names: list[str]) -> np.ndarray:
    """Return the means of some figures in percent; 0 where no pair has one."""
    by_name = column.means()
    return np.nan_to_num([100 * by_name[name].mean for name in names])


def _draw_copied(axes: Axes, column: PortraitColumn) -> None:
    """Draw how many pairs have which coverage and density, as Grusky et al. (2018) do."""
    from matplotlib.colors import LogNorm

    coverage, density = column.figure("coverage"), column.figure("density")
    is_defined = np.isfinite(coverage) & np.isfinite(density)
    axes.hexbin(
        coverage[is_defined],
        np.log2(1 + density[is_defined]),
        gridsize=BINS,
        extent=(0, 1, 0, 7),
        mincnt=1,
        cmap="Greys",
        # One pair can be seen, and all of them in one place are black.
        norm=LogNorm(0.2, max(int(is_defined.sum()), 2)),
        linewidths=0.1,
    )
    ticks = (0, 1, 3, 7, 31, 127)
    axes.set_yticks([np.log2(1 + tick) for tick in ticks], list(map(str, ticks)))
    axes.set_xlim(-0.04, 1.04)
    axes.set_ylim(-0.2, 7)


def _draw_words(axes: Axes, column: PortraitColumn) -> None:
    """Draw a bar for each class of words, divided into the shares of ``WORD_KINDS``."""
    left = np.zeros(len(COUNTED_WORD_CLASSES))
    places = np.arange(len(COUNTED_WORD_CLASSES))[::-1]
    for kind, grey in zip(WORD_KINDS, GREYS, strict=True):
        shares = _means(column, [f"{word_class}_{kind}" for word_class in COUNTED_WORD_CLASSES])
        axes.barh(places, shares, left=left, color=grey, edgecolor="0.0", linewidth=0.3)
        left += shares
    axes.set_yticks(places, list(COUNTED_WORD_CLASSES))
    axes.set_xlim(0, 100)
    axes.grid(visible=False)


def _draw_order(axes: Axes, column: PortraitColumn) -> None:
    """Draw the distribution of Kendall's tau over the pairs."""
    taus = column.figure("kendalls_tau")
    taus = taus[np.isfinite(taus)]
    weights = np.full(len(taus), 100 / max(len(taus), 1))
    axes.hist(taus, bins=BINS, range=(-1, 1), weights=weights, color="0.45")
    axes.set_xlim(-1, 1)


def _draw_fusion(axes: Axes, column: PortraitColumn) -> None:
    """Draw how many source sentences abstract sentences have."""
    numbers = [*map(str, range(MOST_SOURCES)), f"{MOST_SOURCES}+"]
    names = [f"{number.removesuffix('+')}_sources" for number in numbers]
    axes.bar(numbers, _means(column, names), color="0.45")
    axes.set_ylim(0, 100)


def _draw_positions(axes: Axes, column: PortraitColumn) -> None:
    """Draw which tenths of the documents the words come from, with intervals."""
    names = [f"{10 * n}_to_{10 * n + 10}" for n in range(DECILES)]
    by_name = column.means()
    means, low, high = (
        np.nan_to_num([100 * getattr(by_name[name], of) for name in names])
        for of in ("mean", "low", "high")
    )
    bars = np.maximum([means - low, high - means], 0.0)
    middles = 100 * (np.arange(DECILES) + 0.5) / DECILES
    axes.errorbar(middles, means, bars, elinewidth=0.6, clip_on=False)
    axes.axhline(100 / DECILES, color="0.5", linewidth=0.7, linestyle=(0, (2, 2)))
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)


PICTURES: dict[str, Callable[[Axes, PortraitColumn], None]] = {
    "Copied": _draw_copied,
    "Words (%)": _draw_words,
    "Order (%)": _draw_order,
    "Fusion (%)": _draw_fusion,
    "Taken from (%)": _draw_positions,
}
"""The pictures of a row by title."""

X_LABELS = (
    "coverage",
    "copied, inflected,\nrewritten, unaligned",
    "Kendall's tau",
    "document sentences\nbehind one",
    "place in the\ndocument (%)",
)
