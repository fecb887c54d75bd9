"""The sentences of documents as flat arrays, with the order in which an extract took them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.named_arrays import selected


@dataclass(frozen=True)
class RankedSentences:
    """The sentences of one document.

    ``boundaries``  those of the document's ``Text``.
    ``ranks``       for each sentence, how early the extract took it, 0 for the best.
    """

    boundaries: Sequence[int]
    ranks: Sequence[int]


class DocumentSentences(NamedTuple):
    """The sentences of P documents that have words, laid end to end.

    ``start``    int64 [S], the first token of each sentence, counted from the document's first.
    ``end``      int64 [S], the token after its last one.
    ``rank``     int64 [S], how early the extract took it, 0 for the best. No two sentences of a
                 document have the same.
    ``offsets``  int64 [P + 1], where each document's sentences begin.
    """

    start: np.ndarray
    end: np.ndarray
    rank: np.ndarray
    offsets: np.ndarray

    @classmethod
    def of(cls, documents: Sequence[RankedSentences]) -> DocumentSentences:
        """Encode the sentences of documents; ranks count on where empty sentences are left out.

        A document without words has one empty sentence.
        """
        rows: list[tuple[int, int, int]] = []
        offsets = [0]
        for document in documents:
            bounds = pairwise(document.boundaries)
            own = [
                (rank, first, last)
                for rank, (first, last) in zip(document.ranks, bounds, strict=True)
                if first < last
            ]
            own = own or [(0, 0, 0)]
            order = sorted(range(len(own)), key=own.__getitem__)
            rank_of = {index: rank for rank, index in enumerate(order)}
            rows += [(*own[index][1:], rank_of[index]) for index in range(len(own))]
            offsets.append(len(rows))
        start, end, rank = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
        return cls(start, end, rank, np.array(offsets))

    def select(self, indices: Sequence[int]) -> DocumentSentences:
        """Return the sentences of some of the documents, one or more, by their indices."""
        rows, offsets = selected(self.offsets, indices)
        return DocumentSentences(self.start[rows], self.end[rows], self.rank[rows], offsets)
