"""How each word of an abstract is related to each word of its document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled

SAME, UNRELATED = -2, -1
LEMMA, BEGINNING, SPELLING, SYNONYM, DERIVED, PARENT, TWO_STEPS = range(7)
ALIKE = 0.5
"""Share of letter pairs (Dice's coefficient) from which two words are spelled alike."""


class Sets(NamedTuple):
    """Sorted sets of numbers, W of them laid end to end: ``numbers`` int64, ``offsets`` int64 [W + 1]."""

    numbers: np.ndarray
    offsets: np.ndarray


class Words(NamedTuple):
    """The distinct words of a batch: int arrays [W] and ``Sets`` (``word_concepts.Concepts``).

    ``stem``; ``function``: the class of a function word, -1 for content words; ``beginning``: equal for words that begin
    alike, -1 for words that are too short.
    """

    stem: np.ndarray
    function: np.ndarray
    beginning: np.ndarray
    lemmas: Sets
    letters: Sets
    senses: Sets
    derived: Sets
    parents: Sets
    derived_parents: Sets
    grandparents: Sets
    near: Sets


@compiled
def common(one, i, other, j):
    """How many numbers two sets share."""
    a, a_end, b, b_end, shared = one.offsets[i], one.offsets[i + 1], other.offsets[j], other.offsets[j + 1], 0
    while a < a_end and b < b_end:
        x, y = one.numbers[a], other.numbers[b]
        shared += x == y
        a += x <= y
        b += y <= x
    return shared


@compiled
def _meet(one, other, i, j):
    """Whether one word's first set meets the other word's second, either way."""
    return common(one, i, other, j) > 0 or common(other, i, one, j) > 0


@compiled
def _by_form(words, i, j):
    """The relation that the words' forms show, or UNRELATED."""
    if words.function[i] == words.function[j] and common(words.lemmas, i, words.lemmas, j):
        return LEMMA
    if words.beginning[i] >= 0 and words.beginning[i] == words.beginning[j]:
        return BEGINNING
    starts = words.letters.offsets
    sizes = starts[i + 1] - starts[i] + starts[j + 1] - starts[j]
    if 2 * common(words.letters, i, words.letters, j) >= max(ALIKE * sizes, 1.0):
        return SPELLING
    return UNRELATED


@compiled
def _by_meaning(words, i, j):
    """The nearest relation of two content words in WordNet, or UNRELATED."""
    if not common(words.near, i, words.near, j):
        return UNRELATED  # as nearly all are, and nothing below can be
    if common(words.senses, i, words.senses, j):
        return SYNONYM
    if _meet(words.derived, words.senses, i, j) or common(words.derived, i, words.derived, j):
        return DERIVED
    if _meet(words.parents, words.senses, i, j):
        return PARENT
    if _meet(words.parents, words.derived, i, j) or _meet(words.derived_parents, words.senses, i, j):
        return TWO_STEPS
    if _meet(words.grandparents, words.senses, i, j) or common(words.parents, i, words.parents, j):
        return TWO_STEPS
    return UNRELATED


@compiled
def relation(words, i, j):
    """The first relation that words i and j have; SAME for words of the same stem, which other models explain."""
    if words.stem[i] == words.stem[j]:
        return SAME
    found = _by_form(words, i, j)
    if found == UNRELATED and words.function[i] < 0 and words.function[j] < 0:
        return _by_meaning(words, i, j)
    return found


@compiled
def _fill(words, abstract, document, row, column, table):
    """The relations of one pair's words; ``row`` and ``column`` [W] are -1 and are so again: words that come again are copied."""
    m, n = table.shape
    for j in range(n - 1, -1, -1):
        column[document[j]] = j
    for t in range(m):
        first = row[abstract[t]]
        if first >= 0:
            table[t] = table[first]
            continue
        row[abstract[t]] = t
        for j in range(n):
            before = column[document[j]]
            table[t, j] = relation(words, abstract[t], document[j]) if before == j else table[t, before]
    row[abstract[:m]] = -1
    column[document[:n]] = -1


@compiled
def relations(words, abstract, document, abstract_offsets, document_offsets):
    """int8, the relation of every word of an abstract to every word of its document, pair after pair, row after row.

    ``abstract`` and ``document`` int, the words of the batch by their places in ``words``.
    """
    sizes = np.diff(abstract_offsets) * np.diff(document_offsets)
    out, place = np.empty(sizes.sum(), dtype=np.int8), 0
    row, column = np.full(len(words.stem), -1), np.full(len(words.stem), -1)
    for pair in range(len(sizes)):
        a, d = abstract[abstract_offsets[pair] : abstract_offsets[pair + 1]], document[document_offsets[pair] :]
        table = out[place : place + sizes[pair]].reshape(len(a), document_offsets[pair + 1] - document_offsets[pair])
        _fill(words, a, d, row, column, table)
        place += sizes[pair]
    return out
