"""Imports NLTK without what it imports itself and this program does not use."""

from __future__ import annotations

import sys
from functools import cache

from corpus_tools.late_imports import standing_in

SLOW = (
    *("scipy", "scipy.stats", "scipy.sparse"),
    *("sklearn", "sklearn.datasets", "sklearn.feature_extraction"),
    *("sklearn.preprocessing", "sklearn.svm"),
)
"""What NLTK imports from at its start, for a measure of collocations, classifiers and a parser.

That takes as long as everything else that aligns one pair from a cold start.
"""


@cache
def load_nltk() -> None:
    """Import NLTK, if nobody has: this comes before anything of it is imported.

    What NLTK takes of ``SLOW`` works as always: it is imported when it is called.
    """
    if "nltk" not in sys.modules:
        with standing_in(*SLOW):
            import nltk  # noqa: F401 (importing it is all that is to be done)
