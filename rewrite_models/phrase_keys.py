"""Finds phrases of several words, and words that may stand for them, with keys that match.

Phrases of one kind with the same key have the same meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple

import numpy as np

from corpus_tools.base.arrays import are_among
from corpus_tools.languages.language import language
from corpus_tools.model_parts.encoding import Batch, cached_per_batch
from rewrite_models.concepts import Concepts, Sets, concepts_of, letters_of, senses_of
from rewrite_models.kinds import WORD_CLASSES
from rewrite_models.ngrams import ABSENT_PHRASE, NumberedPhrases
from rewrite_models.wordnet import LONGEST_ENTRY
from rewrite_models.wordnet_reader import WITHOUT_RESOURCE, shared_wordnet

PHRASE_KINDS = ("entry", "initials", "joined")
"""The kinds of phrase pairs, in the order of their numbers. The first kind that fits counts."""

ENTRY_KIND, INITIALS_KIND, JOINED_KIND = range(3)

LONGEST_JOINED = 3
"""The most words in a spelling of one word as several."""

LEAST_JOINED_LENGTH = 3
"""The fewest letters and digits of a word with a spelling as several."""

MOST_INITIALS = 6
"""The most letters of initials."""

NAME_CLASS = WORD_CLASSES.index("name")

PREFIX_LENGTH = 3
"""The letters of a last word by which entries are looked up: its ending may be inflected."""


class FoundPhrases(NamedTuple):
    """Phrases of one side of a batch, with keys that match phrases of the other side.

    ``text``    int64 [F], the pair of each phrase.
    ``start``   int64 [F], its first word, an offset over the batch.
    ``end``     int64 [F], the word after its last one.
    ``kind``    int64 [F], an index of ``PHRASE_KINDS``.
    ``key``     int64 [F], equal for phrases of one kind with the same meaning.
    ``words``   int64 [F], equal for entries of the same words; of other phrases any number.
    """

    text: np.ndarray
    start: np.ndarray
    end: np.ndarray
    kind: np.ndarray
    key: np.ndarray
    words: np.ndarray


class _Texts:
    """The words of a batch, as numbers of distinct forms, and their n-grams.

    ``words``    int64, the form of each word, an index of ``forms``.
    ``text``     int64, the text of each word: the abstracts come first, then the documents.
    ``letters``  the letters and digits of each form.
    ``numbers``  int64 [``LONGEST_ENTRY``, words], the n-gram of each length that starts at each
                 word, or ``ABSENT_PHRASE``. An n-gram of one word has the number of its form.
    ``size``     the number of distinct n-grams.
    ``longer``   for each length from 2 on the first number of its n-grams, and lists with the head
                 (the number of the n-gram without its last word) and the last word of each.
    """

    def __init__(self, words: np.ndarray, offsets: np.ndarray, forms: Sequence[str]) -> None:
        self.words = words
        self.text = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        self.forms = forms
        self.letters = [letters_of(form) for form in forms]
        phrases = NumberedPhrases.from_texts([(words, offsets)], len(forms), LONGEST_ENTRY)
        self.numbers = phrases.number(words, offsets)
        self.size = len(phrases)
        first = phrases.first.tolist()
        heads = [np.divmod(level, len(forms)) for level in phrases.levels]
        self.longer = [
            (start, (head + shorter).tolist(), last.tolist())
            for shorter, start, (head, last) in zip(first, first[1:], heads, strict=False)
        ]


@cached_per_batch
def phrases_of(batch: Batch, path: str | None) -> tuple[FoundPhrases, FoundPhrases]:
    """Find the phrases of the abstracts and of the documents.

    ``path``  the path of WordNet.

    A single word has only keys that some phrase of several words also has.
    """
    distinct, words = np.unique(
        np.concatenate([batch.abstract, batch.document]), return_inverse=True
    )
    forms = [batch.vocabulary.forms[number] for number in distinct.tolist()]
    # Documents come after the abstracts in one array, so that n-grams are looked up only once.
    size = len(batch.abstract)
    offsets = np.append(batch.abstract_offsets, size + batch.document_offsets[1:])
    texts = _Texts(words, offsets, forms)
    concepts = concepts_of(forms, path, batch.vocabulary.code)
    keys: dict[int, set[PhraseKey]] = {}
    for number, key in chain(
        _entry_keys(texts, concepts, path), _keys_of_initials(texts, concepts), _joined_keys(texts)
    ):
        keys.setdefault(number, set()).add(key)
    skipped = language(batch.vocabulary.code).skipped_by_initials
    parts = zip(_ngrams(texts, keys), *_initials(texts, keys, skipped), strict=True)
    phrases = FoundPhrases(*map(np.concatenate, parts))
    in_document = phrases.start >= size
    abstract = FoundPhrases(*(column[~in_document] for column in phrases))
    document = FoundPhrases(*(column[in_document] for column in phrases))
    start, end = document.start - size, document.end - size
    return abstract, document._replace(text=document.text - len(batch), start=start, end=end)


PhraseKey = tuple[int, int]
"""A kind of phrases, and a number that phrases of this kind with the same meaning share."""


def _entry_keys(
    texts: _Texts, concepts: Sequence[Concepts], path: str | None
) -> Iterator[tuple[int, PhraseKey]]:
    """Yield n-grams that are entries of WordNet, and words in their synsets, with their keys."""
    if path == WITHOUT_RESOURCE:
        return
    wordnet = shared_wordnet(path)
    shared: set[int] = set()
    for number, entry in _entries(texts, concepts, wordnet.has_lemma_with):
        synsets = senses_of(entry, wordnet)
        yield from ((number, (ENTRY_KIND, synset)) for synset in synsets)
        shared.update(synsets)
    senses, words = Sets.from_concepts(concepts).of_kind("senses")
    is_shared = are_among(senses, np.fromiter(shared, dtype=np.int64))
    for word, synset in zip(words[is_shared].tolist(), senses[is_shared].tolist(), strict=True):
        yield word, (ENTRY_KIND, synset)


def _keys_of_initials(
    texts: _Texts, concepts: Sequence[Concepts]
) -> Iterator[tuple[int, PhraseKey]]:
    """Yield the words that may be initials, with their keys."""
    rows = zip(texts.forms, texts.letters, concepts, strict=True)
    for word, (form, letters, concept) in enumerate(rows):
        # Initials have points, or WordNet does not know them.
        may_be = concept.word_class == NAME_CLASS or "." in form
        is_short = len(letters) <= MOST_INITIALS and letters == form.replace(".", "")
        if may_be and is_short and (code := _code(letters)):
            yield word, (INITIALS_KIND, code)


def _joined_keys(texts: _Texts) -> Iterator[tuple[int, PhraseKey]]:
    """Yield words that the batch also has as several words, and these n-grams, with keys.

    Marks inside an n-gram are ignored, as in "anti - terrorism". No n-gram begins or ends with a
    mark.
    """
    written: dict[str, list[int]] = {}
    for word, letters in enumerate(texts.letters):
        if len(letters) >= LEAST_JOINED_LENGTH:
            written.setdefault(letters, []).append(word)
    forms = zip(texts.forms, texts.letters, strict=True)
    # The joined letters of each n-gram, by number; "" for an n-gram that begins with a mark.
    joined = [letters if form[0].isalnum() else "" for form, letters in forms]
    for first, heads, tails in texts.longer[: LONGEST_JOINED - 1]:
        ends = zip(heads, tails, strict=True)
        joined += [joined[head] and joined[head] + texts.letters[last] for head, last in ends]
        for number, last in enumerate(tails, start=first):
            words = written.get(joined[number])
            if words and texts.forms[last][-1].isalnum():
                yield number, (JOINED_KIND, words[0])
                yield from ((word, (JOINED_KIND, words[0])) for word in words)


def _entries(
    texts: _Texts, concepts: Sequence[Concepts], begins: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """Yield the n-grams that may be entries of WordNet: number, words joined by "_".

    ``begins``  tells whether some entry begins with a text.
    """
    # An n-gram can be an entry only if its head begins one. So lengths are searched in order.
    begun = {
        word: f"{texts.forms[word]}_"
        for word, concept in enumerate(concepts)
        if concept.starts_multiword
    }
    for first, heads, tails in texts.longer:
        for number, head in enumerate(heads, start=first):
            if head not in begun:
                continue
            form = texts.forms[tails[number - first]]
            if begins(begun[head] + form[:PREFIX_LENGTH]):
                entry = begun[head] + form
                yield number, entry
                if begins(f"{entry}_"):
                    begun[number] = f"{entry}_"


def _code(letters: str) -> int:
    """Return a number for initials, a digit to the base 27 for each letter; 0 for other texts."""
    code = 0
    for letter in letters:
        if not "a" <= letter <= "z":
            return 0
        code = code * 27 + ord(letter) - ord("a") + 1
    return code


def _ngrams(texts: _Texts, keys: Mapping[int, Collection[PhraseKey]]) -> FoundPhrases:
    """Return the n-grams that have keys, one for each key."""
    # The last entry is that of ``ABSENT_PHRASE``.
    has = np.zeros(texts.size + 1, dtype=bool)
    has[list(keys)] = True
    longer, start = np.nonzero(has[texts.numbers])
    numbers = texts.numbers[longer, start]
    matched = [keys[number] for number in numbers.tolist()]
    sizes = list(map(len, matched))
    start = np.repeat(start, sizes)
    rows = np.array([key for group in matched for key in group], dtype=np.int64).reshape(-1, 2)
    end = start + np.repeat(longer, sizes) + 1
    words = np.repeat(numbers, sizes)
    return FoundPhrases(texts.text[start], start, end, rows[:, 0], rows[:, 1], words)


def _initials(
    texts: _Texts, keys: Mapping[int, Collection[PhraseKey]], skipped: AbstractSet[str]
) -> Iterator[FoundPhrases]:
    """Yield the n-grams of two words or more whose first letters are the initials of some word.

    ``skipped``  words that initials leave out.
    """
    codes = np.array(
        [code for word_keys in keys.values() for kind, code in word_keys if kind == INITIALS_KIND],
        dtype=np.int64,
    )
    is_skipped = np.array([form in skipped for form in texts.forms], dtype=bool)
    first = np.array([_code(form[:1]) for form in texts.forms], dtype=np.int64)
    places = np.flatnonzero(~is_skipped[texts.words])
    letter = first[texts.words[places]]
    text = texts.text[places]
    # The code of the initials of the n-gram that starts at each word grows by a letter each time.
    code = letter.copy()
    for length in range(2, MOST_INITIALS + 1):
        last = np.arange(len(places)) + length - 1
        inside = np.minimum(last, len(places) - 1)
        good = (last < len(places)) & (text[inside] == text) & (code > 0)
        code = np.where(good, code * 27 + letter[inside], 0)
        # No word has the code 0, or one with the digit 0, which is that of other characters.
        rows = np.flatnonzero(are_among(code, codes))
        end, of_kind = places[inside[rows]] + 1, np.full(len(rows), INITIALS_KIND)
        unknown = np.full(len(rows), ABSENT_PHRASE)
        yield FoundPhrases(text[rows], places[rows], end, of_kind, code[rows], unknown)
