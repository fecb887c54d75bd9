"""Finds the relations of abstract and document words, and how often words have them by chance.

    relation(a, d) = the first of these that holds: same stem, same lemma, same beginning, similar
                     spelling, listed paraphrase, synonym, derived word, parent, two steps; or none

Many related words are no links: a common word has relations to many others by chance. So the
frequency of each relation by chance is counted between abstracts and the documents of other pairs.
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
from corpus_tools.model_parts.encoding import Batch, cached_per_batch
from corpus_tools.model_parts.vocabulary import Vocabulary
from corpus_tools.texts.capitals import BY_ITSELF, BY_PLACE
from corpus_tools.texts.lexicons import paraphrases
from rewrite_models.concepts import FUNCTION_CLASS_COUNT, WORD_CLASSES, Sets, concepts_of
from rewrite_models.wordnet_reader import WITHOUT_RESOURCE

LISTED_RELATIONS = ("known paraphrase", "paraphrase", "function paraphrase")
"""The relations of two words that a list of paraphrases has as a pair.

``known``: WordNet relates the words, too. ``function``: one of them is a function word.
"""
RELATIONS = (
    *("lemma", "beginning", "spelling", "synonym", "derived", "parent", "two steps"),
    *LISTED_RELATIONS,
)
"""The relations of two words, in the order of their numbers."""
TWO_STEPS = RELATIONS.index("two steps")
SAME_STEM, UNRELATED = -1, -2
"""The relation of two words of one stem, which other models explain, and of unrelated words."""

WORDNET_RELATIONS = (
    ("two steps", "parents", "parents"),
    ("two steps", "grandparents", "senses"),
    ("two steps", "derived_parents", "senses"),
    ("two steps", "parents", "derived"),
    ("parent", "parents", "senses"),
    ("derived", "derived", "derived"),
    ("derived", "derived", "senses"),
    ("synonym", "senses", "senses"),
)
"""Relations in WordNet, each with a kind of set for either word; nearer relations come later.

Two words have the relation if these sets (``concepts.SHARED_SETS``) have a synset in common.
"""

LEAST_SPELLING_SIMILARITY = 0.5
"""Words are spelled alike from this Dice coefficient of their letter pairs on."""

CLASS_PAIRS = (
    "one function class",
    "function classes",
    "function and content",
    "one content class",
    "content classes",
)
"""Classes of word pairs, by the classes of both words: the same class, or two different ones."""
CONTENT_PAIRS = slice(3, None)
"""The classes of pairs of content words."""

NAME_PAIR = len(CLASS_PAIRS)
"""The class of a pair of two names, after ``CLASS_PAIRS``. Two names are rarely rewrites."""

NAME_CLASS_OFFSET = len(WORD_CLASSES) - FUNCTION_CLASS_COUNT
"""The difference between the word class of a name and that of the same word as a common noun."""


def _class_pairs() -> np.ndarray:
    """Return ``CLASS_PAIR_TABLE``."""
    classes = np.arange(len(WORD_CLASSES) + NAME_CLASS_OFFSET)
    is_name = classes >= len(WORD_CLASSES)
    # The word class of a name is that of the same word without a capital letter.
    plain = np.where(is_name, classes - NAME_CLASS_OFFSET, classes)
    same = plain[:, None] == plain
    # How many of the two words are function words: 0, 1 or 2.
    functions = np.add.outer(plain < FUNCTION_CLASS_COUNT, plain < FUNCTION_CLASS_COUNT, dtype=int)
    cases = [is_name[:, None] & is_name, functions == 2, functions == 1]
    # The numbers are those of CLASS_PAIRS, from "one function class" to "content classes".
    pairs = np.select(cases, [NAME_PAIR, np.where(same, 0, 1), 2], np.where(same, 3, 4))
    return pairs.astype(np.int8)


CLASS_PAIR_TABLE = _class_pairs()
"""int8 [G + N, G + N], the index in ``CLASS_PAIRS``, or ``NAME_PAIR``, of each two word classes.

G word classes come first, then the N classes of content words again, for names.
"""


class RelatedWords(NamedTuple):
    """The word classes of a batch, and the relations of its words.

    ``abstract``   int32 [M], the class of each abstract word: an index of ``WORD_CLASSES``, plus
                   ``NAME_CLASS_OFFSET`` for names.
    ``document``   int32 [N], the class of each document word, likewise.
    ``spans``      int32 [C, 4], the pairs of related words of an abstract and its document.
    ``relations``  int8 [C], the relation of each pair, an index of ``RELATIONS`` or ``SAME_STEM``.
    """

    abstract: np.ndarray
    document: np.ndarray
    spans: np.ndarray
    relations: np.ndarray


@cached_per_batch
def related_words(batch: Batch, path: str | None, listed: str | None) -> RelatedWords:
    """Find the related words of a batch.

    ``path``    the path of WordNet.
    ``listed``  the path of a list of paraphrases (``corpus_tools.texts.lexicons``).
    """
    table = _table(batch, path, listed)
    capitals = batch.capitals or (None, None)
    abstract = table.abstract.classes_of(capitals[0])
    document = table.document.classes_of(capitals[1])
    related_pairs = []
    for t, j in word_pairs(batch):
        relations = table.relations_of(t, j)
        # Any two people are two steps apart in WordNet, and so are any two places.
        far = np.flatnonzero(relations == TWO_STEPS)
        relations[far[CLASS_PAIR_TABLE[abstract[t[far]], document[j[far]]] == NAME_PAIR]] = (
            UNRELATED
        )
        related = np.flatnonzero(relations != UNRELATED)
        related_pairs.append((t[related], j[related], relations[related]))
    t, j, relation = map(np.concatenate, zip(*related_pairs, strict=True))
    return RelatedWords(
        abstract, document, np.stack([t, t + 1, j, j + 1], axis=1).astype(np.int32), relation
    )


WORD_PAIRS_AT_A_TIME = 1 << 18
"""The number of word pairs in memory at a time, 16 bytes each; one abstract word may have more."""


def word_pairs(batch: Batch, step: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all word pairs of document p and abstract p + ``step``, for each p, in order.

    They are two arrays int64: the offsets of abstract words and of document words in the batch.
    """
    moved = np.roll(np.arange(len(batch)), -step)
    # An abstract word, a row, has a pair with each word of the document. Rows are cut into parts
    # of about WORD_PAIRS_AT_A_TIME pairs.
    heights = np.diff(batch.abstract_offsets)[moved]
    words = ranges(batch.abstract_offsets[moved], heights)
    begins = np.repeat(batch.document_offsets[:-1], heights)
    widths = np.repeat(np.diff(batch.document_offsets), heights)
    ends = np.flatnonzero(np.diff(np.cumsum(widths) // WORD_PAIRS_AT_A_TIME)) + 1
    for first, end in pairwise([0, *ends.tolist(), len(words)]):
        rows = slice(first, end)
        yield np.repeat(words[rows], widths[rows]), ranges(begins[rows], widths[rows])


class _SideWords:
    """The W distinct words of one side of a batch.

    ``place``        int64, for each word of the side its index among the distinct words.
    ``stems``        int32 [W], the numbers of the stems.
    ``classes``      int32 [W], the word classes.
    ``proper_only``  bool [W], whether WordNet has the word only as a name (``Concepts``).
    ``beginnings``   the first letters of each word.
    ``digits``       the digits of labels, words as "A380" or "Person1"; "" for other words.
    ``sets``         the function that returns the sets of a kind (``Sets.of_kind``).
    """

    def __init__(self, words: np.ndarray, vocabulary: Vocabulary, path: str | None) -> None:
        numbers, self.place = np.unique(words, return_inverse=True)
        self.stems = vocabulary.stem_of[numbers]
        self.forms = [vocabulary.forms[number] for number in numbers.tolist()]
        concepts = concepts_of(self.forms, path, vocabulary.code)
        self.classes = np.array([concept.word_class for concept in concepts], dtype=np.int32)
        self.proper_only = np.array([concept.proper_only for concept in concepts])
        self.beginnings = np.array([concept.beginning for concept in concepts])
        self.digits = np.array([label_digits(form) for form in self.forms])
        # Each kind of set is sorted once, though several relations compare it.
        self.sets = cache(Sets.from_concepts(concepts).of_kind)
        self._knows_names = path != WITHOUT_RESOURCE

    def classes_of(self, capitals: np.ndarray | None) -> np.ndarray:
        """Return int32, the class of each word of the side; names have classes of their own.

        Labels are names. Other names are content words with a capital letter. A capital letter at
        the beginning of a sentence counts only if WordNet has the word only as a name. Without
        WordNet only labels are names, since nothing tells whether two names mean one place.

        ``capitals``  int8, the capital letter of each word of the side (``Batch.capitals``).
        """
        classes: np.ndarray = self.classes[self.place]
        is_name = self.digits[self.place] != ""
        if capitals is not None and self._knows_names:
            # BY_PLACE < BY_ITSELF: a word that is only a name needs less evidence.
            least = np.where(self.proper_only, BY_PLACE, BY_ITSELF)[self.place]
            is_name |= capitals >= least
        # "The" and "In" are no names.
        is_name &= classes >= FUNCTION_CLASS_COUNT
        # The type is the same with and without names, so that kernels are compiled only once.
        return classes + np.int32(NAME_CLASS_OFFSET) * is_name


LABEL_PATTERN = re.compile(r"[#<]?[^\W\d_]+-?\d[\w-]*[#>]?")
"""A word of letters and then digits, which is a name: "M25", "COVID-19", "#Person1#"."""


def label_digits(form: str) -> str:
    """Return the digits of a label; "" for other words."""
    return "".join(filter(str.isdigit, form)) if LABEL_PATTERN.fullmatch(form) else ""


WordIndices = tuple[np.ndarray, np.ndarray]
"""Pairs of an abstract and a document word, as two arrays of indices of ``_SideWords``."""


class _Table(NamedTuple):
    """The relation of each distinct abstract word to each document word: int8 [W, W]."""

    abstract: _SideWords
    document: _SideWords
    relations: np.ndarray

    def relations_of(self, t: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return int8, the relations of abstract words and document words, given by offsets."""
        return self.relations[self.abstract.place[t], self.document.place[j]]


@lru_cache(maxsize=1)
def _table(batch: Batch, path: str | None, listed: str | None) -> _Table:
    """Compare the distinct words of a batch.

    The table of the last batch is kept, since its abstracts are also compared with the documents of
    other pairs.
    """
    abstract = _SideWords(batch.abstract, batch.vocabulary, path)
    document = _SideWords(batch.document, batch.vocabulary, path)
    relations = np.full((len(abstract.forms), len(document.forms)), UNRELATED, dtype=np.int8)
    # The last relation that holds counts, so the strongest comes last.
    for name, words in _by_meaning(abstract, document):
        relations[words] = RELATIONS.index(name)
    if listed != WITHOUT_RESOURCE:
        # A line of the list holds in both directions.
        either_way = (
            _listed_pairs(abstract, document, listed),
            _listed_pairs(document, abstract, listed)[:, ::-1],
        )
        rows, columns = np.concatenate(either_way).T
        words = rows, columns
        has_function_word = (
            _function_classes(abstract, document, words).min(axis=0) < FUNCTION_CLASS_COUNT
        )
        listed_too, unknown, function = map(RELATIONS.index, LISTED_RELATIONS)
        # So far only WordNet has related words: these paraphrases are known.
        by_meaning = np.where(relations[words] == UNRELATED, unknown, listed_too)
        relations[words] = np.where(has_function_word, function, by_meaning)
    for name, words in _by_form(abstract, document):
        relations[words] = RELATIONS.index(name)
    # "A380" and "A350" are spelled alike, but their digits tell them apart.
    labels, with_digits = (np.flatnonzero(side.digits != "") for side in (abstract, document))
    row, column = np.nonzero(abstract.digits[labels][:, None] != document.digits[with_digits])
    relations[labels[row], with_digits[column]] = UNRELATED
    relations[equal_pairs(abstract.stems, document.stems)] = SAME_STEM
    return _Table(abstract, document, relations)


def _by_meaning(abstract: _SideWords, document: _SideWords) -> Iterator[tuple[str, WordIndices]]:
    """Yield each relation in WordNet with the content words that have it."""
    for relation, abstract_kind, document_kind in WORDNET_RELATIONS:
        yield relation, _sharing(abstract.sets(abstract_kind), document.sets(document_kind))
        if abstract_kind != document_kind:
            yield relation, _sharing(abstract.sets(document_kind), document.sets(abstract_kind))


def _sharing(
    abstract: tuple[np.ndarray, np.ndarray], document: tuple[np.ndarray, np.ndarray]
) -> WordIndices:
    """Return the word pairs whose sets share a number, once for each number (``Sets.of_kind``)."""
    i, j = equal_pairs(abstract[0], document[0])
    return abstract[1][i], document[1][j]


def _by_form(abstract: _SideWords, document: _SideWords) -> Iterator[tuple[str, WordIndices]]:
    """Yield each relation of forms with the words that have it."""
    yield "spelling", _spelled_alike(abstract, document)
    i, j = equal_pairs(abstract.beginnings, document.beginnings)
    begun = abstract.beginnings[i] != ""
    yield "beginning", (i[begun], j[begun])
    # "is" and "are", but not a function word with a content word or one of another class.
    i, j = _sharing(abstract.sets("lemmas"), document.sets("lemmas"))
    first, second = _function_classes(abstract, document, (i, j))
    yield "lemma", (i[first == second], j[first == second])


def _function_classes(abstract: _SideWords, document: _SideWords, words: WordIndices) -> np.ndarray:
    """Return int32 [2, pairs], the classes of both words, with one class for content words."""
    classes = np.stack([abstract.classes[words[0]], document.classes[words[1]]])
    return np.minimum(classes, FUNCTION_CLASS_COUNT)


def _spelled_alike(abstract: _SideWords, document: _SideWords) -> WordIndices:
    """Return the word pairs with a Dice coefficient of ``LEAST_SPELLING_SIMILARITY`` or more.

    dice(a, d) = 2 |letter pairs of both| / (|letter pairs of a| + |letter pairs of d|)
    """
    letters, words = document.sets("letters")
    abstract_letters, of = abstract.sets("letters")
    sizes = np.bincount(words, minlength=len(document.forms))
    lengths = np.bincount(of, minlength=len(abstract.forms))
    # Bytes take an eighth of the time of int64; a word of hundreds of letters needs a wider type.
    dtype = np.min_scalar_type(max(sizes.max(), lengths.max()))
    distinct, rows = np.unique(letters, return_inverse=True)
    # has[p, d] is 1 if document word d has letter pair p. Its sum over the letter pairs of an
    # abstract word a is |letter pairs of a and d|.
    has = np.zeros((len(distinct), len(sizes)), dtype)
    has[rows, words] = 1
    place, row = equal_pairs(abstract_letters, distinct)
    order = np.argsort(of[place], kind="stable")
    of, row = of[place][order], row[order]
    bounds = np.append(np.flatnonzero(np.diff(of, prepend=-1)), len(of))
    least = cache(
        lambda length: np.ceil(LEAST_SPELLING_SIMILARITY / 2 * (length + sizes)).astype(dtype)
    )
    columns = [np.zeros(0, dtype=np.int64)]
    for begin, end in pairwise(bounds.tolist()):
        # dice >= LEAST means |common| >= LEAST / 2 (|a| + |d|), for all document words d at once.
        common = has[row[begin:end]].sum(axis=0, dtype=dtype)
        columns.append(np.flatnonzero(common >= least(int(lengths[of[begin]]))))
    return np.repeat(of[bounds[:-1]], list(map(len, columns[1:]))), np.concatenate(columns)


def _listed_pairs(side: _SideWords, other_side: _SideWords, listed: str | None) -> np.ndarray:
    """Return the word pairs that lines of the list have, first and second word: int64 [L, 2].

    ``side``, ``other_side``  the words of the side of the first and of the second word.
    """
    # A batch has far fewer words than the list has lines, so the words are looked up.
    seconds = paraphrases(listed)
    places = {form: place for place, form in enumerate(other_side.forms)}
    pairs = [
        (first, places[second])
        for first, form in enumerate(side.forms)
        for second in seconds[form]
        if second in places
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


SAMPLED_BATCHES = 20
"""The largest number of batches whose word pairs are counted.

They have 400,000 document words and at least ten million word pairs, enough to estimate the shares
of a dozen classes.
"""

COMPARED_DOCUMENTS = 3
"""The number of other documents of its batch with which each abstract is compared."""


class WordPairs(NamedTuple):
    """Counts of word pairs by their classes and relations. Counts of batches add up.

    The rows are ``CLASS_PAIRS`` and ``NAME_PAIR``. The columns are unrelated words, words of the
    same stem, and ``RELATIONS``. Two names that are unrelated or two steps apart are not counted.

    ``own``     int64 [``CLASS_PAIRS`` + 1, 2 + ``RELATIONS``], pairs of an abstract and its
                document.
    ``chance``  int64, the same shape, pairs of an abstract and the documents of other pairs.
    """

    own: np.ndarray
    chance: np.ndarray


def count_word_pairs(corpus: Sequence[Batch], path: str | None, listed: str | None) -> WordPairs:
    """Count the word pairs of a corpus, or of a sample of its batches."""
    counts = [_counted(batch, path, listed) for batch in sampled(corpus)]
    return WordPairs(*map(np.add.reduce, zip(*counts, strict=True)))


@cached_per_batch
def _counted(batch: Batch, path: str | None, listed: str | None) -> WordPairs:
    """Count the word pairs of a batch."""
    words = related_words(batch, path, listed)
    table = _table(batch, path, listed)
    shape = len(CLASS_PAIRS) + 1, 2 + len(RELATIONS)

    def counts(step: int) -> np.ndarray:
        total = np.zeros(math.prod(shape), dtype=np.int64)
        for t, j in word_pairs(batch, step):
            # The cell of a pair in the flat result: row * columns + column.
            row = CLASS_PAIR_TABLE[words.abstract[t], words.document[j]] * np.int8(shape[1])
            cell = row + table.relations_of(t, j) - UNRELATED
            total += np.bincount(cell, minlength=len(total))
        by_class = total.reshape(shape)
        # Such names are no rewrites (``related_words``), so they count in no share.
        by_class[NAME_PAIR, [0, TWO_STEPS - UNRELATED]] = 0
        return by_class

    return WordPairs(counts(0), np.add.reduce([counts(step) for step in steps(len(batch))]))


def sampled(corpus: Sequence[Batch]) -> Iterator[Batch]:
    """Yield all batches, or ``SAMPLED_BATCHES`` of them at equal distances."""
    # A corpus may be sorted: equal distances sample every part of it.
    size = min(len(corpus), SAMPLED_BATCHES)
    for number in counted(range(size), "WordNet", unit="batches"):
        yield corpus[number * len(corpus) // size]


def steps(size: int) -> set[int]:
    """Return the steps of ``word_pairs`` that pair abstracts with documents of other pairs.

    ``size``  the number of pairs of the batch.
    """
    return {
        rotation * size // (COMPARED_DOCUMENTS + 1) for rotation in range(1, COMPARED_DOCUMENTS + 1)
    }
