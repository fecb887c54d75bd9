"""Reads the stop list of ROUGE-1.5.5."""

from __future__ import annotations

import functools
from pathlib import Path

from corpus_tools.storage.files import open_text

FILE = Path(__file__).parents[1] / "data" / "stop_words.txt"


@functools.cache
def stop_words() -> frozenset[str]:
    """Return the words, in lower case; they are compared before stemming."""
    with open_text(FILE) as lines:
        return frozenset(line.strip() for line in lines if not line.startswith("#"))
