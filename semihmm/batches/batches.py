"""Puts alignment units into batches: as groups, as arrays, and their fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from corpus_tools.encoding.batch import Batch, Tally, Totals, WordVectors
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


class FileTexts:
    """Makes the batches of a file of pairs, whose words are numbered by first appearance.

    ``encoder``  the name of the encoder of the word vectors, if the units have any.

    The fingerprint is a hash of all that training sees of the texts, trees included, and of the
    encoder's name. Vectors are left out, because they may differ in the last digit when they are
    computed again.
    """

    def __init__(self, encoder: str = "") -> None:
        self._digest = hashlib.sha256(encoder.encode())
        self._numbering = Numbering(Vocabulary.empty())
        self._tally = Tally()

    def batches(self, units: Iterable[AlignmentUnit]) -> Iterator[Batch]:
        """Yield the batches of the file's units."""
        for group in batched_units(units):
            batch = batch_of(group, self._numbering)
            self._hash(batch)
            self._tally.add_batch(batch)
            yield batch

    def _hash(self, batch: Batch) -> None:
        digest = self._digest
        digest.update("\n".join(batch.ids).encode())
        for array in _arrays(batch):
            digest.update(array.tobytes())
        if batch.trees:
            labels, *brackets = batch.trees
            digest.update("\n".join(labels).encode())
            for array in brackets:
                digest.update(array.tobytes())

    @property
    def totals(self) -> Totals:
        """Return the totals of the batches, once all are made."""
        return self._tally.totals()

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the words of the file, once all batches are made."""
        return self._numbering.vocabulary()

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the file, once all batches are made."""
        digest = self._digest.copy()
        digest.update("\n".join(self.vocabulary.words).encode())
        return digest.hexdigest()


def joined_fingerprint(fingerprints: Sequence[str]) -> str:
    """Return the fingerprint of a corpus: that of its file, or a hash of those of its files."""
    if len(fingerprints) == 1:
        return fingerprints[0]
    return hashlib.sha256("\n".join(fingerprints).encode()).hexdigest()


def _arrays(batch: Batch) -> tuple[np.ndarray, ...]:
    return batch.abstract, batch.document, batch.abstract_offsets, batch.document_offsets
