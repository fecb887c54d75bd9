"""Ranks the sentences of a document by how likely they are sources of an abstract sentence.

In the model a word has one source. People mark all sentences that say the same. So the alignment
is joined with how alike two sentences are, and with what is known of their neighbours, by a
logistic regression of fifteen figures (``FEATURES``). Its weights were fitted on pairs in which
people had marked all sources (``scripts/uses.py --fit`` makes them).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from semihmm.support.evidence import Evidence, Side

FEATURES = {
    "share": 2.751,
    "evidence": 4.743,
    "root cosine": 5.677,
    "common": 0.96,
    "cover": -1.757,
    "cosines of all": -0.332,
    "cosines near": 2.184,
    "best evidence": -3.093,
    "evidence for others": -1.187,
    "evidence beside": 1.62,
    "evidence along": 1.386,
    "place": -0.838,
    "distance": -0.819,
    "length": 0.279,
    "sentences": -0.309,
}
"""The weights.

``share``                the share of the abstract sentence's words that are linked to the document
                         sentence, each with its probability.
``evidence``             the geometric mean of ``share`` and the cosine of both sentences: their
                         content words, weighted by 1 + log tf and idf.
``root cosine``          the square root of that cosine.
``common``               the logarithm of 1 + the number of content words in common.
``cover``                the share, by idf, of the abstract sentence's words that the other has.
``cosines of all``       the sum of the cosines with all document sentences.
``cosines near``         the same of the two sentences before and the two after.
``best evidence``        the greatest evidence for any document sentence.
``evidence for others``  the greatest evidence that it is the source of another abstract sentence.
``evidence beside``      the evidence for the sentences before and after, added.
``evidence along``       that for the sentence before and the abstract sentence before, and the same
                         of those after, added.
``place``                where in the document it stands, from 0 to 1.
``distance``             how far that is from where the abstract sentence stands in the abstract.
``length``               the logarithm of 1 + the tokens of the document sentence.
``sentences``            the logarithm of the number of document sentences.
"""

INTERCEPT = -3.719


def source_shares(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D], the probability that each document sentence is a source of each other.

    The rows are the sentences of the abstract. They do not add up to 1: all sources count.
    """
    weights = np.array(list(FEATURES.values()))
    return expit(source_features(evidence) @ weights + INTERCEPT)


def source_features(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D, 15], the ``FEATURES`` of each pair of sentences."""
    abstract, document = evidence.abstract, evidence.document
    share = _linked_share(evidence)
    bags = _bags(abstract, evidence.words), _bags(document, evidence.words)
    cosine = _cosines(*bags, evidence.idf[:-1])
    common = (bags[0].sign() @ bags[1].sign().T).toarray()
    idf = csr_array(bags[0].sign() * evidence.idf[:-1])
    cover = (idf @ bags[1].sign().T).toarray() / np.maximum(idf.sum(axis=1), 1e-9)[:, None]
    both = np.sqrt(share * cosine)
    here = np.arange(len(document.spans)) / max(len(document.spans), 1)
    there = np.arange(len(abstract.spans)) / max(len(abstract.spans), 1)
    columns = [
        share,
        both,
        np.sqrt(cosine),
        np.log1p(common),
        cover,
        cosine.sum(axis=1, keepdims=True),
        sum(_moved(cosine, 0, by) for by in (-2, -1, 1, 2)),
        both.max(axis=1, initial=0.0, keepdims=True),
        _greatest_of_other_rows(both),
        _moved(both, 0, -1) + _moved(both, 0, 1),
        _moved(both, -1, -1) + _moved(both, 1, 1),
        here,
        np.abs(here - there[:, None]),
        np.log1p(document.lengths),
        np.log(max(len(document.spans), 1)),
    ]
    return np.stack([np.broadcast_to(column, share.shape) for column in columns], axis=2)


def _linked_share(evidence: Evidence) -> np.ndarray:
    """Return float64 [A, D], the share of each abstract sentence that is linked to each sentence.

    A phrase gives each of its abstract words its probability, in equal parts to the sentences of
    its document words.
    """
    abstract, document = evidence.abstract, evidence.document
    share = np.zeros((len(abstract.spans), len(document.spans)))
    for link in evidence.phrases:
        words = evidence.document.sentence[slice(*link.document)]
        for sentence in abstract.sentence[slice(*link.abstract)]:
            np.add.at(share[sentence], words, link.probability / len(words))
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


def _moved(values: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Return for each place the value that stands so many rows and columns before it; or 0."""
    moved = np.zeros_like(values)
    height, width = values.shape
    target = (
        slice(max(rows, 0), height + min(rows, 0)),
        slice(max(columns, 0), width + min(columns, 0)),
    )
    source = (
        slice(max(-rows, 0), height + min(-rows, 0)),
        slice(max(-columns, 0), width + min(-columns, 0)),
    )
    moved[target] = values[source]
    return moved


def _greatest_of_other_rows(values: np.ndarray) -> np.ndarray:
    """Return for each place the greatest value of its column in another row; or 0."""
    if len(values) < 2:
        return np.zeros_like(values)
    best = values.argmax(axis=0)
    second, first = np.sort(values, axis=0)[-2:]
    return np.where(np.arange(len(values))[:, None] == best, second, first)
