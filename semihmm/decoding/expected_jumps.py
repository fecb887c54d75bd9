"""Computes how a model expects abstracts to move through documents, and what they jump over.

Daumé III and Marcu (2005), Figure 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.named_arrays import ranges
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.model_part import Counts
from corpus_tools.progress import counted
from corpus_tools.statistics.alignment_statistics import Jump, Way
from corpus_tools.texts.text_table import text_table
from jump_models.jump_model import Directed, Skipped
from semihmm.batches.units import AlignmentUnit, batch_of, batched_units, units_for
from semihmm.decoders.decoder import are_alike
from semihmm.model.counts import sum_counts
from semihmm.model.parallel import in_order, largest_lattice, reserved
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings

LEAST = 0.05
"""The table leaves out labels with a smaller expected count: they would be shown as 0.0."""


class ExpectedJumps(NamedTuple):
    """Expected counts over pairs.

    ``distances``  {jump: expected count}, measured in the original documents.
    ``skipped``    the constituents jumped over, by label, the most frequent first; empty where the
                   model has no trees.
    """

    distances: Mapping[Jump, float]
    skipped: Sequence[Skipped]


def expect_jumps_of(
    model: SemiHmm, settings: Settings, pairs: Sequence[Pair], workers: int
) -> ExpectedJumps:
    """Run the E-step over the pairs and count the jumps.

    Raises ``BadData`` if no pair has words on both sides.
    """

    def of_batch(units: list[AlignmentUnit]) -> tuple[Counter[Jump], Counts]:
        return _count_jumps(model, units, model.encode(batch_of(units, model.vocabulary)))

    shown = counted(pairs, "expected jumps")
    distances: Counter[Jump] = Counter()
    of_batches = []
    groups = batched_units(units_for(shown, settings))
    for own, as_jump_model in in_order(of_batch, groups, workers):
        distances.update(own)
        of_batches.append(as_jump_model)
    counts = sum_counts(of_batches)
    if counts is None:
        raise BadData("no jumps to expect: no pair has words in both its document and its abstract")
    return ExpectedJumps(distances, model.jump.skipped(counts))


def _count_jumps(
    model: SemiHmm, units: Sequence[AlignmentUnit], encoded: Encoded
) -> tuple[Counter[Jump], Counts]:
    """Count the jumps of a batch by distance, and as the jump model does. Both add up."""
    from semihmm.inference.batch_kernels import expect_jumps

    cells = encoded.cells.cells
    positions = np.concatenate([unit.positions for unit in units]).astype(np.int64)
    fusions = encoded.fusions
    with reserved(largest_lattice(encoded.batch)):
        lattice = model.lattice(encoded, model.rewrite.scores(encoded.cells))
        log_weights = model.weighed(encoded, lattice).log_weights
        between, counted, posteriors = expect_jumps(
            lattice, log_weights, model.jumps(encoded), positions[fusions.document]
        )
    posteriors = np.bincount(fusions.indices, posteriors, len(cells))
    alike = are_alike(encoded.batch, cells)
    inside = steps_inside(cells[alike], posteriors[alike], positions)
    distances: Counter[Jump] = Counter()
    for way, row in zip(Way, (*between, inside), strict=True):
        middle = len(row) // 2
        for index in np.flatnonzero(row).tolist():
            distances[Jump(index - middle, way)] += row[index]
    return distances, model.jump.fold(encoded.evidence["jump"], counted)


def steps_inside(cells: np.ndarray, posteriors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Count the expected steps from word to word inside phrases, by distance: float64 [2 L + 1].

    L is the longest distance, as in what ``expect_jumps`` gives.
    """
    steps = cells[:, 3] - cells[:, 2] - 1
    first = ranges(cells[:, 2], steps)
    distance = positions[first + 1] - positions[first]
    middle = positions.max()
    return np.bincount(middle + distance, np.repeat(posteriors, steps), 2 * middle + 1)


def skipped_table(name: str, rows: Sequence[Skipped]) -> str:
    """Return the table of the constituents that a model expects to be jumped over.

    Each label has its share of all such jumps, and by direction its expected count and the learned
    probabilities.
    """
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
