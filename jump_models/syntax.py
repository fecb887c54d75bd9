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
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadData, BadUsage
from jump_models.jump_model import Counts
from jump_models.walk import Brackets, Walk

OTHER, WORD = "(other)", "(word)"
"""The labels of constituents that training did not know, and of words without a bracket."""

STOP, OVER = 0.1, 0.5


class Skipped(NamedTuple):
    """How often constituents of a label are expected to be jumped over, forward and backward."""

    label: str
    forward: float
    backward: float


@dataclass(frozen=True)
class Syntax(Walk):
    """A walk over the trees. ``labels`` L names, the first two ``OTHER`` and ``WORD``."""

    labels: tuple[str, ...] = (OTHER, WORD)
    name = "syntax"
    needs_trees = True

    @classmethod
    def initial(cls, settings):
        labels = (OTHER, WORD, *sorted(set(settings["labels"]) - {OTHER, WORD}))
        return cls._start(settings, np.full(len(labels), STOP), np.full(len(labels), OVER), labels=labels)

    def brackets(self, batch):
        trees = batch.trees
        if trees is None:
            raise BadUsage("the syntax jump model needs the documents' trees: make them with `semihmm parse`")
        for number in np.flatnonzero(trees.words != np.diff(batch.document_offsets)):
            words = batch.document_offsets[number + 1] - batch.document_offsets[number]
            problem = f"pair {batch.ids[number]!r}: the trees have {trees.words[number]} words, the document {words}"
            raise BadData(f"{problem}: parse the same texts that are aligned")
        place = {label: number for number, label in enumerate(self.labels)}
        numbers = np.array([place.get(label, 0) for label in trees.labels], dtype=np.int32)
        return Brackets(numbers[trees.label], trees.start, trees.end, trees.offsets, 1)

    def skipped(self, counts: Counts) -> list[Skipped]:
        """What ``fold`` gave, by label, the label that is jumped over most often first."""
        over = self._split(counts["events"])[2][..., 1].sum(axis=(0, 3, 4))
        rows = (Skipped(label, *map(float, pair)) for label, pair in zip(self.labels, over.T, strict=True))
        return sorted(rows, key=lambda row: -(row.forward + row.backward))

    def to_arrays(self):
        return self._decisions() | {"labels": np.array(self.labels)}

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls(**{**arrays, "labels": tuple(map(str, arrays["labels"]))})
