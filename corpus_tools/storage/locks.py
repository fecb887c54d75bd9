"""Locks folders and files against other processes.

A lock is the operating system's, on a file of its own. The system releases it when the process
ends, however it ends: what a killed process leaves behind is a file that nobody holds, which the
next process takes over. Locks work between the processes of one machine. On a shared file system
they work between machines as far as that file system supports ``flock``.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.errors import BadData, InUse

if TYPE_CHECKING:
    from filelock import BaseFileLock

SIGNATURE = b'{"process": '
"""The beginning of the file of every lock, which may be empty or cut: any other is a user's."""


@contextmanager
def locked(path: Path, what: str, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock whose file is ``path``, and remove the file at the end.

    ``what``  what is locked, for the error message.
    ``wait``  the seconds to wait for another process that holds it.

    Raises ``InUse`` that names the process that holds it, ``BadData`` if there can be no lock, and
    for a file of a user's that has the lock's name.
    """
    _require_lock(path, what)
    try:
        lock = _acquired(path, wait)
    except OSError as error:
        raise BadData(f"cannot write {what}: {error.strerror or error}") from error
    if lock is None:
        raise InUse(f"{what} is in use by {_holder(path)}")
    try:
        _sign(path)
        yield
    finally:
        _release(path, lock)


@contextmanager
def locked_if_free(path: Path) -> Iterator[bool]:
    """Hold a lock if nobody else does, and tell whether it is held. A user's file is none."""
    lock = None
    with suppress(OSError, BadData):
        _require_lock(path, "")
        lock = _acquired(path, 0.0)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            _release(path, lock)


def _acquired(path: Path, wait: float) -> BaseFileLock | None:
    """Return the lock, or ``None`` if another process holds it. Raises ``OSError``."""
    from filelock import FileLock, Timeout

    # The package would make the folder, and take some errors for another process.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644))
    lock = FileLock(path, timeout=wait, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock


def _require_lock(path: Path, what: str) -> None:
    """Raise ``BadData`` for a file that no process has signed: taking a lock empties its file."""
    if not path.is_file():
        return
    try:
        with open(path, "rb") as file:
            start = file.read(len(SIGNATURE))
    except OSError:
        # Taking the lock says what is wrong.
        return
    if not SIGNATURE.startswith(start):
        raise BadData(f"cannot lock {what}: the file is no lock: move it away", path)


def _release(path: Path, lock: BaseFileLock) -> None:
    # Before the release: a process that waits sees that its file has no name, and makes another.
    with suppress(OSError):
        path.unlink()
    lock.release()


def _sign(path: Path) -> None:
    """Write into the file of a lock who holds it. Without that the lock holds all the same."""
    since = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S %z")
    holder = {"process": os.getpid(), "host": socket.gethostname(), "since": since}
    with suppress(OSError), open(path, "w", encoding="utf-8") as file:
        json.dump(holder, file)


def _holder(path: Path) -> str:
    """Describe the process that holds a lock."""
    try:
        holder = json.loads(path.read_bytes())
        return f"process {holder['process']} on {holder['host']}, since {holder['since']}"
    except (OSError, ValueError, LookupError, TypeError):
        return "another process"
