"""Lays out the fusions of a batch as pairs, and maps lattices and counts between the two.

A fusion is a pair with some sentences of its document only: the best of its extract alone, or with
one other, in the order of the document. Cells, emissions and counts are those of the whole pairs.
So the model's parts see a batch as it is, but for the jump model, which walks over the fusions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.document_sentences import DocumentSentences
from corpus_tools.encoding.named_arrays import ranges
from corpus_tools.encoding.trees import Trees

if TYPE_CHECKING:
    from semihmm.inference.batch_kernels import BatchCounts, CellList


class Fusions(NamedTuple):
    """The fusions of a batch, U of them: one for each sentence of an extract.

    Those of a pair stand together, in the order of their sentences.

    ``batch``     the fusions as pairs, M' abstract and N' document words.
    ``unit``      int64 [U], the pair that each is a part of.
    ``rank``      int64 [U], of the sentence beside the best; 0: the best alone.
    ``abstract``  int64 [M'], where each abstract word is in the whole batch.
    ``document``  int64 [N'], where each document word is there.
    ``indices``   int64 [C'], of the cells that each fusion has, in those of the whole batch.
    ``cells``     int32 [C', 4], the same cells with offsets over the fusions.
    """

    batch: Batch
    unit: np.ndarray
    rank: np.ndarray
    abstract: np.ndarray
    document: np.ndarray
    indices: np.ndarray
    cells: np.ndarray

    @classmethod
    def of_pairs(cls, batch: Batch, cells: np.ndarray) -> Fusions:
        """Return the pairs themselves: each has one fusion, of its whole document."""
        pairs, indices = np.arange(len(batch)), np.arange(len(cells))
        abstract, document = np.arange(len(batch.abstract)), np.arange(len(batch.document))
        return cls(batch, pairs, np.zeros_like(pairs), abstract, document, indices, cells)

    @property
    def is_choice(self) -> bool:
        """Tell whether a pair has several fusions."""
        return len(self.unit) > int(self.unit[-1]) + 1


class _Chosen(NamedTuple):
    """The sentences of each fusion by their rows, int64 [U].

    Without a second sentence ``second`` is the first. ``lengths`` int64 [U, 2] are those of both in
    words, 0 for a second one that is not there.
    """

    first: np.ndarray
    second: np.ndarray
    lengths: np.ndarray


def _chosen(sentences: DocumentSentences, unit: np.ndarray) -> _Chosen:
    own = np.arange(len(unit))
    best = np.flatnonzero(sentences.rank == 0)[unit]
    first = np.minimum(own, best)
    second = np.maximum(own, best)
    words = sentences.end - sentences.start
    lengths = np.stack([words[first], np.where(first == second, 0, words[second])], axis=1)
    return _Chosen(first, second, lengths)


def fusions_of(batch: Batch, sentences: DocumentSentences, cells: np.ndarray) -> Fusions:
    """Lay out the fusions of a batch. ``cells`` int32 [C, 4] are those of the whole pairs."""
    unit = np.repeat(np.arange(len(batch)), np.diff(sentences.offsets))
    chosen = _chosen(sentences, unit)
    begins = batch.document_offsets[unit][:, None] + np.stack(
        [sentences.start[chosen.first], sentences.start[chosen.second]], axis=1
    )
    document = ranges(begins.ravel(), chosen.lengths.ravel())
    heights = np.diff(batch.abstract_offsets)[unit]
    abstract = ranges(batch.abstract_offsets[unit], heights)
    pairs = Batch(
        tuple(batch.ids[index] for index in unit.tolist()),
        batch.abstract[abstract],
        batch.document[document],
        np.cumsum([0, *heights]),
        np.cumsum([0, *chosen.lengths.sum(axis=1)]),
        batch.vocabulary,
        None if batch.trees is None else _fused_trees(batch.trees, sentences, unit, chosen),
    )
    indices, moved = _fused_cells(batch, pairs, sentences, unit, chosen, cells)
    return Fusions(pairs, unit, sentences.rank, abstract, document, indices, moved)


def _fused_trees(
    trees: Trees, sentences: DocumentSentences, unit: np.ndarray, chosen: _Chosen
) -> Trees:
    """Return the trees of the sentences of each fusion."""
    # Brackets are sorted by pair and start; those of empty sentences are of no use.
    stride = int(trees.words.max(initial=0)) + 1
    pair = np.repeat(np.arange(len(trees.words)), np.diff(trees.offsets))
    kept = np.flatnonzero(trees.end > trees.start)
    keys = pair[kept] * stride + trees.start[kept]
    rows = np.stack([chosen.first, chosen.second], axis=1)
    start = sentences.start[rows]
    first = np.searchsorted(keys, unit[:, None] * stride + start)
    last = np.searchsorted(keys, unit[:, None] * stride + start + chosen.lengths)
    sizes = last - first
    taken = kept[ranges(first.ravel(), sizes.ravel())]
    into = np.stack([np.zeros_like(unit), chosen.lengths[:, 0]], axis=1)
    shift = np.repeat((into - start).ravel(), sizes.ravel()).astype(np.int32)
    return Trees(
        trees.labels,
        trees.label[taken],
        trees.start[taken] + shift,
        trees.end[taken] + shift,
        np.cumsum([0, *sizes.sum(axis=1)]),
        chosen.lengths.sum(axis=1),
    )


def _fused_cells(
    batch: Batch,
    pairs: Batch,
    sentences: DocumentSentences,
    unit: np.ndarray,
    chosen: _Chosen,
    cells: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the cells that each fusion has, and the cells with its offsets.

    A phrase of two sentences stays if these stand together in the document.
    """
    of_word = np.repeat(np.arange(len(unit)), sentences.end - sentences.start)
    begin = of_word[cells[:, 2]]
    end = of_word[cells[:, 3] - 1]
    # The cells by the sentence they begin in: a long document has many fusions and many cells.
    by_sentence = np.argsort(begin, kind="stable")
    bounds = np.searchsorted(begin[by_sentence], np.arange(len(unit) + 1))
    rows = np.stack([chosen.first, chosen.second], axis=1)
    sizes = np.diff(bounds)[rows] * (chosen.lengths > 0)
    index = by_sentence[ranges(bounds[rows].ravel(), sizes.ravel())]
    fusion = np.repeat(np.arange(len(unit)), sizes.sum(axis=1))
    across = (end[index] == chosen.second[fusion]) & (chosen.second == chosen.first + 1)[fusion]
    kept = np.flatnonzero((begin[index] == end[index]) | across)
    kept = kept[np.lexsort((index[kept], fusion[kept]))]
    index, fusion = index[kept], fusion[kept]
    begin = begin[index]
    a_start, a_end, d_start, d_end = cells[index].astype(np.int64).T
    of_second = begin != chosen.first[fusion]
    to = pairs.document_offsets[fusion] + np.where(of_second, chosen.lengths[fusion, 0], 0)
    d = d_start - batch.document_offsets[unit[fusion]] - sentences.start[begin] + to
    a = a_start - batch.abstract_offsets[unit[fusion]] + pairs.abstract_offsets[fusion]
    moved = np.stack([a, a + a_end - a_start, d, d + d_end - d_start], axis=1)
    return index, moved.astype(np.int32)


def weighed(fusions: Fusions, log_joint: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the posteriors of fusions, and what is known of their pairs.

    ``log_joint`` float64 [U] is the logarithm of the probability of each with its abstract. Return
    float64 [U], log p(fusion | both texts), -inf where the model cannot explain the abstract; and
    float64 [P], the log-likelihood of each pair.
    """
    pairs = int(fusions.unit[-1]) + 1
    largest = np.full(pairs, -np.inf)
    np.maximum.at(largest, fusions.unit, log_joint)
    possible = largest > -np.inf
    shift = np.where(possible, largest, 0.0)
    sums = np.bincount(fusions.unit, np.exp(log_joint - shift[fusions.unit]))
    log_totals = np.full(pairs, -np.inf)
    log_totals[possible] = shift[possible] + np.log(sums[possible])
    whole = np.where(possible, log_totals, 0.0)
    return log_joint - whole[fusions.unit], log_totals


def whole_counts(counts: BatchCounts, fusions: Fusions, cells: int, words: int) -> BatchCounts:
    """Return the counts of the whole pairs, which have so many cells and document words.

    ``counts`` are those of the fusions; ``log_totals`` stay what they are.
    """
    base_score = np.zeros((len(counts.base_score), words))
    for group, row in enumerate(counts.base_score):
        base_score[group] = np.bincount(fusions.document, row, words)
    return counts._replace(
        gamma=np.bincount(fusions.indices, counts.gamma, cells),
        null=np.bincount(fusions.abstract, counts.null),
        base_score=base_score,
    )


def whole_rows(rows: np.ndarray, fusions: Fusions) -> np.ndarray:
    """Return cells of the fusions, int32 [F, 4], as cells of the whole pairs."""
    sides = [
        fusions.abstract[rows[:, 0]],
        fusions.abstract[rows[:, 1] - 1] + 1,
        fusions.document[rows[:, 2]],
        fusions.document[rows[:, 3] - 1] + 1,
    ]
    return np.stack(sides, axis=1).astype(np.int32)


def whole_cells(listed: CellList, fusions: Fusions) -> CellList:
    """Return pairs of words of the fusions as those of the whole pairs, each once."""
    a, d = fusions.abstract[listed.rows[:, 0]], fusions.document[listed.rows[:, 2]]
    width = int(fusions.document.max(initial=0)) + 1
    distinct, index = np.unique(a * width + d, return_inverse=True)
    a, d = np.divmod(distinct, width)
    rows = np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)
    posteriors = np.bincount(index, listed.posteriors, len(distinct))
    return listed._replace(rows=rows, posteriors=posteriors)


def without_trees(fusions: Fusions) -> Fusions:
    """Return the fusions without the trees, once the jump model has seen these."""
    return fusions._replace(batch=replace(fusions.batch, trees=None))
