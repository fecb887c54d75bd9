"""Leaves words out of what a model knows of each word of its vocabulary."""

from __future__ import annotations

import numpy as np


def fewer_words(values: np.ndarray, in_abstracts: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return float64 [K + 1], the values of the K words ``kept`` and of unseen words.

    ``values``        float64 [V + 1], of the words of the vocabulary; the last is for unseen words.
    ``in_abstracts``  bool [V + 1], which words the training abstracts have.
    ``kept``          int64 [K], the numbers of the words that stay.

    Unseen words get the mean of the dropped words that abstracts have: they will be like them.
    """
    dropped = in_abstracts.copy()
    dropped[kept] = False
    dropped[-1] = False
    unseen = values[dropped].mean() if dropped.any() else values[-1]
    return np.append(values[kept], unseen)
