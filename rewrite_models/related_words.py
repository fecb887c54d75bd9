"""Finds how the words of abstracts and documents are related, and how often chance relates them.

Words are described by what related words share: class, lemmas, letters and synsets. The classes of
function words are listed; those of content words follow from their senses in WordNet.

The texts of a pair have more related words than chance would give, and of the very relations that
tell of links most of all. So what a relation is worth is measured against abstracts with the
documents of other pairs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.arrays import equal_pairs, ranges
from corpus_tools.encoding import Batch, Vocabulary, once_a_batch
from corpus_tools.progress import counted
from corpus_tools.texts.lexicons import paraphrases
from corpus_tools.texts.tokenizers import MOST
from rewrite_models.wordnet_reader import KNOWN, PARTS, WITHOUT, WordNetReader, shared_wordnet

FUNCTION_WORDS = {
    "determiner": "the a an this that these those some any each every no another such all both",
    "preposition": """in on at by for from to with as into than of over under between through during
        after before against about near since until upon within without across among around behind
        toward towards per via""",
    "conjunction": """and or but nor if while when because although though where whether so yet
        unless""",
    "auxiliary": """is are was were be been being am has have had having will would can could may
        might must shall should do does did 'll 've 're 'd n't not""",
    "pronoun": """it he his she her they their its him them who which whose whom what i you we us
        our my your me himself herself itself themselves there""",
    "punctuation": "'s $ %",
}
NUMBER_WORDS = """one two three four five six seven eight nine ten eleven twelve twenty thirty forty
    fifty hundred thousand million billion dozen first second third"""

CLASSES = (*FUNCTION_WORDS, "number", "noun", "verb", "adjective", "adverb", "name")
FUNCTION_CLASSES = len(FUNCTION_WORDS)
"""Classes with smaller numbers are those of function words."""

_BY_LIST = {word: name for name, words in FUNCTION_WORDS.items() for word in words.split()}
_BY_LIST |= dict.fromkeys(NUMBER_WORDS.split(), "number")


Entry = tuple[str, str, list[int]]
"""Lemma, part of speech and the numbers of its synsets."""

BEGINNING = 4
"""Letters and digits in which words must agree to begin alike. Chosen by hand.

A shorter word must agree whole, and have at least two.
"""
SHORTEST_SPELLED = 3
"""The fewest letters and digits of a word whose letter pairs are compared. Chosen by hand."""


SETS = (
    "lemmas",  # its lemmas, of any part of speech
    "letters",  # its pairs of neighbouring letters, the ends of the word included
    "senses",  # its synsets
    "derived",  # the synsets of its derivations
    "parents",  # synsets one step from its senses
    "derived_parents",  # synsets one step from its derivations
    "grandparents",  # synsets above its parents
)
"""What a form may share with others: sets of numbers."""


class Concepts(NamedTuple):
    """What is known of a form. For a function word, the sets of synsets are empty.

    ``word_class``  the number of its class in ``CLASSES``.
    ``beginning``   its first letters; "" if there are too few.
    ``numbers``     int64, its ``SETS``, one after the other.
    ``sizes``       how many numbers each set has.
    """

    word_class: int
    beginning: str
    numbers: np.ndarray
    sizes: tuple[int, ...]

    def numbers_of(self, kind: str) -> np.ndarray:
        """Return the numbers of one of the sets."""
        place = SETS.index(kind)
        begin = sum(self.sizes[:place])
        return self.numbers[begin : begin + self.sizes[place]]


def concepts_of(forms: Iterable[str], path: str | None) -> list[Concepts]:
    """Return the concepts of each form, using the WordNet at ``path``.

    Without WordNet, words have the class of names or of a list, a beginning and letters.
    """
    wordnet = None if path == WITHOUT else shared_wordnet(path)
    return [_concepts(form, wordnet) for form in forms]


@lru_cache(maxsize=MOST)
def _concepts(form: str, wordnet: WordNetReader | None) -> Concepts:
    entries = [] if wordnet is None else list(_entries(form, wordnet))
    senses = dict.fromkeys(PARTS, 0)
    for _, part, synsets in entries:
        senses[part] = max(senses[part], len(synsets))
    word_class = class_of(form, senses)
    letters = letters_of(form)
    sets: tuple[set[int], ...] = (set(),) * 5
    if wordnet is not None and word_class >= FUNCTION_CLASSES:
        sets = _neighbourhood(entries, wordnet)
    sets = ({_number_of(lemma) for lemma, _, _ in entries}, _letter_pairs(letters), *sets)
    return Concepts(
        word_class,
        letters[:BEGINNING] if len(letters) >= 2 else "",
        np.array([*chain.from_iterable(sets)], dtype=np.int64),
        tuple(map(len, sets)),
    )


def letters_of(form: str) -> str:
    """Return the letters and digits of a form."""
    return form if form.isalnum() else "".join(filter(str.isalnum, form))


def senses_of(form: str, path: str | None) -> tuple[int, ...]:
    """Return the synsets of a form in the WordNet at ``path``, whatever its class: sorted."""
    return _senses(form, shared_wordnet(path))


@lru_cache(maxsize=KNOWN)
def _senses(form: str, wordnet: WordNetReader) -> tuple[int, ...]:
    return tuple(sorted({synset for *_, synsets in _entries(form, wordnet) for synset in synsets}))


class Sets(NamedTuple):
    """The ``SETS`` of words.

    ``numbers``  int64, those of the first word, one set after the other, and so on.
    ``sizes``    int64 [words, sets], how many numbers each has.
    """

    numbers: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, concepts: Sequence[Concepts]) -> Sets:
        """Join the sets of one word or more."""
        numbers = np.concatenate([concept.numbers for concept in concepts])
        return cls(numbers, np.array([concept.sizes for concept in concepts], dtype=np.int64))

    def of_kind(self, kind: str) -> tuple[np.ndarray, np.ndarray]:
        """Return int64, the numbers in the sets of a kind, sorted, and the word of each."""
        column = SETS.index(kind)
        begins = np.cumsum(self.sizes).reshape(self.sizes.shape) - self.sizes
        sizes = self.sizes[:, column]
        numbers = self.numbers[ranges(begins[:, column], sizes)]
        order = np.argsort(numbers, kind="stable")
        return numbers[order], np.repeat(np.arange(len(sizes)), sizes)[order]


def class_of(form: str, senses: dict[str, int]) -> int:
    """Return the number of a form's class in ``CLASSES``.

    ``senses`` says how many senses WordNet has for the form by part of speech (n, v, a, r). The
    part of speech with the most senses is the class. A form without any sense is a name.
    """
    if name := _BY_LIST.get(form):
        return CLASSES.index(name)
    if not re.search(r"\w", form):
        return CLASSES.index("punctuation")
    if re.search(r"\d", form):
        return CLASSES.index("number")
    parts = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
    best = max(parts, key=lambda part: senses.get(part, 0))
    return CLASSES.index(parts[best] if senses.get(best) else "name")


def is_function_word(form: str) -> bool:
    """Tell whether a form is a function word or a punctuation mark."""
    name = _BY_LIST.get(form)
    return name in FUNCTION_WORDS if name else not re.search(r"\w", form)


def _number_of(text: str) -> int:
    """Return a number for a short text. Different texts rarely share one."""
    return int.from_bytes(text.encode()[:64].ljust(8, b"\0"), "little") % (2**61 - 1)


def _letter_pairs(letters: str) -> set[int]:
    if len(letters) < SHORTEST_SPELLED:
        return set()
    codes = [0, *map(ord, letters), 0]
    return {first << 21 | second for first, second in pairwise(codes)}


def _entries(form: str, wordnet: WordNetReader) -> Iterator[Entry]:
    """Yield what WordNet has for a form: lemma, part of speech, numbers of synsets."""
    # WordNet joins the words of an entry so, and texts often by hyphens.
    name = form.replace("-", "_")
    for part in PARTS:
        for lemma in dict.fromkeys((name, *wordnet.base_forms(name, part))):
            if synsets := wordnet.synset_numbers(lemma, part):
                yield lemma, part, synsets


def _neighbourhood(entries: Iterable[Entry], wordnet: WordNetReader) -> tuple[set[int], ...]:
    """Return the numbers of senses, derived, parents, derived_parents and grandparents."""
    senses = {synset for _, _, synsets in entries for synset in synsets}
    derived = {
        target
        for lemma, _, synsets in entries
        for synset in synsets
        for target in wordnet.synset(synset).derivations.get(lemma, ())
    }
    parents = set().union(*(wordnet.synset(synset).near for synset in senses))
    derived_parents = set().union(*(wordnet.synset(synset).near for synset in derived))
    grandparents = set().union(*(wordnet.synset(synset).hypernyms for synset in parents))
    return senses, derived, parents, derived_parents, grandparents


LISTED = ("known paraphrase", "paraphrase", "function paraphrase")
"""Relations of words that a list of paraphrases pairs with each other.

They are told apart by whether WordNet relates the words too, and whether one is a function word.
"""
RELATIONS = (
    *("lemma", "beginning", "spelling", "synonym", "derived", "parent", "two steps"),
    *LISTED,
)
"""The relations of two words, in the order of their numbers."""
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
"""Share of letter pairs (Dice's coefficient) from which words are spelled alike, set by hand."""

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


def _class_pairs() -> np.ndarray:
    """Return int [G, G], the number in ``CLASS_PAIRS`` of each two word classes."""
    number = np.arange(len(CLASSES))
    same = number[:, None] == number[None, :]
    function = (number < FUNCTION_CLASSES).astype(int)
    functions = function[:, None] + function[None, :]
    return np.select(
        [functions == 2, functions == 1], [np.where(same, 0, 1), 2], np.where(same, 3, 4)
    )


PAIR_OF = _class_pairs().astype(np.int8)
"""int8 [G, G], the number in ``CLASS_PAIRS`` of each two word classes."""


class RelatedWords(NamedTuple):
    """The word classes of a batch, and the relations of its words.

    ``abstract``   int32 [M], the class of each abstract word.
    ``document``   int32 [N], the class of each document word.
    ``cells``      int32 [C, 4], the pairs of related words, of an abstract and of its document.
    ``relations``  int8 [C], the relation of each, a number in ``RELATIONS`` or ``SAME_STEM``.
    """

    abstract: np.ndarray
    document: np.ndarray
    cells: np.ndarray
    relations: np.ndarray


@once_a_batch
def related_words(batch: Batch, path: str | None, listed: str | None) -> RelatedWords:
    """Find the related words of a batch, in the WordNet at ``path`` and in a list of paraphrases.

    ``listed`` is where the list is (``corpus_tools.texts.lexicons``).
    """
    table = _table(batch, path, listed)
    found = []
    for t, j in word_pairs(batch):
        relations = table.relations_of(t, j)
        related = np.flatnonzero(relations != UNRELATED)
        found.append((t[related], j[related], relations[related]))
    t, j, relation = map(np.concatenate, zip(*found, strict=True))
    return RelatedWords(
        table.abstract.classes[table.abstract.place],
        table.document.classes[table.document.place],
        np.stack([t, t + 1, j, j + 1], axis=1).astype(np.int32),
        relation,
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
    ``beginnings``  the first letters of each.
    ``sets``        gives the sets of a kind (``Sets.of_kind``).
    """

    def __init__(self, words: np.ndarray, vocabulary: Vocabulary, path: str | None) -> None:
        numbers, self.place = np.unique(words, return_inverse=True)
        self.stems = vocabulary.stem_of[numbers]
        self.forms = [vocabulary.forms[number] for number in numbers.tolist()]
        concepts = concepts_of(self.forms, path)
        self.classes = np.array([concept.word_class for concept in concepts], dtype=np.int32)
        self.beginnings = np.array([concept.beginning for concept in concepts])
        self.sets = cache(Sets.of(concepts).of_kind)


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
    relations[equal_pairs(abstract.stems, document.stems)] = SAME_STEM
    return _Table(abstract, document, relations)


def _by_meaning(abstract: _Side, document: _Side) -> Iterator[tuple[str, Words]]:
    """Yield the relations in WordNet, and the words that have each: content words alone."""
    for name, one, other in BY_MEANING:
        yield name, _sharing(abstract.sets(one), document.sets(other))
        if one != other:
            yield name, _sharing(abstract.sets(other), document.sets(one))


def _sharing(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> Words:
    """Return the words whose sets (``_Side.sets``) share a number, once for each."""
    i, j = equal_pairs(one[0], other[0])
    return one[1][i], other[1][j]


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


def _first_and_second(one: _Side, other: _Side, listed: str | None) -> np.ndarray:
    """Return the words of two sides that a line of the list has first and second: int64 [L, 2]."""
    seconds = paraphrases(listed)
    places = {form: place for place, form in enumerate(other.forms)}
    found = [
        (first, places[second])
        for first, form in enumerate(one.forms)
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
"""How many other documents of its batch each abstract is compared with, by hand."""


class WordPairs(NamedTuple):
    """Counts of word pairs by their classes and relations. Those of batches add up.

    The columns are unrelated words, those of the same stem, and ``RELATIONS``.

    ``own``     int64 [``CLASS_PAIRS``, 2 + ``RELATIONS``], of abstracts and their documents.
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
    related_words(batch, path, listed)  # while the table is at hand that the evidence needs too
    table = _table(batch, path, listed)
    shape = len(CLASS_PAIRS), 2 + len(RELATIONS)
    abstract = table.abstract.classes[table.abstract.place]
    document = table.document.classes[table.document.place]

    def counts(step: int) -> np.ndarray:
        total = np.zeros(math.prod(shape), dtype=np.int64)
        for t, j in word_pairs(batch, step):
            of_classes = PAIR_OF[abstract[t], document[j]] * np.int8(shape[1])
            kinds = of_classes + table.relations_of(t, j) - UNRELATED
            total += np.bincount(kinds, minlength=len(total))
        return total.reshape(shape)

    return WordPairs(counts(0), np.add.reduce([counts(step) for step in steps(len(batch))]))


def sampled(corpus: Sequence[Batch]) -> Iterator[Batch]:
    """Yield all batches, or ``SAMPLE`` of them at equal distances in the corpus."""
    size = min(len(corpus), SAMPLE)
    for number in counted(range(size), "WordNet", unit="batches"):
        yield corpus[number * len(corpus) // size]


def steps(size: int) -> set[int]:
    """Return how far the abstracts of so many pairs are moved on to the documents of others."""
    return {rotation * size // (ROTATIONS + 1) for rotation in range(1, ROTATIONS + 1)}
