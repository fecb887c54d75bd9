"""Keeps word vectors on disk, so that no text is encoded twice."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from corpus_tools.storage.token_cache import Key, TokenCache


def word_count(texts: Key) -> int:
    """Return how many tokens a text has, or several texts have together."""
    return sum(1 if isinstance(part, str) else len(part) for part in texts)


class VectorCache(TokenCache):
    """Maps texts to float16 [tokens, K], the vectors by one layer of one encoder.

    Two texts that were read together have the vectors of both, one after the other.
    """

    table = "vectors"
    column = "vectors"
    sql_type = "BLOB"
    content, remedy = "word vectors", "remove it, or set XDG_CACHE_HOME to another folder"

    def __getitem__(self, tokens: Key) -> np.ndarray:
        return np.frombuffer(super().__getitem__(tokens), dtype=np.float16).reshape(
            word_count(tokens), -1
        )

    def is_value(self, tokens: Key, value: object) -> bool:
        if not isinstance(value, bytes) or not value or len(value) % (2 * word_count(tokens)):
            return False
        return bool(np.isfinite(np.frombuffer(value, dtype=np.float16)).all())

    def add(self, texts: Iterable[Key], values: Iterable[np.ndarray]) -> None:
        super().add(texts, (vectors.astype(np.float16).tobytes() for vectors in values))
