"""Ranks the sentences of a document by how likely they are sources of an abstract sentence.

In the model a word has one source. People mark all sentences that say the same. So the alignment
is joined with how alike two sentences are, and with what is known of their neighbours, by a
logistic regression of six figures (``FEATURES``). Its weights were fitted on pairs in which
people had marked all sources (``scripts/uses.py --fit`` makes them).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from semihmm.support.evidence import Evidence, Side

FEATURES = {
    "evidence": 5.63,
    "root cosine": 3.58,
    "common": 1.5,
    "cosines of all": -0.49,
    "evidence along": 3.04,
    "place": -0.87,
}
"""The weights.

``evidence``        the geometric mean of two figures: the share of the abstract sentence's words
                    that are linked to the document sentence, each with its probability, and the
                    cosine of both sentences: their content words, weighted by 1 + log tf and idf.
``root cosine``     the square root of that cosine.
``common``          the logarithm of 1 + the number of content words in common.
``cosines of all``  the sum of the cosines with all document sentences.
``evidence along``  the evidence for the sentence before and the abstract sentence before, and that
                    of those after, added.
``place``           where in the document it stands, from 0 to 1.
"""

INTERCEPT = -4.4
"""Greater than that of both sets, so that 0.3 (``report.LEAST_USED``) has nearly the best F1."""


def source_shares(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D], the probability that each document sentence is a source of each other.

    The rows are the sentences of the abstract. They do not add up to 1: all sources count.
    """
    weights = np.array(list(FEATURES.values()))
    return expit(source_features(evidence) @ weights + INTERCEPT)


def source_features(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D, 6], the ``FEATURES`` of each pair of sentences."""
    abstract, document = evidence.abstract, evidence.document
    bags = _bags(abstract, evidence.words), _bags(document, evidence.words)
    cosine = _cosines(*bags, evidence.idf[:-1])
    both = np.sqrt(linked_share(evidence) * cosine)
    columns = [
        both,
        np.sqrt(cosine),
        np.log1p((bags[0].sign() @ bags[1].sign().T).toarray()),
        cosine.sum(axis=1, keepdims=True),
        _along(both),
        np.arange(len(document.spans)) / max(len(document.spans), 1),
    ]
    return np.stack([np.broadcast_to(column, both.shape) for column in columns], axis=2)


def linked_share(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D], the share of each abstract sentence that is linked to each sentence.

    A phrase gives each of its abstract words its probability, in equal parts to the sentences of
    its document words.
    """
    abstract, document = evidence.abstract, evidence.document
    share = np.zeros((len(abstract.spans), len(document.spans)))
    for link in evidence.phrases:
        sources = document.sentence[slice(*link.document)]
        for sentence in abstract.sentence[slice(*link.abstract)]:
            np.add.at(share[sentence], sources, link.probability / len(sources))
    share /= np.maximum(abstract.lengths, 1)[:, None]
    return share


def _bags(side: Side, words: int) -> csr_array:
    """Return int64 [S, W], how often each sentence has each content word."""
    rows, columns = side.sentence[side.content], side.stems[side.content]
    ones = np.ones(len(rows), dtype=np.int64)
    return csr_array((ones, (rows, columns)), shape=(len(side.spans), words))


def _cosines(abstract: csr_array, document: csr_array, idf: np.ndarray) -> np.ndarray:
    """Return float64 [A, D], the cosines of two sides' sentences by 1 + log tf and idf."""
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
