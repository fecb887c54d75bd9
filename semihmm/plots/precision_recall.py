"""Draws precision against recall over the threshold of posterior decoding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import GOLD
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.scores.scopes import scoped_links
from corpus_tools.scores.significance import whole_corpus
from corpus_tools.scores.soft_scores import Recall, SoftPrecision
from semihmm.aligner import Aligner
from semihmm.decoders import Posterior
from semihmm.plots.plot import Drawn, Plot, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

THRESHOLDS = tuple(step / 20 for step in range(1, 20))
"""0.05 to 0.95 in steps of 0.05."""

NAMED = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The thresholds whose numbers stand beside the first line."""

SCOPE = "all_words"

EQUAL_F: dict[str, Any] = {"color": "0.75", "linewidth": 0.6, "linestyle": "--", "zorder": 0}
"""How lines of equal F are drawn."""


class Point(NamedTuple):
    """The scores of the alignments that a threshold gives, from 0 to 1."""

    threshold: float
    recall: float
    precision: float


class PrecisionRecall(Plot):
    """SoftP against recall of all words, for thresholds of the posterior decoder."""

    name = "precision-recall"
    help = "precision against recall over the threshold of posteriors; the pairs have gold"
    height = 0.9

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw a line for each model. Raises ``BadData`` for pairs without hand alignments."""
        if GOLD not in drawn.alignments:
            raise BadData("precision and recall need hand alignments, which the pairs lack")
        lines = {name: list(points(model, drawn.pairs)) for name, model in drawn.models.items()}
        axes = figure.subplots()
        for number, (name, own) in enumerate(lines.items()):
            axes.plot(
                [100 * point.recall for point in own],
                [100 * point.precision for point in own],
                label=name,
                **line(number),
            )
        for point in next(iter(lines.values())):
            if point.threshold in NAMED:
                axes.annotate(
                    f"{point.threshold:g}",
                    (100 * point.recall, 100 * point.precision),
                    textcoords="offset points",
                    xytext=(4, 3),
                    fontsize=6.5,
                )
        _draw_equal_f(axes)
        axes.set_xlabel("Recall of sure links (%)")
        axes.set_ylabel("Precision of links (%)")
        axes.locator_params(steps=[1, 2, 5, 10])
        axes.legend(
            loc="lower left", title="Numbers: thresholds", title_fontsize=7, alignment="left"
        )


def points(aligner: Aligner, pairs: Sequence[Pair]) -> Iterator[Point]:
    """Yield the scores of each threshold."""
    for threshold in counted(THRESHOLDS, "thresholds"):
        # The aligner itself is the caller's.
        other = copy(aligner)
        other.settings = aligner.settings.changed(decoder=Posterior.name, threshold=threshold)
        matched = list(zip(pairs, other.align_all(pairs), strict=True))
        links = scoped_links(matched, [SCOPE], frozenset())[SCOPE]
        recall, precision = (
            whole_corpus(score, score.statistics_of_all(links))
            for score in (Recall(), SoftPrecision())
        )
        yield Point(threshold, recall, precision)


def _draw_equal_f(axes: Axes) -> None:
    """Draw lines of equal F through the range that the axes have."""
    left, right = axes.get_xlim()
    low, high = axes.get_ylim()
    recall = np.linspace(max(left, 1.0), right, 200)
    for f in range(5, 100, 5):
        above = recall > f / 2 + 0.5
        precision = f * recall[above] / (2 * recall[above] - f)
        inside = (precision >= low) & (precision <= high)
        if not inside.any():
            continue
        axes.plot(recall[above][inside], precision[inside], **EQUAL_F)
        if inside[-1]:
            end = right, precision[-1]
            axes.annotate(
                f"F {f}", end, textcoords="offset points", xytext=(2, -1), fontsize=6, color="0.4"
            )
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
