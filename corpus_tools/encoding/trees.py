"""Trees and sentences of documents as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.named_arrays import selected
from corpus_tools.texts.trees import UNKNOWN, Bracket


@dataclass(frozen=True)
class FlatSentences:
    """The trees of a document in which every token is a child of the root (``brackets.flat``).

    ``boundaries``  those of the document's ``Text``.
    ``roots``       the label of the root of each sentence.
    """

    boundaries: Sequence[int]
    roots: Sequence[str]


class Trees(NamedTuple):
    """The trees of P documents, laid end to end.

    ``labels``   L names of labels.
    ``label``    int32 [R], the numbers of the labels of the brackets, each document's in pre-order.
    ``start``    int32 [R], the first token of each bracket, counted from the document's first
                 token.
    ``end``      int32 [R], the token after the last one of each bracket.
    ``offsets``  int64 [P + 1], where each document's brackets begin.
    ``words``    int64 [P], how many tokens the trees of each document cover.
    """

    labels: tuple[str, ...]
    label: np.ndarray
    start: np.ndarray
    end: np.ndarray
    offsets: np.ndarray
    words: np.ndarray

    @classmethod
    def of(cls, documents: Iterable[Sequence[Sequence[Bracket]]]) -> Trees:
        """Encode the trees of documents.

        ``documents``  the sentences of each document; a sentence is its brackets in pre-order, the
                       first one over all its tokens.

        Spans may be counted from the sentence's or from the document's first token. Tokens need no
        brackets of their own.
        """
        numbers: dict[str, int] = {}
        rows: list[tuple[int, int, int]] = []
        offsets = [0]
        words = []
        for sentences in documents:
            covered = 0
            for tree in sentences:
                _, start, end = tree[0]
                shift = covered - start
                for name, first, last in tree:
                    number = numbers.setdefault(name, len(numbers))
                    rows.append((number, first + shift, last + shift))
                covered = end + shift
            offsets.append(len(rows))
            words.append(covered)
        label, *spans = np.array(rows, dtype=np.int32).reshape(-1, 3).T.copy()
        return cls(tuple(numbers), label, spans[0], spans[1], np.array(offsets), np.array(words))

    @classmethod
    def flat(cls, documents: Sequence[FlatSentences]) -> Trees:
        """Encode flat trees of documents, none of which is empty, as ``of`` encodes them."""
        numbers: dict[str, int] = {}
        rows = []
        for document in documents:
            roots = []
            for root, (first, last) in zip(
                document.roots, pairwise(document.boundaries), strict=True
            ):
                roots.append(numbers.setdefault(root, len(numbers)))
                if first < last:
                    numbers.setdefault(UNKNOWN, len(numbers))
            bounds = np.array(document.boundaries)
            words = np.arange(bounds[-1])
            # Before the words of a sentence stands its root. np.insert counts in the words alone.
            begins = bounds[:-1]
            # A document of empty sentences has no label of words, and no words.
            word_label = numbers.get(UNKNOWN, 0)
            label = np.insert(np.full_like(words, word_label), begins, roots)
            start = np.insert(words, begins, begins)
            rows.append(np.stack([label, start, np.insert(words + 1, begins, bounds[1:])]))
        label, start, end = np.concatenate(rows, axis=1).astype(np.int32)
        return cls(
            tuple(numbers),
            label,
            start,
            end,
            np.cumsum([0, *(row.shape[1] for row in rows)]),
            np.array([document.boundaries[-1] for document in documents]),
        )

    def sentence_begins(self, document_offsets: np.ndarray) -> np.ndarray:
        """Return int64 [sentences], the first tokens of the documents' sentences, in order.

        ``document_offsets``  int64 [P + 1], where the words of each document begin. Offsets count
                              as these do. Sentences without words are left out.
        """
        shift = np.repeat(document_offsets[:-1], np.diff(self.offsets))
        start = self.start + shift
        end = self.end + shift
        # In pre-order a sentence is the first bracket that begins where all before have ended.
        before = np.maximum.accumulate(np.concatenate([[0], end]))[:-1]
        begins: np.ndarray = np.unique(start[(start >= before) & (start < end)])
        return begins

    def select(self, indices: Sequence[int]) -> Trees:
        """Return the trees of some of the documents, one or more, by their indices."""
        rows, offsets = selected(self.offsets, indices)
        return Trees(
            self.labels,
            self.label[rows],
            self.start[rows],
            self.end[rows],
            offsets,
            self.words[list(indices)],
        )


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
        rows = []
        for document in documents:
            bounds = pairwise(document.boundaries)
            own = [
                (rank, first, last)
                for rank, (first, last) in zip(document.ranks, bounds, strict=True)
                if first < last
            ]
            rank, start, end = np.array(own or [(0, 0, 0)], dtype=np.int64).T
            order = np.argsort(rank, kind="stable")
            rows.append(np.stack([start, end, np.argsort(order)]))
        start, end, rank = np.concatenate(rows, axis=1)
        return cls(start, end, rank, np.cumsum([0, *(own.shape[1] for own in rows)]))

    def select(self, indices: Sequence[int]) -> DocumentSentences:
        """Return the sentences of some of the documents, one or more, by their indices."""
        rows, offsets = selected(self.offsets, indices)
        return DocumentSentences(self.start[rows], self.end[rows], self.rank[rows], offsets)
