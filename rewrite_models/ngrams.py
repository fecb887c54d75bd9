"""Finds matching n-grams of two texts, numbers phrases, and has the models that need no more.

Daumé III and Marcu (2005), sections 4.2.1 and 4.2.2: phrases are rewritten as themselves, or as
phrases with the same stems. Both models look for all pairs of equally long phrases whose words have
equal keys (``matching_ngrams``): the words themselves, or their stems.

Letters: M and N abstract and document words of a batch, P pairs, C candidates, L pairs of equal
words; t an abstract word, j a document word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from corpus_tools.base.arrays import equal_pairs, products, without_repeats
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, flags
from corpus_tools.plugins.options import Options
from rewrite_models.rewrite_model import Features, RewriteModel

ENOUGH = 256
"""Phrase pairs that are listed for each word of a pair, at most.

Identical texts of up to 1,023 words keep all their phrases with it: L words have
L (L + 1) / 2, and both texts together have room for 2 L ``ENOUGH``. A word takes 4 kB at most.
"""


def matching_ngrams(
    abstract: np.ndarray,
    document: np.ndarray,
    abstract_offsets: np.ndarray,
    document_offsets: np.ndarray,
    longest: int = 2**31,
) -> np.ndarray:
    """Return every phrase pair of up to ``longest`` words with equal keys, pair by pair.

    ``abstract`` int [M] and ``document`` int [N] are the keys, the offsets int64 [P + 1].
    Return int32 [C, 4]: a_start, a_end, d_start, d_end.

    A word that is repeated hundreds of times on both sides makes phrases by the cube of that. So a
    pair for which ``ENOUGH`` phrase pairs a word are too few gets the shorter ones only, up to the
    length for which there is room: they explain the same texts in a few pieces more. Identical
    texts of 1,000 words still have all their phrases.
    """
    heights, widths = np.diff(abstract_offsets), np.diff(document_offsets)
    pairs = np.arange(len(heights))
    pair_of_abstract = np.repeat(pairs, heights)
    keys = 1 + max(abstract.max(initial=0), document.max(initial=0))
    # Keys that are apart by pair: words of different pairs never match.
    wanted = pair_of_abstract * keys + abstract
    found = np.repeat(pairs, widths) * keys + document
    # t ascends, and j descends.
    t, from_end = equal_pairs(wanted, found[::-1])
    j = len(found) - 1 - from_end
    pair = pair_of_abstract[t]
    length = np.minimum(_lengths(t, j, pair), longest)
    room = ENOUGH * (heights + widths)
    total = np.bincount(pair, weights=length, minlength=len(pairs))
    # Identical texts of thousands of words, or one word over and over.
    for crowded in np.flatnonzero(total > room):
        own = pair == crowded
        length[own] = np.minimum(length[own], _longest(length[own], room[crowded]))
    # As many phrases end where a common span ends as it has words: its last, last two, and so on.
    end_t, end_j = np.repeat(t, length), np.repeat(j, length)
    before = np.arange(len(end_t)) - np.repeat(np.cumsum(length) - length, length)
    rows = (end_t - before, end_t + 1, end_j - before, end_j + 1)
    return np.stack(rows, axis=1).astype(np.int32)


def _lengths(t: np.ndarray, j: np.ndarray, pair: np.ndarray) -> np.ndarray:
    """Return int64 [L], how long the common span is that ends at t and j."""
    # By diagonal, and along it; no two of these numbers are equal.
    diagonal = np.argsort((j - t) * (t.max(initial=0) + 1) + t)
    goes_on = np.diff(t[diagonal], prepend=-2) == 1
    goes_on &= np.diff(j[diagonal], prepend=-2) == 1
    goes_on &= np.diff(pair[diagonal], prepend=-1) == 0
    place = np.arange(len(diagonal))
    first = np.maximum.accumulate(np.where(goes_on, 0, place))
    lengths = np.empty_like(place)
    lengths[diagonal] = place - first + 1
    return lengths


def _longest(lengths: np.ndarray, room: int) -> int:
    """Return the longest phrase up to which all phrases fit into the room; words always do."""
    ending = np.bincount(lengths)[1:]
    at_least = ending[::-1].cumsum()[::-1]
    return max(1, int(np.searchsorted(at_least.cumsum(), room, side="right")))


def have_equal_keys(spans: np.ndarray, abstract: np.ndarray, document: np.ndarray) -> np.ndarray:
    """Tell which phrase pairs, int [C, 4], have the same keys word by word: bool [C].

    N-grams of 1, 2, 4 and more words are numbered. Two phrases are the same if the longest of these
    are that fit into them, those from the beginning and those up to the end.
    """
    length = spans[:, 1] - spans[:, 0]
    equal: np.ndarray = length == spans[:, 3] - spans[:, 2]
    ngrams = np.concatenate([abstract, document]).astype(np.int64)
    for level in range(int(length.max(initial=0)).bit_length()):
        size = 1 << level
        own = np.flatnonzero(equal & (size <= length) & (length < 2 * size))
        a, a_end, d, d_end = spans[own].T
        equal[own] = ngrams[a] == ngrams[d + len(abstract)]
        equal[own] &= ngrams[a_end - size] == ngrams[d_end + (len(abstract) - size)]
        longer = ngrams[:-size] * (1 + ngrams.max()) + ngrams[size:]
        ngrams = without_repeats(longer).searchsorted(longer)
    return equal


ABSENT = -1
"""The number of a phrase that the corpus does not have."""


def _singles(words: np.ndarray, size: int) -> np.ndarray:
    """Return int64 [tokens], the phrase of each single word: its own number, ABSENT if unknown."""
    return np.where(words < size, words, ABSENT).astype(np.int64)


def extended(
    heads: np.ndarray, words: np.ndarray, length: int, offsets: np.ndarray, size: int
) -> np.ndarray:
    """Return int64 [tokens], the keys of the phrases that are one word longer than ``heads``.

    ABSENT where the text ends before, or a part is unknown. Keys are those of ``Phrases.levels``.
    """
    keys = np.full(len(words), ABSENT, dtype=np.int64)
    pair_end = np.repeat(offsets[1:], np.diff(offsets))
    start = np.flatnonzero(np.arange(len(words)) + length <= pair_end)
    tail = words[start + length - 1]
    known = (heads[start] != ABSENT) & (tail < size)
    keys[start[known]] = heads[start[known]] * size + tail[known]
    return keys


@dataclass(frozen=True)
class Phrases:
    """The phrases of one side, numbered by length and then by words.

    Single words come first, with their numbers in the vocabulary.

    ``size``    the size V of the training vocabulary: words with numbers from V on are unknown.
    ``levels``  for each length from 2 on, the sorted int64 keys of its phrases: (number among the
                phrases that are one word shorter) * V + last word.
    """

    size: int
    levels: tuple[np.ndarray, ...]

    @classmethod
    def from_texts(
        cls, texts: list[tuple[np.ndarray, np.ndarray]], size: int, longest: int
    ) -> Phrases:
        """Collect all phrases of up to ``longest`` words in texts: (word numbers, pair offsets)."""
        heads = [_singles(words, size) for words, _ in texts]
        levels: list[np.ndarray] = []
        for length in range(2, longest + 1):
            keys = [
                extended(head, words, length, offsets, size)
                for head, (words, offsets) in zip(heads, texts, strict=True)
            ]
            level = without_repeats(np.concatenate(keys))
            levels.append(level[level != ABSENT])
            heads = [
                np.where(key == ABSENT, ABSENT, np.searchsorted(levels[-1], key)) for key in keys
            ]
        return cls(size, tuple(levels))

    def __len__(self) -> int:
        return self.size + sum(map(len, self.levels))

    @property
    def first(self) -> np.ndarray:
        """Return int64 [longest + 1], the first number of each length, and their end."""
        return np.cumsum([0, self.size, *map(len, self.levels)])

    def number(self, words: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return int64 [longest, tokens], the phrase of each length that starts at each token.

        ABSENT where there is no such phrase.
        """
        rows = [_singles(words, self.size)]
        for length, level in enumerate(self.levels, start=2):
            keys = extended(rows[-1], words, length, offsets, self.size)
            index = np.searchsorted(level, keys)
            known = (keys != ABSENT) & (index < len(level))
            known[known] = level[index[known]] == keys[known]
            rows.append(np.where(known, index, ABSENT))
        numbers = np.stack(rows)
        return np.where(numbers == ABSENT, ABSENT, numbers + self.first[:-1, None])


@dataclass(frozen=True)
class Identity(RewriteModel):
    """rewrite_id(s | d) = 1 if s = d, else 0, for phrases of any length. No parameters.

    Words are the same if their normal forms are. In plain Python: ``semihmm.reference.rewrite_id``.
    """

    name = "identity"

    def features(self, batch: Batch) -> Features:
        offsets = batch.abstract_offsets, batch.document_offsets
        return Features(matching_ngrams(batch.abstract, batch.document, *offsets), {})

    def probabilities(self, features: Features) -> np.ndarray:
        return np.ones(len(features.spans))


def forms_alike(keys: np.ndarray, in_abstracts: np.ndarray) -> np.ndarray:
    """Return float64 [words], how many forms of the training abstracts have the key of each word.

    A word that is none of these forms counts as one more. ``keys`` int [words] are those of the
    vocabulary of a batch, which may have more words than the training vocabulary.
    """
    known = np.zeros(len(keys))
    known[: len(in_abstracts)] = in_abstracts
    return np.bincount(keys, weights=known)[keys] + (1.0 - known)


@dataclass(frozen=True)
class Stem(RewriteModel):
    """Equation 4: rewrite_stem(s | d) = 1 / Z_d if s and d have the same stems, else 0.

    Phrases may have any length; the Porter stems are the same word by word. Z_d counts the phrases
    with these stems that the words of the training abstracts can make: the product, over the words,
    of the number of forms of the stem. A form that the training abstracts lack counts as one more.
    In plain Python: ``semihmm.reference.rewrite_stem``.

    ``in_abstracts``  bool [V], the training vocabulary's forms that occur in an abstract.
    """

    in_abstracts: Annotated[np.ndarray, flags("V")]
    name = "stem"

    @classmethod
    def initial(cls, corpus: Corpus, settings: Options) -> Stem:
        return cls(corpus.abstract_counts()[:-1] > 0)

    def warm_start(self, corpus: Corpus, settings: Options) -> Stem:
        """Count the forms of both models' abstracts."""
        before = np.append(self.in_abstracts, False)[corpus.known[:-1]]
        return Stem(before | (corpus.abstract_counts()[:-1] > 0))

    def restricted(self, kept: np.ndarray) -> Stem:
        """Return the model of fewer words. Z counts fewer forms of their stems."""
        return Stem(self.in_abstracts[kept])

    def features(self, batch: Batch) -> Features:
        stems = batch.vocabulary.stem_of
        offsets = batch.abstract_offsets, batch.document_offsets
        spans = matching_ngrams(stems[batch.abstract], stems[batch.document], *offsets)
        # Both sides have the same stems. Only the abstract's forms may be new, which Z counts.
        forms = forms_alike(stems, self.in_abstracts)[batch.abstract]
        return Features(spans, {"probability": products(1.0 / forms, spans[:, :2])})

    def probabilities(self, features: Features) -> np.ndarray:
        return features.data["probability"]
