"""Shares one open WordNet among all that read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

_reading = Lock()
"""NLTK's reader seeks in open files: only one thread at a time may use it."""


@contextmanager
def reading(path: str | None) -> Iterator[WordNetCorpusReader]:
    """Lend the WordNet in the directory ``path`` to one thread at a time.

    ``None`` searches for WordNet. Raises the errors of ``wordnet_reader.open_wordnet``.
    """
    with _reading:
        yield _opened(path)


@lru_cache(maxsize=1)
def _opened(path: str | None) -> WordNetCorpusReader:
    """Open WordNet only once, since that takes a second or two."""
    # Imported late, since NLTK takes long to import and most models do not need it.
    from rewrite_models.wordnet_access.wordnet_reader import open_wordnet

    return open_wordnet(path)
