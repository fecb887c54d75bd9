"""Ranks the sentences of a document by how likely they are sources of an abstract sentence.

In the model a word has one source, but people mark all sentences of the same content. So a logistic
regression combines the alignment with the similarity of two sentences and with their neighbours,
in eight features (``SOURCE_WEIGHTS``). Its weights were fitted on pairs in which people had marked
all sources (``scripts/research/uses.py --fit`` makes them).

The rest of a long document says nothing of a sentence. So words are weighted, and
candidates are counted, by the sentences that have much in common with the abstract (``RELATED``).
"""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from corpus_tools.texts.forms import RELATED, bags_of_grams, sentence_cosines
from semihmm.applications.support.pair_features import NO_WORD, PairFeatures, Side
from semihmm.applications.support.report import Source

CANDIDATES = 10
"""Sentences that are most like an abstract sentence, and compete with each other."""

SOURCE_WEIGHTS = {
    "linked cosine": 6.8,
    "root cosine": 5.25,
    "common": 1.09,
    "neighbours": 2.24,
    "place": -0.27,
    "trigrams": 0.64,
    "cosines around": 1.85,
    "cosines of candidates": -1.3,
}
"""The weights.

``linked cosine``   the geometric mean of two shares: that of the abstract sentence's words that are
                    linked to the document sentence, each with its probability, and the cosine of
                    both sentences: the character n-grams of their content words, weighted by
                    1 + log tf and idf.
``root cosine``     the square root of that cosine.
``common``          the logarithm of 1 + the number of content words in common.
``neighbours``      the linked cosine of the sentence before and the abstract sentence before, and
                    that of those after, added.
``place``           the logarithm of 1 + the number of sentences before it.
``trigrams``        the logarithm of 1 + the number of trigrams of words in common.
``cosines around``  the cosines of the sentences before and after it, added.
``cosines of candidates``  those of the ``CANDIDATES`` most alike, added.
"""

SOURCE_INTERCEPT = -4.59
"""Greater than that of the sets, so that 0.3 (``report.MIN_USED_SHARE``) has nearly the best F1."""

LEAST_SHARE = 0.01
"""Less likely sources but the best are left out: two thirds, for .002 of average precision."""

LEAST_COMPARED = 0.05
"""Less likely sources neither confirm a number or a name nor contradict it. Chosen by hand."""


def source_shares(features: PairFeatures) -> np.ndarray:
    """Return float64 [A, D], the probability that each document sentence is a source of each other.

    The rows are the sentences of the abstract. They do not add up to 1: all sources count.
    """
    weights = np.array(list(SOURCE_WEIGHTS.values()))
    return expit(source_features(features) @ weights + SOURCE_INTERCEPT)


def source_features(features: PairFeatures) -> np.ndarray:
    """Return float64 [A, D, 8], the ``SOURCE_WEIGHTS`` of each pair of sentences."""
    sides = features.abstract, features.document
    places = len(features.document.spans)
    ours, theirs = bags_of_grams(*(side.content_words() for side in sides))
    related = np.interp(
        sentence_cosines(ours, theirs).max(axis=0, initial=0.0), RELATED, (0.0, 1.0)
    )
    every = np.repeat(related, np.diff(theirs.indptr))
    holders = np.bincount(theirs.indices, every, theirs.shape[1])
    # An n-gram that all of them hold weighs little, but no less than nothing.
    cosine = sentence_cosines(ours, theirs, np.log((related.sum() + 1.5) / (holders + 0.5)))
    linked = np.sqrt(linked_share(features) * cosine)
    best = -np.sort(-cosine * related, axis=1)[:, :CANDIDATES]
    beside = np.pad(cosine, ((0, 0), (1, 1)))
    columns = [
        linked,
        np.sqrt(cosine),
        np.log1p(_in_common(sides, _words)),
        _along(linked),
        np.log1p(np.arange(places)),
        np.log1p(_in_common(sides, _trigrams)),
        beside[:, :-2] + beside[:, 2:],
        best.sum(axis=1, keepdims=True),
    ]
    return np.stack([np.broadcast_to(column, cosine.shape) for column in columns], axis=2)


def linked_share(features: PairFeatures) -> np.ndarray:
    """Return float64 [A, D], the share of each abstract sentence that is linked to each sentence.

    A phrase gives each of its abstract words its probability, in equal parts to the sentences of
    its document words.
    """
    abstract, document = features.abstract, features.document
    share = np.zeros((len(abstract.spans), len(document.spans)))
    for link in features.phrases:
        sources = document.sentence[slice(*link.document)]
        for sentence in abstract.sentence[slice(*link.abstract)]:
            np.add.at(share[sentence], sources, link.probability / len(sources))
    share /= np.maximum(abstract.lengths, 1)[:, None]
    return share


def _in_common(sides: tuple[Side, Side], keys_of: Callable[[Side], list[np.ndarray]]) -> np.ndarray:
    """Return float64 [A, D], how many keys both sentences have; each counts once.

    ``keys_of``  gives int64 [n], keys of a side, and [n], the sentences that have them.
    """
    (ours, of_ours), (theirs, of_theirs) = map(keys_of, sides)
    wanted, places = np.unique(ours, return_inverse=True)
    found = np.searchsorted(wanted, theirs)
    known = np.isin(theirs, wanted)
    counts = []
    for side, rows, columns in zip(
        sides, (of_ours, of_theirs[known]), (places, found[known]), strict=True
    ):
        has = np.zeros((len(side.spans), len(wanted)))
        has[rows, columns] = 1.0
        counts.append(has)
    return np.asarray(counts[0] @ counts[1].T)


def _words(side: Side) -> list[np.ndarray]:
    """Return the stems of content words, and their sentences."""
    return [side.stems[side.content], side.sentence[side.content]]


def _trigrams(side: Side) -> list[np.ndarray]:
    """Return the trigrams of stems within sentences as numbers, and their sentences."""
    said = side.stems != NO_WORD
    stems, sentence = side.stems[said], side.sentence[said]
    within = sentence[:-2] == sentence[2:]
    # One number for three, each below 2 ** 21.
    numbers = (stems[:-2] << 42) + (stems[1:-1] << 21) + stems[2:]
    return [numbers[within], sentence[:-2][within]]


def _along(values: np.ndarray) -> np.ndarray:
    """Return for each place the sum of what is a row and a column before and after it."""
    along = np.zeros_like(values)
    along[1:, 1:] += values[:-1, :-1]
    along[:-1, :-1] += values[1:, 1:]
    return along


def compared(shares: np.ndarray) -> list[list[int]]:
    """Return for each abstract sentence what its numbers and names are compared with, best first.

    ``shares``  float64 [A, D], of ``source_shares``.
    """
    likely = (shares >= LEAST_COMPARED).sum(axis=1)
    order = np.argsort(-shares, axis=1, kind="stable")
    return [row[:count].tolist() for row, count in zip(order, likely, strict=True)]


def sources_of(features: PairFeatures, sentence: int, shares: np.ndarray) -> tuple[Source, ...]:
    """Return the likely sources of an abstract sentence, the likeliest first."""
    order = np.argsort(-shares, kind="stable")
    likely = order[: max(np.count_nonzero(shares >= LEAST_SHARE), 1)].tolist()
    common = _common(features, sentence)
    return tuple(
        Source(number, float(shares[number]), _common_spans(features.document, common, number))
        for number in likely
    )


def _common(features: PairFeatures, sentence: int) -> np.ndarray:
    """Return bool [N], the subtokens of the document that it shares with an abstract sentence.

    These are words that are linked to it, and content words with the stem of one of its.
    """
    abstract, document = features.abstract, features.document
    start, end = abstract.spans[sentence]
    has = np.zeros(features.words + 1, dtype=bool)
    has[abstract.stems[start:end]] = True
    common: np.ndarray = has[document.stems] & document.content
    for link in features.phrases_of[sentence]:
        common[slice(*link.document)] = True
    return common


def _common_spans(document: Side, common: np.ndarray, source: int) -> tuple[tuple[int, int], ...]:
    """Return the tokens of a document sentence that are common, in spans.

    Function words between two of them belong to a span.
    """
    start, end = document.spans[source]
    spans: list[tuple[int, int]] = []
    for subtoken in (np.flatnonzero(common[start:end]) + start).tolist():
        if spans and not document.content[spans[-1][1] : subtoken].any():
            spans[-1] = (spans[-1][0], subtoken + 1)
        else:
            spans.append((subtoken, subtoken + 1))
    return tuple(document.token_span(*span) for span in spans)
