"""Keeps on disk what was computed from sequences of tokens.

One SQLite file serves all corpora, so that nothing is computed twice. Processes may share it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from corpus_tools.errors import BadData
from corpus_tools.storage.files import StrPath

PATIENCE_SECONDS = 60
"""How long to wait for another process that writes to the same file, before the cache is an error.

A write takes milliseconds on a local disk, so only a lock that was left behind
lasts so long.
"""

Tokens = Sequence[str]


class TokenCache:
    """A mapping from the tokens of texts to what was computed from them.

    Subclasses set these names:

    ``table``    the table of the database.
    ``content``  what the cache holds, for error messages.
    ``remedy``   what the user can do about a file that cannot be used, for error messages.

    ``path`` is the database; ``None`` keeps it in memory. ``maker`` are the names and numbers of
    the program that computes the values: each maker has values of its own. Raises ``BadData`` where
    the file is no such cache, is damaged, or cannot be read or written.

    Each value has a checksum. One that is damaged counts as missing.
    """

    table: ClassVar[str]
    content: ClassVar[str]
    remedy: ClassVar[str]

    def __init__(self, path: StrPath | None, *maker: str | int) -> None:
        self._path = path
        self._maker = maker
        with self._explaining():
            name = ":memory:" if path is None else path
            self._database = sqlite3.connect(name, timeout=PATIENCE_SECONDS)
            try:
                self._make_table()
            except sqlite3.Error:
                self._database.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def _make_table(self) -> None:
        tables = {name for (name,) in self._database.execute("SELECT name FROM sqlite_master")}
        if tables and tables.isdisjoint(cache.table for cache in TokenCache.__subclasses__()):
            raise sqlite3.Error("a database of another program")
        # Without a type, SQLite gives back texts and bytes as they are.
        columns = "key BLOB PRIMARY KEY, value, checksum INTEGER"
        self._database.execute(f"CREATE TABLE IF NOT EXISTS {self.table} ({columns}) WITHOUT ROWID")

    def __contains__(self, tokens: Tokens) -> bool:
        return self._value(tokens) is not None

    def __getitem__(self, tokens: Tokens) -> Any:
        row = self._value(tokens)
        if row is None:
            raise KeyError(tokens)
        return row[0]

    def add(self, texts: Iterable[Tokens], values: Iterable[Any]) -> None:
        """Write the values of the texts to the file."""
        rows = []
        for tokens, value in zip(texts, values, strict=True):
            key = self._key(tokens)
            rows.append((key, value, _checksum(key, value)))
        with self._explaining(), self._database:
            self._database.executemany(
                f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?, ?)", rows
            )

    def _value(self, tokens: Tokens) -> tuple[Any] | None:
        """Return the value of the tokens in a tuple, or ``None`` for a missing or damaged one."""
        key = self._key(tokens)
        # Files of earlier versions call the column of values otherwise.
        query = f"SELECT * FROM {self.table} WHERE key = ?"
        with self._explaining():
            row = self._database.execute(query, (key,)).fetchone()
        return row[1:2] if row is not None and row[2] == _checksum(*row[:2]) else None

    def _key(self, tokens: Tokens) -> bytes:
        return hashlib.sha256(json.dumps([*self._maker, *tokens]).encode()).digest()

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise BadData(
                f"cannot be used as the cache of {self.content} ({error}); {self.remedy}",
                self._path,
            ) from error


def _checksum(key: bytes, value: Any) -> int:
    """Return a checksum over a key and its value, which also tells texts from bytes."""
    content = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
    return zlib.crc32(content, zlib.crc32(key + type(value).__name__.encode()))
