"""The syntax-aware jump model. Daumé III and Marcu (2005), section 4.1.3.

The paper multiplies jump_syn(label) over the maximal constituents jumped over, forward and backward labels apart. As
printed this is no distribution: longer products always lose, and an empty one costs nothing. Here a jump is a walk that
decides, before each constituent, whether to stop there, and else whether to step over it or into it
(``walk_kernels``); what a decision costs depends on the direction and on the label of that constituent. So the
probability of a jump is still a product over the same constituents, but all jumps from one place sum to one. A jump to
the next word jumps over nothing and has a probability of its own. Jumps across sentences step over whole sentences: the
root of a tree is a constituent with a label of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corpus_tools.errors import BadData, BadUsage
from jump_models.jump_model import Counts, Directed, Skipped
from jump_models.walk import Brackets, Walk, decided

OTHER, WORD = "(other)", "(word)"
"""The labels of constituents that training did not know, and of words without a bracket."""

STOP, OVER = 0.1, 0.5


def _average(p: np.ndarray, decisions: np.ndarray) -> np.ndarray:
    """Probabilities [K, 2, L] averaged over the kinds as often as they were asked for: [2, L]."""
    total = decisions.sum(axis=0)
    return np.divide(
        (p * decisions).sum(axis=0), total, out=np.full(total.shape, np.nan), where=total > 0
    )


@dataclass(frozen=True)
class Syntax(Walk):
    """A walk over the trees. ``labels`` L names, the first two ``OTHER`` and ``WORD``."""

    labels: tuple[str, ...] = (OTHER, WORD)
    name = "syntax"
    needs_trees = True

    @classmethod
    def initial(cls, settings):
        labels = (OTHER, WORD, *sorted(set(settings["labels"]) - {OTHER, WORD}))
        return cls._start(
            settings, np.full(len(labels), STOP), np.full(len(labels), OVER), labels=labels
        )

    def brackets(self, batch):
        trees = batch.trees
        if trees is None:
            raise BadUsage(
                "the syntax jump model needs the documents' trees: make them with `semihmm parse`"
            )
        for number in np.flatnonzero(trees.words != np.diff(batch.document_offsets)):
            words = batch.document_offsets[number + 1] - batch.document_offsets[number]
            problem = f"pair {batch.ids[number]!r}: the trees have {trees.words[number]} words, the document {words}"
            raise BadData(f"{problem}: parse the same texts that are aligned")
        place = {label: number for number, label in enumerate(self.labels)}
        numbers = np.array([place.get(label, 0) for label in trees.labels], dtype=np.int32)
        return Brackets(numbers[trees.label], trees.start, trees.end, trees.offsets, 1)

    def skipped(self, counts: Counts) -> list[Skipped]:
        """As ``JumpModel.skipped``. Walks to the end of the document count too, where the end is a target like others."""
        walks = self._split(counts["events"])[2]
        decisions, jumps = decided(walks), walks[..., 1].sum(axis=(0, 3, 4))
        stop = _average(self.stop, decisions.first_yes + decisions.first_no)
        over = _average(self.over, decisions.second_yes + decisions.second_no)
        columns = (
            [Directed(*map(float, pair)) for pair in table.T] for table in (jumps, stop, over)
        )
        rows = map(Skipped, self.labels, *columns)
        return sorted(rows, key=lambda row: -sum(row.jumps))

    def to_arrays(self):
        return self._decisions() | {"labels": np.array(self.labels)}

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls(**{**arrays, "labels": tuple(map(str, arrays["labels"]))})
