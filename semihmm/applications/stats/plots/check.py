"""Checks the contract of plots."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path

from corpus_tools.alignments.alignment import GOLD_SYSTEM, gold_alignment
from corpus_tools.base.errors import SemiHmmWarning
from semihmm.aligner import Aligner
from semihmm.applications.stats.plots.plot import (
    FIGURE_FORMATS,
    FigureSize,
    Plot,
    PlotData,
    plotting,
)
from semihmm.applications.stats.portrait_columns import PortraitColumn
from semihmm.testing.parts import require, tiny_pairs

PLOT_INPUTS = ("models", "pairs", "alignments", "names", "gold", "columns")
"""The values that ``Plot.reads`` may have."""


def check_plot(kind: type[Plot]) -> None:
    """Raise ``BadUsage`` if a plot breaks the contract."""
    require(isinstance(kind.help, str), "help: expected a line that says what it shows")
    unknown = [name for name in kind.reads if name not in PLOT_INPUTS]
    require(not unknown, f"reads: unknown {unknown}; known: {', '.join(PLOT_INPUTS)}")
    data = _plot_data()
    with tempfile.TemporaryDirectory() as folder:
        for form in FIGURE_FORMATS:
            written = []
            for attempt in ("first", "second"):
                path = Path(folder) / f"{attempt}.{form}"
                with plotting(kind(), path, FigureSize()) as draw:
                    draw(data)
                written.append(path.read_bytes())
            require(written[0], f"the figure in {form} is empty")
            require(written[0] == written[1], f"the figure in {form} has other bytes each time")


@cache
def _plot_data() -> PlotData:
    """Train a model on the texts, with everything that a plot may ask for."""
    # The first word of each side is linked by hand.
    pairs = [replace(pair, sure=frozenset({(0, 0)}), possible=frozenset()) for pair in tiny_pairs()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SemiHmmWarning)
        aligner = Aligner(wordnet="none", iterations=2).fit(pairs)
        alignments = {alignment.id: alignment for alignment in aligner.align(pairs)}
    gold = {pair.id: gold_alignment(pair) for pair in pairs}
    column = PortraitColumn("model")
    for pair in pairs:
        column.add(pair, alignments[pair.id], frozenset())
    return PlotData({"model": aligner}, pairs, {GOLD_SYSTEM: gold, "model": alignments}, [column])
