"""Trees on disk, one SQLite file for all corpora and parsers, so that nothing is parsed twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from os import PathLike

from corpus_tools.errors import BadData

# Another process may be writing to the same file.
PATIENCE_SECONDS = 60

TABLE = "CREATE TABLE IF NOT EXISTS trees (key BLOB PRIMARY KEY, tree TEXT) WITHOUT ROWID"


class TreeCache:
    """A mapping from sentences to the bracketed trees that one version of one parser gave them.

    ``None`` stands for a sentence that it could not parse. Without ``path`` it is kept in memory.
    Raises ``BadData`` where the file is no such cache or cannot be read or written.
    """

    def __init__(self, path: str | PathLike | None, parser: str, version: str):
        self._path = path
        self._parser = [parser, version]
        with self._explaining():
            self._database = sqlite3.connect(":memory:" if path is None else path, timeout=PATIENCE_SECONDS)
            self._database.execute(TABLE)

    def __enter__(self) -> TreeCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def __contains__(self, sentence: Sequence[str]) -> bool:
        return self._row(sentence) is not None

    def __getitem__(self, sentence: Sequence[str]) -> str | None:
        row = self._row(sentence)
        if row is None:
            raise KeyError(sentence)
        return row[0]

    def add(self, sentences: Iterable[Sequence[str]], trees: Iterable[str | None]) -> None:
        """Keep the trees of the sentences, at once and for good."""
        rows = [(self._key(sentence), tree) for sentence, tree in zip(sentences, trees, strict=True)]
        with self._explaining(), self._database:
            self._database.executemany("INSERT OR REPLACE INTO trees VALUES (?, ?)", rows)

    def _row(self, sentence: Sequence[str]) -> tuple[str | None] | None:
        with self._explaining():
            return self._database.execute("SELECT tree FROM trees WHERE key = ?", (self._key(sentence),)).fetchone()

    def _key(self, sentence: Sequence[str]) -> bytes:
        return hashlib.sha256(json.dumps([*self._parser, *sentence]).encode()).digest()

    @contextmanager
    def _explaining(self):
        try:
            yield
        except sqlite3.Error as error:
            problem = f"cannot be used as the cache of trees ({error}); name another file, or remove this one"
            raise BadData(problem, self._path) from error
