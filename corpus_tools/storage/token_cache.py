"""Keeps on disk what was computed from sequences of tokens.

One SQLite file serves all corpora, so that nothing is computed twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self, TypeVar

from corpus_tools.errors import BadData, SemiHmmWarning
from corpus_tools.storage.files import StrPath

PATIENCE_SECONDS = 60
"""How long to wait for another process that writes to the same file, before the cache is an error.

Chosen by hand: a write takes milliseconds on a local disk, so only a lock that was left behind
lasts so long.
"""

SQLITE_MAGIC = b"SQLite format 3\0"

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
"""SQLite's codes for a file that is no sound database; others say that it is locked or full."""

Result = TypeVar("Result")


def _is_database(path: StrPath) -> bool:
    """Tell whether a file begins as SQLite's do: any other is someone's, and left alone."""
    with open(path, "rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC


class TokenCache:
    """A mapping from sequences of tokens to what was computed from them.

    Subclasses set these names:

    ``table``     the table of the database.
    ``column``    its column of values, and ``sql_type`` that column's SQL type.
    ``content``   what the cache holds, for error messages.
    ``remedy``    what the user can do about a file that cannot be used, for error messages.

    ``path`` is the database; ``None`` keeps it in memory. ``maker`` are the names and numbers of
    the program that computes the values: each maker has values of its own. A damaged database is
    put aside with a ``SemiHmmWarning``, and made anew. Raises ``BadData`` where the file is no such
    cache or cannot be read or written.
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
            try:
                self._database = self._open()
            except sqlite3.DatabaseError as error:
                self._start_anew(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(
            ":memory:" if self._path is None else self._path, timeout=PATIENCE_SECONDS
        )
        columns = f"key BLOB PRIMARY KEY, {self.column} {self.sql_type}"
        try:
            database.execute(f"CREATE TABLE IF NOT EXISTS {self.table} ({columns}) WITHOUT ROWID")
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _start_anew(self, error: sqlite3.DatabaseError) -> None:
        """Put a damaged database aside, and make a new one. Raises the error for any other one."""
        damaged = getattr(error, "sqlite_errorcode", None) in DAMAGED
        if self._path is None or not damaged or not _is_database(self._path):
            raise error
        aside = f"{os.fspath(self._path)}.damaged"
        os.replace(self._path, aside)
        problem = f"{os.fspath(self._path)}: the cache of {self.content} is damaged ({error})"
        warnings.warn(SemiHmmWarning(f"{problem}: it is made anew"), stacklevel=3)
        self._database = self._open()

    def __contains__(self, tokens: Sequence[str]) -> bool:
        row = self._row(tokens, self.column)
        if row is None or self.is_value(tokens, row[0]):
            return row is not None
        problem = f"{self._path}: the cache of {self.content} has a damaged value"
        warnings.warn(SemiHmmWarning(f"{problem}: it is made anew"), stacklevel=2)
        return False

    def is_value(self, tokens: Sequence[str], value: Any) -> bool:
        """Tell whether a value in the file can be that of the tokens."""
        raise NotImplementedError

    def __getitem__(self, tokens: Sequence[str]) -> Any:
        row = self._row(tokens, self.column)
        if row is None:
            raise KeyError(tokens)
        return row[0]

    def add(self, texts: Iterable[Sequence[str]], values: Iterable[Any]) -> None:
        """Write the values of the texts to the file."""
        rows = [(self._key(tokens), value) for tokens, value in zip(texts, values, strict=True)]
        self._run(lambda: self._insert(rows))

    def _insert(self, rows: list[tuple[bytes, Any]]) -> None:
        with self._database:
            self._database.executemany(f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?)", rows)

    def _run(self, work: Callable[[], Result]) -> Result:
        """Do some work, once more in a new database if the damage shows only now."""
        with self._explaining():
            try:
                return work()
            except sqlite3.DatabaseError as error:
                self._start_anew(error)
                return work()

    def _row(self, tokens: Sequence[str], column: str) -> tuple[Any] | None:
        query = f"SELECT {column} FROM {self.table} WHERE key = ?"

        def look_up() -> tuple[Any] | None:
            row: tuple[Any] | None = self._database.execute(query, (self._key(tokens),)).fetchone()
            return row

        return self._run(look_up)

    def _key(self, tokens: Sequence[str]) -> bytes:
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
