"""Estimates whether each word of an abstract is supported by the document.

The posterior of a word alone says little: where the document lacks the word a link is a guess, and
where it has the word it may have it elsewhere. So the words around it count too: whether they stand
together in one sentence of the document. A logistic regression joins twelve figures of a word
(``FEATURES``). Its weights were fitted on words of summaries that people marked as supported or
not (``scripts/uses.py --fit`` makes them).
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from semihmm.support.evidence import Evidence

NEAR = 3
"""Words on each side of a word that should stand with it in one sentence of the document."""

AROUND = 4
"""Words on each side of which the best sentence should hold many, with the word or without."""

LONG_RUN = 10
"""Copied runs of more words are as good as those of so many."""

FEATURES = {
    "share": 1.98,
    "linked": 2.14,
    "together": 0.29,
    "around": 1.2,
    "run": 0.113,
    "runs beside": 0.122,
    "missing": -0.99,
    "missing but linked": 0.46,
    "missing before": -0.27,
    "missing number": -1.38,
    "repeated": -0.86,
    "place": -0.61,
}
"""The weights.

``share``           the share of the content words of its sentence that the document has.
``linked``          the mean probability of the links of its sentence.
``together``        the greatest share, by idf, of the words next to it (``NEAR``) that stand in one
                    document sentence with it.
``around``          the same of content words (``AROUND``), whether the word stands there or not.
``run``             the length of the longest copied run through it.
``runs beside``     the mean logarithm of the runs through the two words beside it.
``missing``         ``share``, if it is a content word that the document lacks.
``missing but linked``  the probability of its link, if the document lacks it: it was rewritten.
``missing before``  whether the document lacks the content word before it.
``missing number``  whether it has digits and the document lacks it.
``repeated``        whether it is a content word that the abstract has before.
``place``           where in its sentence it stands, from 0 to 1.
"""

INTERCEPT = -2.18


def word_support(evidence: Evidence) -> np.ndarray:
    """Return float64 [M], for each word of the abstract the probability that it is supported."""
    weights = np.array(list(FEATURES.values()))
    return expit(word_features(evidence) @ weights + INTERCEPT)


def word_features(evidence: Evidence) -> np.ndarray:
    """Return float64 [M, 12], the ``FEATURES`` of the words of the abstract."""
    abstract, missing = evidence.abstract, evidence.missing
    runs = evidence.runs
    of_sentences = [_in_sentence(evidence, *span) for span in abstract.spans]
    share, linked, together, around, place = np.concatenate(of_sentences, axis=1)
    columns = [
        share,
        linked,
        together,
        around,
        np.minimum(runs, LONG_RUN),
        _mean_beside(np.log1p(runs)),
        missing * share,
        missing * evidence.linked,
        _of_word_before(missing, abstract.content),
        abstract.digits & (runs == 0),
        abstract.content & _repeated(abstract.forms),
        place,
    ]
    return np.stack(columns, axis=1).astype(float)


def _in_sentence(evidence: Evidence, start: int, end: int) -> np.ndarray:
    """Return float64 [5, end - start], the figures that a sentence gives its words."""
    size = end - start
    content = evidence.abstract.content[start:end]
    share = 1.0 - evidence.missing[start:end].sum() / max(content.sum(), 1)
    linked = evidence.linked[start:end].sum() / max(size, 1)
    held = evidence.held(start, end)
    idf = evidence.idf[evidence.abstract.stems[start:end]]
    together, of_all = _near(held, idf, NEAR)
    around, of_content = _near(held, content.astype(float), AROUND)
    return np.stack(
        [
            np.full(size, share),
            np.full(size, linked),
            (together * held).max(axis=1, initial=0.0) / np.maximum(of_all, 1e-9),
            around.max(axis=1, initial=0.0) / np.maximum(of_content, 1.0),
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


def _mean_beside(values: np.ndarray) -> np.ndarray:
    """Return for each value the mean of the one before and the one after, where there are such."""
    padded = np.pad(values, 1)
    counted = np.pad(np.ones(len(values)), 1)
    return (padded[:-2] + padded[2:]) / np.maximum(counted[:-2] + counted[2:], 1.0)


def _of_word_before(missing: np.ndarray, content: np.ndarray) -> np.ndarray:
    """Return for each word whether the content word before it is missing."""
    positions = np.where(content, np.arange(len(content)), -1)
    last = np.maximum.accumulate(np.pad(positions, (1, 0), constant_values=-1))[:-1]
    return (last >= 0) & missing[last]


def _repeated(forms: np.ndarray) -> np.ndarray:
    """Return for each word whether its form stands before it."""
    repeated = np.ones(len(forms), dtype=bool)
    repeated[np.unique(forms, return_index=True)[1]] = False
    return repeated
