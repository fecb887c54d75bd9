"""Pairs phrases of both sides of a batch that share what ``multiword_phrases`` found of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.ranges import ranges
from rewrite_models.related_words.multiword_phrases import ENTRY, KINDS, Phrases, Sides


class Matches(NamedTuple):
    """Pairs of phrases, int32 [C, 4] as cells, and the number of each one's kind, int64 [C]."""

    cells: np.ndarray
    kind: np.ndarray


def matches(batch: Batch, sides: Sides, step: int = 0) -> Matches:
    """Return the pairs of phrases that stand for one another, each once.

    ``sides`` are those of the batch. With a ``step`` abstracts are compared with the documents of
    other pairs, so many before their own (``chance.steps``).
    """
    a, d = _with_equal_keys(sides, len(batch), step)
    abstract = Phrases(*(column[a] for column in sides.abstract))
    document = Phrases(*(column[d] for column in sides.document))
    sizes = abstract.end - abstract.start, document.end - document.start
    first = batch.abstract[abstract.start] == batch.document[document.start]
    one_word = (sizes[0] == 1) != (sizes[1] == 1)
    entry = abstract.kind == ENTRY
    kept = np.where(entry, np.maximum(*sizes) > 1, one_word & ~first)
    kept &= ~(entry & _identical(batch, abstract, document))
    rows = [abstract.start, abstract.end, document.start, document.end]
    cells = np.stack(rows, axis=1)[kept]
    kind = abstract.kind[kept]
    order = np.lexsort((kind, *cells.T[::-1]))
    cells, kind = cells[order], kind[order]
    new = np.ones(len(cells), dtype=bool)
    new[1:] = (cells[1:] != cells[:-1]).any(axis=1)
    return Matches(cells[new].astype(np.int32), kind[new])


def _with_equal_keys(sides: Sides, pairs: int, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the phrases of a kind with equal keys: int64 of abstracts, of documents.

    ``pairs`` and ``step`` are those of ``matches``.
    """
    codes = np.concatenate([one.key * len(KINDS) + one.kind for one in sides])
    _, index = np.unique(codes, return_inverse=True)
    index = index.ravel()
    width = int(index.max(initial=0)) + 1
    size = len(sides.abstract.key)
    of_abstract = (sides.abstract.text - step) % pairs * width + index[:size]
    of_document = sides.document.text * width + index[size:]
    order = np.argsort(of_document, kind="stable")
    first = np.searchsorted(of_document[order], of_abstract)
    sizes = np.searchsorted(of_document[order], of_abstract, side="right") - first
    return np.repeat(np.arange(size), sizes), order[ranges(first, sizes)]


def _identical(batch: Batch, abstract: Phrases, document: Phrases) -> np.ndarray:
    """Tell which phrases have the same words, which other models link: bool."""
    length = abstract.end - abstract.start
    same: np.ndarray = length == document.end - document.start
    for shift in range(int(length.max(initial=0))):
        inside = same & (shift < length)
        words = batch.abstract[abstract.start[inside] + shift]
        same[inside] = words == batch.document[document.start[inside] + shift]
    return same
