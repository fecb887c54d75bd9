"""Ranks the sentences of a document by how likely they are sources of an abstract sentence.

In the model a word has one source, but people mark all sentences of the same content. So a logistic
regression combines the alignment with the similarity of two sentences and with their neighbours,
in eight features (``SOURCE_WEIGHTS``). Its weights were fitted on pairs in which people had marked
all sources (``scripts/research/uses.py --fit`` makes them).

What else stands in a long document says nothing of a sentence. So words are weighted, and
candidates are counted, by the sentences that have something in common with the abstract
(``RELATED``).
"""

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from corpus_tools.texts.forms import Cache
from semihmm.support.pair_features import NO_WORD, Numbers, PairFeatures, Side

GRAM = 4
"""Characters of the n-grams by which sentences are compared.

They stand in for stems: parts of compounds, and words with other endings, are alike in any
language.
"""

RELATED = 0.15
"""Sentences of a document count whose cosine with one of the abstract is as great.

This cosine knows no other sentences: its words all weigh the same. With 0.1, 0.15, 0.2 and 0.3 the
average precision is .633, .631, .629 and .625; of 2,067 sentences of 60 articles 11, 5, 5 and 5 are
used otherwise when another article follows, 54, 51, 41 and 22 when thirty do.
"""

CANDIDATES = 10
"""Sentences that are most like an abstract sentence, and compete with each other."""

SOURCE_WEIGHTS = {
    "linked cosine": 6.79,
    "root cosine": 5.57,
    "common": 1.31,
    "neighbours": 2.06,
    "place": -0.16,
    "trigrams": 0.46,
    "cosines around": 1.92,
    "cosines of candidates": -1.4,
}
"""The weights.

``linked cosine``   the geometric mean of two shares: that of the abstract sentence's words that are
                    linked to the document sentence, each with its probability, and the cosine of
                    both sentences: the character n-grams of their content words (``GRAM``),
                    weighted by 1 + log tf and idf.
``root cosine``     the square root of that cosine.
``common``          the logarithm of 1 + the number of content words in common.
``neighbours``      the linked cosine of the sentence before and the abstract sentence before, and
                    that of those after, added.
``place``           the logarithm of 1 + the number of sentences before it.
``trigrams``        the logarithm of 1 + the number of trigrams of words in common.
``cosines around``  the cosines of the sentences before and after it, added.
``cosines of candidates``  those of the ``CANDIDATES`` most alike, added.
"""

SOURCE_INTERCEPT = -3.9
"""Greater than that of the sets, so that 0.3 (``report.LEAST_USED``) has nearly the best F1."""


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
    bags = [_bags(side.stems, side, features.words) for side in sides]
    grams = _grams(features.forms)
    ours, theirs = (_bags(side.forms, side, len(features.forms)) @ grams for side in sides)
    related = _cosines(ours, theirs).max(axis=0, initial=0.0) >= RELATED
    cosine = _cosines(ours, theirs, related)
    linked = np.sqrt(linked_share(features) * cosine)
    best = -np.sort(-cosine * related, axis=1)[:, :CANDIDATES]
    beside = np.pad(cosine, ((0, 0), (1, 1)))
    columns = [
        linked,
        np.sqrt(cosine),
        np.log1p((bags[0].sign() @ bags[1].sign().T).toarray()),
        _along(linked),
        np.log1p(np.arange(places)),
        np.log1p(_common_trigrams(*sides)),
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


def _bags(words: np.ndarray, side: Side, count: int) -> csr_array:
    """Return int64 [S, count], how often each sentence has each content word.

    ``words``  int64 [n], the numbers of the words of the side, as forms or as stems.
    """
    rows, columns = side.sentence[side.content], words[side.content]
    ones = np.ones(len(rows), dtype=np.int64)
    return csr_array((ones, (rows, columns)), shape=(len(side.spans), count))


def _grams_of(word: str) -> list[str]:
    """Return the character n-grams of a word between two marks, or all of a short one."""
    marked = f"<{word}>"
    return [marked[start : start + GRAM] for start in range(max(len(marked) - GRAM + 1, 1))]


_GRAMS_OF = Cache(_grams_of)


def _grams(forms: list[str]) -> csr_array:
    """Return int64 [F, G], how often each word has each of the G n-grams of all."""
    numbers = Numbers()
    rows = [[numbers[gram] for gram in _GRAMS_OF[form]] for form in forms]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([number for row in rows for number in row], dtype=np.int64)
    shape = (len(forms), len(numbers))
    return csr_array((np.ones(len(columns), dtype=np.int64), columns, ends), shape=shape)


def _cosines(
    abstract: csr_array, document: csr_array, related: np.ndarray | None = None
) -> np.ndarray:
    """Return float64 [A, D], the cosines of two sides' sentences by 1 + log tf and idf.

    ``related``  bool [D], the sentences of the document that are the documents of the idf; without
                 it all grams weigh the same.
    """
    weights = np.ones(document.shape[1])
    if related is not None:
        holders = np.asarray(related @ document.sign()).ravel()
        # A gram that all of them hold weighs little, but no less than nothing.
        weights = np.log((related.sum() + 1.5) / (holders + 0.5))
    weighted = []
    for bags in (abstract, document):
        own = bags.astype(float)
        own.data = (1.0 + np.log(own.data)) * weights[own.indices]
        lengths = np.sqrt((own * own).sum(axis=1))
        weighted.append(csr_array(own / np.maximum(lengths, 1e-9)[:, None]))
    return (weighted[0] @ weighted[1].T).toarray()


def _common_trigrams(abstract: Side, document: Side) -> np.ndarray:
    """Return int64 [A, D], how many trigrams of stems both sentences have; each counts once."""
    found = [_trigrams(side) for side in (abstract, document)]
    every = np.concatenate([words for words, _ in found])
    numbers = np.unique(every, axis=0, return_inverse=True)[1].ravel()
    count = int(numbers.max(initial=-1)) + 1
    bags = []
    for side, (words, sentence), own in zip(
        (abstract, document), found, np.split(numbers, [len(found[0][0])]), strict=True
    ):
        shape = (len(side.spans), count)
        bags.append(csr_array((np.ones(len(words), dtype=np.int64), (sentence, own)), shape).sign())
    return np.asarray((bags[0] @ bags[1].T).toarray())


def _trigrams(side: Side) -> tuple[np.ndarray, np.ndarray]:
    """Return int64 [n, 3], the stems of trigrams within sentences, and [n], their sentences."""
    said = side.stems != NO_WORD
    words = np.lib.stride_tricks.sliding_window_view(np.append(side.stems[said], [0, 0, 0]), 3)[:-1]
    sentence = np.append(side.sentence[said], [-1, -1])
    within = sentence[:-2] == sentence[2:]
    return words[within], sentence[:-2][within]


def _along(values: np.ndarray) -> np.ndarray:
    """Return for each place what stands a row and a column before and after it, added."""
    along = np.zeros_like(values)
    along[1:, 1:] += values[:-1, :-1]
    along[:-1, :-1] += values[1:, 1:]
    return along
