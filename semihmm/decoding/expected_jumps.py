"""How a model expects abstracts to move through documents: Figure 2 of Daumé III and Marcu (2005), and what is skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.statistics.jump_distances import Jump, Way
from corpus_tools.texts.text_table import text_table
from jump_models.jump_model import Directed, Skipped
from semihmm.batches.units import AlignmentUnit
from semihmm.decoding.decoders import are_alike
from semihmm.model.counts import sum_counts
from semihmm.model.semi_hmm import Counts, SemiHmm

LEAST = 0.05
"""The table leaves out labels that are expected to be jumped over less often: they would be shown as 0.0."""


class ExpectedJumps(NamedTuple):
    """Expected counts over pairs.

    ``distances``  {jump: how many}, measured in the original documents.
    ``skipped``    the constituents jumped over, by label, the most frequent first; empty where the model knows no trees.
    """

    distances: Mapping[Jump, float]
    skipped: Sequence[Skipped]


def count_jumps(
    model: SemiHmm, group: Sequence[AlignmentUnit], batch: Batch
) -> tuple[Counter[Jump], Counts]:
    """The jumps of a batch by distance, and as the jump model counts them. Both add up."""
    from semihmm.inference.jump_distance_kernels import expect_jumps

    encoded = model.encode(batch)
    cells, positions = (
        encoded.cells.cells,
        np.concatenate([item.positions for item in group]).astype(np.int64),
    )
    lattice = model.lattice(encoded, model.rewrite.scores(encoded.cells))
    between, counted, posteriors = expect_jumps(lattice, model.jump.scores(batch), positions)
    alike = are_alike(batch, cells)
    inside = steps_inside(cells[alike], posteriors[alike], positions)
    distances = Counter()
    for way, row in zip(Way, (*between, inside), strict=True):
        distances.update(
            {Jump(place - len(row) // 2, way): row[place] for place in np.flatnonzero(row).tolist()}
        )
    return distances, model.jump.fold(counted)


def steps_inside(cells: np.ndarray, posteriors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """The expected steps from word to word inside phrases, by distance as ``expect_jumps`` gives them: float64 [2 L + 1]."""
    steps = cells[:, 3] - cells[:, 2] - 1
    first = (
        np.repeat(cells[:, 2], steps)
        + np.arange(steps.sum())
        - np.repeat(np.cumsum(steps) - steps, steps)
    )
    distance = positions[first + 1] - positions[first]
    middle = positions.max()
    return np.bincount(middle + distance, np.repeat(posteriors, steps), 2 * middle + 1)


def expected_jumps(model: SemiHmm, found: Iterable[tuple[Counter[Jump], Counts]]) -> ExpectedJumps:
    """What ``count_jumps`` found in one batch or more, together."""
    distances, counts = zip(*found, strict=True)
    return ExpectedJumps(sum(distances, Counter()), model.jump.skipped(sum_counts(counts)))


def skipped_table(name: str, rows: Sequence[Skipped]) -> str:
    """What a model expects to be jumped over, by label: the share of all that is, counts, and the learned probabilities."""
    total = sum(sum(row.jumps) for row in rows) or 1.0
    cells = [["Label", "share"]]
    for direction in Directed._fields:
        cells[0] += [direction, "stop", "over"]
    for row in rows:
        if sum(row.jumps) >= LEAST:
            cells.append([row.label, f"{sum(row.jumps) / total:.1%}"])
            for count, stop, over in zip(*row[1:], strict=True):
                cells[-1] += [f"{count:,.1f}", _shown(stop), _shown(over)]
    widths = (12, 7, *(10, 6, 6) * len(Directed._fields))
    title = f"Constituents jumped over, {total:,.0f} in all: {name}"
    return f"{title}\n{text_table(cells, widths=widths, gap=0)}"


def _shown(probability: float) -> str:
    return "-" if np.isnan(probability) else f"{probability:.2f}"
