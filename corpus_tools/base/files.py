"""Writes files; makes, locks and removes them and their folders.

Files are plain, gzip or a standard stream, and replaced as a whole or not at all.

A lock is the operating system's, on a file of its own. The system releases it when the process
ends, however it ends: what a killed process leaves behind is a file that nobody holds, which the
next process takes over. Locks work between the processes of one machine. On a shared file system
they work between machines as far as that file system supports ``flock``.
"""

import errno
import getpass
import gzip
import io
import json
import os
import re
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO, Any, TextIO

from corpus_tools.base.errors import BadData, InUse

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

StrPath = str | PathLike[str]
"""The types that name a file."""

STANDARD_STREAM = "-"

MARK = ".semihmm"
"""The file in a folder that says that the program made it and may delete what it wrote there."""

MARK_LINE = b"semihmm made this folder and may delete the files that it wrote here.\n"

NO_NAMES = re.compile(r"(?!)")
"""Matches no name."""

PRIVATE_FOLDER = 0o700
"""The mode of the program's own folders: they have texts, and what is read as code."""


# Writing: to a temporary file beside, which takes the name when it is whole


@contextmanager
def replacing(path: StrPath) -> Iterator[TextIO]:
    """Open a text stream that becomes the file ``path`` on success.

    The text is written in UTF-8, packed with gzip where the name ends in ``.gz``. ``-`` is standard
    output. Whatever goes wrong, an old file stays as it was and nothing else is
    left. Raises ``BadData`` where the system refuses to write, for instance on a full disk.
    """
    name = os.fspath(path)
    if name == STANDARD_STREAM:
        with explaining_write("standard output", ""):
            stream = standard_stream("stdout")
            yield stream
            stream.flush()
    elif os.path.exists(name) and not os.path.isfile(name):
        # A device or a pipe must be written to, never replaced by a file.
        with explaining_write(name), open(name, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
    else:
        remove_left_behind(*os.path.split(os.path.realpath(name)))
        with replacing_bytes(name) as file, ExitStack() as stack:
            binary: Any = file
            if name.endswith(".gz"):
                # No name and no time in the header: the same text gives the same bytes.
                binary = stack.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
            stream = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
            yield stream
            stream.detach()


def json_line(value: object) -> str:
    """Return a value as a line of JSON."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def write_json_lines(rows: Iterable[object], path: StrPath) -> None:
    """Replace a file by JSON lines. Raises ``BadData`` as ``replacing``."""
    with replacing(path) as stream:
        stream.writelines(map(json_line, rows))


@contextmanager
def replacing_bytes(
    path: StrPath, content: str = "", *, durable: bool = True
) -> Iterator[IO[bytes]]:
    """Open a binary file that becomes the file ``path`` on success.

    ``content``  what the file belongs to, for the error message.
    ``durable``  whether it is on the disk before it takes the name.

    What is written to first is a hidden file beside ``path``. A file that is replaced keeps its
    mode and, where the system allows it, its owner. Whatever goes wrong, an old file stays as it
    was and nothing else is left, except by a process that is killed (``remove_left_behind``).
    Raises ``BadData`` where the system refuses to write.
    """
    target = os.path.realpath(path)
    directory, base = os.path.split(target)
    temporary = os.path.join(directory, f".{base}.{secrets.token_hex(8)}{TEMPORARY}")
    with explaining_write(f"{content} {os.fspath(path)}".lstrip()):
        try:
            with open(temporary, "xb") as file:
                _hold(file)
                _take_mode(file, target)
                yield file
                file.flush()
                # A machine that fails may keep the new name and lose what it names.
                if durable:
                    os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise


TEMPORARY = ".semihmm-tmp"
"""The ending of the names of temporary files."""


def _hold(file: IO[bytes]) -> bool:
    """Lock a file that is being written; the system releases it when the process ends.

    Returns whether it could be had. Process numbers say nothing across containers, locks do. On
    Windows, a file that another process writes cannot be removed anyway.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: whether somebody writes there is not known.
        return False
    return True


def _take_mode(file: IO[bytes], replaced: str) -> None:
    """Give a new file the mode of the one that it replaces, and its owner where that is allowed."""
    with suppress(FileNotFoundError):
        old = os.stat(replaced)
        if hasattr(os, "fchmod"):  # not on Windows
            os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
            with suppress(OSError):
                os.fchown(file.fileno(), old.st_uid, old.st_gid)


def pack_npz(arrays: Mapping[str, Any]) -> bytes:
    """Return NumPy's arrays as the content of an npz file, not compressed."""
    import numpy as np  # slow to import

    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


@contextmanager
def explaining_write(target: str, consequence: str = " (nothing was replaced)") -> Iterator[None]:
    """Turn ``OSError`` into ``BadData`` that names what could not be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        # One without a number is a library's, of something else that was done meanwhile.
        if error.errno is None:
            raise
        problem = f"cannot write {target}: {error.strerror or error}{consequence}"
        raise BadData(problem) from error


def remove_left_behind(directory: StrPath, base: str | None = None) -> None:
    """Remove the temporary files in a directory that killed processes left behind.

    ``base``  the name of the only target whose files are removed.
    """
    target = ".+" if base is None else re.escape(base)
    ours = re.compile(rf"\.{target}\.[0-9a-f]{{16}}{re.escape(TEMPORARY)}")
    with suppress(OSError):
        for path in Path(directory).iterdir():
            if ours.fullmatch(path.name) and is_own(path):
                with open(path, "rb") as file:
                    is_left = _hold(file)
                if is_left:
                    path.unlink()


def can_be_resumed(output: StrPath) -> bool:
    """Tell whether an output is a file, and no stream or device."""
    name = os.fspath(output)
    return name != STANDARD_STREAM and (os.path.isfile(name) or not os.path.exists(name))


def standard_stream(name: str) -> TextIO:
    """Return a standard stream. Raises ``OSError`` where Python has none, since it was closed."""
    stream: TextIO | None = getattr(sys, name)
    if stream is None or stream.closed:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return stream


# Folders and locks


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
    # Windows has no numbers of users.
    user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
    try:
        return _own(Path(tempfile.gettempdir()) / f"semihmm-{user}")
    except OSError as error:
        problem = "no folder can be used as the cache: set XDG_CACHE_HOME to one"
        raise BadData(f"{problem} ({error})") from error


def _own(folder: Path) -> Path:
    """Make a folder, if it is not there. Raises ``OSError`` unless it is this user's alone."""
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    # On Windows, folders for temporary files are a user's own.
    if not is_own(folder) or (hasattr(os, "getuid") and folder.lstat().st_mode & 0o022):
        raise PermissionError(f"{folder} is a link, another user's, or others may write there")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written")
    return folder


def private_folder(folder: Path) -> Path:
    """Make a folder of the cache folder from which code is read.

    Raises ``BadData`` unless it is this user's alone.
    """
    try:
        return _own(folder)
    except FileNotFoundError:
        # The cache folder could not be made, or is gone: what is written there says so.
        return folder
    except OSError as error:
        raise BadData(f"code is read from there, and {error}: remove it", folder) from error


def is_own(path: Path) -> bool:
    """Tell whether a path is a file or a folder of this user, and no link or device."""
    status = path.lstat()
    is_plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    # Windows has no numbers of users.
    return is_plain and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def own_folder(folder: Path, what: str) -> None:
    """Make a folder that the program may clear, or take one that it has made before.

    It has a file ``MARK``, which is written first. A folder that is empty may be taken, too.

    ``what``  says what the folder is, for errors. Raises ``BadData`` if it cannot be made, is a
    link, belongs to another user, can be written by others, or holds what the program did not make.
    """
    make_folder(folder, what, mode=PRIVATE_FOLDER)
    try:
        _own(folder)
        # A process that was killed before it wrote the mark leaves an empty folder.
        if not is_marked(folder) and any(path.name != MARK for path in folder.iterdir()):
            raise BadData(
                f"cannot be {what}: it has files that semihmm did not make; move them, or name "
                "another place",
                folder,
            )
        if not is_marked(folder):
            _write_mark(folder)
    except OSError as error:
        raise BadData(f"cannot be {what}: {error.strerror or error}", folder) from error


def _write_mark(folder: Path) -> None:
    """Write the mark of a folder, or leave nothing."""
    try:
        # Not by another name first: nothing else may be in the folder before.
        (folder / MARK).write_bytes(MARK_LINE)
    except OSError:
        remove_file(folder / MARK)
        with suppress(OSError):
            folder.rmdir()
        raise


def is_marked(folder: Path) -> bool:
    """Tell whether the program made a folder, which is no link and belongs to this user."""
    try:
        mark = folder / MARK
        is_ours = folder.is_dir() and is_own(folder) and is_own(mark)
        return is_ours and mark.read_bytes() == MARK_LINE
    except OSError:
        return False


def clear_folder(folder: Path, names: re.Pattern[str], inside: re.Pattern[str] = NO_NAMES) -> None:
    """Remove the files that the program wrote in a folder, and the folder if it has no others.

    ``names``   the names of these files.
    ``inside``  those of files in folders whose names are among ``names``.

    Nothing is removed from a folder that the program did not make (``is_marked``).
    """
    if not is_marked(folder):
        return
    for path in folder.iterdir():
        if not names.fullmatch(path.name) or path.is_symlink():
            continue
        if path.is_dir():
            for file in path.iterdir():
                if inside.fullmatch(file.name):
                    remove_file(file)
            with suppress(OSError):
                path.rmdir()
        else:
            remove_file(path)
    if [path.name for path in folder.iterdir()] == [MARK]:
        remove_file(folder / MARK)
        with suppress(OSError):
            folder.rmdir()


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
        path.touch()
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


def make_folder(folder: Path, what: str, *, parents: bool = True, mode: int = 0o777) -> None:
    """Make a folder, if it is not there. Raises ``BadData`` that says ``what`` it is.

    ``parents``  makes folders on the way to it, too.
    """
    try:
        folder.mkdir(mode, parents=parents, exist_ok=True)
    except OSError as error:
        raise BadData(f"cannot make {what}: {error.strerror or error}", folder) from error


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
    with explaining_write("a folder for temporary files", ""):
        folder = tempfile.TemporaryDirectory(prefix="semihmm-", ignore_cleanup_errors=True)
    with folder as name:
        yield Path(name)
