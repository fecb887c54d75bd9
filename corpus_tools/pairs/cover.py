"""Chooses extracts by a greedy cover: each sentence adds what the ones before it lack.

An abstract sentence is often fused from several document sentences. So the next sentence to choose
is the one that holds most of the abstract words that no chosen sentence holds yet, by weight. It is
divided by a small power of its length, as long sentences hold more of any words. Rare stems of the
document weigh more (inverse document frequency, with the document's own sentences as documents).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import chain

import numpy as np

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.stems import stem
from corpus_tools.texts.tokenizers import normal_form

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

MOST_STEPS = 2 * 10**10
"""The most additions for one pair. Set by hand: it is some minutes' work."""


def cover(pair: Pair, sentences: int) -> tuple[tuple[int, ...], ...]:
    """Return for every abstract sentence the numbers of its document sentences, the best first.

    ``sentences``  how many of them at most; all that the document has where it has fewer.

    Of equally good ones the first is chosen. Raises ``BadPair`` for a pair with too many sentences
    (``MOST_STEPS``).
    """
    document = _Stems(pair.document.sentences())
    keep = min(sentences, len(document.penalty))
    abstract = pair.abstract.sentences()
    if len(abstract) * keep * (len(document.holders) + len(document.penalty)) > MOST_STEPS:
        raise pair.error(
            f"an extract of a document of {len(document.penalty):,} sentences for an abstract of "
            f"{len(abstract):,} takes too long; align the whole document, or parts of it"
        )
    return tuple(document.covering(sentence, keep) for sentence in abstract)


@functools.cache
def _ignored_stems() -> frozenset[str]:
    return frozenset(map(stem, read_ignore_list()))


def _words(sentence: Sequence[str]) -> list[str]:
    """Return the normal forms of the tokens with a letter or a digit."""
    return [normal_form(token) for token in sentence if any(map(str.isalnum, token))]


class _Stems:
    """The document sentences that hold each stem.

    ``numbers``  the number of each stem.
    ``weights``  float64 [S], of each stem.
    ``holders``  int64, the sentences that hold each stem, one stem after the other.
    ``starts``   int64 [S + 1], where the holders of each stem begin.
    ``penalty``  float64 [D], what the weight of each sentence is divided by.
    """

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        holders: dict[str, list[int]] = {}
        lengths = np.zeros(len(sentences))
        for number, sentence in enumerate(sentences):
            words = _words(sentence)
            lengths[number] = len(words)
            for one in dict.fromkeys(map(stem, words)):
                holders.setdefault(one, []).append(number)
        sizes = np.fromiter(map(len, holders.values()), np.int64, len(holders))
        self.numbers = {one: number for number, one in enumerate(holders)}
        self.holders = np.fromiter(chain.from_iterable(holders.values()), np.int64, sizes.sum())
        self.starts = np.cumsum([0, *sizes])
        self.penalty = (lengths + EXTRA_LENGTH) ** POWER
        self.weights = np.log((len(lengths) + 1.0) / (sizes + 0.5))
        ignored = [self.numbers[one] for one in _ignored_stems() if one in self.numbers]
        self.weights[ignored] *= IGNORED

    def covering(self, sentence: Sequence[str], keep: int) -> tuple[int, ...]:
        """Return the ``keep`` sentences that cover an abstract sentence, the best first."""
        stems = dict.fromkeys(map(stem, _words(sentence)))
        wanted = [self.numbers[one] for one in stems if one in self.numbers]
        parts = [self.holders[self.starts[one] : self.starts[one + 1]] for one in wanted]
        of = np.repeat(np.arange(len(wanted)), [len(part) for part in parts])
        held = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
        weights = self.weights[wanted]
        chosen: list[int] = []
        for _ in range(keep):
            gain = np.bincount(held, weights[of], len(self.penalty)) / self.penalty
            gain[chosen] = -1.0
            best = int(gain.argmax())
            chosen.append(best)
            new = of[held == best]
            weights[new] = self.weights[wanted][new] * AGAIN
        return tuple(chosen)
