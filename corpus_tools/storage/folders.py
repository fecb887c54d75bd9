"""Makes, locks and removes folders and files that have one purpose.

A lock is the operating system's, on a file of its own. The system releases it when the process
ends, however it ends: what a killed process leaves behind is a file that nobody holds, which the
next process takes over. Locks work between the processes of one machine. On a shared file system
they work between machines as far as that file system supports ``flock``.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corpus_tools.errors import BadData, InUse
from corpus_tools.storage.files import StrPath


def cache_folder() -> Path:
    """Return the cache folder of this project, and make it if it is not there.

    It is ``$XDG_CACHE_HOME/semihmm`` or, where that is not to be had, a folder in the system's
    folder for temporary files. Only this user may write there: compiled kernels are pickles.

    Raises ``BadData`` if neither can be had.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        home.mkdir(parents=True, exist_ok=True)
        return _own((home / "semihmm").resolve())
    except OSError:
        pass
    try:
        return _own(Path(tempfile.gettempdir()) / f"semihmm-{os.getuid()}")
    except OSError as error:
        problem = "there is no folder for what is computed once: set XDG_CACHE_HOME to one"
        raise BadData(f"{problem} ({error})") from error


def _own(folder: Path) -> Path:
    """Make a folder, if it is not there. Raises ``OSError`` unless it is this user's alone."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{folder} belongs to another user, or others may write there")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written")
    return folder


TRIES = 5
"""How often a folder is tried to be removed. Set by hand: between two files there is no time."""


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


@contextmanager
def no_empty_folders(path: StrPath | None) -> Iterator[None]:
    """Remove empty folders on the way to ``path`` that are made inside, if what is inside fails.

    ``None`` is no folder at all.
    """
    folders = [] if path is None else [Path(path), *Path(path).parents]
    missing = [folder for folder in folders if not folder.exists()]
    try:
        yield
    except BaseException:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


def make_folder(folder: Path, what: str, *, parents: bool = True) -> None:
    """Make a folder, if it is not there. Raises ``BadData`` that says ``what`` it is.

    ``parents``  makes folders on the way to it, too.
    """
    try:
        folder.mkdir(parents=parents, exist_ok=True)
    except OSError as error:
        raise BadData(f"cannot make {what}: {error.strerror or error}", folder) from error


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it, as far as that is possible."""
    for _ in range(TRIES):
        # Workers of a cluster may still write there, until the folder is gone.
        if path.exists():
            shutil.rmtree(path, ignore_errors=True)


def remove_files(folder: Path, names: re.Pattern[str]) -> None:
    """Remove the files in a folder that have such names, and the folder if it has no others."""
    if folder.is_dir():
        for path in folder.iterdir():
            if names.fullmatch(path.name):
                remove_file(path)
        with suppress(OSError):
            folder.rmdir()


def remove_file(path: Path) -> None:
    """Remove a file that is no longer needed, if that is possible."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the file system can do that."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for temporary files, which goes at the end. Raises ``BadData``."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="semihmm-"))
    except OSError as error:
        problem = f"cannot make a folder for temporary files: {error.strerror or error}"
        raise BadData(problem, tempfile.tempdir) from error
    try:
        yield folder
    finally:
        remove_folder(folder)
