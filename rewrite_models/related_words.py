"""Finds the relations of abstract and document words.

relation(a, d) = the first of these that holds: same stem, same lemma, same beginning, similar
                 spelling, listed paraphrase, synonym, derived word, parent, two steps; or none
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.base.arrays import equal_pairs
from corpus_tools.model_parts.encoding import Batch, cached_per_batch
from corpus_tools.model_parts.text_arrays import Vocabulary
from corpus_tools.texts.forms import BY_ITSELF, BY_PLACE
from corpus_tools.texts.lexicons import paraphrases
from rewrite_models.concepts import Sets, concepts_of, label_digits
from rewrite_models.kinds import (
    CLASS_PAIR_TABLE,
    FUNCTION_CLASS_COUNT,
    NAME_CLASS_OFFSET,
    NAME_PAIR,
    word_pairs,
)
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
    table = relation_table(batch, path, listed)
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
def relation_table(batch: Batch, path: str | None, listed: str | None) -> _Table:
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
