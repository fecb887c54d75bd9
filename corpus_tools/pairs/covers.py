"""Chooses extracts by a greedy cover of the abstract's words.

An abstract sentence is often fused from several document sentences, so each chosen sentence should
add abstract words that the earlier ones lack. The next sentence is the one with the greatest weight
of such words, divided by a small power of its length, since long sentences have more of any words.
Rare stems of the document weigh more (inverse document frequency, with the document's own sentences
as documents).

The method ``near`` makes such a cover among the sentences around those that are like the abstract
(``near_sentences``). So the extract of an article hardly changes when other articles follow it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple

import numpy as np

from corpus_tools.base.errors import BadPair
from corpus_tools.pairs.pair import Extract, Pair
from corpus_tools.texts import forms
from corpus_tools.texts.lexicons import read_ignore_list

MOST_STEPS = 2 * 10**10
"""The most cosines, or additions, that are computed for one pair: some minutes of work.

The deletion of one document sentence takes a cosine for each document sentence and each abstract
sentence.
"""


def too_large(pair: Pair) -> BadPair:
    """Return the error of a pair with too many sentences."""
    document, abstract = (len(side.boundaries) - 1 for side in (pair.document, pair.abstract))
    return pair.error(
        f"an extract of a document of {document:,} sentences for an abstract of {abstract:,} "
        "takes too long or too much memory; align the whole document, or parts of it"
    )


MOST_PRODUCTS = 10**8
"""The most inner products of sentences in memory for one pair: 800 MB.

This is the number for a document of 10,000 sentences.
"""

REPEATED_WEIGHT = 0.15
"""The factor of a stem's weight after a chosen sentence has the stem.

It ranks sentences that add no stems: a sentence that repeats more stems comes first.
"""

IGNORED_WEIGHT = 0.1
"""The factor of the weight of a word on the ignore list.

Such a word may be rare in the document, but it is common elsewhere.
"""

EXTRA_LENGTH, LENGTH_POWER = 5.0, 0.2
"""A sentence's weight is divided by (length + ``EXTRA_LENGTH``) ** ``LENGTH_POWER``."""

EQUAL_GAIN = 1e-9
"""Sentences whose gains differ by less count as equally good: rounding errors do not decide."""

RANKED_SENTENCES = 4
"""Where all sentences are taken, so many have ranks of their own; all others share one."""


def by_cover(pair: Pair, sentences: int, near: NearSentences | None = None) -> tuple[Extract, ...]:
    """Choose by a greedy cover of the abstract's words.

    ``near``  the document sentences that may be chosen; by default all.

    The first of equally good sentences is chosen. Raises ``BadPair`` for a pair with too many
    sentences (``MOST_STEPS``).
    """
    size = len(pair.document.boundaries) - 1
    near = near or NearSentences(np.ones(size), np.ones(size))
    may_be_chosen = np.flatnonzero(near.nearness)
    numbers = (may_be_chosen if sentences else np.arange(size)).tolist()
    is_whole = not sentences or sentences >= len(numbers)
    keep = min(RANKED_SENTENCES if is_whole else sentences, len(may_be_chosen))
    extracts = []
    for best_first in _covers(pair, keep, near):
        rank_of = {sentence: rank for rank, sentence in enumerate(best_first)}
        chosen = numbers if is_whole else sorted(best_first)
        # Where all are taken, those that were not chosen share the last rank.
        ranks = tuple(rank_of.get(sentence, len(best_first)) for sentence in chosen)
        extracts.append(Extract(tuple(chosen), ranks))
    return tuple(extracts)


def _covers(pair: Pair, keep: int, near: NearSentences) -> Iterator[list[int]]:
    """Yield for each abstract sentence the ``keep`` document sentences, the best first."""
    if len(near.counts) < 2:
        # There is nothing to choose, as in many short pairs.
        yield from ([*range(keep)] for _ in pair.abstract.sentences())
        return
    abstract = [_stems(sentence) for sentence in pair.abstract.sentences()]
    # The document sentences of each stem of the abstract; other stems have no weight.
    abstract_stems = set(chain.from_iterable(abstract))
    holders: dict[str, list[int]] = {}
    lengths = []
    for number, sentence in enumerate(pair.document.sentences()):
        stems = _stems(sentence)
        lengths.append(len(stems))
        for stem_of_both in abstract_stems.intersection(stems):
            holders.setdefault(stem_of_both, []).append(number)
    if len(abstract) * keep * (sum(map(len, holders.values())) + len(lengths)) > MOST_STEPS:
        raise too_large(pair)
    factors = near.nearness**2 / (np.array(lengths) + EXTRA_LENGTH) ** LENGTH_POWER
    ignored = ignored_forms(pair.language, forms.stem)
    for stems in abstract:
        yield _covering(stems, holders, near.counts, factors, keep, ignored)


def _covering(
    stems: list[str],
    holders: dict[str, list[int]],
    counts: np.ndarray,
    factors: np.ndarray,
    keep: int,
    ignored: AbstractSet[str],
) -> list[int]:
    """Return the ``keep`` sentences that cover an abstract sentence, the best first.

    ``stems``    the stems of the abstract sentence.
    ``holders``  for each stem the document sentences that have it, ascending.
    ``counts``   float64 [D], as of ``NearSentences``.
    ``factors``  float64 [D], of the weight of each document sentence; 0 where it is not chosen.
    ``ignored``  stems of little weight.
    """
    # A stem counts once in a sentence, however often it occurs.
    common = [word for word in dict.fromkeys(stems) if word in holders]
    sizes = np.array([len(holders[word]) for word in common], dtype=np.int64)
    sentences = np.fromiter(chain.from_iterable(holders[word] for word in common), np.int64)
    of = np.repeat(np.arange(len(common)), sizes)
    full = np.log((counts.sum() + 1.0) / (np.bincount(of, counts[sentences], len(common)) + 0.5))
    full *= [IGNORED_WEIGHT if word in ignored else 1.0 for word in common]
    weights = full.copy()
    is_near = factors > 0.0
    chosen: list[int] = []
    for _ in range(keep):
        gain = np.bincount(sentences, weights[of], len(factors)) * factors
        gain[chosen] = -1.0
        gain[~is_near] = -1.0
        best = int((gain > gain.max() - EQUAL_GAIN).argmax())
        chosen.append(best)
        new = of[sentences == best]
        weights[new] = full[new] * REPEATED_WEIGHT
    return chosen


def _stems(sentence: Iterable[str]) -> list[str]:
    """Return the stems of the tokens that have letters or digits."""
    return list(filter(None, map(_stem_of.__getitem__, sentence)))


def _word(token: str) -> str:
    return forms.normal_form(token) if any(map(str.isalnum, token)) else ""


_word_of = forms.Cache(_word)

_stem_of = forms.Cache(lambda token: forms.stem(_word_of[token]))


@functools.cache
def ignored_forms(code: str, form: Callable[[str], str]) -> frozenset[str]:
    """Return the ignore list of a language, with ``form`` applied to each word."""
    return frozenset(map(form, read_ignore_list(code=code)))


# Among sentences near the most similar sentences

NEARNESS_STEP = 0.01
"""How much less near a sentence is than the one next to it.

It was set by hand with ``LEAST_NEAR``: 0 and 7 of 2,273 labels of CNN articles change when 1 and 30
other articles follow. Other values were not compared.
"""

LEAST_NEAR = 0.6
"""Sentences that are less near than this share of the nearest are left out."""


def by_cover_of_near(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by a greedy cover among the sentences near the most similar ones.

    Raises ``BadPair`` for a pair with too many sentences (``MOST_PRODUCTS``, ``MOST_STEPS``).
    """
    size, abstracts = len(pair.document.boundaries) - 1, len(pair.abstract.boundaries) - 1
    if size * abstracts > MOST_PRODUCTS:
        raise too_large(pair)
    ignored = ignored_forms(pair.language, str)
    words = (
        [
            [word for word in map(_word_of.__getitem__, sentence) if word and word not in ignored]
            for sentence in side.sentences()
        ]
        for side in (pair.abstract, pair.document)
    )
    near = None
    if size and abstracts:
        near = near_sentences(forms.sentence_cosines(*forms.bags_of_grams(*words)))
    return by_cover(pair, sentences, near)


class NearSentences(NamedTuple):
    """The document sentences that are near those that are like the abstract.

    ``counts``    float64 [D], how much each counts as a document of the idf.
    ``nearness``  float64 [D], at most 1; 0 for those that are not near.
    """

    counts: np.ndarray
    nearness: np.ndarray


def near_sentences(likeness: np.ndarray) -> NearSentences:
    """Return which document sentences are near those that are like the abstract.

    A sentence is as near as the most similar one around it, less ``NEARNESS_STEP`` for each step.
    Other texts in a long document share a word here and there with an abstract. Its sources do so
    too, but sentences that share much surround them. The most similar sentence of each sentence
    of the abstract is always near.

    ``likeness``  float64 [A, D], the cosines of sentences.
    """
    alike = likeness.max(axis=0)
    distance = NEARNESS_STEP * np.arange(len(alike))
    before = np.maximum.accumulate(alike + distance) - distance
    after = np.maximum.accumulate((alike - distance)[::-1])[::-1] + distance
    # A document that shares nothing is near everywhere.
    nearness = np.maximum(before, after) / alike.max() if alike.any() else np.ones(len(alike))
    is_near = nearness >= LEAST_NEAR
    is_near[likeness.argmax(axis=1)] = True
    counts = np.interp(alike, forms.RELATED, (0.0, 1.0))
    return NearSentences(counts, np.where(is_near, nearness, 0.0))
