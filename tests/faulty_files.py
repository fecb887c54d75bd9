"""A layer under the program's files in which one operation fails, or the process dies there.

It stands below Python's own buffers: what fails is the system call, as on a full disk. Only files
below one folder are touched.
"""

import builtins
import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KILLED = 77
"""The exit status of a process that died at its point."""

NO_SPACE = "no space"
IO_ERROR = "I/O error"
KILL = "kill"
KINDS = (NO_SPACE, IO_ERROR, KILL)
NUMBERS = {NO_SPACE: errno.ENOSPC, IO_ERROR: errno.EIO}

REMOVALS = ("unlink", "rmdir")
"""Operations that leave something behind where they fail."""

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class FaultyFiles:
    """Counts the operations on files below ``root``; number ``at`` fails in a way of ``KINDS``.

    ``reads``   a name in the paths of files of which openings for reading count too.
    ``points``  the operations so far, each with the file's name.
    """

    def __init__(self, root: Path, at: int = 0, kind: str = KILL, reads: str = "") -> None:
        self.root = os.path.realpath(root) + os.sep
        self.at = at
        self.kind = kind
        self.reads = reads
        self.points: list[str] = []
        self._open: Any = builtins.open

    @property
    def reached(self) -> bool:
        """Tell whether the operation that fails was reached."""
        return 0 < self.at <= len(self.points)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Put the layer under this process, until the patch is undone."""
        patch.setattr(builtins, "open", self.open)
        patch.setattr(io, "open", self.open)
        patch.setattr(os, "open", self._guarded_open(os.open))
        for name in ("replace", "rename", "unlink", "remove", "mkdir", "rmdir"):
            patch.setattr(os, name, self._guarded(name, getattr(os, name)))
        patch.setattr(os, "fsync", self._guarded("fsync", os.fsync))

    def point(self, operation: str, path: Any, half: Callable[[], object] = lambda: None) -> None:
        """Count an operation, and fail if it is the one; do ``half`` of it before."""
        self.points.append(f"{operation} {os.path.basename(path)}")
        if len(self.points) != self.at:
            return
        half()
        if self.kind == KILL:
            os._exit(KILLED)
        number = NUMBERS[self.kind]
        raise OSError(number, os.strerror(number), str(path))

    def is_below(self, path: Any) -> bool:
        """Tell whether a path, or the file of a descriptor, is below the folder."""
        if isinstance(path, int):
            path = os.readlink(f"/proc/self/fd/{path}")
        return os.path.abspath(os.fspath(path)).startswith(self.root)

    def open(
        self, file: Any, mode: str = "r", buffering: int = -1, *more: Any, opener=None, **named: Any
    ) -> Any:
        """Stand for ``open``. Files that are written get a ``_FaultyFile``."""
        if isinstance(file, int) or not self.is_below(file):
            return self._open(file, mode, buffering, *more, opener=opener, **named)
        if not set(mode) & set("wax+"):
            if self.reads and self.reads in os.path.abspath(file):
                self.point("read", file)
            return self._open(file, mode, buffering, *more, opener=opener, **named)
        if opener is None:  # others call ``os.open``
            self.point("open", file)
        raw = _FaultyFile(os.fspath(file), mode.replace("b", ""), self, opener)
        if buffering == 0:
            return raw
        binary = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return binary if "b" in mode else io.TextIOWrapper(binary, *more, **named)

    def _guarded(self, name: str, intact: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(path: Any, *more: Any, **named: Any) -> Any:
            folder = named.get("dir_fd")
            if self.is_below(path if folder is None else folder):
                self.point(name.replace("remove", "unlink"), str(path))
            return intact(path, *more, **named)

        return guarded

    def _guarded_open(self, intact: Callable[..., int]) -> Callable[..., int]:
        def guarded(path: Any, flags: int, *more: Any, **named: Any) -> int:
            if flags & WRITING and named.get("dir_fd") is None and self.is_below(path):
                self.point("open", path)
            return intact(path, flags, *more, **named)

        return guarded


class _FaultyFile(io.FileIO):
    """A file of which a write, a truncation or the end may fail."""

    def __init__(self, path: str, mode: str, layer: FaultyFiles, opener: Any) -> None:
        super().__init__(path, mode, opener=opener)
        self._path = path
        self._layer = layer

    def write(self, content: Any) -> int:
        half = memoryview(content)[: len(content) // 2]
        self._layer.point("write", self._path, lambda: super(_FaultyFile, self).write(half))
        return super().write(content)

    def truncate(self, size: int | None = None) -> int:
        self._layer.point("truncate", self._path)
        return super().truncate(size)

    def close(self) -> None:
        if not self.closed:
            # As the system does it: the file is closed, even if that reports an error.
            super().close()
            self._layer.point("close", self._path)
