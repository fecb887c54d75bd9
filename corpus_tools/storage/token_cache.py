"""What was made of sequences of tokens, on disk: one SQLite file for all corpora, so that nothing is made twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any, ClassVar, Self

from corpus_tools.errors import BadData

# Another process may be writing to the same file.
PATIENCE_SECONDS = 60


class TokenCache:
    """A mapping from sequences of tokens to what one ``maker`` (its names and numbers) made of them.

    Subclasses name the table, its column and the column's SQL type, what the cache is of, and what to do about a file that is
    of no use. Without ``path`` it is kept in memory. Raises ``BadData`` where the file is no such cache or cannot be read or
    written.
    """

    table: ClassVar[str]
    column: ClassVar[str]
    kind: ClassVar[str]
    content: ClassVar[str]
    remedy: ClassVar[str]

    def __init__(self, path: str | PathLike | None, *maker: str | int):
        self._path = path
        self._maker = maker
        with self._explaining():
            self._database = sqlite3.connect(
                ":memory:" if path is None else path, timeout=PATIENCE_SECONDS
            )
            columns = f"key BLOB PRIMARY KEY, {self.column} {self.kind}"
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
        """Keep what was made of the texts, at once and for good."""
        rows = [(self._key(tokens), value) for tokens, value in zip(texts, values, strict=True)]
        with self._explaining(), self._database:
            self._database.executemany(f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?)", rows)

    def _row(self, tokens: Sequence[str], column: str) -> tuple | None:
        query = f"SELECT {column} FROM {self.table} WHERE key = ?"
        with self._explaining():
            return self._database.execute(query, (self._key(tokens),)).fetchone()

    def _key(self, tokens: Sequence[str]) -> bytes:
        return hashlib.sha256(json.dumps([*self._maker, *tokens]).encode()).digest()

    @contextmanager
    def _explaining(self):
        try:
            yield
        except sqlite3.Error as error:
            raise BadData(
                f"cannot be used as the cache of {self.content} ({error}); {self.remedy}",
                self._path,
            ) from error
