"""Finds matching n-grams of two texts, numbers phrases, and defines the models identity and stem.

Daumé III and Marcu (2005), sections 4.2.1 and 4.2.2: phrases are rewritten as themselves, or as
phrases with the same stems. Both models look for all pairs of equally long phrases whose words have
equal keys (``matching_ngrams``): the words themselves, or their stems.

Letters: M and N abstract and document words of a batch, P pairs, C candidates, L pairs of equal
words, W words of a text; t an abstract word, j a document word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from corpus_tools.base.arrays import equal_pairs, products, without_repeats
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, flags
from corpus_tools.plugins import Options
from rewrite_models.rewrite_model import Features, RewriteModel

PHRASE_PAIRS_PER_WORD = 256
"""The most phrase pairs that are listed for each word of a pair; a word takes at most 4 kB.

Two identical texts of W words have W (W + 1) / 2 phrase pairs and may have 2 W times this number.
So texts of up to 1,023 words keep all.
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

    The number of phrase pairs grows with the cube of the number of repetitions of a word. A pair
    with more than ``PHRASE_PAIRS_PER_WORD`` phrase pairs for each word gets only the shorter ones,
    as many lengths as fit. They explain the same texts with a few phrases more.
    """
    abstract_lengths, document_lengths = np.diff(abstract_offsets), np.diff(document_offsets)
    pairs = np.arange(len(abstract_lengths))
    pair_of_abstract = np.repeat(pairs, abstract_lengths)
    key_count = 1 + max(abstract.max(initial=0), document.max(initial=0))
    # The pair is part of the key: words of different pairs never match.
    abstract_keys = pair_of_abstract * key_count + abstract
    document_keys = np.repeat(pairs, document_lengths) * key_count + document
    # t ascends, and j descends for each t.
    t, from_end = equal_pairs(abstract_keys, document_keys[::-1])
    j = len(document_keys) - 1 - from_end
    pair = pair_of_abstract[t]
    length = np.minimum(_lengths(t, j, pair), longest)
    most = PHRASE_PAIRS_PER_WORD * (abstract_lengths + document_lengths)
    total = np.bincount(pair, weights=length, minlength=len(pairs))
    # Such pairs are identical texts of thousands of words, or repeat one word over and over.
    for crowded in np.flatnonzero(total > most):
        in_pair = pair == crowded
        length[in_pair] = np.minimum(length[in_pair], _longest(length[in_pair], most[crowded]))
    # Where a common span of l words ends, l phrases end: its last word, its last two, and so on.
    end_t, end_j = np.repeat(t, length), np.repeat(j, length)
    words_before_last = np.arange(len(end_t)) - np.repeat(np.cumsum(length) - length, length)
    starts = end_t - words_before_last, end_j - words_before_last
    rows = (starts[0], end_t + 1, starts[1], end_j + 1)
    return np.stack(rows, axis=1).astype(np.int32)


def _lengths(t: np.ndarray, j: np.ndarray, pair: np.ndarray) -> np.ndarray:
    """Return int64 [L], the length of the longest common span that ends at each t and j."""
    # Sorted by diagonal j - t, and along it by t: neighbours t and t + 1 continue a span.
    diagonal = np.argsort((j - t) * (t.max(initial=0) + 1) + t)
    continues = np.diff(t[diagonal], prepend=-2) == 1
    continues &= np.diff(j[diagonal], prepend=-2) == 1
    continues &= np.diff(pair[diagonal], prepend=-1) == 0
    place = np.arange(len(diagonal))
    first = np.maximum.accumulate(np.where(continues, 0, place))
    lengths = np.empty_like(place)
    lengths[diagonal] = place - first + 1
    return lengths


def _longest(lengths: np.ndarray, most: int) -> int:
    """Return the greatest length up to which there are at most ``most`` phrases; at least 1."""
    ending = np.bincount(lengths)[1:]
    # There is one phrase of l words for each span of l words or more.
    at_least = ending[::-1].cumsum()[::-1]
    return max(1, int(np.searchsorted(at_least.cumsum(), most, side="right")))


def have_equal_keys(spans: np.ndarray, abstract: np.ndarray, document: np.ndarray) -> np.ndarray:
    """Tell which phrase pairs, int [C, 4], have the same keys word by word: bool [C].

    N-grams of 1, 2, 4, 8, ... words are numbered. Two phrases of l words are equal if their first
    and their last n-grams are, for the largest such n <= l: the two cover the phrase.
    """
    length = spans[:, 1] - spans[:, 0]
    equal: np.ndarray = length == spans[:, 3] - spans[:, 2]
    ngrams = np.concatenate([abstract, document]).astype(np.int64)
    for level in range(int(length.max(initial=0)).bit_length()):
        size = 1 << level
        if level:
            # An n-gram of twice the size is a pair of n-grams: give each distinct pair a number.
            half = size // 2
            longer = ngrams[:-half] * (1 + ngrams.max()) + ngrams[half:]
            ngrams = without_repeats(longer).searchsorted(longer)
        rows = np.flatnonzero(equal & (size <= length) & (length < 2 * size))
        a, a_end, d, d_end = spans[rows].T
        equal[rows] = ngrams[a] == ngrams[d + len(abstract)]
        equal[rows] &= ngrams[a_end - size] == ngrams[d_end + (len(abstract) - size)]
    return equal


ABSENT_PHRASE = -1
"""The number of a phrase that the corpus does not have."""


def _singles(words: np.ndarray, size: int) -> np.ndarray:
    """Return int64 [tokens], the phrase of each word: its own number, or ``ABSENT_PHRASE``."""
    return np.where(words < size, words, ABSENT_PHRASE).astype(np.int64)


def extended(
    heads: np.ndarray, words: np.ndarray, length: int, offsets: np.ndarray, size: int
) -> np.ndarray:
    """Return int64 [tokens], the keys of the phrases of ``length`` words that begin at each word.

    ``heads``  int64 [tokens], the keys of the phrases that are one word shorter.

    The key is ``ABSENT_PHRASE`` where the text ends before, or a word is unknown. Keys are those of
    ``NumberedPhrases.levels``.
    """
    keys = np.full(len(words), ABSENT_PHRASE, dtype=np.int64)
    pair_end = np.repeat(offsets[1:], np.diff(offsets))
    start = np.flatnonzero(np.arange(len(words)) + length <= pair_end)
    tail = words[start + length - 1]
    is_phrase = (heads[start] != ABSENT_PHRASE) & (tail < size)
    keys[start[is_phrase]] = heads[start[is_phrase]] * size + tail[is_phrase]
    return keys


def _places(keys: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Return int64 [tokens], the places of keys in a sorted level, or ``ABSENT_PHRASE``."""
    places = np.searchsorted(level, keys)
    is_phrase = places < len(level)
    is_phrase[is_phrase] = level[places[is_phrase]] == keys[is_phrase]
    return np.where(is_phrase, places, ABSENT_PHRASE)


@dataclass(frozen=True)
class NumberedPhrases:
    """The phrases of one side, numbered by length and then by words.

    Single words come first, with their numbers in the vocabulary.

    ``size``    V, the size of the training vocabulary: words with numbers from V on are unknown.
    ``levels``  for each length from 2 on, the sorted int64 keys of its phrases: (number among the
                phrases that are one word shorter) * V + last word.
    """

    size: int
    levels: tuple[np.ndarray, ...]

    @classmethod
    def from_texts(
        cls, texts: list[tuple[np.ndarray, np.ndarray]], size: int, longest: int
    ) -> NumberedPhrases:
        """Collect all phrases of up to ``longest`` words in texts: (word numbers, pair offsets)."""
        heads = [_singles(words, size) for words, _ in texts]
        levels: list[np.ndarray] = []
        for length in range(2, longest + 1):
            keys = [
                extended(head, words, length, offsets, size)
                for head, (words, offsets) in zip(heads, texts, strict=True)
            ]
            level = without_repeats(np.concatenate(keys))
            levels.append(level[level != ABSENT_PHRASE])
            heads = [_places(own, levels[-1]) for own in keys]
        return cls(size, tuple(levels))

    def __len__(self) -> int:
        return self.size + sum(map(len, self.levels))

    @property
    def first(self) -> np.ndarray:
        """Return int64 [longest + 1], the first number of each length, and ``len(self)``."""
        return np.cumsum([0, self.size, *map(len, self.levels)])

    def number(self, words: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return int64 [longest, tokens], the phrase of each length that starts at each token.

        ``ABSENT_PHRASE`` where there is no such phrase.
        """
        rows = [_singles(words, self.size)]
        for length, level in enumerate(self.levels, start=2):
            rows.append(_places(extended(rows[-1], words, length, offsets, self.size), level))
        numbers = np.stack(rows)
        return np.where(numbers == ABSENT_PHRASE, ABSENT_PHRASE, numbers + self.first[:-1, None])


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


def form_counts(keys: np.ndarray, in_abstracts: np.ndarray) -> np.ndarray:
    """Return float64 [words], the number of forms in training abstracts with the key of each word.

    A word that the training abstracts lack counts as one more form.

    ``keys``          int [words], of the vocabulary of a batch, which may have more words than the
                      training vocabulary.
    ``in_abstracts``  bool [V], the forms that occur in training abstracts.
    """
    is_form = np.zeros(len(keys))
    is_form[: len(in_abstracts)] = in_abstracts
    return np.bincount(keys, weights=is_form)[keys] + (1.0 - is_form)


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
        """Return the model that counts the forms of the abstracts of both corpora."""
        before = np.append(self.in_abstracts, False)[corpus.known[:-1]]
        return Stem(before | (corpus.abstract_counts()[:-1] > 0))

    def features(self, batch: Batch) -> Features:
        stems = batch.vocabulary.stem_of
        offsets = batch.abstract_offsets, batch.document_offsets
        spans = matching_ngrams(stems[batch.abstract], stems[batch.document], *offsets)
        # Z_d = the product over the words of the number of forms of the stem. Both sides have the
        # same stems; the words of the abstract are used, since new forms of it count, too.
        forms = form_counts(stems, self.in_abstracts)[batch.abstract]
        return Features(spans, {"probability": products(1.0 / forms, spans[:, :2])})

    def probabilities(self, features: Features) -> np.ndarray:
        return features.data["probability"]
