"""Draws how far jumps go: Figure 2 of Daumé III and Marcu (2005)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from corpus_tools.errors import BadData
from corpus_tools.statistics.alignment_statistics import (
    Jump,
    count_jumps,
    jump_row_titles,
    jump_shares,
)
from semihmm.plots.plot import Drawn, Plot, line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST = 0.02
"""The lower end of the axis, in percent: two of 10,000 jumps. Ranges without any have no point."""


MINUS = "\N{MINUS SIGN}"
AT_MOST = "\N{LESS-THAN OR EQUAL TO}"
AT_LEAST = "\N{GREATER-THAN OR EQUAL TO}"


class Jumps(Plot):
    """The distances of jumps, of alignments and as models expect them (Figure 2).

    The ranges of distances are those of the table of ``semihmm stats``.
    """

    name = "jumps"
    help = "distances of jumps, alignments against models (Figure 2)"
    reads_alignments = True

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw a line for each alignment and each model. Raises ``BadData`` without jumps."""
        counted: dict[str, Mapping[Jump, float]] = {}
        for name, alignments in drawn.alignments.items():
            counted[name] = count_jumps(drawn.pairs, alignments)
        for name, model in drawn.models.items():
            counted[name] = model.jumps(drawn.pairs).distances
        if not any(counted.values()):
            raise BadData("there are no jumps to draw: no abstract has two aligned phrases")
        axes = figure.subplots()
        titles = [_tick(title) for title in jump_row_titles()]
        for number, (name, counts) in enumerate(counted.items()):
            shares = [100.0 * share if share else math.nan for share in jump_shares(counts)]
            axes.plot(range(len(titles)), shares, label=name, **line(number))
        axes.set_yscale("log")
        axes.set_ylim(LEAST, 100.0)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xlim(-0.6, len(titles) - 0.4)
        axes.set_xticks(range(len(titles)), titles, rotation=90)
        axes.set_xlabel("Distance of the jump (document words)")
        axes.set_ylabel("Share of all jumps (%)")
        axes.legend(loc="upper left")


def _tick(title: str) -> str:
    """Return the title of a range of distances as an axis has it."""
    number, _, open_end = title.partition(" or ")
    sign = {"less": AT_MOST, "more": AT_LEAST}.get(open_end, "")
    return sign + number.replace(" to ", " … ").replace("-", MINUS)
