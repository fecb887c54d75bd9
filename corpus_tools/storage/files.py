"""Reads and writes files: plain, gzip or a standard stream.

Files are read strictly (UTF-8, whole gzip files) and replaced as a whole or not at all.
"""

from __future__ import annotations

import errno
import fcntl
import gzip
import io
import os
import re
import secrets
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from os import PathLike
from typing import IO, Any, TextIO

from corpus_tools.errors import BadData
from corpus_tools.progress import bar
from corpus_tools.storage.file_formats import (
    START_BYTES,
    START_LINES,
    FileFormat,
    binary_format,
    json_object,
    text_format,
)

StrPath = str | PathLike[str]
"""What a file is named by."""

STANDARD_STREAM = "-"
GZIP_MAGIC = b"\x1f\x8b"


LEAST_SHOWN = 100_000
"""Smaller files are read without a bar, in less than a tenth of a second. Set by hand."""

LONGEST_LINE = 2**27
"""The most bytes of a line. Set by hand: a text of 20 million words, of which JSON takes 3 GB.

No model aligns a text of that length. A packed file of some MB may have such a line.
"""


@contextmanager
def open_text(path: StrPath) -> Iterator[TextIO]:
    """Read a text file into memory and yield it as a stream.

    ``path`` and errors are those of ``numbered_lines``.
    """
    yield io.StringIO("".join(line for _, line in numbered_lines(path)))


def numbered_lines(path: StrPath) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file with their numbers, counted from 1, as they are read.

    ``path`` is a plain or gzip file in UTF-8, or ``-`` for standard input. Lines end at ``\\n``
    only, which they keep.

    Raises ``BadData`` for a file that cannot be read or unpacked and, with its line, for invalid
    UTF-8 and for a line of more than ``LONGEST_LINE`` bytes.
    """
    name = shown_name(path)
    for number, line in enumerate(_binary_lines(path, name), start=1):
        if len(line) > LONGEST_LINE:
            problem = (
                f"the line has more than {LONGEST_LINE:,} bytes: expected a text or a pair a line"
            )
            raise BadData(problem, name, number)
        try:
            # A byte order mark, which Windows editors leave, is no part of the text.
            yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            problem = (
                f"invalid UTF-8: byte 0x{error.object[error.start]:02x}; convert the file to UTF-8"
            )
            raise BadData(problem, name, number) from error


def shown_name(path: StrPath) -> str:
    """Return the name of the file in error messages: that of ``path``, or "standard input"."""
    name = os.fspath(path)
    return "standard input" if name == STANDARD_STREAM else name


def _binary_lines(path: StrPath, name: str) -> Iterator[bytes]:
    try:
        with _opened(path) as file:
            packed = name.endswith(".gz") or file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC)
            stream = gzip.GzipFile(fileobj=file) if packed else file
            other = binary_format(stream.peek(START_BYTES))
            if other is not None:
                raise BadData(str(other), name)
            # One byte more shows that a line is too long.
            lines = iter(partial(stream.readline, LONGEST_LINE + 1), b"")
            yield from _with_bar(lines, file, name)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadData(f"broken gzip file: {error}", name) from error
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", name) from error


def _with_bar(lines: Iterator[bytes], file: io.BufferedReader, name: str) -> Iterator[bytes]:
    """Yield the lines, with a bar that shows how many bytes of the file were read."""
    size = _size(name)
    if size is not None and size < LEAST_SHOWN:
        yield from lines
        return
    with bar(f"reading {os.path.basename(name)}", size, "bytes", scaled=True) as shown:
        if shown.disable:
            yield from lines
        for line in lines:
            yield line
            # Of a packed file the size is known, of a stream the lines are all there is.
            shown.update(len(line) if size is None else file.tell() - shown.n)


def _size(name: str) -> int | None:
    """Return the bytes of a file; ``None`` for a stream, which has no end until it is reached."""
    try:
        status = os.stat(name)
    except OSError:  # standard input, or a file that was removed since it was opened
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


@contextmanager
def _opened(path: StrPath) -> Iterator[io.BufferedReader]:
    if os.fspath(path) != STANDARD_STREAM:
        with open(path, "rb") as file:
            yield file
        return
    # Its type is BinaryIO, of which typeshed does not know that it can be buffered.
    raw: Any = _standard_stream("stdin").buffer
    buffered = io.BufferedReader(raw)
    yield buffered
    buffered.detach()  # or standard input would be closed with it


def numbered_json_lines(
    path: StrPath, plain_text: type[BadData] = BadData
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON lines file with their line numbers, counted from 1.

    Arguments and errors are those of ``numbered_objects``.
    """
    return numbered_objects(numbered_lines(path), path, plain_text)


def numbered_objects(
    lines: Iterator[tuple[int, str]], path: StrPath, plain_text: type[BadData] = BadData
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of JSON lines with their line numbers.

    ``lines``       from ``numbered_lines``.
    ``path``        the file that they come from, for error messages.
    ``plain_text``  the error that is raised for plain text.

    Blank lines are skipped. Raises ``BadData`` for broken JSON, for a line that is no object and
    for a file without any. If that is the first line, the error says what the file looks like.
    """
    name = shown_name(path)
    empty = True
    for number, line in lines:
        if line.isspace():
            continue
        try:
            record = json_object(line.rstrip(), name, number)
        except BadData as error:
            if not empty:
                raise
            looks = _format_of_text(line, lines)
            if looks is None:
                raise
            problem = f"{error.problem}; {looks}"
            raise (plain_text if looks.plain_text else BadData)(problem, name, number) from error
        empty = False
        yield number, record
    if empty:
        raise BadData("the file is empty, expected JSON lines: one object a line", name)


def _format_of_text(first: str, rest: Iterator[tuple[int, str]]) -> FileFormat | None:
    lines = [first]
    # What is wrong further down is not what the user has to hear of first.
    with suppress(BadData):
        for _, line in rest:
            if len(lines) == START_LINES:
                break
            if not line.isspace():
                lines.append(line)
    return text_format(lines)


@contextmanager
def in_line(line: int | None, path: StrPath) -> Iterator[None]:
    """Add the file and the line, if there is one, to any ``BadData`` that is raised inside."""
    try:
        yield
    except BadData as error:
        raise BadData(error.problem, shown_name(path), line) from None


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
            stream = _standard_stream("stdout")
            yield stream
            stream.flush()
    elif os.path.exists(name) and not stat.S_ISREG(os.stat(name).st_mode):
        # A device or a pipe must be written to, never replaced by a file.
        with explaining_write(name), open(name, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
    else:
        remove_left_behind(*os.path.split(os.path.realpath(name)))
        with replacing_bytes(name) as file, _text_into(file, name.endswith(".gz")) as stream:
            yield stream


@contextmanager
def replacing_bytes(
    path: StrPath, content: str = "", *, durable: bool = True
) -> Iterator[IO[bytes]]:
    """Open a binary file that becomes the file ``path`` on success.

    ``content``  what the file belongs to, for the error message.
    ``durable``  whether it is on the disk before it takes the name.

    What is written to first is a hidden file beside ``path``. It is locked: so the next process
    tells one that is being written from one that a killed process left behind, and removes the
    latter (``remove_left_behind``).

    Whatever goes wrong, an old file stays as it was and nothing else is left, except by a process
    that is killed. Raises ``BadData`` where the system refuses to write.
    """
    target = os.path.realpath(path)
    with explaining_write(f"{content} {os.fspath(path)}".lstrip()):
        if os.path.islink(target):
            # Links were followed to the end: this leads in a circle. Nobody asked to replace it.
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), target)
        directory, base = os.path.split(target)
        # Processes of two machines may have one number.
        hidden = f".{base}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
        temporary = os.path.join(directory, hidden)
        lock = None
        try:
            with _locked_file(temporary) as file:
                # The copy holds the lock until the file has its name.
                lock = os.dup(file.fileno())
                yield file
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        finally:
            if lock is not None:
                os.close(lock)


@contextmanager
def explaining_write(target: str, consequence: str = " (nothing was replaced)") -> Iterator[None]:
    """Turn ``OSError`` into ``BadData`` that names what could not be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        problem = f"cannot write {target}: {error.strerror or error}{consequence}"
        raise BadData(problem) from error


def move_file(path: StrPath, target: StrPath) -> None:
    """Give a whole file the name ``target``, in one step. Raises ``BadData``."""
    with explaining_write(os.fspath(target)):
        os.replace(path, os.path.realpath(target))


def remove_left_behind(directory: StrPath, base: str | None = None) -> None:
    """Remove the temporary files in a directory that killed processes left behind.

    ``base``  the name of the only target whose files are removed.
    """
    target = ".+" if base is None else re.escape(base)
    ours = re.compile(rf"\.{target}\.\d+-[0-9a-f]{{8}}\.tmp")
    with suppress(OSError):
        for name in filter(ours.fullmatch, os.listdir(os.fspath(directory) or os.curdir)):
            _remove_unlocked(os.path.join(directory, name))


def can_be_resumed(output: StrPath) -> bool:
    """Tell whether an output is a file, and no stream or device."""
    name = os.fspath(output)
    return name != STANDARD_STREAM and (os.path.isfile(name) or not os.path.exists(name))


def _standard_stream(name: str) -> TextIO:
    """Return a standard stream. Raises ``OSError`` where Python has none, since it was closed."""
    stream: TextIO | None = getattr(sys, name)
    if stream is None or stream.closed:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return stream


@contextmanager
def _text_into(file: IO[bytes], compressed: bool) -> Iterator[TextIO]:
    # No name and no time in the gzip header: the same text gives the same bytes.
    with (
        gzip.GzipFile("", "wb", fileobj=file, mtime=0)
        if compressed
        else nullcontext(file) as binary
    ):
        stream = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
        yield stream
        stream.detach()


def _locked_file(name: str) -> IO[bytes]:
    """Make a file and lock it. Raises ``OSError``."""
    while True:
        file = open(name, "wb")  # noqa: SIM115
        with suppress(OSError):  # where the file system has no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file
        # Another process took it for one that was left behind, before it was locked.
        file.close()


def _remove_unlocked(path: str) -> None:
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
        finally:
            os.close(file)
