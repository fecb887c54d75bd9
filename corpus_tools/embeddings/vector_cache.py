"""Keeps word vectors on disk, so that no text is encoded twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from corpus_tools.storage.token_cache import TokenCache


class VectorCache(TokenCache):
    """Maps texts to float16 [tokens, K], the vectors by one layer of one encoder."""

    table = "vectors"
    column = "vectors"
    sql_type = "BLOB"
    content, remedy = "word vectors", "remove it, or set XDG_CACHE_HOME to another folder"

    def __getitem__(self, tokens: Sequence[str]) -> np.ndarray:
        return np.frombuffer(super().__getitem__(tokens), dtype=np.float16).reshape(len(tokens), -1)

    def is_value(self, tokens: Sequence[str], value: object) -> bool:
        if not isinstance(value, bytes) or not value or len(value) % (2 * len(tokens)):
            return False
        return bool(np.isfinite(np.frombuffer(value, dtype=np.float16)).all())

    def add(self, texts: Iterable[Sequence[str]], values: Iterable[np.ndarray]) -> None:
        super().add(texts, (vectors.astype(np.float16).tobytes() for vectors in values))
