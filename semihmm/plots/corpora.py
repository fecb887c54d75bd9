"""Plots of how abstracts go through their documents, and which parts they use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_tools.alignments import statistics
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.formats import selection_labels
from corpus_tools.alignments.scores import PERCENTILES, draw_resamples, ratio
from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Pair, main_language
from corpus_tools.texts.lexicons import read_ignore_list
from semihmm.plots.plot import Drawn, Plot, note

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


LEAST_JUMPS = 0.1
"""Where the logarithmic axis of jumps ends, in percent. Below, a linear piece leads down to zero.

One of 1,000 jumps: fewer are a matter of chance in corpora of hand alignments.
"""


class Jumps(Plot):
    """The distances of jumps, of alignments and as models expect them (Figure 2).

    The ranges of distances are those of the table of ``semihmm stats``.
    """

    name = "jumps"
    help = "distances of jumps in alignments and in models (Figure 2)"
    reads = ("models", "pairs", "alignments", "names")

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
    """Return the title of a range of distances as an axis has it."""
    number, _, open_end = title.partition(" or ")
    signs = {"less": "\N{LESS-THAN OR EQUAL TO}", "more": "\N{GREATER-THAN OR EQUAL TO}"}
    return signs.get(open_end, "") + number.replace(" to ", " … ").replace("-", "\N{MINUS SIGN}")


PARTS = 20
"""Into how many parts of the same length a document is divided."""

SENTENCES = 15
"""The first sentences of a document, which have a point each."""

ENOUGH = 0.05
"""A sentence is shown if more than this share of the documents have so many."""

RESAMPLES = 1000
"""Of the bootstrap, as for scores."""


class Positions(Plot):
    """The words and sentences of documents that abstracts use, by where they stand."""

    name = "positions"
    help = "which parts of documents abstracts come from"
    height = 1.15
    reads = ("pairs", "alignments", "names")

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw the words above the sentences. Raises ``BadData`` without alignments."""
        if not drawn.alignments:
            raise BadData("there are no alignments, neither ALIGNMENTS nor hand alignments")
        used = {name: used_shares(drawn.pairs, own) for name, own in drawn.alignments.items()}
        shown = max(int(np.isfinite(shares.sentences.share).sum()) for shares in used.values())
        # Where documents have one sentence, sentences say nothing.
        panels = figure.subplots(2 if shown > 1 else 1, 1, squeeze=False)[:, 0]
        _draw_words(panels[0], {name: shares.words for name, shares in used.items()})
        if shown > 1:
            _draw_sentences(panels[1], [shares.sentences for shares in used.values()], shown)
            figure.align_ylabels()


class Shares(NamedTuple):
    """Shares from 0 to 1 with their 95 % confidence intervals, float64 arrays of one length."""

    share: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Used(NamedTuple):
    """What abstracts use of their documents.

    ``words``      how many of the used words are in each part of the documents, as a share of all
                   used words, [PARTS].
    ``sentences``  in how many documents the n-th sentence is used, as a share of those that have
                   so many, [SENTENCES]: NaN where fewer than ``ENOUGH`` have.
    """

    words: Shares
    sentences: Shares


def used_shares(pairs: Sequence[Pair], alignments: Mapping[str, Alignment]) -> Used:
    """Count the document words and sentences that abstracts use (``selection_labels``).

    The intervals are percentiles of the bootstrap over pairs, as those of scores.
    """
    ignored = read_ignore_list(code=main_language(pairs))
    in_parts = np.zeros((len(pairs), PARTS))
    used = np.zeros((len(pairs), SENTENCES))
    there = np.zeros((len(pairs), SENTENCES))
    for row, pair in enumerate(pairs):
        labels = selection_labels(pair, alignments[pair.id], ignored)
        positions = np.flatnonzero(labels.tokens)
        parts = positions * PARTS // max(len(labels.tokens), 1)
        in_parts[row] = np.bincount(parts, minlength=PARTS)
        first = labels.sentences[:SENTENCES]
        used[row, : len(first)] = first
        there[row, : len(first)] = 1.0
    enough = there.sum(axis=0) > ENOUGH * len(pairs)
    there[:, ~enough] = 0.0
    of_all = np.repeat(in_parts.sum(axis=1, keepdims=True), PARTS, axis=1)
    return Used(_shares(in_parts, of_all), _shares(used, there))


def _shares(part: np.ndarray, whole: np.ndarray) -> Shares:
    """Divide sums over pairs, which are rows. Where there is nothing, shares are NaN."""
    there = whole.sum(axis=0) > 0
    shares = np.full((3, part.shape[1]), math.nan)
    shares[0, there] = part.sum(axis=0)[there] / whole.sum(axis=0)[there]
    drawn = draw_resamples(len(part), RESAMPLES, seed=0)
    resampled = ratio(drawn @ part[:, there], drawn @ whole[:, there], math.nan)
    # A resample may lack the few pairs that have so many sentences.
    shares[1:, there] = np.nanpercentile(resampled, PERCENTILES, axis=0)
    return Shares(*shares)


def _draw_shares(axes: Axes, at: np.ndarray, shares: Shares, name: str | None = None) -> None:
    """Draw a line with error bars, in percent."""
    share, low, high = (100 * values for values in shares)
    bars = np.maximum([share - low, high - share], 0.0)
    axes.errorbar(at, share, bars, label=name, clip_on=False, elinewidth=0.6)


def _beside(lines: int, gap: float) -> np.ndarray:
    """Return how far each of some lines is moved to the side, so that all bars can be seen."""
    return gap * (np.arange(lines) - (lines - 1) / 2)


def _draw_words(axes: Axes, shares: Mapping[str, Shares]) -> None:
    middles = 100 * (np.arange(PARTS) + 0.5) / PARTS
    for (name, own), aside in zip(shares.items(), _beside(len(shares), 0.7), strict=True):
        _draw_shares(axes, middles + aside, own, name)
    even = 100 / PARTS
    axes.axhline(even, color="0.5", linewidth=0.7, linestyle=(0, (2, 2)))
    note(axes, "even", (100, even), (3, -2))
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Position of the word in its document (%)")
    axes.set_ylabel("Share of\nused words (%)")
    if len(shares) > 1:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)


def _draw_sentences(axes: Axes, shares: Sequence[Shares], shown: int) -> None:
    numbers = np.arange(SENTENCES) + 1
    for own, aside in zip(shares, _beside(len(shares), 0.12), strict=True):
        _draw_shares(axes, numbers + aside, own)
    axes.set_xlim(0.5, shown + 0.5)
    axes.set_xticks(range(1, shown + 1, 2 if shown > SENTENCES // 2 else 1))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Number of the sentence in its document")
    axes.set_ylabel("Documents whose\nabstract uses it (%)")
