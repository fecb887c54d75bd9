"""Puts alignment units into batches: as groups, and as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from corpus_tools.encoding.batch import Batch, WordVectors
from corpus_tools.encoding.document_sentences import DocumentSentences, RankedSentences
from corpus_tools.encoding.trees import FlatSentences, Trees
from corpus_tools.encoding.vocabulary import Numbering, Vocabulary
from semihmm.batches.units import AlignmentUnit, alike_words

BATCH_WORDS = 20_000
"""Document words in a batch.

The number is fixed, so that batches and the order of sums do not depend on the number of workers.
It is large enough that Python's share of the work on a batch does not matter, and small enough that
a few thousand sentences make work for two processors.
"""

BATCH_CELLS = 1_000_000
"""Pairs of a document word and an abstract word that are the same, in a batch.

A batch that would have more ends before. Only extreme pairs, such as those that repeat one word
hundreds of times on both sides, have so many: usual texts would need abstracts of 5,000 words.
"""

FEW = 20_000
"""Pairs of words of a unit among which it is not worth counting those that are the same."""


def batched_units(
    units: Iterable[AlignmentUnit], words: int | None = None
) -> Iterator[list[AlignmentUnit]]:
    """Group the units for one batch each, in order.

    A batch is full as soon as it has ``words`` document words; by default ``BATCH_WORDS``. It ends
    before a unit with which it would have more than ``BATCH_CELLS`` alike words.
    """
    enough = BATCH_WORDS if words is None else words
    group: list[AlignmentUnit] = []
    size = 0
    cells = 0
    for unit in units:
        own = _cells(unit)
        if group and cells + own > BATCH_CELLS:
            yield group
            group = []
            size = 0
            cells = 0
        group.append(unit)
        size += len(unit.pair.document)
        cells += own
        if size >= enough:
            yield group
            group = []
            size = 0
            cells = 0
    if group:
        yield group


def _cells(unit: AlignmentUnit) -> int:
    """Count the alike words of a unit, or 0 where a whole batch of such units has few."""
    document = len(unit.pair.document)
    abstract = len(unit.pair.abstract)
    few = document * abstract < FEW and abstract <= 2 * document
    return 0 if few else alike_words(unit.pair)


def batch_of(units: Sequence[AlignmentUnit], words: Vocabulary | Numbering) -> Batch:
    """Encode a group of units as arrays. ``words`` are those of ``Batch.of``."""
    batch = Batch.of([unit.pair for unit in units], words)
    flat = [unit.trees for unit in units if isinstance(unit.trees, FlatSentences)]
    trees = [unit.trees for unit in units if isinstance(unit.trees, Sequence)]
    if len(flat) == len(units):
        batch = replace(batch, trees=Trees.flat(flat))
    elif len(trees) == len(units):
        batch = replace(batch, trees=Trees.of(trees))
    vectors = [unit.vectors for unit in units if unit.vectors is not None]
    if len(vectors) == len(units):
        batch = replace(batch, vectors=WordVectors.concatenated(vectors))
    ranked = [
        RankedSentences(unit.pair.document.boundaries, unit.ranks)
        for unit in units
        if unit.ranks is not None
    ]
    if len(ranked) == len(units):
        batch = replace(batch, sentences=DocumentSentences.of(ranked))
    return batch
