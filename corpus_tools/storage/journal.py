"""Keeps the rows of a long run until all are there, so that a run that ended early can be resumed.

Beside the output ``FILE`` stands the journal ``FILE.partial``. Its first line says whose rows they
are; each other line is a row with its checksum. A row is given to the system as soon as it is
computed: it survives the end of the process. A machine that fails may lose the last rows, unless
they are durable; what is left of them is recognised and cut off. The output itself is written in
one step, from the journal.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO

from corpus_tools.errors import BadData, OtherRun
from corpus_tools.storage.files import STANDARD_STREAM, StrPath, explaining_write
from corpus_tools.storage.locks import locked
from corpus_tools.storage.new_folders import remove_file, sync_folder

START = b'{"format": "semihmm partial output", "identity": "'
"""The beginning of every journal: any other file is a user's."""

CHECKSUM_DIGITS = 8


@dataclass
class Journal:
    """The journal of an output.

    ``path``      the file of the journal. It is not written before the first new row.
    ``identity``  a hash of all that the rows depend on.
    ``rows``      how many rows there are.
    """

    path: Path
    identity: str
    rows: int = 0
    _file: IO[bytes] | None = field(default=None, repr=False)
    _begun: bool = field(default=False, repr=False)

    def add(self, *rows: str, durable: bool = False) -> None:
        """Write rows, which have no line ends. Raises ``BadData`` where that fails.

        ``durable``  waits until they are on the disk.

        What was written of them in vain is cut off.
        """
        try:
            with explaining_write(str(self.path)):
                if self._file is None:
                    self._open()
                self._write(b"".join(map(_line, rows)))
                if durable:
                    os.fsync(self._opened().fileno())
        except BaseException:
            self._cut()
            raise
        self.rows += len(rows)

    def take_back(self, rows: int) -> None:
        """Remove the last rows, as far as that is possible at once."""
        self.rows -= rows
        self._cut()

    def _cut(self) -> None:
        """Cut off what stands behind the rows that stay. If that fails, the next row does it."""
        with suppress(OSError):
            if self._file is not None:
                self._file.close()
        self._file = None
        if self._begun:
            with suppress(OSError), open(self.path, "r+b", buffering=0) as file:
                file.truncate(self._end())

    def _end(self) -> int:
        """Return where the rows that stay end, the first line included."""
        return sum(map(len, islice(self._lines(), self.rows + 1)))

    def _open(self) -> None:
        """Open the file behind the rows that stay."""
        end = self._end() if self.rows else 0
        # Without a buffer: what was written is the system's, and nothing is left to be written.
        self._file = open(self.path, "r+b" if end else "wb", buffering=0)  # noqa: SIM115
        self._begun = True
        if end:
            self._file.truncate(end)
            self._file.seek(end)
        else:
            self._write(self._header())
            sync_folder(self.path.parent)

    def _opened(self) -> IO[bytes]:
        assert self._file is not None
        return self._file

    def _write(self, lines: bytes) -> None:
        while lines:
            lines = lines[self._opened().write(lines) :]

    def _header(self) -> bytes:
        return START + f'{self.identity}"}}\n'.encode()

    def _lines(self) -> Iterator[bytes]:
        with open(self.path, "rb") as file:
            yield from file

    def read(self) -> Iterator[str]:
        """Yield the rows. Raises ``BadData`` for a journal that cannot be read."""
        if not self.rows:
            return
        try:
            for line in islice(self._lines(), 1, self.rows + 1):
                yield line[CHECKSUM_DIGITS + 1 : -1].decode()
        except OSError as error:
            raise BadData(f"cannot read: {error.strerror}", self.path) from error

    def resume(self) -> None:
        """Take the rows that are there, up to the first damaged one.

        Raises ``OtherRun`` if they are those of another run, ``BadData`` if they cannot be read.
        """
        try:
            header, *_ = islice(self._lines(), 1)
            if header != self._header() and header.endswith(b"\n"):
                raise OtherRun(
                    f"{self.path} is of other pairs, another model, other settings or another "
                    "version of the program"
                )
            for line in islice(self._lines(), 1, None):
                if not _is_whole(line):
                    return
                self.rows += 1
        except (FileNotFoundError, ValueError):
            # There is none, or it is empty.
            return
        except OSError as error:
            raise BadData(f"cannot read: {error.strerror}", self.path) from error

    def close(self) -> None:
        """Close the file; remove it if it was begun and has no row."""
        if not self._begun:
            return
        with explaining_write(str(self.path)):
            if self._file is not None:
                self._file.close()
        if not self.rows:
            remove_file(self.path)


@contextmanager
def open_journal(output: StrPath, identity: str) -> Iterator[Journal]:
    """Open the journal of an output, and keep other processes from writing it.

    Raises ``InUse``, and ``BadData`` for a file of a user's that has the journal's name.
    """
    target = Path(os.path.realpath(output))
    with locked(target.with_name(f".{target.name}.lock"), f"the output {output}"):
        path = target.with_name(f"{target.name}.partial")
        _require_journal(path)
        journal = Journal(path, identity)
        try:
            yield journal
        finally:
            journal.close()


def can_be_resumed(output: StrPath) -> bool:
    """Tell whether an output is a file, and no stream or device."""
    name = os.fspath(output)
    return name != STANDARD_STREAM and (os.path.isfile(name) or not os.path.exists(name))


def _require_journal(path: Path) -> None:
    """Raise ``BadData`` for a file that is no journal, nor what a killed process left of one."""
    try:
        with open(path, "rb") as file:
            start = file.read(len(START))
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", path) from error
    if not START.startswith(start):
        raise BadData("is no partial output: remove it, or move it away", path)


def _line(row: str) -> bytes:
    content = row.encode()
    return _checksum(content) + content + b"\n"


def _is_whole(line: bytes) -> bool:
    content = line[CHECKSUM_DIGITS + 1 : -1]
    return line == _checksum(content) + content + b"\n"


def _checksum(content: bytes) -> bytes:
    return f"{zlib.crc32(content):0{CHECKSUM_DIGITS}x} ".encode()
