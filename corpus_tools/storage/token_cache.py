"""Keeps on disk what was computed from sequences of tokens.

One SQLite file serves all corpora, so that nothing is computed twice.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from corpus_tools.errors import BadData
from corpus_tools.storage.files import StrPath

PATIENCE_SECONDS = 60
"""How long to wait for another process that writes to the same file, before the cache is an error.

Chosen by hand: a write takes milliseconds on a local disk, so only a lock that was left behind
lasts so long.
"""


class TokenCache:
    """A mapping from sequences of tokens to what was computed from them.

    Subclasses set these names:

    ``table``     the table of the database.
    ``column``    its column of values, and ``sql_type`` that column's SQL type.
    ``content``   what the cache holds, for error messages.
    ``remedy``    what the user can do about a file that cannot be used, for error messages.

    ``path`` is the database; ``None`` keeps it in memory. ``maker`` are the names and numbers of
    the program that computes the values: each maker has values of its own. Raises ``BadData`` where
    the file is no such cache or cannot be read or written.
    """

    table: ClassVar[str]
    column: ClassVar[str]
    sql_type: ClassVar[str]
    content: ClassVar[str]
    remedy: ClassVar[str]

    def __init__(self, path: StrPath | None, *maker: str | int) -> None:
        self._path = path
        self._maker = maker
        with self._explaining():
            self._database = sqlite3.connect(
                ":memory:" if path is None else path, timeout=PATIENCE_SECONDS
            )
            columns = f"key BLOB PRIMARY KEY, {self.column} {self.sql_type}"
            self._database.execute(
                f"CREATE TABLE IF NOT EXISTS {self.table} ({columns}) WITHOUT ROWID"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def __contains__(self, tokens: Sequence[str]) -> bool:
        return self._row(tokens, "1") is not None

    def __getitem__(self, tokens: Sequence[str]) -> Any:
        row = self._row(tokens, self.column)
        if row is None:
            raise KeyError(tokens)
        return row[0]

    def add(self, texts: Iterable[Sequence[str]], values: Iterable[Any]) -> None:
        """Write the values of the texts to the file."""
        rows = [(self._key(tokens), value) for tokens, value in zip(texts, values, strict=True)]
        with self._explaining(), self._database:
            self._database.executemany(f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?)", rows)

    def _row(self, tokens: Sequence[str], column: str) -> tuple[Any] | None:
        query = f"SELECT {column} FROM {self.table} WHERE key = ?"
        with self._explaining():
            row: tuple[Any] | None = self._database.execute(query, (self._key(tokens),)).fetchone()
        return row

    def _key(self, tokens: Sequence[str]) -> bytes:
        return hashlib.sha256(json.dumps([*self._maker, *tokens]).encode()).digest()

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise BadData(
                f"cannot be used as the cache of {self.content} ({error}); {self.remedy}",
                self._path,
            ) from error
