"""Batches of alignment units: as groups, as arrays, and their fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.trees import Trees
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.encoding.word_vectors import WordVectors
from semihmm.batches.units import AlignmentUnit

BATCH_WORDS = 20_000
"""Document words in a batch. Fixed, so that batches and the order of sums do not depend on the number of workers."""


def batched_units(reduced: Iterable[AlignmentUnit]) -> Iterator[list[AlignmentUnit]]:
    """Pairs for one batch each, in order."""
    group: list[AlignmentUnit] = []
    words = 0
    for item in reduced:
        group.append(item)
        words += len(item.pair.document)
        if words >= BATCH_WORDS:
            yield group
            group, words = [], 0
    if group:
        yield group


def batch_of(group: Sequence[AlignmentUnit], vocabulary: Vocabulary) -> Batch:
    """The group as arrays."""
    batch = Batch.of([item.pair for item in group], vocabulary)
    if all(item.trees is not None for item in group):
        batch = replace(batch, trees=Trees.of(item.trees for item in group))
    if all(item.vectors is not None for item in group):
        batch = replace(batch, vectors=WordVectors.concatenated([item.vectors for item in group]))
    return batch


def fingerprint(corpus: Sequence[Batch], encoder: str = "") -> str:
    """A hash of all that training sees of the texts and their trees, and of what encoder their vectors are from.

    Not of the vectors: made anew, they may differ in the last digit.
    """
    digest = hashlib.sha256(encoder.encode())
    for batch in corpus:
        digest.update("\n".join(batch.ids).encode())
        for array in (
            batch.abstract,
            batch.document,
            batch.abstract_offsets,
            batch.document_offsets,
        ):
            digest.update(array.tobytes())
        if batch.trees:
            labels, *brackets = batch.trees
            digest.update("\n".join(labels).encode())
            for array in brackets:
                digest.update(array.tobytes())
    digest.update("\n".join(corpus[0].vocabulary.words if corpus else ()).encode())
    return digest.hexdigest()
