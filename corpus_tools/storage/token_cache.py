"""Keeps on disk what was computed from sequences of tokens.

One SQLite file serves all corpora, so that nothing is computed twice. Processes may share it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from corpus_tools.errors import BadData, SemiHmmWarning
from corpus_tools.storage.files import StrPath
from corpus_tools.storage.locks import locked
from corpus_tools.storage.sqlite_files import DAMAGED, SIDE_FILES, is_ours

PATIENCE_SECONDS = 60
"""How long to wait for another process that writes to the same file, before the cache is an error.

Chosen by hand: a write takes milliseconds on a local disk, so only a lock that was left behind
lasts so long.
"""

SMALLEST_DATABASE = 512
"""Bytes of SQLite's smallest page: a shorter file holds nothing."""

CHECKSUM = "checksum"
"""The column of the checksums."""

Result = TypeVar("Result")

Tokens = Sequence[str]


class TokenCache:
    """A mapping from the tokens of texts to what was computed from them.

    Subclasses set these names:

    ``table``     the table of the database.
    ``column``    its column of values, and ``sql_type`` that column's SQL type.
    ``content``   what the cache holds, for error messages.
    ``remedy``    what the user can do about a file that cannot be used, for error messages.

    ``path`` is the database; ``None`` keeps it in memory. ``maker`` are the names and numbers of
    the program that computes the values: each maker has values of its own. A damaged database is
    put aside with a ``SemiHmmWarning``, and made anew. Raises ``BadData`` where the file is no such
    cache or cannot be read or written.

    Each value has a checksum. One that is damaged counts as missing, with a ``SemiHmmWarning``.
    Since a database may be put aside at any time, a value that was there may be missing later.
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
                self._require_damaged(error)
                self._start_anew(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def _open(self) -> sqlite3.Connection:
        name = ":memory:" if self._path is None else self._path
        is_new = self._path is not None and not os.path.lexists(self._path)
        database = sqlite3.connect(name, timeout=PATIENCE_SECONDS)
        try:
            self._make_table(database)
        except sqlite3.Error:
            database.close()
            if is_new:
                self._remove_if_no_database()
            raise
        return database

    def _remove_if_no_database(self) -> None:
        """Remove the file that SQLite made before it failed, as where the disk is full."""
        assert self._path is not None
        with suppress(OSError):
            if os.path.getsize(self._path) < SMALLEST_DATABASE:
                os.unlink(self._path)

    def _make_table(self, database: sqlite3.Connection) -> None:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if tables and self.table not in tables and not tables & _tables():
            raise sqlite3.Error("a database of another program")
        columns = f"key BLOB PRIMARY KEY, {self.column} {self.sql_type}, {CHECKSUM} INTEGER"
        database.execute(f"CREATE TABLE IF NOT EXISTS {self.table} ({columns}) WITHOUT ROWID")
        names = [row[1] for row in database.execute(f"PRAGMA table_info({self.table})")]
        if names == ["key", self.column]:
            # Another process that does the same at the same time has added the column.
            with suppress(sqlite3.OperationalError):
                database.execute(f"ALTER TABLE {self.table} ADD COLUMN {CHECKSUM} INTEGER")

    def _require_damaged(self, error: sqlite3.DatabaseError) -> None:
        """Raise the error unless it says that a database of the program's own is damaged."""
        damaged = getattr(error, "sqlite_errorcode", None) in DAMAGED
        if self._path is None or not damaged or not is_ours(self._path, _tables()):
            raise error

    def _start_anew(self, error: sqlite3.DatabaseError) -> None:
        """Put a damaged database aside, and make a new one."""
        assert self._path is not None
        path = Path(self._path)
        with locked(path.with_name(f"{path.name}.lock"), f"the cache {path}", PATIENCE_SECONDS):
            if self._is_still_damaged():
                for ending in SIDE_FILES:
                    with suppress(FileNotFoundError):
                        os.replace(f"{path}{ending}", f"{path}.damaged{ending}")
                problem = f"{path}: the cache of {self.content} is damaged ({error})"
                warnings.warn(SemiHmmWarning(f"{problem}: it is made anew"), stacklevel=3)
            self._database = self._open()

    def _is_still_damaged(self) -> bool:
        """Tell whether the file is damaged: another process may have put it aside by now."""
        try:
            database = self._open()
            try:
                rows = database.execute("PRAGMA quick_check(1)").fetchall()
            finally:
                database.close()
        except sqlite3.DatabaseError:
            return True
        return rows != [("ok",)]

    def __contains__(self, tokens: Tokens) -> bool:
        return self._value(tokens) is not None

    def __getitem__(self, tokens: Tokens) -> Any:
        row = self._value(tokens)
        if row is None:
            raise KeyError(tokens)
        return row[0]

    def is_value(self, tokens: Tokens, value: Any) -> bool:
        """Tell whether a value in the file can be that of the tokens."""
        raise NotImplementedError

    def add(self, texts: Iterable[Tokens], values: Iterable[Any]) -> None:
        """Write the values of the texts to the file."""
        rows = []
        for tokens, value in zip(texts, values, strict=True):
            key = self._key(tokens)
            rows.append((key, value, _checksum(key, value)))
        self._run(lambda: self._insert(rows))

    def _insert(self, rows: list[tuple[bytes, Any, int]]) -> None:
        with self._database:
            self._database.executemany(
                f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?, ?)", rows
            )

    def _run(self, work: Callable[[], Result]) -> Result:
        """Do some work, once more in a new database if the damage shows only now."""
        with self._explaining():
            try:
                return work()
            except sqlite3.DatabaseError as error:
                self._require_damaged(error)
                # It may have a transaction open, which would keep others from writing.
                self._database.close()
                self._start_anew(error)
                return work()

    def _value(self, tokens: Tokens) -> tuple[Any] | None:
        """Return the value of the tokens in a tuple, or ``None`` for a missing or damaged one."""
        key = self._key(tokens)
        query = f"SELECT {self.column}, {CHECKSUM} FROM {self.table} WHERE key = ?"

        def look_up() -> tuple[Any, int | None] | None:
            row: tuple[Any, int | None] | None = self._database.execute(query, (key,)).fetchone()
            return row

        row = self._run(look_up)
        if row is None or row[1] is None:
            return None
        if row[1] == _checksum(key, row[0]) and self.is_value(tokens, row[0]):
            return row[:1]
        problem = f"{self._path}: the cache of {self.content} has a damaged value"
        warnings.warn(SemiHmmWarning(f"{problem}: it is made anew"), stacklevel=3)
        return None

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


def _tables() -> set[str]:
    """Return the names of the tables of all caches."""
    return {cache.table for cache in TokenCache.__subclasses__()}


def _checksum(key: bytes, value: Any) -> int:
    """Return a checksum over a key and its value, which also tells texts from bytes."""
    content = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
    return zlib.crc32(content, zlib.crc32(key + type(value).__name__.encode()))
