"""Locks folders and files against other processes.

A lock is the operating system's, on a file of its own. The system releases it when the process
ends, however it ends: what a killed process leaves behind is a file that nobody holds, which the
next process takes over. Locks work between the processes of one machine. On a shared file system
they work between machines as far as that file system supports ``flock``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corpus_tools.errors import BadData, InUse


@contextmanager
def locked(path: Path, what: str, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock whose file is ``path``, and remove the file at the end.

    ``what``  what is locked, for the error message.
    ``wait``  the seconds to wait for another process that holds it.

    Raises ``InUse`` if another process holds it, ``BadData`` if there can be no lock.
    """
    from filelock import FileLock, Timeout

    try:
        # The package would make the folder, and take some errors for another process.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644))
        lock = FileLock(path, timeout=wait, thread_local=False)
        lock.acquire()
    except Timeout:
        raise InUse(f"{what} is in use by another process") from None
    except OSError as error:
        raise BadData(f"cannot write {what}: {error.strerror or error}") from error
    try:
        yield
    finally:
        # Before the release: a process that waits sees that its file has no name, and makes one.
        with suppress(OSError):
            path.unlink()
        lock.release()
