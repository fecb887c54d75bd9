"""Keeps the vectors of texts in a file of SQLite, which all corpora and processes share."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager

import numpy as np

from corpus_tools.base.errors import BadData
from corpus_tools.base.files import StrPath

Tokens = tuple[str, ...]

PATIENCE_SECONDS = 60
"""The longest wait for another process that writes to the same cache.

A write takes milliseconds on a local disk: only the lock of a killed process lasts so long.
"""


class VectorCache:
    """Maps texts to float16 [tokens, K], the vectors by one layer of one encoder.

    ``path``   the file of SQLite, which all corpora and processes share.
    ``maker``  names and numbers that identify the encoder and the layer.

    Each value has a checksum; a damaged value counts as missing. Raises ``BadData`` for a file that
    is no such cache, is damaged, or cannot be read or written.
    """

    def __init__(self, path: StrPath, *maker: str | int) -> None:
        self._path = path
        self._maker = maker
        with self._explaining(), ExitStack() as failed:
            self._database = failed.enter_context(
                closing(sqlite3.connect(path, timeout=PATIENCE_SECONDS))
            )
            tables = self._database.execute("SELECT name FROM sqlite_master").fetchall()
            if tables and ("vectors",) not in tables:
                raise sqlite3.Error("a database of another program")
            # In a column without a type, SQLite does not convert bytes.
            columns = "key BLOB PRIMARY KEY, value, checksum INTEGER"
            self._database.execute(f"CREATE TABLE IF NOT EXISTS vectors ({columns}) WITHOUT ROWID")
            failed.pop_all()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def get(self, tokens: Tokens) -> np.ndarray | None:
        """Return the vectors of a text; ``None`` if they are missing or damaged."""
        key = self._key(tokens)
        # In files of earlier versions the column of values has another name, so ``*``.
        with self._explaining():
            rows = self._database.execute("SELECT * FROM vectors WHERE key = ?", (key,))
            _, value, checksum = rows.fetchone() or (key, None, None)
        if not isinstance(value, bytes) or checksum != _checksum(key, value):
            return None
        return np.frombuffer(value, dtype=np.float16).reshape(len(tokens), -1)

    def add(self, vectors: Mapping[Tokens, np.ndarray]) -> None:
        """Write the vectors of texts to the file."""
        rows = []
        for tokens, array in vectors.items():
            key, value = self._key(tokens), array.astype(np.float16).tobytes()
            rows.append((key, value, _checksum(key, value)))
        with self._explaining(), self._database:
            self._database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def _key(self, tokens: Tokens) -> bytes:
        return hashlib.sha256(json.dumps([*self._maker, *tokens]).encode()).digest()

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise BadData(
                f"cannot be used as the cache of word vectors ({error}); remove it, or set "
                "XDG_CACHE_HOME to another folder",
                self._path,
            ) from error


def _checksum(key: bytes, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(key + b"bytes"))
