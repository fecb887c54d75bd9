"""Computes Porter stems (Porter 1980, with NLTK's extensions), each once while it is known."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from corpus_tools.texts.memo import MOST
from corpus_tools.texts.nltk_package import load_nltk

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer


@functools.lru_cache(maxsize=MOST)
def stem(form: str) -> str:
    """Return the Porter stem of a token's normal form."""
    return str(_porter().stem(form))


@functools.cache
def _porter() -> PorterStemmer:
    load_nltk()
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()
