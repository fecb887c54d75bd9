"""Draws figures, as a paper has them. A new one is a class here and its name in ``PLOTS``.

Figures look like those of a paper (``plots.mplstyle``). The same data give the same bytes.
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from corpus_tools import statistics
from corpus_tools.alignments.alignment import GOLD, Alignment
from corpus_tools.alignments.formats import selection_labels
from corpus_tools.errors import BadData, BadUsage, needing
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Plugin, Registry
from corpus_tools.progress import counted
from corpus_tools.scores import Recall, SoftPrecision, scoped_links, whole_corpus
from corpus_tools.storage.files import StrPath, replacing_bytes
from corpus_tools.texts.lexicons import read_ignore_list
from semihmm.aligner import Aligner
from semihmm.decoders import Posterior
from semihmm.training.em import Iteration

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""The formats, with what is left out of files: dates and versions, which differ between machines.

The style has the other half: fonts that matplotlib brings, and a salt for the names in SVG.
"""

COLUMN = 3.3
"""The width of a figure, in inches: that of a column where a page has two."""

STYLE = Path(__file__).with_suffix(".mplstyle")
"""How figures look. Its lines differ from each other without colour."""


@contextmanager
def figure_in(path: StrPath, height: float) -> Iterator[Figure]:
    """Give an empty figure, a column wide, that is written to ``path`` on success.

    ``height``  in widths of a column.

    Raises ``BadUsage`` where matplotlib is missing and for another format, ``BadData`` where the
    system refuses to write.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in METADATA:
        endings = ", ".join(f".{name}" for name in METADATA)
        raise BadUsage(f"a figure is written to a file that ends in {endings}, not {str(path)!r}")
    # Matplotlib reports the making of its list of fonts as a warning.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needing("a plot", "plot"):
        import matplotlib as mpl
        from matplotlib.figure import Figure

    # The defaults and the style: not what the user has chosen for other figures.
    with mpl.rc_context(fname=STYLE):
        figure = Figure(figsize=(COLUMN, height * COLUMN), layout="constrained")
        yield figure
        with replacing_bytes(path, "the figure") as stream:
            figure.savefig(stream, format=form, metadata=METADATA[form])


@dataclass(frozen=True)
class Drawn:
    """What a plot is made of.

    ``models``      trained aligners by name.
    ``alignments``  alignments of all pairs, by the name of where they come from and the pairs' ids;
                    the hand alignments, if the pairs have any, are those of ``GOLD``.
    """

    models: Mapping[str, Aligner] = field(default_factory=dict)
    pairs: Sequence[Pair] = ()
    alignments: Mapping[str, Mapping[str, Alignment]] = field(default_factory=dict)


class Plot(Plugin, ABC):
    """A figure.

    ``help``    what it shows, in one line.
    ``height``  of the figure, in widths of a column.
    ``reads``   which fields of ``Drawn`` it shows.
    """

    help: ClassVar[str]
    height: ClassVar[float] = 0.75
    reads: ClassVar[tuple[str, ...]] = ("models", "pairs")

    @abstractmethod
    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw on an empty figure. Raises ``BadData`` where there is nothing to be shown."""


class Training(Plot):
    """The objective of EM and the mixture weights (sections 4.2 to 4.4) over the iterations.

    The objective is that of the model before an iteration, the weights are those after it.
    """

    name = "training"
    help = "objective and mixture weights over the iterations of EM"
    height = 1.05
    reads = ("models",)

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw two panels over the same iterations. Raises ``BadData`` for several models."""
        from matplotlib.ticker import MaxNLocator

        if len(drawn.models) != 1:
            raise BadData(f"the plot training is of one model, not of {len(drawn.models)}")
        (aligner,) = drawn.models.values()
        iterations = [Iteration(**one) for one in aligner.trained.provenance["iterations"]]
        if not iterations:
            raise BadData("the model was not trained: there are no iterations")
        objective, weights = figure.subplots(2, 1, sharex=True)
        done = [iteration.number for iteration in iterations]
        words = aligner.provenance["abstract_words"]
        per_word = [iteration.objective / words for iteration in iterations]
        objective.plot([number - 1 for number in done], per_word)
        objective.set_ylabel("Objective\n(nats per abstract word)")
        objective.margins(y=0.15)
        names = list(iterations[0].weights)
        for name in names:
            own = [iteration.weights[name] for iteration in iterations]
            weights.plot(done, own, label=name, clip_on=False)
        weights.set_ylabel("Mixture weight")
        weights.set_xlabel("Iterations of EM done")
        weights.set_xlim(left=-0.3, right=done[-1] + 0.3)
        # From zero, so that the heights can be compared.
        highest = max(max(iteration.weights.values()) for iteration in iterations)
        weights.set_ylim(0.0, 1.1 * highest)
        weights.xaxis.set_major_locator(MaxNLocator(integer=True))
        columns = 2 if len(names) == 4 else 3
        weights.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)
        figure.align_ylabels()


class Jumps(Plot):
    """The distances of jumps, of alignments and as models expect them (Figure 2).

    The ranges of distances are those of the table of ``semihmm stats``.
    """

    name = "jumps"
    help = "distances of jumps in alignments and in models (Figure 2)"
    reads = ("models", "pairs", "alignments")

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw a line for each alignment and each model. Raises ``BadData`` without jumps."""
        counts: dict[str, Mapping[statistics.Jump, float]] = {}
        for name, alignments in drawn.alignments.items():
            counts[name] = statistics.count_jumps(drawn.pairs, alignments)
        for name, model in drawn.models.items():
            counts[name] = model.jumps(drawn.pairs).distances
        if not any(counts.values()):
            raise BadData("there are no jumps to draw: no abstract has two aligned phrases")
        axes = figure.subplots()
        titles = [_tick(title) for title in statistics.jump_row_titles()]
        for name, own in counts.items():
            # On a logarithmic axis, ranges without any jump have no point.
            shares = [100.0 * share if share else math.nan for share in statistics.jump_shares(own)]
            axes.plot(range(len(titles)), shares, label=name)
        axes.set_yscale("log")
        # The lower end is two of 10,000 jumps.
        axes.set_ylim(0.02, 100.0)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xlim(-0.6, len(titles) - 0.4)
        axes.set_xticks(range(len(titles)), titles, rotation=90)
        axes.set_xlabel("Distance of the jump (document words)")
        axes.set_ylabel("Share of all jumps (%)")
        axes.legend(loc="upper left")


def _tick(title: str) -> str:
    """Return the title of a range of distances as an axis has it."""
    number, _, open_end = title.partition(" or ")
    signs = {"less": "\N{LESS-THAN OR EQUAL TO}", "more": "\N{GREATER-THAN OR EQUAL TO}"}
    return signs.get(open_end, "") + number.replace(" to ", " … ").replace("-", "\N{MINUS SIGN}")


THRESHOLDS = tuple(step / 20 for step in range(1, 20))
"""0.05 to 0.95 in steps of 0.05."""

NAMED = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The thresholds whose numbers stand beside the first line."""


EQUAL_F: dict[str, Any] = {"color": "0.75", "lw": 0.6, "ls": "--", "marker": "", "zorder": 0}
"""How lines of equal F are drawn."""


class Point(NamedTuple):
    """The scores of the alignments that a threshold gives, from 0 to 1."""

    threshold: float
    recall: float
    precision: float


class PrecisionRecall(Plot):
    """SoftP against recall of all words, for thresholds of the posterior decoder."""

    name = "precision-recall"
    help = "precision against recall over thresholds; needs pairs with gold"
    height = 0.9

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw a line for each model. Raises ``BadData`` for pairs without hand alignments."""
        if GOLD not in drawn.alignments:
            raise BadData("precision and recall need hand alignments, which the pairs lack")
        axes = figure.subplots()
        for name, model in drawn.models.items():
            own = points(model, drawn.pairs)
            recall = [100 * point.recall for point in own]
            precision = [100 * point.precision for point in own]
            axes.plot(recall, precision, label=name)
            for point, *place in zip(own, recall, precision, strict=True):
                if len(axes.lines) == 1 and point.threshold in NAMED:
                    _note(axes, f"{point.threshold:g}", place, (4, 3), fontsize=6.5)
        _draw_equal_f(axes)
        axes.set_xlabel("Recall of sure links (%)")
        axes.set_ylabel("Precision of links (%)")
        axes.locator_params(steps=[1, 2, 5, 10])
        axes.legend(
            loc="lower left", title="Numbers: thresholds", title_fontsize=7, alignment="left"
        )


def points(aligner: Aligner, pairs: Sequence[Pair]) -> list[Point]:
    """Return the scores of each threshold."""
    made = []
    for threshold in counted(THRESHOLDS, "thresholds"):
        # The aligner itself is the caller's.
        other = copy(aligner)
        other.settings = aligner.settings.changed(decoder=Posterior.name, threshold=threshold)
        matched = list(zip(pairs, other.align_all(pairs), strict=True))
        links = scoped_links(matched, ["all_words"], frozenset())["all_words"]
        scores = (Recall(), SoftPrecision())
        figures = [whole_corpus(score, score.statistics_of_all(links)) for score in scores]
        made.append(Point(threshold, *figures))
    return made


def _note(
    axes: Axes, text: str, place: Sequence[float], away: tuple[int, int], **more: Any
) -> None:
    """Write a small text ``away`` from a place of the axes, in points."""
    axes.annotate(text, (place[0], place[1]), textcoords="offset points", xytext=away, **more)


def _draw_equal_f(axes: Axes) -> None:
    """Draw lines of equal F through the range that the axes have."""
    left, right = axes.get_xlim()
    low, high = axes.get_ylim()
    # With a recall of half of F or less, no precision gives that F.
    recall = np.linspace(max(left, 1.0), right, 200)
    for f in range(5, 100, 5):
        above = recall > f / 2 + 0.5
        precision = f * recall[above] / (2 * recall[above] - f)
        inside = (precision >= low) & (precision <= high)
        if not inside.any():
            continue
        axes.plot(recall[above][inside], precision[inside], **EQUAL_F)
        if inside[-1]:
            _note(axes, f"F {f}", (right, precision[-1]), (2, -1), fontsize=6, color="0.4")
    # The lines must not widen the range that the models gave.
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)


PARTS = 20
"""Into how many parts of the same length a document is divided."""

SENTENCES = 15
"""The first sentences of a document, which have a point each."""

ENOUGH = 0.05
"""A sentence is shown if more than this share of the documents have so many. Set by hand."""


class Positions(Plot):
    """The words and sentences of documents that abstracts use, by where they stand."""

    name = "positions"
    help = "which parts of documents abstracts come from"
    height = 1.15
    reads = ("pairs", "alignments")

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw the words above the sentences. Raises ``BadData`` without alignments."""
        if not drawn.alignments:
            raise BadData("there are no alignments, neither ALIGNMENTS nor hand alignments")
        used = {name: used_shares(drawn.pairs, own) for name, own in drawn.alignments.items()}
        shown = max(int(np.isfinite(of_sentences).sum()) for _, of_sentences in used.values())
        # Where documents have one sentence, sentences say nothing.
        panels = figure.subplots(2 if shown > 1 else 1, 1, squeeze=False)[:, 0]
        _draw_words(panels[0], {name: of_parts for name, (of_parts, _) in used.items()})
        if shown > 1:
            _draw_sentences(panels[1], [of_sentences for _, of_sentences in used.values()], shown)
            figure.align_ylabels()


def used_shares(
    pairs: Sequence[Pair], alignments: Mapping[str, Alignment]
) -> tuple[np.ndarray, np.ndarray]:
    """Count the document words and sentences that abstracts use (``selection_labels``).

    Returns float64 [PARTS], how many of the used words are in each part of the documents, as a
    share of all used words; and float64 [SENTENCES], in how many documents the n-th sentence is
    used, as a share of those that have so many: NaN where fewer than ``ENOUGH`` have.
    """
    ignored = read_ignore_list()
    in_parts = np.zeros(PARTS)
    used = np.zeros(SENTENCES)
    there = np.zeros(SENTENCES)
    for pair in pairs:
        labels = selection_labels(pair, alignments[pair.id], ignored)
        positions = np.flatnonzero(labels.tokens)
        in_parts += np.bincount(positions * PARTS // max(len(labels.tokens), 1), minlength=PARTS)
        first = np.array(labels.sentences[:SENTENCES])
        used[: len(first)] += first
        there[: len(first)] += 1
    of_sentences = np.full(SENTENCES, np.nan)
    enough = there > ENOUGH * len(pairs)
    of_sentences[enough] = used[enough] / there[enough]
    return in_parts / max(in_parts.sum(), 1.0), of_sentences


def _draw_words(axes: Axes, shares: Mapping[str, np.ndarray]) -> None:
    middles = 100 * (np.arange(PARTS) + 0.5) / PARTS
    for name, own in shares.items():
        axes.plot(middles, 100 * own, label=name, clip_on=False)
    even = 100 / PARTS
    axes.axhline(even, color="0.5", linewidth=0.7, linestyle=(0, (2, 2)))
    _note(axes, "even", (100, even), (3, -2), fontsize=6.5)
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Position of the word in its document (%)")
    axes.set_ylabel("Share of\nused words (%)")
    if len(shares) > 1:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)


def _draw_sentences(axes: Axes, shares: Sequence[np.ndarray], shown: int) -> None:
    for own in shares:
        axes.plot(np.arange(SENTENCES) + 1, 100 * own, clip_on=False)
    axes.set_xlim(0.5, shown + 0.5)
    axes.set_xticks(range(1, shown + 1, 2 if shown > SENTENCES // 2 else 1))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Number of the sentence in its document")
    axes.set_ylabel("Documents whose\nabstract uses it (%)")


PLOTS: Registry[type[Plot]] = Registry.of_classes(
    "plot", Plot, (Training, Jumps, PrecisionRecall, Positions), "semihmm.plots"
)
