"""The syntax-aware jump model. Daumé III and Marcu (2005), section 4.1.3.

The paper multiplies jump_syn(label) over the maximal constituents jumped over, forward and backward
labels apart. As printed this is no distribution: longer products always lose, and an empty one
costs nothing. Here a jump is a walk that decides, before each constituent, whether to stop there,
and else whether to step over it or into it (``networks``). What a decision costs depends on the
direction and on the label of that constituent. So the probability of a jump is still a product over
the same constituents, but all jumps from one boundary sum to one. A jump to the next word jumps
over nothing and has a probability of its own. Jumps across sentences step over whole sentences: the
root of a tree is a constituent with a label of its own. In plain Python:
``semihmm.reference.walk``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from corpus_tools.encoding import Batch, Vocabulary, totals_of
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.parsing import PARSERS
from corpus_tools.plugins.declared_arrays import require, texts
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import option
from corpus_tools.texts.trees import without_rank
from jump_models.jump_model import Directed, JumpSettings, Skipped
from jump_models.walk import Brackets, Walk, decided

OTHER, WORD = "(other)", "(word)"
"""The labels of constituents that training did not know, and of words without a bracket."""

STOP, OVER = 0.1, 0.5
"""The probabilities before training.

A walk stops before every tenth constituent and steps over every other one.
"""


@dataclass(frozen=True)
class SyntaxSettings(JumpSettings):
    """``parser``: where the trees come from (``corpus_tools.parsing``)."""

    parser: str = option("chunks", "parser of the trees for the jump model syntax", names=PARSERS)


def _column(label: str, numbers: Mapping[str, int]) -> int:
    """Return the number of a label, or of the same label without a rank, or of ``OTHER``."""
    return numbers.get(label, numbers.get(without_rank(label), 0))


def _average(p: np.ndarray, decisions: np.ndarray) -> np.ndarray:
    """Average probabilities [K, 2, L] over the sources as often as they were asked for: [2, L]."""
    total = decisions.sum(axis=0)
    none = np.full(total.shape, np.nan)
    result: np.ndarray = np.divide((p * decisions).sum(axis=0), total, out=none, where=total > 0)
    return result


@dataclass(frozen=True)
class Syntax(Walk):
    """A walk over the trees. ``labels`` are L names, the first two ``OTHER`` and ``WORD``."""

    labels: Annotated[tuple[str, ...], texts("L")] = (OTHER, WORD)
    name = "syntax"
    Settings: ClassVar[type[JumpSettings]] = SyntaxSettings

    @classmethod
    def parser(cls, settings: Any) -> str | None:
        """Return the parser that the settings name."""
        return str(settings.parser)

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: JumpSettings
    ) -> Self:
        """Make the model in which all labels are alike."""
        labels = (OTHER, WORD, *sorted(set(totals_of(corpus).labels) - {OTHER, WORD}))
        stop = np.full(len(labels), STOP)
        over = np.full(len(labels), OVER)
        return cls._start(settings, stop, over, labels=labels)

    def started(
        self, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Any, known: np.ndarray
    ) -> Self:
        """Start from what was learned of each label; new labels start as all ``OTHER`` ones."""
        numbers = {label: number for number, label in enumerate(self.labels)}
        labels = (*self.labels, *sorted(set(totals_of(corpus).labels) - set(self.labels)))
        columns = [_column(label, numbers) for label in labels]
        stop = np.ascontiguousarray(self.stop[..., columns])
        over = np.ascontiguousarray(self.over[..., columns])
        return replace(self, stop=stop, over=over, labels=labels)

    def brackets(self, batch: Batch) -> Brackets:
        """Return the documents' trees.

        Raises ``BadUsage`` for a batch without trees, ``BadData`` for trees of other texts.
        """
        trees = batch.trees
        if trees is None:
            raise BadUsage(
                f"the {self.name} jump model needs the documents' trees: "
                "make them with corpus_tools.parsing.parse_documents"
            )
        lengths = np.diff(batch.document_offsets)
        for pair in np.flatnonzero(trees.words != lengths):
            raise BadData(
                f"pair {batch.ids[pair]!r}: the trees have {trees.words[pair]} words, "
                f"the document {lengths[pair]}: parse the same texts that are aligned"
            )
        known = {label: number for number, label in enumerate(self.labels)}
        numbers = np.array([_column(label, known) for label in trees.labels], dtype=np.int32)
        return Brackets(numbers[trees.label], trees.start, trees.end, trees.offsets, 1)

    def skipped(self, counts: Counts) -> list[Skipped]:
        """List the constituents that were jumped over, as ``JumpModel.skipped``.

        Walks to the end of the document count too, where the end is a target like others.
        """
        walks = self._split(counts["events"])[2]
        decisions = decided(walks)
        jumps = walks[..., 1].sum(axis=(0, 3, 4))
        stop = _average(self.stop, decisions.first_yes + decisions.first_no)
        over = _average(self.over, decisions.second_yes + decisions.second_no)
        columns = (
            [Directed(*map(float, pair)) for pair in table.T] for table in (jumps, stop, over)
        )
        rows = map(Skipped, self.labels, *columns)
        return sorted(rows, key=lambda row: -sum(row.jumps))

    def require_consistent(self) -> None:
        """Raise ``BadArray`` unless all labels are different and the first two as always."""
        labels = self.labels
        require(labels[:2] == (OTHER, WORD), "labels", f"do not begin with {OTHER} and {WORD}")
        require(len(set(labels)) == len(labels), "labels", "one is there twice")
