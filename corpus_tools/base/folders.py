"""Makes, locks and removes files and folders of the program.

A lock is a file that a process locks by the operating system. The system releases the lock when the
process ends, even if it is killed: the next process takes over the file that was left behind. Locks
work between the processes of one machine. On a shared file system they work between machines as far
as that file system supports ``flock``.
"""

import errno
import os
import platform
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from corpus_tools.base.errors import BadData, InUse

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]
from corpus_tools.base.files import PRIVATE_MODE, cache_folder


def open_own(path: Path) -> IO[bytes]:
    """Open a file of the program to read and write it; make it if it is missing.

    Only this user can read it. Raises ``OSError`` for a link, a pipe or a device in its place.
    """
    while True:
        try:
            # Mode x makes a file, and follows no link.
            return open(path, "x+b", opener=_open_plain)
        except FileExistsError:
            # Another process may remove its file meanwhile.
            with suppress(FileNotFoundError):
                return open(path, "r+b", opener=_open_plain)


def _open_plain(path: str, flags: int) -> int:
    """Open a plain file. Raises ``OSError`` for anything else."""
    # Windows has neither flag.
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    if os.path.islink(path) and not flags & os.O_EXCL:
        raise OSError(errno.ELOOP, f"{path} is a link")
    descriptor = os.open(path, flags, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, f"{path} is no plain file")
    return descriptor


@contextmanager
def locked(path: Path, what: str, *, waits: bool = False) -> Iterator[None]:
    """Hold the lock file ``path``, and remove the file at the end.

    ``what``   a noun for the locked thing, for the error message.
    ``waits``  whether to wait while another process holds the lock, as long as it takes.

    Raises ``InUse`` if another process holds the lock, ``BadData`` if it cannot be made.
    """
    from filelock import FileLock, Timeout

    try:
        # filelock would make the folder, and would report some errors as another process.
        open_own(path).close()
        lock = FileLock(path, timeout=-1 if waits else 0, thread_local=False)
        lock.acquire()
    except Timeout:
        raise InUse(f"{what} is in use by another process") from None
    except OSError as error:
        raise BadData(f"cannot write {what}: {error.strerror or error}") from error
    try:
        yield
    finally:
        # Before the release: a waiting process notices that its file is gone, and makes a new one.
        with suppress(OSError):
            path.unlink()
        lock.release()


def make_folder(folder: Path, what: str, mode: int = 0o777) -> None:
    """Make a folder, and those above it, if they are missing. Raises ``BadData`` if that fails.

    ``what``  a noun for the folder, for the error.
    """
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
    except OSError as error:
        raise BadData(f"cannot make {what}: {error.strerror or error}", folder) from error


def remove_file(path: Path) -> None:
    """Remove a file that is no longer needed, if that is possible."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, if the file system supports that."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for the files of this run in the cache folder; remove it at the end.

    No run reads the files of another one, so they may be pickles. Folders that killed runs of this
    machine left behind are removed. Raises ``BadData`` if no folder can be made.
    """
    place = cache_folder()
    what = f"a folder for temporary files in {place}"
    # Where several machines share the folder, their locks may not reach each other.
    prefix = f"run-{platform.node()}-"
    for lock in place.glob(f"{prefix}*.lock"):
        with suppress(InUse, BadData), locked(lock, what):
            shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
    folder = place / f"{prefix}{secrets.token_hex(8)}"
    # Another run may hold the lock for a moment, while it looks for folders left behind.
    with locked(Path(f"{folder}.lock"), what, waits=True):
        make_folder(folder, what, PRIVATE_MODE)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
