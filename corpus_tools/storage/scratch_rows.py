"""Objects on disk that are read again by the process that wrote them, and by nobody else."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from corpus_tools.storage.files import explaining_write


class ScratchRows:
    """Objects in a file without a name, which the system removes however the process ends.

    The file is made with the first object, in the folder for temporary files (``TMPDIR``).
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._size = 0

    def add(self, row: object) -> None:
        """Write an object. Raises ``BadData`` where that fails."""
        with _explaining():
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115
            self._file.seek(self._size)
            pickle.dump(row, self._file, pickle.HIGHEST_PROTOCOL)
            self._size = self._file.tell()

    def __iter__(self) -> Iterator[Any]:
        """Yield the objects. Several may read at a time, in one thread. Raises ``BadData``."""
        offset = 0
        while self._file is not None and offset < self._size:
            with _explaining():
                self._file.seek(offset)
                row = pickle.load(self._file)
                offset = self._file.tell()
            yield row

    def close(self) -> None:
        """Remove the file."""
        if self._file is not None:
            with _explaining():
                self._file.close()


@contextmanager
def _explaining() -> Iterator[None]:
    with explaining_write(f"a temporary file in {tempfile.gettempdir()}"):
        yield
