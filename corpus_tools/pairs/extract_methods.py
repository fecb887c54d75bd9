"""Lists the ways to choose extracts. A new one is one function and one line here.

By a greedy cover (``covering``) each sentence adds what the ones before it lack: an abstract
sentence is often fused from several document sentences. So the next sentence to choose is the one
that holds most of the abstract words that no chosen sentence holds yet, by weight. It is divided by
a small power of its length, as long sentences hold more of any words. Rare stems of the document
weigh more (inverse document frequency, with the document's own sentences as documents).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from corpus_tools.errors import choose
from corpus_tools.pairs.extract import extract
from corpus_tools.pairs.pair import Extract, Pair
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import MOST, Memo, normal_form, stem

AGAIN = 0.15
"""The share of its weight that a stem has once a chosen sentence holds it. Set by hand.

So of sentences that add nothing, those that repeat much come first.
"""

IGNORED = 0.1
"""The share of its weight that a word of the ignore list has. Set by hand.

Idf within one document cannot know that such a word is common elsewhere.
"""

EXTRA_LENGTH, POWER = 5.0, 0.2
"""A sentence's weight is divided by (length + ``EXTRA_LENGTH``) ** ``POWER``. Set by hand."""

TIE = 1e-9
"""Sentences whose gains differ by less are equally good: last digits of sums do not decide."""

MOST_STEPS = 2 * 10**10
"""The most additions for one pair. Set by hand: it is some minutes' work."""


def cover(pair: Pair, sentences: int) -> tuple[tuple[int, ...], ...]:
    """Return for every abstract sentence the numbers of its document sentences, the best first.

    ``sentences``  how many of them at most; all that the document has where it has fewer.

    Of equally good ones the first is chosen. Raises ``BadPair`` for a pair with too many sentences
    (``MOST_STEPS``).
    """
    numbers = _stem_numbers()
    document = _Stems(pair.document, numbers)
    keep = min(sentences, len(document.penalty))
    stems = numbers.of(pair.abstract.tokens)
    abstract = [stems[start:end] for start, end in pairwise(pair.abstract.boundaries)]
    if len(abstract) * keep * (len(document.holders) + len(document.penalty)) > MOST_STEPS:
        raise pair.error(
            f"an extract of a document of {len(document.penalty):,} sentences for an abstract of "
            f"{len(abstract):,} takes too long; align the whole document, or parts of it"
        )
    return tuple(document.covering(sentence, keep) for sentence in abstract)


NO_WORD = -1
"""What stands for a token without letters and digits, instead of the number of a stem."""


class _StemNumbers:
    """Numbers the stems of tokens by first appearance; those of ignored words come first.

    Who numbers begins anew when ``MOST`` stems are known, so that memory does not grow with the
    corpus. No number is kept longer than one pair takes.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        for form in sorted(read_ignore_list()):
            self._numbers.setdefault(stem(form), len(self._numbers))
        self.ignored = len(self._numbers)
        self._of_token = Memo(self._number)

    def of(self, tokens: Sequence[str]) -> np.ndarray:
        """Return int64 [tokens], the numbers of the stems, or ``NO_WORD``."""
        return np.fromiter(map(self._of_token.__getitem__, tokens), np.int64, len(tokens))

    def _number(self, token: str) -> int:
        if not any(map(str.isalnum, token)):
            return NO_WORD
        return self._numbers.setdefault(stem(normal_form(token)), len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)


_known = threading.local()


def _stem_numbers() -> _StemNumbers:
    """Return the numbers that this thread has, or new ones."""
    numbers: _StemNumbers | None = getattr(_known, "numbers", None)
    if numbers is None or len(numbers) > MOST:
        numbers = _known.numbers = _StemNumbers()
    return numbers


class _Stems:
    """The document sentences that hold each stem.

    ``index_of``  the index of each stem, by its number.
    ``weights``   float64 [S], of each stem.
    ``holders``   int64, the sentences that hold each stem, one stem after the other.
    ``starts``    int64 [S + 1], where the holders of each stem begin.
    ``penalty``   float64 [D], what the weight of each sentence is divided by.
    """

    def __init__(self, document: Text, numbers: _StemNumbers) -> None:
        boundaries = np.array(document.boundaries)
        size = len(boundaries) - 1
        stems = numbers.of(document.tokens)
        sentences = np.repeat(np.arange(size), np.diff(boundaries))
        words = stems != NO_WORD
        lengths = np.bincount(sentences[words], minlength=size)
        # Each stem of a sentence once, by stem and then by sentence.
        held = np.unique(stems[words] * size + sentences[words])
        self.holders = held % max(size, 1)
        of = held // max(size, 1)
        begins = np.flatnonzero(np.diff(of, prepend=-1))
        self.starts = np.append(begins, len(of))
        self.index_of = dict(zip(of[begins].tolist(), range(len(begins)), strict=True))
        self.penalty = (lengths + EXTRA_LENGTH) ** POWER
        self.weights = np.log((size + 1.0) / (np.diff(self.starts) + 0.5))
        self.weights[of[begins] < numbers.ignored] *= IGNORED

    def covering(self, sentence: np.ndarray, keep: int) -> tuple[int, ...]:
        """Return the ``keep`` sentences that cover an abstract sentence, the best first.

        ``sentence``  the numbers of its stems, with ``NO_WORD`` for other tokens.
        """
        stems = dict.fromkeys(sentence.tolist())
        known = [self.index_of[one] for one in stems if one in self.index_of]
        wanted = np.array(known, dtype=np.int64)
        first = self.starts[wanted]
        sizes = self.starts[wanted + 1] - first
        of = np.repeat(np.arange(len(wanted)), sizes)
        held = self.holders[np.arange(len(of)) + (first - np.cumsum(sizes) + sizes)[of]]
        full = self.weights[wanted]
        weights = full.copy()
        chosen: list[int] = []
        for _ in range(keep):
            gain = np.bincount(held, weights[of], len(self.penalty)) / self.penalty
            gain[chosen] = -1.0
            best = int((gain > gain.max() - TIE).argmax())
            chosen.append(best)
            new = of[held == best]
            weights[new] = full[new] * AGAIN
        return tuple(chosen)


FIRST = 4
"""So many sentences of whole documents are told apart by when they are chosen. Set by hand."""


def by_cover(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by a greedy cover of the abstract's words (``cover``)."""
    if sentences:
        return tuple(map(_ranked, cover(pair, sentences)))
    size = len(pair.document.boundaries) - 1
    return tuple(_all_ranked(best_first, size) for best_first in cover(pair, FIRST))


def _all_ranked(best_first: Sequence[int], size: int) -> Extract:
    ranks = [len(best_first)] * size
    for rank, sentence in enumerate(best_first):
        ranks[sentence] = rank
    return Extract(tuple(range(size)), tuple(ranks))


def _ranked(best_first: Sequence[int]) -> Extract:
    rank_of = {sentence: rank for rank, sentence in enumerate(best_first)}
    chosen = tuple(sorted(best_first))
    return Extract(chosen, tuple(rank_of[sentence] for sentence in chosen))


def by_deletion(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by deletion (Marcu 1999, ``extract``)."""
    return tuple(map(Extract, extract(pair, sentences)))


EXTRACT_METHODS: dict[str, Callable[[Pair, int], tuple[Extract, ...]]] = {
    "cover": by_cover,
    "marcu": by_deletion,
}
"""The methods by name.

Each takes a pair and how many document sentences to choose for each abstract sentence, 0 for all.
"""


def choose_extracts(pair: Pair, sentences: int, method: str) -> tuple[Extract, ...]:
    """Return the extract of every abstract sentence: those that the pair has, or new ones.

    Raises ``BadUsage`` for an unknown method, and ``BadPair`` for a pair that is too large for it.
    """
    if pair.extracts is not None and pair.extracts.choice == (sentences, method):
        return pair.extracts.extracts
    return EXTRACT_METHODS[choose("extract method", method, EXTRACT_METHODS)](pair, sentences)
