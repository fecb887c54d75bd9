"""Finds how the words of abstracts and documents are related, and how often chance relates them.

The texts of a pair have more related words than chance would give, most of all by the relations
that indicate links. So the frequency of each relation by chance is counted between abstracts and
the documents of other pairs.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.base.arrays import equal_pairs, ranges
from corpus_tools.base.progress import counted
from corpus_tools.model_parts.encoding import Batch, Vocabulary, once_a_batch
from corpus_tools.texts.capitals import BY_ITSELF, BY_PLACE
from corpus_tools.texts.lexicons import paraphrases
from rewrite_models.concepts import CLASSES, FUNCTION_CLASSES, Sets, concepts_of
from rewrite_models.wordnet_reader import WITHOUT

LISTED = ("known paraphrase", "paraphrase", "function paraphrase")
"""Relations of words that a list of paraphrases pairs with each other.

They are told apart by whether WordNet relates the words too, and whether one is a function word.
"""
RELATIONS = (
    *("lemma", "beginning", "spelling", "synonym", "derived", "parent", "two steps"),
    *LISTED,
)
"""The relations of two words, in the order of their numbers."""
TWO_STEPS = RELATIONS.index("two steps")
SAME_STEM, UNRELATED = -1, -2
"""The numbers of words of the same stem, which other models explain, and of words without any."""

BY_MEANING = (
    ("two steps", "parents", "parents"),
    ("two steps", "grandparents", "senses"),
    ("two steps", "derived_parents", "senses"),
    ("two steps", "parents", "derived"),
    ("parent", "parents", "senses"),
    ("derived", "derived", "derived"),
    ("derived", "derived", "senses"),
    ("synonym", "senses", "senses"),
)
"""Relations in WordNet, the nearest last, with the ``SETS`` that share a synset."""

ALIKE = 0.5
"""Share of letter pairs (Dice's coefficient) from which words are spelled alike."""

CLASS_PAIRS = (
    "one function class",
    "function classes",
    "function and content",
    "one content class",
    "content classes",
)
"""Classes of word pairs by the classes of both words: the same one, or two different ones."""
CONTENT_PAIRS = slice(3, None)
"""The classes of pairs of content words."""


NAMES = len(CLASS_PAIRS)
"""The number of pairs of two names, which are no rewrites of each other by their classes."""

NAMED = len(CLASSES) - FUNCTION_CLASSES
"""What is added to the word class of content words that are names by their capital letters."""


def _pair_of() -> np.ndarray:
    """Return int8 [G + NAMED, G + NAMED], as ``PAIR_OF``."""
    classes = np.arange(len(CLASSES) + NAMED)
    named = classes >= len(CLASSES)
    own = np.where(named, classes - NAMED, classes)
    same = own[:, None] == own
    functions = np.add.outer(own < FUNCTION_CLASSES, own < FUNCTION_CLASSES, dtype=int)
    cases = [named[:, None] & named, functions == 2, functions == 1]
    pairs = np.select(cases, [NAMES, np.where(same, 0, 1), 2], np.where(same, 3, 4))
    return pairs.astype(np.int8)


PAIR_OF = _pair_of()
"""The number in ``CLASS_PAIRS`` of each two word classes, or ``NAMES``. Those of names are last."""


class RelatedWords(NamedTuple):
    """The word classes of a batch, and the relations of its words.

    ``abstract``   int32 [M], the class of each abstract word: a number in ``CLASSES``, and
                   ``NAMED`` more for names.
    ``document``   int32 [N], the class of each document word, likewise.
    ``spans``      int32 [C, 4], the pairs of related words, of an abstract and of its document.
    ``relations``  int8 [C], the relation of each, a number in ``RELATIONS`` or ``SAME_STEM``.
    """

    abstract: np.ndarray
    document: np.ndarray
    spans: np.ndarray
    relations: np.ndarray


@once_a_batch
def related_words(batch: Batch, path: str | None, listed: str | None) -> RelatedWords:
    """Find the related words of a batch, in the WordNet at ``path`` and in a list of paraphrases.

    ``listed`` is where the list is (``corpus_tools.texts.lexicons``).
    """
    table = _table(batch, path, listed)
    capitals = batch.capitals or (None, None)
    abstract = table.abstract.classes_of(capitals[0])
    document = table.document.classes_of(capitals[1])
    found = []
    for t, j in word_pairs(batch):
        relations = table.relations_of(t, j)
        # Two presidents are two steps apart.
        far = np.flatnonzero(relations == TWO_STEPS)
        relations[far[PAIR_OF[abstract[t[far]], document[j[far]]] == NAMES]] = UNRELATED
        related = np.flatnonzero(relations != UNRELATED)
        found.append((t[related], j[related], relations[related]))
    t, j, relation = map(np.concatenate, zip(*found, strict=True))
    return RelatedWords(
        abstract, document, np.stack([t, t + 1, j, j + 1], axis=1).astype(np.int32), relation
    )


TOGETHER = 1 << 18
"""Word pairs that are listed at a time, or those of one abstract word: 16 bytes each."""


def word_pairs(batch: Batch, step: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the pairs of words of each document and the abstract so many pairs on, in order.

    They are int64, the offsets of the abstract words and of the document words over the batch.
    """
    moved = np.roll(np.arange(len(batch)), -step)
    heights = np.diff(batch.abstract_offsets)[moved]
    words = ranges(batch.abstract_offsets[moved], heights)
    begins = np.repeat(batch.document_offsets[:-1], heights)
    widths = np.repeat(np.diff(batch.document_offsets), heights)
    ends = np.flatnonzero(np.diff(np.cumsum(widths) // TOGETHER)) + 1
    for first, end in pairwise([0, *ends.tolist(), len(words)]):
        own = slice(first, end)
        yield np.repeat(words[own], widths[own]), ranges(begins[own], widths[own])


class _Side:
    """The distinct words of one side of a batch, W of them.

    ``place``       int64, the number among them of each word of the side.
    ``stems``       int32 [W], the numbers of their stems.
    ``classes``     int32 [W], their word classes.
    ``only_names``  bool [W], whether WordNet has them only as names (``Concepts``).
    ``beginnings``  the first letters of each.
    ``digits``      those of each label, a word as "A380" or "Person1"; "" for other words.
    ``sets``        gives the sets of a kind (``Sets.of_kind``).
    """

    def __init__(self, words: np.ndarray, vocabulary: Vocabulary, path: str | None) -> None:
        numbers, self.place = np.unique(words, return_inverse=True)
        self.stems = vocabulary.stem_of[numbers]
        self.forms = [vocabulary.forms[number] for number in numbers.tolist()]
        concepts = concepts_of(self.forms, path, vocabulary.code)
        self.classes = np.array([concept.word_class for concept in concepts], dtype=np.int32)
        self.only_names = np.array([concept.only_name for concept in concepts])
        self.beginnings = np.array([concept.beginning for concept in concepts])
        self.digits = np.array([label_digits(form) for form in self.forms])
        self.sets = cache(Sets.from_concepts(concepts).of_kind)
        self._knows_names = path != WITHOUT

    def classes_of(self, capitals: np.ndarray | None) -> np.ndarray:
        """Return int32, the class of each word of the side, which tells names from other words.

        Labels are names. Other names are content words with a capital letter, which is not due to
        their place unless WordNet has them only as names. Without WordNet nobody knows that two
        names are one place.

        ``capitals``  int8, of the words of the side (``Batch.capitals``).
        """
        classes: np.ndarray = self.classes[self.place]
        is_name = self.digits[self.place] != ""
        if capitals is not None and self._knows_names:
            least = np.where(self.only_names, BY_PLACE, BY_ITSELF)[self.place]
            is_name |= capitals >= least
        is_name &= classes >= FUNCTION_CLASSES
        # Of one type with and without names, so that kernels are compiled but once.
        return classes + np.int32(NAMED) * is_name


LABEL = re.compile(r"[#<]?[^\W\d_]+-?\d[\w-]*[#>]?")
"""A word of letters and then digits, which is a name: "M25", "COVID-19", "#Person1#"."""


def label_digits(form: str) -> str:
    """Return the digits of a label; "" for other words."""
    return "".join(filter(str.isdigit, form)) if LABEL.fullmatch(form) else ""


Words = tuple[np.ndarray, np.ndarray]
"""Pairs of an abstract and a document word, each by its number among the words of its side."""


class _Table(NamedTuple):
    """The relation of each distinct abstract word to each document word: int8 [W, W]."""

    abstract: _Side
    document: _Side
    relations: np.ndarray

    def relations_of(self, t: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return int8, the relations of abstract and document words by their offsets."""
        return self.relations[self.abstract.place[t], self.document.place[j]]


@lru_cache(maxsize=1)
def _table(batch: Batch, path: str | None, listed: str | None) -> _Table:
    """Compare the words of a batch.

    The table of the last batch is kept: its abstracts are also compared with other documents of it.
    """
    abstract = _Side(batch.abstract, batch.vocabulary, path)
    document = _Side(batch.document, batch.vocabulary, path)
    relations = np.full((len(abstract.forms), len(document.forms)), UNRELATED, dtype=np.int8)
    # What is found later counts more.
    for name, words in _by_meaning(abstract, document):
        relations[words] = RELATIONS.index(name)
    if listed != WITHOUT:
        either_way = (
            _first_and_second(abstract, document, listed),
            _first_and_second(document, abstract, listed)[:, ::-1],
        )
        rows, columns = np.concatenate(either_way).T
        words = rows, columns
        of_function = _function_classes(abstract, document, words).min(axis=0) < FUNCTION_CLASSES
        known, unknown, function = map(RELATIONS.index, LISTED)
        by_meaning = np.where(relations[words] == UNRELATED, unknown, known)
        relations[words] = np.where(of_function, function, by_meaning)
    for name, words in _by_form(abstract, document):
        relations[words] = RELATIONS.index(name)
    # "A380" and "A350" are alike in all but what tells them apart.
    labels, others = abstract.digits[:, None], document.digits
    relations[(labels != "") & (others != "") & (labels != others)] = UNRELATED
    relations[equal_pairs(abstract.stems, document.stems)] = SAME_STEM
    return _Table(abstract, document, relations)


def _by_meaning(abstract: _Side, document: _Side) -> Iterator[tuple[str, Words]]:
    """Yield the relations in WordNet, and the words that have each: content words alone."""
    for relation, kind, other in BY_MEANING:
        yield relation, _sharing(abstract.sets(kind), document.sets(other))
        if kind != other:
            yield relation, _sharing(abstract.sets(other), document.sets(kind))


def _sharing(left: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> Words:
    """Return the words whose sets (``_Side.sets``) share a number, once for each."""
    i, j = equal_pairs(left[0], other[0])
    return left[1][i], other[1][j]


def _by_form(abstract: _Side, document: _Side) -> Iterator[tuple[str, Words]]:
    """Yield the relations that forms show, and the words that have each."""
    yield "spelling", _spelled_alike(abstract, document)
    i, j = equal_pairs(abstract.beginnings, document.beginnings)
    begun = abstract.beginnings[i] != ""
    yield "beginning", (i[begun], j[begun])
    i, j = _sharing(abstract.sets("lemmas"), document.sets("lemmas"))
    first, second = _function_classes(abstract, document, (i, j))
    yield "lemma", (i[first == second], j[first == second])


def _function_classes(abstract: _Side, document: _Side, words: Words) -> np.ndarray:
    """Return int32 [2, pairs], the classes of both words; those of content words are one."""
    classes = np.stack([abstract.classes[words[0]], document.classes[words[1]]])
    return np.minimum(classes, FUNCTION_CLASSES)


def _spelled_alike(abstract: _Side, document: _Side) -> Words:
    """Return the words of which at least the share ``ALIKE`` of letter pairs is the same."""
    letters, words = document.sets("letters")
    own, of = abstract.sets("letters")
    sizes = np.bincount(words, minlength=len(document.forms))
    lengths = np.bincount(of, minlength=len(abstract.forms))
    # Bytes, unless a word has hundreds of letters: an eighth of the time that integers take.
    dtype = np.min_scalar_type(max(sizes.max(), lengths.max()))
    distinct, rows = np.unique(letters, return_inverse=True)
    has = np.zeros((len(distinct), len(sizes)), dtype)
    has[rows, words] = 1
    place, row = equal_pairs(own, distinct)
    order = np.argsort(of[place], kind="stable")
    of, row = of[place][order], row[order]
    bounds = np.append(np.flatnonzero(np.diff(of, prepend=-1)), len(of))
    least = cache(lambda length: np.ceil(ALIKE / 2 * (length + sizes)).astype(dtype))
    found = [np.zeros(0, dtype=np.int64)]
    for begin, end in pairwise(bounds.tolist()):
        # One row of a table for each letter pair: no loop over pairs of words.
        common = has[row[begin:end]].sum(axis=0, dtype=dtype)
        found.append(np.flatnonzero(common >= least(int(lengths[of[begin]]))))
    return np.repeat(of[bounds[:-1]], list(map(len, found[1:]))), np.concatenate(found)


def _first_and_second(left: _Side, other: _Side, listed: str | None) -> np.ndarray:
    """Return the words of two sides that a line of the list has first and second: int64 [L, 2]."""
    seconds = paraphrases(listed)
    places = {form: place for place, form in enumerate(other.forms)}
    found = [
        (first, places[second])
        for first, form in enumerate(left.forms)
        for second in seconds[form]
        if second in places
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


SAMPLE = 20
"""The most batches whose word pairs are counted.

So many have 400,000 document words and ten million word pairs or more, enough for the shares of a
dozen classes.
"""

ROTATIONS = 3
"""How many other documents of its batch each abstract is compared with."""


class WordPairs(NamedTuple):
    """Counts of word pairs by their classes and relations. Those of batches add up.

    The rows are ``CLASS_PAIRS``, and pairs of names, of which those are left out that are no
    rewrites. The columns are unrelated words, those of the same stem, and ``RELATIONS``.

    ``own``     int64 [``CLASS_PAIRS`` + 1, 2 + ``RELATIONS``], of abstracts and their documents.
    ``chance``  int64, likewise, of abstracts and the documents of other pairs.
    """

    own: np.ndarray
    chance: np.ndarray


def count_word_pairs(corpus: Sequence[Batch], path: str | None, listed: str | None) -> WordPairs:
    """Count the word pairs of a corpus, or of a sample of its batches."""
    counts = [_counted(batch, path, listed) for batch in sampled(corpus)]
    return WordPairs(*map(np.add.reduce, zip(*counts, strict=True)))


@once_a_batch
def _counted(batch: Batch, path: str | None, listed: str | None) -> WordPairs:
    """Count the word pairs of a batch."""
    words = related_words(batch, path, listed)
    table = _table(batch, path, listed)
    shape = len(CLASS_PAIRS) + 1, 2 + len(RELATIONS)

    def counts(step: int) -> np.ndarray:
        total = np.zeros(math.prod(shape), dtype=np.int64)
        for t, j in word_pairs(batch, step):
            of_classes = PAIR_OF[words.abstract[t], words.document[j]] * np.int8(shape[1])
            kinds = of_classes + table.relations_of(t, j) - UNRELATED
            total += np.bincount(kinds, minlength=len(total))
        by_class = total.reshape(shape)
        by_class[NAMES, [0, TWO_STEPS - UNRELATED]] = 0
        return by_class

    return WordPairs(counts(0), np.add.reduce([counts(step) for step in steps(len(batch))]))


def sampled(corpus: Sequence[Batch]) -> Iterator[Batch]:
    """Yield all batches, or ``SAMPLE`` of them at equal distances in the corpus."""
    size = min(len(corpus), SAMPLE)
    for number in counted(range(size), "WordNet", unit="batches"):
        yield corpus[number * len(corpus) // size]


def steps(size: int) -> set[int]:
    """Return how far the abstracts of so many pairs are moved on to the documents of others."""
    return {rotation * size // (ROTATIONS + 1) for rotation in range(1, ROTATIONS + 1)}
