"""Estimates whether each word of an abstract is supported by the document.

The posterior of a word alone says little: where the document lacks the word a link is a guess, and
where it has the word it may have it elsewhere. So the words around it count too: whether they stand
together in one sentence of the document. A logistic regression joins the figures of a word
(``FEATURES``). Its weights were fitted on words of summaries that people marked as supported or
not, each with the same sign on all sets (``scripts/uses.py --fit`` makes them).
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from semihmm.support.evidence import Evidence

AROUND = 4
"""Words on each side of which the best sentence should hold many, with the word or without."""

LONG_RUN = 10
"""Copied runs of more words are as good as those of so many."""

FEATURES = {
    "best": 1.0,
    "around": 1.15,
    "linked": 1.56,
    "missing": -0.5,
    "run": 0.35,
    "repeated": -0.56,
    "place": -0.5,
}
"""The weights.

``best``      the greatest share of its sentence's content words, by idf, that stand in one sentence
              of the document.
``around``    the greatest share of the content words around it (``AROUND``) that stand in one.
``linked``    the mean probability of the links of its sentence.
``missing``   whether it is a content word that the document lacks.
``run``       the logarithm of 1 + the length of the longest copied run through it.
``repeated``  whether it is a content word that the abstract has before.
``place``     where in its sentence it stands, from 0 to 1.
"""

INTERCEPT = -1.73


def word_support(evidence: Evidence) -> np.ndarray:
    """Return float64 [M], for each atom of the abstract the probability that it is supported."""
    weights = np.array(list(FEATURES.values()))
    return expit(word_features(evidence) @ weights + INTERCEPT)


def word_features(evidence: Evidence) -> np.ndarray:
    """Return float64 [M, 7], the ``FEATURES`` of the atoms of the abstract."""
    abstract = evidence.abstract
    of_sentences = [_in_sentence(evidence, *span) for span in abstract.spans]
    best, around, linked, place = np.concatenate(of_sentences, axis=1)
    columns = [
        best,
        around,
        linked,
        evidence.missing,
        np.log1p(np.minimum(evidence.runs, LONG_RUN)),
        abstract.content & _repeated(abstract.forms),
        place,
    ]
    return np.stack(columns, axis=1).astype(float)


def _in_sentence(evidence: Evidence, start: int, end: int) -> np.ndarray:
    """Return float64 [4, end - start], the figures that a sentence gives its words."""
    size = end - start
    content = evidence.abstract.content[start:end].astype(float)
    held = evidence.held(start, end)
    idf = content * evidence.idf[evidence.abstract.stems[start:end]]
    best = (idf @ held).max(initial=0.0) / max(idf.sum(), 1e-9)
    around, of_content = _near(held, content, AROUND)
    linked = evidence.linked[start:end].sum() / max(size, 1)
    return np.stack(
        [
            np.full(size, best),
            around.max(axis=1, initial=0.0) / np.maximum(of_content, 1.0),
            np.full(size, linked),
            np.arange(size) / max(size, 1),
        ]
    )


def _near(held: np.ndarray, weights: np.ndarray, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """Sum the weights of the words near each word of a sentence, itself included.

    ``held``     bool [m, D], which document sentences hold the m words.
    ``weights``  float64 [m], of the words.
    ``reach``    how many words on each side are near.

    Returns float64 [m, D], the weights that each document sentence holds, and [m], all of them.
    """
    size = len(weights)
    first = np.maximum(np.arange(size) - reach, 0)
    after = np.minimum(np.arange(size) + reach + 1, size)
    columns = np.column_stack([held * weights[:, None], weights])
    sums = np.vstack([np.zeros(columns.shape[1]), columns.cumsum(axis=0)])
    near = sums[after] - sums[first]
    return near[:, :-1], near[:, -1]


def _repeated(forms: np.ndarray) -> np.ndarray:
    """Return for each word whether its form stands before it."""
    repeated = np.ones(len(forms), dtype=bool)
    repeated[np.unique(forms, return_index=True)[1]] = False
    return repeated
