"""Says how likely each word of an abstract is to be supported.

The posterior of a word alone says little. Where the document lacks the word a link is a guess, and
where it has the word it may have it elsewhere. So the words around it count too: whether they stand
together in the document. A logistic regression joins the features.
"""

import numpy as np
from scipy.special import expit

from semihmm.applications.support.pair_features import PairFeatures

AROUND_SENTENCE = 4
"""Words on each side of which the best two sentences should hold many."""

LONG_RUN = 10
"""Copied runs of more words are as good as those of so many."""

WORD_WEIGHTS = {
    "copied": 0.98,
    "around": 2.04,
    "linked": 2.29,
    "run": 0.61,
    "repeated": -0.92,
    "place": -0.49,
}
"""The weights of the support of a word.

They were fitted on words of summaries that people marked as supported or not, and on abstracts with
their own document and with another (``scripts/research/uses.py --fit`` makes them).

``copied``    the share of the trigrams of its sentence that the document has.
``around``    the greatest share of the content words around it (``AROUND_SENTENCE``) that two
              successive sentences of the document have.
``linked``    the mean probability of the links of its sentence.
``run``       the logarithm of 1 + the length of the longest copied run through it.
``repeated``  whether it is a content word that the abstract has before.
``place``     where in its sentence it is, from 0 to 1.
"""

WORD_INTERCEPT = -2.06


def word_support(features: PairFeatures) -> np.ndarray:
    """Return float64 [M], the probability that each subtoken of the abstract is supported."""
    weights = np.array(list(WORD_WEIGHTS.values()))
    return expit(word_features(features) @ weights + WORD_INTERCEPT)


def word_features(features: PairFeatures) -> np.ndarray:
    """Return float64 [M, 6], the ``WORD_WEIGHTS`` of the subtokens of the abstract."""
    abstract = features.abstract
    of_sentences = [_in_sentence(features, number) for number in range(len(abstract.spans))]
    copied, around, linked, place = np.concatenate(of_sentences, axis=1)
    columns = [
        copied,
        around,
        linked,
        np.log1p(np.minimum(features.runs, LONG_RUN)),
        abstract.content & _repeated(abstract.forms),
        place,
    ]
    return np.stack(columns, axis=1).astype(float)


def _in_sentence(features: PairFeatures, number: int) -> np.ndarray:
    """Return float64 [4, m], the features that a sentence of m subtokens gives them."""
    start, end = features.abstract.spans[number]
    size = end - start
    content = features.abstract.content[start:end].astype(float)
    held = features.held(start, end)
    held[:, :-1] |= held[:, 1:]
    around, of_content = _near(held, content, AROUND_SENTENCE)
    linked = features.linked[start:end].sum() / max(size, 1)
    return np.stack(
        [
            np.full(size, features.copied[number]),
            around.max(axis=1, initial=0.0) / np.maximum(of_content, 1.0),
            np.full(size, linked),
            np.arange(size) / max(size, 1),
        ]
    )


def _near(held: np.ndarray, weights: np.ndarray, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """Sum the weights of the words near each word of a sentence, itself included.

    ``held``     bool [m, D], whether two document sentences, from each on, hold the m words.
    ``weights``  float64 [m], of the words.
    ``reach``    how many words on each side are near.

    Returns float64 [m, D], the weights that each two document sentences hold, and [m], all of them.
    """
    size = len(weights)
    first = np.maximum(np.arange(size) - reach, 0)
    after = np.minimum(np.arange(size) + reach + 1, size)
    columns = np.column_stack([held * weights[:, None], weights])
    sums = np.vstack([np.zeros(columns.shape[1]), columns.cumsum(axis=0)])
    near = sums[after] - sums[first]
    return near[:, :-1], near[:, -1]


def _repeated(forms: np.ndarray) -> np.ndarray:
    """Return for each word whether its form occurs before it."""
    repeated = np.ones(len(forms), dtype=bool)
    repeated[np.unique(forms, return_index=True)[1]] = False
    return repeated
