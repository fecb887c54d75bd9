"""Keeps the steps of some work until it has ended, so that work that was killed can be resumed.

Beside the output ``FILE`` stands the journal ``FILE.partial``. Its first line says whose rows they
are; each other line is a row with its checksum. A row that was added is on the disk. What is left
of one that was not added is recognised and cut off.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path

from corpus_tools.errors import BadData
from corpus_tools.storage.files import StrPath, explaining_write
from corpus_tools.storage.folders import locked, sync_folder

START = b'{"format": "semihmm partial output", "identity": "'
"""The beginning of every journal: any other file is a user's."""

CHECKSUM_DIGITS = 8


class Journal:
    """The journal of an output.

    ``path``      the file of the journal. It is not written before the first new row.
    ``identity``  a hash of all that the rows depend on.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self._header = START + f'{identity}"}}\n'.encode()
        self._ends: list[int] = []

    @property
    def _end(self) -> int:
        """Return where the rows that stay end."""
        return self._ends[-1] if self._ends else 0

    def add(self, *rows: str) -> None:
        """Write rows, which have no line ends, and wait until they are on the disk.

        Raises ``BadData`` where that fails; what was written of them in vain is cut off.
        """
        begun = bool(self._end)
        lines = list(map(_line, rows))
        if not begun:
            lines[0] = self._header + lines[0]
        try:
            with (
                explaining_write(str(self.path)),
                open(self.path, "r+b" if begun else "wb") as file,
            ):
                file.truncate(self._end)
                file.seek(self._end)
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            self._cut()
            raise
        if not begun:
            sync_folder(self.path.parent)
        for line in lines:
            self._ends.append(self._end + len(line))

    def take_back(self, rows: int) -> None:
        """Remove the last rows, as far as that is possible at once."""
        del self._ends[-rows:]
        self._cut()

    def _cut(self) -> None:
        """Cut off what stands behind the rows that stay. If that fails, the next row does it."""
        with suppress(OSError):
            os.truncate(self.path, self._end)

    def resume(self) -> list[str]:
        """Take the rows that are there, up to the first damaged one, and return them.

        Raises ``BadData`` if they are those of other pairs, and if they cannot be read.
        """
        try:
            header, *lines = self.path.read_bytes().splitlines(keepends=True) or [b""]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BadData(f"cannot read: {error.strerror}", self.path) from error
        if header != self._header and header.endswith(b"\n"):
            raise BadData(
                "holds steps of a session with other pairs, which was killed: open these pairs "
                "once to save them, or remove the file",
                self.path,
            )
        whole = list(takewhile(_is_whole, lines))
        for line in whole:
            self._ends.append((self._end or len(header)) + len(line))
        return [line[CHECKSUM_DIGITS + 1 : -1].decode() for line in whole]


@contextmanager
def open_journal(output: StrPath, identity: str) -> Iterator[Journal]:
    """Open the journal of an output, and keep other processes from writing it.

    Raises ``InUse``, and ``BadData`` for a file of a user's that has the journal's name.
    """
    target = Path(os.path.realpath(output))
    with locked(target.with_name(f".{target.name}.lock"), f"the output {output}"):
        path = target.with_name(f"{target.name}.partial")
        _require_journal(path)
        yield Journal(path, identity)


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
