"""Rewrites phrases by phrases that stand for them. Not in the paper.

They are entries of WordNet of one synset ("death penalty", "capital punishment"), initials and the
words that these begin ("U.S.", "United States"), and words that are written as one or apart
("anti-terrorism", "anti terrorism"). No other model links the words of such phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from corpus_tools.base.arrays import are_among, equal_pairs, products, without_repeats
from corpus_tools.model_parts.encoding import Batch, once_a_batch
from corpus_tools.model_parts.model_part import Corpus, amounts, open_shares, positive
from rewrite_models.concepts import (
    CLASSES,
    FUNCTION_CLASSES,
    Concepts,
    Sets,
    concepts_of,
    letters_of,
    senses_of,
)
from rewrite_models.ngrams import Phrases, have_equal_keys
from rewrite_models.related_words import sampled, steps
from rewrite_models.rewrite_model import Features, KindModel
from rewrite_models.wordnet_reader import WITHOUT, WordNetDirectory, shared_wordnet

KINDS = ("entry", "initials", "joined")
"""What phrases have in common, in the order of their numbers; the first that holds counts."""

ENTRY, INITIALS, JOINED = range(3)

LONGEST_ENTRY, LONGEST_JOINED = 4, 3
"""The most words of an entry of WordNet, and of a word that is written apart."""

SHORTEST_JOINED = 3
"""The fewest letters and digits of a word that may be written apart."""

MOST_INITIALS = 6
"""The most letters of initials."""

PASSED_OVER = frozenset(("of", "the", "and", "for", "in", "on", "a", "to", "&"))
"""Words that initials may leave out: the "of" of "Bank of England"."""

NAME = CLASSES.index("name")

PREFIX = 3
"""Letters by which an entry's last word is looked for: endings are taken off afterwards."""


class Found(NamedTuple):
    """Phrases of one side of a batch, with what they may share with one of the other side.

    ``text``    int64 [F], the pair of each phrase.
    ``start``   int64 [F], its first word, an offset over the batch.
    ``end``     int64 [F], the word after its last one.
    ``kind``    int64 [F], a number in ``KINDS``.
    ``key``     int64 [F], equal for phrases of a kind that stand for one another.
    """

    text: np.ndarray
    start: np.ndarray
    end: np.ndarray
    kind: np.ndarray
    key: np.ndarray


class _Texts:
    """The words of a batch by their index in ``forms``, the distinct ones.

    ``text``     int64, the text of each word: its pair, documents after all abstracts.
    ``letters``  the letters and digits of each form.
    ``numbers``  int64 [``LONGEST_ENTRY``, words], the n-gram of each length that starts at each
                 word, or ``ABSENT``. One of a single word has the number of the word.
    ``size``     how many n-grams there are.
    ``longer``   of each length from 2 on, the first number, and of each n-gram the number of that
                 of all words but the last, and the last word.
    """

    def __init__(self, words: np.ndarray, offsets: np.ndarray, forms: Sequence[str]) -> None:
        self.words = words
        self.text = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        self.forms = forms
        self.letters = [letters_of(form) for form in forms]
        phrases = Phrases.from_texts([(words, offsets)], len(forms), LONGEST_ENTRY)
        self.numbers = phrases.number(words, offsets)
        self.size = len(phrases)
        first = phrases.first.tolist()
        heads = [np.divmod(level, len(forms)) for level in phrases.levels]
        self.longer = [
            (start, (head + shorter).tolist(), last.tolist())
            for shorter, start, (head, last) in zip(first, first[1:], heads, strict=False)
        ]


@once_a_batch
def phrases_of(batch: Batch, path: str | None) -> tuple[Found, Found]:
    """Find the phrases of the abstracts and of the documents, with the WordNet at ``path``.

    Single words have no keys that are only those of other single words.
    """
    distinct, words = np.unique(
        np.concatenate([batch.abstract, batch.document]), return_inverse=True
    )
    forms = [batch.vocabulary.forms[number] for number in distinct.tolist()]
    # The documents are texts after the abstracts: what both have is looked up once.
    size = len(batch.abstract)
    offsets = np.append(batch.abstract_offsets, size + batch.document_offsets[1:])
    texts = _Texts(words, offsets, forms)
    concepts = concepts_of(forms, path, batch.vocabulary.code)
    keys: dict[int, set[Key]] = {}
    for number, key in chain(
        _entry_keys(texts, concepts, path), _keys_of_initials(texts, concepts), _joined_keys(texts)
    ):
        keys.setdefault(number, set()).add(key)
    found = Found(
        *map(np.concatenate, zip(_ngrams(texts, keys), *_initials(texts, keys), strict=True))
    )
    in_document = found.start >= size
    abstract = Found(*(own[~in_document] for own in found))
    document = Found(*(own[in_document] for own in found))
    start, end = document.start - size, document.end - size
    return abstract, document._replace(text=document.text - len(batch), start=start, end=end)


Key = tuple[int, int]
"""A kind of phrases, and what one of that kind shares with those that it stands for."""


def _entry_keys(
    texts: _Texts, concepts: Sequence[Concepts], path: str | None
) -> Iterator[tuple[int, Key]]:
    """Yield n-grams that are entries, and words with their synsets: number and key."""
    if path == WITHOUT:
        return
    wordnet = shared_wordnet(path)
    shared: set[int] = set()
    for number, entry in _entries(texts, concepts, wordnet.has_lemma_with):
        synsets = senses_of(entry, wordnet)
        yield from ((number, (ENTRY, synset)) for synset in synsets)
        shared.update(synsets)
    senses, words = Sets.from_concepts(concepts).of_kind("senses")
    kept = are_among(senses, np.fromiter(shared, dtype=np.int64))
    for word, synset in zip(words[kept].tolist(), senses[kept].tolist(), strict=True):
        yield word, (ENTRY, synset)


def _keys_of_initials(texts: _Texts, concepts: Sequence[Concepts]) -> Iterator[tuple[int, Key]]:
    """Yield the words that may be initials."""
    rows = zip(texts.forms, texts.letters, concepts, strict=True)
    for word, (form, letters, concept) in enumerate(rows):
        if _may_be_initials(form, letters, concept.word_class) and (code := _code(letters)):
            yield word, (INITIALS, code)


def _joined_keys(texts: _Texts) -> Iterator[tuple[int, Key]]:
    """Yield the words that are written apart somewhere, and the n-grams that they are there.

    Marks inside, as in "anti - terrorism", are left out; those around are words of their own.
    """
    written: dict[str, list[int]] = {}
    for word, letters in enumerate(texts.letters):
        if len(letters) >= SHORTEST_JOINED:
            written.setdefault(letters, []).append(word)
    forms = zip(texts.forms, texts.letters, strict=True)
    # By number; nothing for what begins with a mark.
    joined = [letters if form[0].isalnum() else "" for form, letters in forms]
    for first, heads, tails in texts.longer[: LONGEST_JOINED - 1]:
        ends = zip(heads, tails, strict=True)
        joined += [joined[head] and joined[head] + texts.letters[last] for head, last in ends]
        for number, last in enumerate(tails, start=first):
            words = written.get(joined[number])
            if words and texts.forms[last][-1].isalnum():
                yield number, (JOINED, words[0])
                yield from ((word, (JOINED, words[0])) for word in words)


def _entries(
    texts: _Texts, concepts: Sequence[Concepts], begins: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """Yield the n-grams that may be entries of WordNet: number, words joined by "_".

    ``begins`` tells whether an entry begins so.
    """
    begun = {word: f"{texts.forms[word]}_" for word, one in enumerate(concepts) if one.goes_on}
    for first, heads, tails in texts.longer:
        for number, (head, last) in enumerate(zip(heads, tails, strict=True), start=first):
            form = texts.forms[last]
            if head in begun and begins(begun[head] + form[:PREFIX]):
                entry = begun[head] + form
                yield number, entry
                if begins(f"{entry}_"):
                    begun[number] = f"{entry}_"


def _may_be_initials(form: str, letters: str, word_class: int) -> bool:
    """Tell whether a form may be initials: it has points, or no meaning of its own."""
    short = 2 <= len(letters) <= MOST_INITIALS and letters == form.replace(".", "")
    return short and (word_class == NAME or ("." in form and word_class >= FUNCTION_CLASSES))


def _code(letters: str) -> int:
    """Return a number for initials, a digit to the base 27 for each letter; 0 for others."""
    code = 0
    for letter in letters:
        if not "a" <= letter <= "z":
            return 0
        code = code * 27 + ord(letter) - ord("a") + 1
    return code


def _ngrams(texts: _Texts, keys: Mapping[int, Collection[Key]]) -> Found:
    """Return the n-grams that have keys, one for each key."""
    # The last entry is that of ABSENT.
    has = np.zeros(texts.size + 1, dtype=bool)
    has[list(keys)] = True
    longer, start = np.nonzero(has[texts.numbers])
    found = [keys[number] for number in texts.numbers[longer, start].tolist()]
    sizes = list(map(len, found))
    start = np.repeat(start, sizes)
    rows = np.array([key for own in found for key in own], dtype=np.int64).reshape(-1, 2)
    end = start + np.repeat(longer, sizes) + 1
    return Found(texts.text[start], start, end, rows[:, 0], rows[:, 1])


def _initials(texts: _Texts, keys: Mapping[int, Collection[Key]]) -> Iterator[Found]:
    """Yield the n-grams of two words or more whose first letters are some word's initials."""
    wanted = np.array(
        [code for own in keys.values() for kind, code in own if kind == INITIALS], dtype=np.int64
    )
    passed = np.array([form in PASSED_OVER for form in texts.forms], dtype=bool)
    first = np.array([_code(form[:1]) for form in texts.forms], dtype=np.int64)
    kept = np.flatnonzero(~passed[texts.words])
    letter = first[texts.words[kept]]
    text = texts.text[kept]
    code = letter.copy()
    for length in range(2, MOST_INITIALS + 1):
        last = np.arange(len(kept)) + length - 1
        inside = np.minimum(last, len(kept) - 1)
        good = (last < len(kept)) & (text[inside] == text) & (letter[inside] > 0) & (code > 0)
        code = np.where(good, code * 27 + letter[inside], 0)
        rows = np.flatnonzero(good & are_among(code, wanted))
        end = kept[inside[rows]] + 1
        yield Found(text[rows], kept[rows], end, np.full(len(rows), INITIALS), code[rows])


class Matches(NamedTuple):
    """Candidate phrase pairs, int32 [C, 4], and the number of the kind of each, int64 [C]."""

    spans: np.ndarray
    kind: np.ndarray


def matches(batch: Batch, path: str | None, step: int = 0) -> Matches:
    """Return the pairs of phrases that stand for one another, each once.

    With a ``step`` abstracts are compared with the documents of other pairs, so many before their
    own (``related_words.steps``).
    """
    abstract, document = phrases_of(batch, path)
    kinds = [phrases.key * len(KINDS) + phrases.kind for phrases in (abstract, document)]
    distinct, index = np.unique(np.concatenate(kinds), return_inverse=True)
    key, other_key = np.split(index, [len(abstract.key)])
    moved = (abstract.text - step) % len(batch)
    a, d = equal_pairs(moved * len(distinct) + key, document.text * len(distinct) + other_key)
    abstract, document = (
        Found(*(own[a] for own in abstract)),
        Found(*(own[d] for own in document)),
    )
    spans = np.stack([abstract.start, abstract.end, document.start, document.end], axis=1)
    sizes = spans[:, 1::2] - spans[:, ::2]
    first = batch.abstract[abstract.start] == batch.document[document.start]
    one_word = (sizes == 1).sum(axis=1) == 1
    # Other models link phrases of the same words.
    different = ~have_equal_keys(spans, batch.abstract, batch.document)
    as_entry = (sizes.max(axis=1, initial=1) > 1) & different
    kept = np.where(abstract.kind == ENTRY, as_entry, one_word & ~first)
    rows = without_repeats(np.column_stack([spans, abstract.kind])[kept])
    # Of several kinds the first counts.
    _, of_span = np.unique(rows[:, :4], axis=0, return_index=True)
    return Matches(rows[of_span, :4].astype(np.int32), rows[of_span, 4])


STRENGTH = 0.01
"""Pseudo-counts of the prior, which expects all kinds alike. So few that a kind of which a corpus
has a dozen links is worth what these say; none would be no distribution."""


@dataclass(frozen=True)
class Multiword(KindModel):
    """frequency(words of a) * linked[kind] / base[kind] for phrases that stand for one another.

    The kinds are ``KINDS``; at least one of the phrases has several words. The frequency of a
    phrase is the product of those of its words. As in ``Relation``, the probability is not
    normalised.

    M-step: ``linked`` in proportion to the expected counts plus ``STRENGTH`` pseudo-counts.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``base``       float64 [kinds], pairs of such phrases for each word pair of unrelated texts
                   (``rewrite_models.related_words``).
    ``linked``     float64 [kinds], the share of each kind among the links of this model; learned.
    ``wordnet``    where WordNet is, as in ``Relation``.
    """

    frequency: Annotated[np.ndarray, open_shares("V+1")]
    base: Annotated[np.ndarray, positive(len(KINDS))]
    linked: Annotated[np.ndarray, open_shares(len(KINDS))]
    wordnet: str | None
    name = "multiword"
    Settings = WordNetDirectory
    common: ClassVar = {"kinds": amounts(len(KINDS))}

    @classmethod
    def initial(cls, corpus: Corpus, settings: WordNetDirectory) -> Multiword:
        frequency = corpus.smoothed_shares()
        # Half a pair more, for kinds that the corpus lacks.
        found = np.full(len(KINDS), 0.5)
        pairs = 1.0
        for batch in sampled(corpus.batches):
            heights = np.diff(batch.abstract_offsets)
            widths = np.diff(batch.document_offsets)
            for step in steps(len(batch)):
                kinds = matches(batch, settings.wordnet, step).kind
                found += np.bincount(kinds, minlength=len(KINDS))
                pairs += float(np.roll(heights, -step) @ widths)
        even = np.full(len(KINDS), 1.0 / len(KINDS))
        return cls(frequency, found / pairs, even, settings.wordnet)

    def features(self, batch: Batch) -> Features:
        found = matches(batch, self.wordnet)
        frequency = products(self.frequency_of(batch.abstract), found.spans[:, :2])
        return Features(found.spans, {"frequency": frequency, "kind": found.kind})

    @property
    def pseudo_counts(self) -> np.ndarray:
        return np.full(len(KINDS), STRENGTH)

    def log_prior(self) -> float:
        return float(STRENGTH * np.log(self.linked).sum())
