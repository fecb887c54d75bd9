"""Points NLTK to files outside its data path."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from nltk.data import PathPointer


@dataclass(frozen=True)
class LocalPath(PathPointer):  # type: ignore[misc]  # NLTK has no type hints
    """A path pointer to a file or directory anywhere on this machine.

    NLTK's own pointer to files refuses, from version 3.10, whatever is outside NLTK's data path.
    """

    path: Path

    def open(self, encoding: str | None = None) -> BinaryIO | TextIO:
        """Open the file, as text if there is an encoding."""
        stream = self.path.open("rb")
        return io.TextIOWrapper(stream, encoding) if encoding else stream

    def file_size(self) -> int:
        """Return the size of the file in bytes."""
        return self.path.stat().st_size

    def join(self, fileid: str) -> LocalPath:
        """Return the pointer to a file in this directory."""
        return LocalPath(self.path / fileid)

    def __str__(self) -> str:
        return str(self.path)
