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


LEMMAS, LETTERS, SENSES, DERIVATIONS, PARENTS = np.arange(5)
PARENTS_OF_DERIVED, GRANDPARENTS, NEAR, PARAPHRASES = np.arange(5, 9)
"""The kinds of sets that a word has.

They are those of ``word_concepts.Concepts``, and the words of the batch that a list pairs it with.
numba would compile the kernels again for each of them if these were Python's numbers.
"""


class Words(NamedTuple):
    """The distinct words of a batch. All are int64.

    ``stem``       [W], a number.
    ``function``   [W], the class of a function word, -1 for content words.
    ``beginning``  [W], equal for words that begin alike, -1 for words that are too short.
    ``numbers``    sorted sets of numbers, of each kind and each word, laid end to end.
    ``offsets``    [kinds, W + 1], where each set starts.
    """

    stem: np.ndarray
    function: np.ndarray
    beginning: np.ndarray
    numbers: np.ndarray
    offsets: np.ndarray


@inner
def common(words, one, i, other, j):
    """Return how many numbers the set of one kind of word i and another's of word j share."""
    numbers, offsets = words.numbers, words.offsets
    a, a_end = offsets[one, i], offsets[one, i + 1]
    b, b_end = offsets[other, j], offsets[other, j + 1]
    shared = 0
    while a < a_end and b < b_end:
        x, y = numbers[a], numbers[b]
        shared += x == y
        a += x <= y
        b += y <= x
    return shared


@inner
def _meet(words, one, other, i, j):
    """Tell whether one word's first set meets the other word's second, either way."""
    return common(words, one, i, other, j) > 0 or common(words, other, i, one, j) > 0


@inner
def _share(words, kind, i, j):
    """Tell whether both words' sets of one kind have a number in common."""
    return common(words, kind, i, kind, j) > 0


@inner
def _by_form(words, i, j):
    """Return the relation that the words' forms show, or UNRELATED."""
    if words.function[i] == words.function[j] and _share(words, LEMMAS, i, j):
        return LEMMA
    if words.beginning[i] >= 0 and words.beginning[i] == words.beginning[j]:
        return BEGINNING
    starts = words.offsets[LETTERS]
    sizes = starts[i + 1] - starts[i] + starts[j + 1] - starts[j]
    if 2 * common(words, LETTERS, i, LETTERS, j) >= max(ALIKE * sizes, 1.0):
        return SPELLING
    return UNRELATED


@inner
def _by_meaning(words, i, j):
    """Return the nearest relation of two content words in WordNet, or UNRELATED."""
    if not _share(words, NEAR, i, j):
        return UNRELATED  # as nearly all are, and nothing below can be
    if _share(words, SENSES, i, j):
        return SYNONYM
    if _meet(words, DERIVATIONS, SENSES, i, j) or _share(words, DERIVATIONS, i, j):
        return DERIVED
    if _meet(words, PARENTS, SENSES, i, j):
        return PARENT
    if _meet(words, PARENTS, DERIVATIONS, i, j) or _meet(words, PARENTS_OF_DERIVED, SENSES, i, j):
        return TWO_STEPS
    if _meet(words, GRANDPARENTS, SENSES, i, j) or _share(words, PARENTS, i, j):
        return TWO_STEPS
    return UNRELATED


@inner
def _holds(words, kind, i, number):
    """Tell whether a word's set holds a number."""
    for index in range(words.offsets[kind, i], words.offsets[kind, i + 1]):
        if words.numbers[index] == number:
            return True
    return False


@inner
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
    listed = _holds(words, PARAPHRASES, i, j)
    if words.function[i] >= 0 or words.function[j] >= 0:
        return FUNCTION_PARAPHRASE if listed else UNRELATED
    by_meaning = _by_meaning(words, i, j)
    if not listed:
        return by_meaning
    return PARAPHRASE if by_meaning == UNRELATED else KNOWN_PARAPHRASE


class Index(NamedTuple):
    """What finds the few words that a word may be related to: all others need not be compared.

    ``holders``   int64, the sets ``NEAR`` and ``LEMMAS`` the other way round: the words that hold a
                  number, by the number's remainder.
    ``offsets``   int64 [2, ``BUCKETS`` + 1], where they begin.
    ``letters``   uint64 [W], a bit for each of a word's letter pairs, some of which share one.
    ``mark``, ``row``, ``column``  int64 [W], for the search: see ``_mark`` and ``_fill``.
    """

    holders: np.ndarray
    offsets: np.ndarray
    letters: np.ndarray
    mark: np.ndarray
    row: np.ndarray
    column: np.ndarray

    @classmethod
    def of(cls, words: Words) -> Index:
        """Return the index of the words of a batch."""
        near, near_offsets = _holders(words, NEAR)
        lemmas, lemma_offsets = _holders(words, LEMMAS)
        holders = np.concatenate([near, lemmas])
        offsets = np.stack([near_offsets, lemma_offsets + len(near)])
        mark, row, column = np.full((3, len(words.stem)), -1)
        return cls(holders, offsets, _letter_bits(words), mark, row, column)


def _sets(words: Words, kind: np.integer) -> tuple[np.ndarray, np.ndarray]:
    """Return int64, the numbers of all sets of one kind, and the word that holds each."""
    offsets = words.offsets[kind]
    holders = np.repeat(np.arange(len(words.stem)), np.diff(offsets))
    return words.numbers[offsets[0] : offsets[-1]], holders


def _holders(words: Words, kind: np.integer) -> tuple[np.ndarray, np.ndarray]:
    """Return the words that hold a number, by the number's remainder, and where they begin."""
    numbers, holders = _sets(words, kind)
    remainders = numbers % BUCKETS
    sizes = np.bincount(remainders, minlength=BUCKETS)
    return holders[np.argsort(remainders, kind="stable")], np.append(0, sizes.cumsum())


def _letter_bits(words: Words) -> np.ndarray:
    """Return uint64 [W], the letter pairs of each word as bits, by their remainders."""
    numbers, holders = _sets(words, LETTERS)
    bits = np.zeros(len(words.stem), dtype=np.uint64)
    np.bitwise_or.at(bits, holders, np.uint64(1) << (numbers % BITS).astype(np.uint64))
    return bits


@inner
def _mark(words, index, kind, i):
    """Set ``mark`` to i for all words whose set may share a number with that of word i.

    ``kind`` is ``NEAR`` or ``LEMMAS``.
    """
    holders = index.offsets[0 if kind == NEAR else 1]
    for number in words.numbers[words.offsets[kind, i] : words.offsets[kind, i + 1]]:
        first, last = holders[number % BUCKETS], holders[number % BUCKETS + 1]
        for place in range(first, last):
            index.mark[index.holders[place]] = i


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
    offsets = words.offsets[LETTERS]
    size = offsets[i + 1] - offsets[i]
    hidden = size - _ones(own)  # letter pairs that share another's bit
    _mark(words, index, NEAR, i)
    _mark(words, index, LEMMAS, i)
    listed = words.offsets[PARAPHRASES]
    for number in words.numbers[listed[i] : listed[i + 1]]:
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
def _fill_relations(words, index, abstract, document, abstract_offsets, document_offsets, out):
    """Do what ``relations`` says, which has made room for the result."""
    done = 0
    for pair in range(len(abstract_offsets) - 1):
        a = abstract[abstract_offsets[pair] : abstract_offsets[pair + 1]]
        d = document[document_offsets[pair] : document_offsets[pair + 1]]
        size = len(a) * len(d)
        _fill(words, index, a, d, out[done : done + size].reshape((len(a), len(d))))
        done += size


def relations(
    words: Words,
    abstract: np.ndarray,
    document: np.ndarray,
    abstract_offsets: np.ndarray,
    document_offsets: np.ndarray,
) -> np.ndarray:
    """Return the relation of every word of an abstract to every word of its document, int8.

    They are laid out pair after pair, row after row. ``abstract`` and ``document`` int64, the words
    of the batch by their index in ``words``.
    """
    sizes = np.diff(abstract_offsets) * np.diff(document_offsets)
    out = np.empty(sizes.sum(), dtype=np.int8)
    offsets = abstract_offsets, document_offsets
    _fill_relations(words, Index.of(words), abstract, document, *offsets, out)
    return out
