"""Writes files; makes the cache folder of the program.

A file is plain, gzip or a standard stream. It is replaced as a whole or not at all.
"""

import errno
import getpass
import gzip
import hashlib
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

from corpus_tools.base.errors import BadData

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]


StrPath = str | PathLike[str]
"""The name of a file."""

STANDARD_STREAM = "-"

PRIVATE_MODE = 0o700
"""The mode of the program's own folders: they hold texts of users, and files that run as code."""


# Writing: a temporary file gets the name of the old file when it is complete


@contextmanager
def replacing(path: StrPath) -> Iterator[TextIO]:
    """Open a text stream that becomes the file ``path`` on success.

    The text is written in UTF-8, packed with gzip if the name ends in ``.gz``. ``-`` is standard
    output. After a failure an old file is unchanged and no new file is left. Raises ``BadData`` if
    the file cannot be written, for instance on a full disk.
    """
    name = os.fspath(path)
    if name == STANDARD_STREAM:
        with explaining_write("standard output", ""):
            stream = standard_stream("stdout")
            yield stream
            stream.flush()
    elif os.path.exists(name) and not os.path.isfile(name):
        # A device or a pipe must be written to, not replaced by a file.
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
    path: StrPath, content: str = "", *, durable: bool = True, through_link: bool = True
) -> Iterator[IO[bytes]]:
    """Open a binary file that becomes the file ``path`` on success.

    ``content``  a noun for the error message, such as "the figure".
    ``durable``  whether the new file is on the disk before it replaces the old one.
    ``through_link``  whether a link is followed, as users want it, or is itself replaced.

    The content is first written to a hidden file in the same folder. The new file has the mode of
    the old one and, if the system allows it, the owner. After a failure the old file is unchanged,
    and no new file is left unless the process is killed (``remove_left_behind``). Raises
    ``BadData`` if the file cannot be written.
    """
    target = os.path.realpath(path) if through_link else os.fspath(path)
    temporary = _temporary(target, secrets.token_hex(8))
    with explaining_write(f"{content} {os.fspath(path)}".lstrip()):
        try:
            with open(temporary, "xb") as file:
                _hold(file)
                _take_mode(file, target)
                yield file
                file.flush()
                # Otherwise a crash of the machine may leave the new name without its content.
                if durable:
                    os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise


TEMPORARY = ".semihmm-tmp"
"""The ending of the names of temporary files."""

LONGEST_NAME = 255
"""The greatest number of bytes in a file's name, on the file systems of today."""


def beside(path: StrPath, form: str) -> Path:
    """Return the path of a file of the program that belongs to another file, in the same folder.

    ``form``  its name, in which ``{}`` stands for the name of the other file, or for a hash of that
              name if the result would be too long.
    """
    folder, base = os.path.split(path)
    if len(os.fsencode(form.format(base))) > LONGEST_NAME:
        base = hashlib.sha256(os.fsencode(base)).hexdigest()[:32]
    return Path(folder, form.format(base))


def _temporary(path: StrPath, token: str) -> Path:
    return beside(path, f".{{}}.{token}{TEMPORARY}")


def _hold(file: IO[bytes]) -> bool:
    """Lock a temporary file; return whether that succeeded.

    The lock tells other processes that somebody still writes the file. Process numbers would not
    work across containers. On Windows, a file that another process writes cannot be removed anyway.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        # Somebody writes the file or, in a file system without locks, nobody knows.
        return False
    return True


def _take_mode(file: IO[bytes], replaced: str) -> None:
    """Give a new file the mode of the file that it replaces and, if allowed, its owner."""
    with suppress(FileNotFoundError):
        old = os.lstat(replaced)
        if stat.S_ISREG(old.st_mode) and hasattr(os, "fchmod"):  # not on Windows
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
    """Raise ``BadData`` for an ``OSError`` inside; the message names the target."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        # Libraries raise errors without a number, for problems that are not about writing.
        if error.errno is None:
            raise
        problem = f"cannot write {target}: {error.strerror or error}{consequence}"
        raise BadData(problem) from error


def remove_left_behind(directory: StrPath, base: str | None = None) -> None:
    """Remove the temporary files in a directory that killed processes left behind.

    ``base``  the name of the target whose temporary files are removed; ``None``: of all targets.
    """
    ours = re.compile(rf"\..+\.([0-9a-f]{{16}}){re.escape(TEMPORARY)}")
    with suppress(OSError):
        for path in Path(directory).iterdir():
            match = ours.fullmatch(path.name)
            if not match or not is_own(path):
                continue
            if base is None or path.name == _temporary(base, match[1]).name:
                with open(path, "rb") as file:
                    is_left = _hold(file)
                if is_left:
                    path.unlink()


def can_be_resumed(output: StrPath) -> bool:
    """Tell whether an output is a file, and no stream or device."""
    name = os.fspath(output)
    return name != STANDARD_STREAM and (os.path.isfile(name) or not os.path.exists(name))


def standard_stream(name: str) -> TextIO:
    """Return a standard stream. Raises ``OSError`` if it is closed."""
    stream: TextIO | None = getattr(sys, name)
    if stream is None or stream.closed:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return stream


# The cache folder, and files of this user alone


def cache_folder() -> Path:
    """Return the cache folder of this project; make it if it is missing.

    It is ``$XDG_CACHE_HOME/semihmm`` or, if that is impossible, a folder in the system's folder for
    temporary files. Only this user may write there, since compiled kernels are pickles.

    Raises ``BadData`` if neither is possible.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        home.mkdir(parents=True, exist_ok=True)
        return _own_folder((home / "semihmm").resolve())
    except OSError:
        pass
    # Windows has no numbers of users.
    user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
    try:
        return _own_folder(Path(tempfile.gettempdir()) / f"semihmm-{user}")
    except OSError as error:
        problem = "no folder can be used as the cache: set XDG_CACHE_HOME to one"
        raise BadData(f"{problem} ({error})") from error


def _own_folder(folder: Path) -> Path:
    """Make a folder if it is missing. Raises ``OSError`` if another user owns or may write it."""
    folder.mkdir(mode=PRIVATE_MODE, exist_ok=True)
    # On Windows each user has a private folder for temporary files.
    if not is_own(folder) or (hasattr(os, "getuid") and folder.lstat().st_mode & 0o022):
        raise PermissionError(f"{folder} is a link, another user's, or others may write there")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written")
    return folder


def is_own(path: Path) -> bool:
    """Tell whether a path is a file or a folder of this user, and no link or device."""
    status = path.lstat()
    is_plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    # Windows has no numbers of users.
    return is_plain and (not hasattr(os, "getuid") or status.st_uid == os.getuid())
