"""The documents' syntax trees as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.texts.brackets import Bracket


class Trees(NamedTuple):
    """The trees of P documents, laid end to end.

    ``labels``   names of the labels.
    ``label``, ``start``, ``end``  int32 [R], the brackets of each document in pre-order: the label's number and the token
                 span, counted from the document's first token.
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
        """From the sentences of each document, a sentence being its brackets in pre-order, the first over all its tokens.

        Spans may be counted from the sentence's or from the document's first token. Tokens need no brackets of their own.
        """
        numbers: dict[str, int] = {}
        rows: list[tuple[int, int, int]] = []
        offsets, words = [0], []
        for sentences in documents:
            done = 0
            for tree in sentences:
                shift = done - tree[0][1]
                rows += [
                    (numbers.setdefault(name, len(numbers)), a + shift, b + shift)
                    for name, a, b in tree
                ]
                done = tree[0][2] + shift
            offsets.append(len(rows))
            words.append(done)
        label, start, end = np.array(rows, dtype=np.int32).reshape(-1, 3).T
        return cls(
            tuple(numbers),
            *map(np.ascontiguousarray, (label, start, end)),
            np.array(offsets),
            np.array(words),
        )

    def select(self, places: Sequence[int]) -> Trees:
        """The trees of some of the documents, one or more."""
        rows = np.concatenate(
            [np.arange(self.offsets[place], self.offsets[place + 1]) for place in places]
        )
        offsets = np.cumsum(
            [0, *(self.offsets[place + 1] - self.offsets[place] for place in places)]
        )
        return Trees(
            self.labels,
            self.label[rows],
            self.start[rows],
            self.end[rows],
            offsets,
            self.words[list(places)],
        )
