"""Word vectors on disk, one SQLite file for all corpora and encoders, so that no text is encoded twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from os import PathLike

import numpy as np

from corpus_tools.errors import BadData

# Another process may be writing to the same file.
PATIENCE_SECONDS = 60

TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vectors BLOB) WITHOUT ROWID"


class VectorCache:
    """A mapping from texts, as sequences of tokens, to the vectors that one layer of one encoder gave them.

    Vectors are float16 [tokens, K]. Raises ``BadData`` where the file is no such cache or cannot be read or written.
    """

    def __init__(self, path: str | PathLike, encoder: str, layer: int):
        self._path = path
        self._encoder = [encoder, layer]
        with self._explaining():
            self._database = sqlite3.connect(path, timeout=PATIENCE_SECONDS)
            self._database.execute(TABLE)

    def __enter__(self) -> VectorCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def __contains__(self, tokens: Sequence[str]) -> bool:
        return self._row(tokens, "1") is not None

    def __getitem__(self, tokens: Sequence[str]) -> np.ndarray:
        row = self._row(tokens, "vectors")
        if row is None:
            raise KeyError(tokens)
        return np.frombuffer(row[0], dtype=np.float16).reshape(len(tokens), -1)

    def add(self, texts: Iterable[Sequence[str]], vectors: Iterable[np.ndarray]) -> None:
        """Keep the vectors of the texts, at once and for good."""
        pairs = zip(texts, vectors, strict=True)
        rows = [(self._key(tokens), found.astype(np.float16).tobytes()) for tokens, found in pairs]
        with self._explaining(), self._database:
            self._database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def _row(self, tokens: Sequence[str], column: str) -> tuple | None:
        query = f"SELECT {column} FROM vectors WHERE key = ?"
        with self._explaining():
            return self._database.execute(query, (self._key(tokens),)).fetchone()

    def _key(self, tokens: Sequence[str]) -> bytes:
        return hashlib.sha256(json.dumps([*self._encoder, *tokens]).encode()).digest()

    @contextmanager
    def _explaining(self):
        try:
            yield
        except sqlite3.Error as error:
            problem = (
                f"cannot be used as the cache of word vectors ({error}); remove it, or set XDG_CACHE_HOME to another folder"
            )
            raise BadData(problem, self._path) from error
