"""Tells the program's own SQLite files, damaged ones too, from files of others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from corpus_tools.storage.cache_folder import cache_folder
from corpus_tools.storage.files import StrPath

MAGIC = b"SQLite format 3\0"

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
"""SQLite's codes for a file that is no sound database; others say that it is locked or full."""

SIDE_FILES = ("-journal", "-wal", "-shm", "")
"""The endings of the files of a database.

The database itself comes last: a journal without its database is harmless, but SQLite would write
a journal that is not its own into a new database.
"""

START_BYTES = 1 << 16
"""How much of a file is looked at: a page of SQLite, in which the tables stand, is no longer."""


def is_ours(path: StrPath, tables: Iterable[str]) -> bool:
    """Tell whether a file is or was a database that may be put aside, and no file of a user's.

    It is one if it begins as SQLite's do, if it stands in the project's cache folder, if the
    beginning has nothing but zeros, as after a power failure, or if the definition of one of the
    ``tables`` is in it.
    """
    with open(path, "rb") as file:
        start = file.read(START_BYTES)
    if start.startswith(MAGIC) or MAGIC.startswith(start) or not start.strip(b"\0"):
        return True
    if Path(path).resolve().parent == cache_folder().resolve():
        return True
    return any(f"CREATE TABLE {table} (key BLOB PRIMARY KEY".encode() in start for table in tables)
