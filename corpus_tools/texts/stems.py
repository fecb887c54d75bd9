"""Porter stems (Porter 1980, with NLTK's extensions), each computed once."""

from __future__ import annotations

import functools


@functools.cache
def stem(form: str) -> str:
    """The Porter stem of a token's form."""
    return _porter().stem(form)


@functools.cache
def _porter():
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()
