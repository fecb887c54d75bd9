"""Plots of how abstracts go through their documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from corpus_tools.alignments import statistics
from corpus_tools.base.errors import BadData
from semihmm.plots.plot import Plot, PlotData

if TYPE_CHECKING:
    from matplotlib.figure import Figure


LEAST_JUMPS = 0.1
"""The lower end of the logarithmic axis of jumps, in percent. Below it, the axis is linear to zero.

It is one of 1,000 jumps: smaller shares are chance in corpora of hand alignments.
"""


class Jumps(Plot):
    """The distances of jumps in alignments, and the distances that models expect (Figure 2).

    The ranges of distances are those of the table of ``semihmm stats``.
    """

    name = "jumps"
    help = "distances of jumps in alignments and in models (Figure 2)"
    reads = ("models", "pairs", "alignments", "names")

    def draw(self, data: PlotData, figure: Figure) -> None:
        """Draw a line for each alignment and each model. Raises ``BadData`` without jumps."""
        counts: dict[str, Mapping[statistics.Jump, float]] = {}
        for name, alignments in data.alignments.items():
            counts[name] = statistics.count_jumps(data.pairs, alignments)
        for name, model in data.models.items():
            counts[name] = model.jumps(data.pairs).distances
        if not any(counts.values()):
            raise BadData("there are no jumps to draw: no abstract has two aligned phrases")
        axes = figure.subplots()
        titles = [_tick(title) for title in statistics.jump_row_titles()]
        for name, own in counts.items():
            shares = [100.0 * share for share in statistics.jump_shares(own)]
            axes.plot(range(len(titles)), shares, label=name, clip_on=False)
        axes.set_yscale("symlog", linthresh=LEAST_JUMPS, linscale=0.4)
        axes.set_ylim(0.0, 100.0)
        axes.yaxis.set_major_formatter("{x:g}")
        # Between zero and the first power of ten the axis has no logarithm.
        axes.axhspan(0.0, LEAST_JUMPS, color="0.95", linewidth=0, zorder=0)
        axes.set_xlim(-0.6, len(titles) - 0.4)
        axes.set_xticks(range(len(titles)), titles, rotation=90)
        axes.set_xlabel("Distance of the jump (document words)")
        axes.set_ylabel("Share of all jumps (%)")
        axes.legend(loc="upper left")


def _tick(title: str) -> str:
    """Return the title of a range of distances for an axis."""
    number, _, open_end = title.partition(" or ")
    signs = {"less": "\N{LESS-THAN OR EQUAL TO}", "more": "\N{GREATER-THAN OR EQUAL TO}"}
    return signs.get(open_end, "") + number.replace(" to ", " … ").replace("-", "\N{MINUS SIGN}")
