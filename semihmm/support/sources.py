"""Ranks the sentences of a document by how likely they are sources of an abstract sentence.

In the model a word has one source. People mark all sentences that say the same. So the alignment
is joined with how alike two sentences are, and with what is known of their neighbours, by a
logistic regression of six features (``FEATURES``). Its weights were fitted on pairs in which
people had marked all sources (``scripts/uses.py --fit`` makes them).
"""

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from corpus_tools.texts.forms import Cache
from semihmm.support.pair_features import Numbers, PairFeatures, Side

GRAM = 4
"""Characters of the n-grams by which sentences are compared.

They stand in for stems: parts of compounds, and words with other endings, are alike in any
language.
"""

FEATURES = {
    "linked cosine": 7.49,
    "root cosine": 4.82,
    "common": 1.35,
    "cosines of all": -0.38,
    "neighbours": 2.13,
    "place": -0.71,
}
"""The weights.

``linked cosine``   the geometric mean of two shares: that of the abstract sentence's words that are
                    linked to the document sentence, each with its probability, and the cosine of
                    both sentences: the character n-grams of their content words (``GRAM``),
                    weighted by 1 + log tf and idf.
``root cosine``     the square root of that cosine.
``common``          the logarithm of 1 + the number of content words in common.
``cosines of all``  the sum of the cosines with all document sentences.
``neighbours``      the linked cosine of the sentence before and the abstract sentence before, and
                    that of those after, added.
``place``           where in the document it stands, from 0 to 1.
"""

INTERCEPT = -4.4
"""Greater than that of the sets, so that 0.3 (``report.LEAST_USED``) has nearly the best F1."""


def source_shares(features: PairFeatures) -> np.ndarray:
    """Return float64 [A, D], the probability that each document sentence is a source of each other.

    The rows are the sentences of the abstract. They do not add up to 1: all sources count.
    """
    weights = np.array(list(FEATURES.values()))
    return expit(source_features(features) @ weights + INTERCEPT)


def source_features(features: PairFeatures) -> np.ndarray:
    """Return float64 [A, D, 6], the ``FEATURES`` of each pair of sentences."""
    sides = features.abstract, features.document
    places = len(features.document.spans)
    bags = [_bags(side.stems, side, features.words) for side in sides]
    grams = _grams(features.forms)
    cosine = _cosines(*(_bags(side.forms, side, len(features.forms)) @ grams for side in sides))
    both = np.sqrt(linked_share(features) * cosine)
    columns = [
        both,
        np.sqrt(cosine),
        np.log1p((bags[0].sign() @ bags[1].sign().T).toarray()),
        cosine.sum(axis=1, keepdims=True),
        _along(both),
        np.arange(places) / max(places, 1),
    ]
    return np.stack([np.broadcast_to(column, both.shape) for column in columns], axis=2)


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


def _cosines(abstract: csr_array, document: csr_array) -> np.ndarray:
    """Return float64 [A, D], the cosines of two sides' sentences by 1 + log tf and idf.

    The documents of the idf are the sentences of the document.
    """
    sentences = document.shape[0]
    holders = np.bincount(document.indices, minlength=document.shape[1])
    idf = np.log((sentences + 1.0) / (holders + 0.5))
    weighted = []
    for bags in (abstract, document):
        weights = bags.astype(float)
        weights.data = (1.0 + np.log(weights.data)) * idf[weights.indices]
        lengths = np.sqrt((weights * weights).sum(axis=1))
        weighted.append(csr_array(weights / np.maximum(lengths, 1e-9)[:, None]))
    return (weighted[0] @ weighted[1].T).toarray()


def _along(values: np.ndarray) -> np.ndarray:
    """Return for each place what stands a row and a column before and after it, added."""
    along = np.zeros_like(values)
    along[1:, 1:] += values[:-1, :-1]
    along[:-1, :-1] += values[1:, 1:]
    return along
