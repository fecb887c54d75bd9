"""Shows which constituents abstracts jump over: Daumé III and Marcu (2005), Figure 2."""

from collections.abc import Sequence

import numpy as np

from corpus_tools.texts.text_table import Table
from corpus_tools.texts.trees import RANK_MARK, ROOT, UNKNOWN_LABEL
from jump_models.jump_model import ByDirection, Skipped
from semihmm.model.units import LAST_RANK

LEAST_EXPECTED_COUNT = 0.05
"""The table leaves out labels with a smaller expected count: they would be shown as 0.0."""

RANKS = (
    f"{ROOT}{RANK_MARK}2: a whole sentence, the second best of its extract for the abstract "
    f"sentence; {ROOT}{RANK_MARK}{LAST_RANK + 1}: one that comes later"
)
"""Explains labels with ranks."""

SKIPPED_LEGEND = (
    "share: of all such constituents; forward, backward: their expected number; stop: the jump "
    f"ends there; over: it steps over the constituent; {UNKNOWN_LABEL}: without a label"
)
"""Explains the columns."""


def skipped_table(name: str, rows: Sequence[Skipped]) -> str:
    """Return the table of the constituents that a model expects to be jumped over.

    Each label has its share of all such jumps, and by direction its expected count and the learned
    probabilities.
    """
    total = sum(sum(row.jumps) for row in rows) or 1.0
    cells = [["Label", "share"]]
    for direction in ByDirection._fields:
        cells[0] += [direction, "stop", "over"]
    for row in rows:
        if sum(row.jumps) >= LEAST_EXPECTED_COUNT:
            cells.append([row.label, f"{sum(row.jumps) / total:.1%}"])
            for count, stop, over in zip(*row[1:], strict=True):
                cells[-1] += [f"{count:,.1f}", _shown(stop), _shown(over)]
    title = f"{total:,.0f} constituents jumped over: {name}"
    has_ranks = any(RANK_MARK in row.label[1:] for row in rows)
    return Table(cells, title, [SKIPPED_LEGEND, *[RANKS] * has_ranks]).text()


def _shown(probability: float) -> str:
    return "-" if np.isnan(probability) else f"{probability:.2f}"
