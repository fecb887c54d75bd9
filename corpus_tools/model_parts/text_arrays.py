"""Encodes texts: the numbers of their words, and their trees and sentences as flat arrays.

The arrays of several documents are laid end to end.
"""

from __future__ import annotations

from array import array
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.base.arrays import numbers_within, selected, without_repeats
from corpus_tools.languages.language import ENGLISH
from corpus_tools.texts.forms import Cache, normal_form, stem
from corpus_tools.texts.trees import UNKNOWN_LABEL, Bracket

# Words


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The V normal forms of a corpus and their Porter stems, both in order of first appearance.

    ``words``    the number of each normal form.
    ``stems``    the number of each stem.
    ``stem_of``  int32 [V], for each word the number of its stem.
    ``code``     the code of the language, whose table lists the function words
                 (``corpus_tools.languages``).
    """

    words: Mapping[str, int]
    stems: Mapping[str, int]
    stem_of: np.ndarray
    code: str = ENGLISH

    @classmethod
    def empty(cls) -> Vocabulary:
        """Return a vocabulary without words."""
        return cls({}, {}, np.zeros(0, dtype=np.int32))

    def with_forms(self, forms: Iterable[str]) -> Vocabulary:
        """Return the vocabulary with these normal forms added; known words keep their numbers."""
        indexer = WordIndexer(self)
        for form in forms:
            indexer.number(form)
        return indexer.vocabulary()

    def __len__(self) -> int:
        return len(self.stem_of)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Return the normal forms by number."""
        return tuple(self.words)

    def numbers_in(self, other: Vocabulary) -> np.ndarray:
        """Return int64 [V + 1], the number of each word in another vocabulary.

        Words that the other vocabulary lacks, and the last entry, get the number ``len(other)``.
        """
        unseen = len(other)
        numbers = [other.words.get(form, unseen) for form in self.words]
        return np.array([*numbers, unseen], dtype=np.int64)


class WordIndexer:
    """Numbers the words of texts by first appearance, after the words of a known vocabulary.

    ``known``  the known vocabulary, which does not change.
    """

    def __init__(self, known: Vocabulary) -> None:
        self.known = known
        self._words: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._stem_of = array("i")
        self._known_stems = len(known.stems)
        # A token that was seen before costs one look-up in a dictionary, and no Python code.
        self._tokens = Cache(self._number_of_token)

    def numbers(self, tokens: Iterable[str]) -> np.ndarray:
        """Return int32 [tokens], the numbers of the tokens' normal forms."""
        return np.fromiter(map(self._tokens.__getitem__, tokens), dtype=np.int32)

    def _number_of_token(self, token: str) -> int:
        return self.number(normal_form(token))

    def add(self, vocabulary: Vocabulary) -> np.ndarray:
        """Add the words of another vocabulary, and return int32 [V], their numbers."""
        names = tuple(vocabulary.stems)
        stems = (names[number] for number in vocabulary.stem_of.tolist())
        numbers = map(self.number, vocabulary.words, stems)
        return np.fromiter(numbers, dtype=np.int32, count=len(vocabulary))

    def number(self, form: str, of_stem: str | None = None) -> int:
        """Return the number of a normal form; number it if it is new.

        ``of_stem``  the stem of the form, if the caller knows it.
        """
        number = self.known.words.get(form)
        if number is None:
            number = self._words.get(form)
        if number is None:
            number = len(self.known) + len(self._words)
            self._words[form] = number
            name = stem(form) if of_stem is None else of_stem
            stem_number = self.known.stems.get(name)
            if stem_number is None:
                stem_number = self._known_stems + len(self._stems)
                stem_number = self._stems.setdefault(name, stem_number)
            self._stem_of.append(stem_number)
        return number

    def vocabulary(self) -> Vocabulary:
        """Return the vocabulary of all words. Call it once, after the last word.

        It shares the known words instead of copying them, since each batch of a long stream has a
        vocabulary.
        """
        if not self._words:
            return self.known
        before = self.known
        stem_of = np.concatenate([before.stem_of, np.array(self._stem_of, dtype=np.int32)])
        if not len(before):
            return Vocabulary(self._words, self._stems, stem_of, before.code)
        # The maps are only read. A ``ChainMap`` iterates over its last map first.
        words: Mapping[str, int] = ChainMap(self._words, before.words)  # type: ignore[arg-type]
        stems: Mapping[str, int] = ChainMap(self._stems, before.stems)  # type: ignore[arg-type]
        return Vocabulary(words, stems, stem_of, before.code)


# Trees and sentences of documents


class Trees(NamedTuple):
    """The trees of P documents, laid end to end.

    ``labels``   the L names of labels.
    ``label``    int32 [R], the label of each bracket, a number below L; the brackets of a document
                 are in pre-order.
    ``start``    int32 [R], the first token of each bracket, counted from the document's first
                 token.
    ``end``      int32 [R], the token after the last token of each bracket.
    ``offsets``  int64 [P + 1], where the brackets of each document begin.
    ``words``    int64 [P], the number of tokens of each document.
    """

    labels: tuple[str, ...]
    label: np.ndarray
    start: np.ndarray
    end: np.ndarray
    offsets: np.ndarray
    words: np.ndarray

    @classmethod
    def from_brackets(cls, documents: Iterable[Sequence[Sequence[Bracket]]]) -> Trees:
        """Encode the trees of documents.

        ``documents``  the sentences of each document; a sentence is its brackets in pre-order, the
                       first one over all its tokens.

        Spans may count from the first token of the sentence or of the document. Tokens need no
        brackets of their own.
        """
        numbers: dict[str, int] = {}
        rows: list[tuple[int, int, int]] = []
        offsets = [0]
        words = []
        for sentences in documents:
            covered = 0
            for tree in sentences:
                _, start, end = tree[0]
                shift = covered - start
                for name, first, last in tree:
                    number = numbers.setdefault(name, len(numbers))
                    rows.append((number, first + shift, last + shift))
                covered = end + shift
            offsets.append(len(rows))
            words.append(covered)
        label, *spans = np.array(rows, dtype=np.int32).reshape(-1, 3).T.copy()
        return cls(tuple(numbers), label, spans[0], spans[1], np.array(offsets), np.array(words))

    @classmethod
    def flat(cls, documents: Sequence[tuple[Sequence[int], Sequence[str]]]) -> Trees:
        """Encode trees in which every token is a child of the root, as ``from_brackets`` does.

        ``documents``  for each document the boundaries of its ``Text``, and the labels of its
                       sentences' roots. No sentence is empty.
        """
        of_roots = [*chain.from_iterable(names for _, names in documents)]
        roots = list(dict.fromkeys(of_roots))
        # Labels are numbered by first appearance: the first root, its tokens, then other roots.
        labels = (roots[0], UNKNOWN_LABEL, *roots[1:])
        numbers = {label: number for number, label in enumerate(labels)}
        spans = [span for boundaries, _ in documents for span in pairwise(boundaries)]
        begins, ends = np.array(spans, dtype=np.int32).T
        # The brackets of a sentence are its root and then its words.
        sizes = 1 + ends - begins
        root = np.cumsum(sizes) - sizes
        start = np.repeat(begins, sizes) + np.maximum(numbers_within(sizes) - 1, 0)
        label, end = np.ones_like(start), start + 1
        label[root] = [numbers[name] for name in of_roots]
        end[root] = ends
        words = np.array([boundaries[-1] for boundaries, _ in documents])
        brackets = words + [len(names) for _, names in documents]
        offsets = np.cumsum([0, *brackets])
        label, start, end = (column.astype(np.int32) for column in (label, start, end))
        return cls(labels, label, start, end, offsets, words)

    def sentence_begins(self, document_offsets: np.ndarray) -> np.ndarray:
        """Return int64 [sentences], the first tokens of the documents' sentences, in order.

        ``document_offsets``  int64 [P + 1], where the words of each document begin. The result
                              counts words in the same way.

        Sentences without words are left out.
        """
        shift = np.repeat(document_offsets[:-1], np.diff(self.offsets))
        start = self.start + shift
        end = self.end + shift
        # In pre-order a bracket that begins after the end of all earlier brackets is a sentence.
        before = np.maximum.accumulate(np.concatenate([[0], end]))[:-1]
        return without_repeats(start[(start >= before) & (start < end)])

    def select(self, indices: Sequence[int]) -> Trees:
        """Return the trees of some of the documents, one or more, by their indices."""
        rows, offsets = selected(self.offsets, indices)
        brackets = self.label[rows], self.start[rows], self.end[rows]
        return Trees(self.labels, *brackets, offsets, self.words[list(indices)])


class DocumentSentences(NamedTuple):
    """The S sentences of P documents, without sentences that have no words, laid end to end.

    ``start``    int64 [S], the first token of each sentence, counted from the document's first
                 token.
    ``end``      int64 [S], the token after the last token of each sentence.
    ``rank``     int64 [S], the place of each sentence in the order in which the extract of its
                 document was chosen, 0 for the best.
    ``offsets``  int64 [P + 1], where the sentences of each document begin.
    """

    start: np.ndarray
    end: np.ndarray
    rank: np.ndarray
    offsets: np.ndarray

    @classmethod
    def from_boundaries(
        cls, documents: Sequence[tuple[Sequence[int], Sequence[int]]]
    ) -> DocumentSentences:
        """Encode the sentences of documents.

        ``documents``  for each document the boundaries of its ``Text``, and a number for each
                       sentence. Smaller numbers were chosen first, and equal numbers in the order
                       of the text.
        """
        rows = []
        for boundaries, ranks in documents:
            # The rank of a sentence is its place in the sorted order: the inverse permutation.
            order = np.argsort(ranks, kind="stable")
            rows.append(np.stack([boundaries[:-1], boundaries[1:], np.argsort(order)]))
        start, end, rank = np.concatenate(rows, axis=1)
        return cls(start, end, rank, np.cumsum([0, *(row.shape[1] for row in rows)]))

    def select(self, indices: Sequence[int]) -> DocumentSentences:
        """Return the sentences of some of the documents, one or more, by their indices."""
        rows, offsets = selected(self.offsets, indices)
        return DocumentSentences(self.start[rows], self.end[rows], self.rank[rows], offsets)
