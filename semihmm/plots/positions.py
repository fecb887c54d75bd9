"""Draws where in documents their abstracts draw from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.formats import selection_labels
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import read_ignore_list
from semihmm.plots.plot import Drawn, Plot, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PARTS = 20
"""Into how many parts of the same length a document is divided."""

SENTENCES = 15
"""The first sentences of a document, which have a point each."""

ENOUGH = 0.05
"""A sentence is shown if more than this share of the documents have so many. Set by hand."""


class Shares(NamedTuple):
    """What abstracts use of their documents.

    ``of_parts``      float64 [PARTS], how many of the used words are in each part of the documents,
                      as a share of all used words.
    ``of_sentences``  float64 [SENTENCES], in how many documents the n-th sentence is used, as a
                      share of those that have so many: NaN where fewer than ``ENOUGH`` have.
    """

    of_parts: np.ndarray
    of_sentences: np.ndarray


class Positions(Plot):
    """The words and sentences of documents that abstracts use, by where they stand."""

    name = "positions"
    help = "where in their documents abstracts draw from, by alignments"
    height = 1.15
    reads_alignments = True
    reads_models = False

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw the words above the sentences. Raises ``BadData`` without alignments."""
        if not drawn.alignments:
            raise BadData("there are no alignments, neither ALIGNMENTS nor hand alignments")
        shares = {
            name: used_shares(drawn.pairs, alignments)
            for name, alignments in drawn.alignments.items()
        }
        shown = _shown_sentences(shares.values())
        # Where documents have one sentence, sentences say nothing.
        panels = figure.subplots(2 if shown > 1 else 1, 1, squeeze=False)[:, 0]
        _draw_words(panels[0], shares)
        if shown > 1:
            _draw_sentences(panels[1], shares, shown)
            figure.align_ylabels()


def used_shares(pairs: Sequence[Pair], alignments: Mapping[str, Alignment]) -> Shares:
    """Count the document words and sentences that abstracts use (``selection_labels``)."""
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
    return Shares(in_parts / max(in_parts.sum(), 1.0), of_sentences)


def _shown_sentences(shares: Iterable[Shares]) -> int:
    """Return how many of the first sentences enough documents have."""
    return max(int(np.count_nonzero(~np.isnan(one.of_sentences))) for one in shares)


def _draw_words(axes: Axes, shares: Mapping[str, Shares]) -> None:
    middles = 100 * (np.arange(PARTS) + 0.5) / PARTS
    for number, (name, own) in enumerate(shares.items()):
        axes.plot(middles, 100 * own.of_parts, label=name, clip_on=False, **line(number))
    even = 100 / PARTS
    axes.axhline(even, color="0.5", linewidth=0.7, linestyle=(0, (2, 2)))
    axes.annotate("even", (100, even), xytext=(3, -2), textcoords="offset points", fontsize=6.5)
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Position of the word in its document (%)")
    axes.set_ylabel("Share of\nused words (%)")
    if len(shares) > 1:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)


def _draw_sentences(axes: Axes, shares: Mapping[str, Shares], shown: int) -> None:
    numbers = np.arange(SENTENCES) + 1
    for number, own in enumerate(shares.values()):
        axes.plot(numbers, 100 * own.of_sentences, clip_on=False, **line(number))
    axes.set_xlim(0.5, shown + 0.5)
    axes.set_xticks(range(1, shown + 1, 2 if shown > SENTENCES // 2 else 1))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Number of the sentence in its document")
    axes.set_ylabel("Documents whose\nabstract uses it (%)")
