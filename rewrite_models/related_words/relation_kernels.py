"""How each word of an abstract is related to each word of its document.

Letters: W distinct words of a batch, m and n abstract and document words of a pair; i and j words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner

SAME, UNRELATED = -2, -1
LEMMA, BEGINNING, SPELLING, SYNONYM, DERIVED, PARENT, TWO_STEPS = range(7)
KNOWN_PARAPHRASE, PARAPHRASE, FUNCTION_PARAPHRASE = range(7, 10)
ALIKE = 0.5
"""Share of letter pairs (Dice's coefficient) from which words are spelled alike, set by hand."""
BUCKETS, BITS = 65_521, 61
"""Numbers of sets are looked up by their remainders: concepts and lemmas, and letter pairs.

They are the largest primes below 2**16, which was set by hand, and below 64, the bits of a word.
Any others would give the same relations; only the time differs.
"""


class Sets(NamedTuple):
    """Sorted sets of numbers, W of them laid end to end.

    ``numbers`` int64; ``offsets`` int64 [W + 1], where each set starts.
    """

    numbers: np.ndarray
    offsets: np.ndarray


class Words(NamedTuple):
    """The distinct words of a batch: int arrays [W] and ``Sets`` (``word_concepts.Concepts``).

    ``stem``, a number; ``function``, the class of a function word, -1 for content words;
    ``beginning``, equal for words that begin alike, -1 for words that are too short;
    ``paraphrases``, the words of the batch that a list pairs a word with.
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
    paraphrases: Sets


@inner
def common(one, i, other, j):
    """Return how many numbers two sets share."""
    a, a_end = one.offsets[i], one.offsets[i + 1]
    b, b_end = other.offsets[j], other.offsets[j + 1]
    shared = 0
    while a < a_end and b < b_end:
        x, y = one.numbers[a], other.numbers[b]
        shared += x == y
        a += x <= y
        b += y <= x
    return shared


@inner
def _meet(one, other, i, j):
    """Tell whether one word's first set meets the other word's second, either way."""
    return common(one, i, other, j) > 0 or common(other, i, one, j) > 0


@inner
def _by_form(words, i, j):
    """Return the relation that the words' forms show, or UNRELATED."""
    if words.function[i] == words.function[j] and common(words.lemmas, i, words.lemmas, j):
        return LEMMA
    if words.beginning[i] >= 0 and words.beginning[i] == words.beginning[j]:
        return BEGINNING
    starts = words.letters.offsets
    sizes = starts[i + 1] - starts[i] + starts[j + 1] - starts[j]
    if 2 * common(words.letters, i, words.letters, j) >= max(ALIKE * sizes, 1.0):
        return SPELLING
    return UNRELATED


@inner
def _by_meaning(words, i, j):
    """Return the nearest relation of two content words in WordNet, or UNRELATED."""
    if not common(words.near, i, words.near, j):
        return UNRELATED  # as nearly all are, and nothing below can be
    if common(words.senses, i, words.senses, j):
        return SYNONYM
    if _meet(words.derived, words.senses, i, j) or common(words.derived, i, words.derived, j):
        return DERIVED
    if _meet(words.parents, words.senses, i, j):
        return PARENT
    if _meet(words.parents, words.derived, i, j) or _meet(
        words.derived_parents, words.senses, i, j
    ):
        return TWO_STEPS
    if _meet(words.grandparents, words.senses, i, j) or common(words.parents, i, words.parents, j):
        return TWO_STEPS
    return UNRELATED


@inner
def _holds(sets, i, number):
    """Tell whether a set holds a number."""
    for index in range(sets.offsets[i], sets.offsets[i + 1]):
        if sets.numbers[index] == number:
            return True
    return False


@compiled
def relation(words, i, j):
    """Return the first relation that words i and j have.

    It is SAME for words of the same stem, which other models explain. Paraphrases are told apart by
    whether WordNet relates them too, and whether one is a function word.
    """
    if words.stem[i] == words.stem[j]:
        return SAME
    by_form = _by_form(words, i, j)
    if by_form != UNRELATED:
        return by_form
    listed = _holds(words.paraphrases, i, j)
    if words.function[i] >= 0 or words.function[j] >= 0:
        return FUNCTION_PARAPHRASE if listed else UNRELATED
    by_meaning = _by_meaning(words, i, j)
    if not listed:
        return by_meaning
    return PARAPHRASE if by_meaning == UNRELATED else KNOWN_PARAPHRASE


class Index(NamedTuple):
    """What finds the few words that a word may be related to: all others need not be compared.

    ``near``, ``lemmas``  the sets the other way round: the words that hold a number, by the
                          number's remainder.
    ``letters``           uint64 [W], a bit for each of a word's letter pairs, some of which share
                          one.
    ``mark``, ``row``, ``column``  int64 [W], for the search: see ``_mark`` and ``_fill``.
    """

    near: Sets
    lemmas: Sets
    letters: np.ndarray
    mark: np.ndarray
    row: np.ndarray
    column: np.ndarray


@inner
def _holders(sets):
    """Return the words that hold a number, by the number's remainder."""
    offsets = np.zeros(BUCKETS + 2, dtype=np.int64)
    for number in sets.numbers:
        offsets[number % BUCKETS + 2] += 1
    offsets = offsets.cumsum()
    words = np.empty(len(sets.numbers), dtype=np.int64)
    for i in range(len(sets.offsets) - 1):
        for number in sets.numbers[sets.offsets[i] : sets.offsets[i + 1]]:
            words[offsets[number % BUCKETS + 1]] = i
            offsets[number % BUCKETS + 1] += 1
    return Sets(words, offsets[:-1])


@inner
def _bits(sets):
    """Return uint64 [W], the numbers of each set as bits, by their remainders."""
    bits = np.zeros(len(sets.offsets) - 1, dtype=np.uint64)
    for i in range(len(bits)):
        for number in sets.numbers[sets.offsets[i] : sets.offsets[i + 1]]:
            bits[i] |= np.uint64(1) << np.uint64(number % BITS)
    return bits


@inner
def index_of(words):
    """Return the index of the words of a batch."""
    size = len(words.stem)
    return Index(
        _holders(words.near),
        _holders(words.lemmas),
        _bits(words.letters),
        np.full(size, -1),
        np.full(size, -1),
        np.full(size, -1),
    )


@inner
def _mark(sets, holders, i, mark):
    """Set ``mark`` to i for all words whose set may share a number with that of word i."""
    for number in sets.numbers[sets.offsets[i] : sets.offsets[i + 1]]:
        first, last = holders.offsets[number % BUCKETS], holders.offsets[number % BUCKETS + 1]
        for index in range(first, last):
            mark[holders.numbers[index]] = i


@inner
def _ones(bits):
    """Return how many bits are set: summed in pairs, in fours, in eights, then by a product."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + (
        (bits >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    bits = (bits & np.uint64(0xFFFFFFFF)) + (bits >> np.uint64(32))
    return np.int64(((bits * np.uint64(0x01010101)) >> np.uint64(24)) & np.uint64(0xFF))


@inner
def _fill_row(words, index, i, document, out):
    """Fill ``out`` [n] with the relations of word i to the words of a document."""
    mark, column = index.mark, index.column
    stem, beginning = words.stem, words.beginning
    letters, own = index.letters, index.letters[i]
    offsets = words.letters.offsets
    size = offsets[i + 1] - offsets[i]
    hidden = size - _ones(own)  # letter pairs that share another's bit
    _mark(words.near, index.near, i, mark)
    _mark(words.lemmas, index.lemmas, i, mark)
    for number in words.paraphrases.numbers[
        words.paraphrases.offsets[i] : words.paraphrases.offsets[i + 1]
    ]:
        mark[number] = i
    for j in range(len(document)):
        other, before = document[j], column[document[j]]
        if before < j:
            out[j] = out[before]
            continue
        compared = mark[other] == i or stem[other] == stem[i] or beginning[other] == beginning[i]
        if not compared:  # the most letter pairs that there can be in common, against ALIKE
            most = _ones(own & letters[other]) + hidden
            compared = 2 * most >= ALIKE * (size + offsets[other + 1] - offsets[other])
        out[j] = relation(words, i, other) if compared else UNRELATED


@inner
def _fill(words, index, abstract, document, table):
    """Fill ``table`` [m, n] with the relations of one pair; rows of repeated words are copied.

    ``index.column`` becomes the position where a word of the document comes first, ``index.row``
    that of an abstract word, which is -1 before and after.
    """
    row, column = index.row, index.column
    for j in range(len(document) - 1, -1, -1):
        column[document[j]] = j
    for t in range(len(abstract)):
        if row[abstract[t]] >= 0:
            for j in range(len(document)):
                table[t, j] = table[row[abstract[t]], j]
        else:
            row[abstract[t]] = t
            _fill_row(words, index, abstract[t], document, table[t])
    for word in abstract:
        row[word] = -1


@compiled
def relations(words, abstract, document, abstract_offsets, document_offsets):
    """Return the relation of every word of an abstract to every word of its document, int8.

    They are laid out pair after pair, row after row. ``abstract`` and ``document`` int, the words
    of the batch by their index in ``words``.
    """
    rows = abstract_offsets[1:] - abstract_offsets[:-1]
    sizes = rows * (document_offsets[1:] - document_offsets[:-1])
    out, done = np.empty(sizes.sum(), dtype=np.int8), 0
    index = index_of(words)
    for pair in range(len(sizes)):
        a = abstract[abstract_offsets[pair] : abstract_offsets[pair + 1]]
        d = document[document_offsets[pair] : document_offsets[pair + 1]]
        table = out[done : done + sizes[pair]].reshape(len(a), len(d))
        _fill(words, index, a, d, table)
        done += sizes[pair]
    return out
