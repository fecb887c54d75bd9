"""Imports NLTK without what it imports itself and this program does not use."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from typing import Any

from corpus_tools.late_imports import hidden


@cache
def load_nltk() -> None:
    """Import NLTK, if nobody has, and stop its clocks: this comes before anything of it is used.

    NLTK imports scipy at its start, for one measure of collocations and for a parser that needs
    scikit-learn. That takes as long as everything else that aligns one pair from a cold start.

    From version 3.10 on, any of its regular expressions fails after five seconds. Texts are read,
    and parsed the same, however long they are and however busy the machine is.
    """
    if "nltk" not in sys.modules and find_spec("sklearn") is None:
        with hidden("scipy.stats", "scipy.sparse"):
            from nltk.metrics import association
        association.fisher_exact = _fisher_exact
    import nltk

    if hasattr(nltk, "redos"):
        nltk.redos.DEFAULT_TIMEOUT = None


def _fisher_exact(*arguments: Any, **keywords: Any) -> Any:
    """Give NLTK's measure what it would have imported."""
    from scipy.stats import fisher_exact

    return fisher_exact(*arguments, **keywords)
