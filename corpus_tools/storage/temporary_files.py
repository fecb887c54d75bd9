"""Writes files in one step: to a temporary file beside, which then takes the name.

A temporary file is locked while it is written. So the next process that writes the same file tells
one that is being written from one that a killed process left behind, and removes the latter.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from typing import IO


@contextmanager
def beside(
    target: str, temporary: str | PathLike[str] | None = None, durable: bool = True
) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces the target once it is whole.

    ``target``     a path without links.
    ``temporary``  its name: by default a hidden one beside the target, of this process alone.

    ``durable``    whether it is on the disk before.

    Raises ``OSError``. Whatever goes wrong, the target stays as it was, and the temporary file
    goes.
    """
    if os.path.islink(target):
        # Links were followed to the end: this one leads in a circle. Nobody asked to replace it.
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), target)
    name = _hidden(target) if temporary is None else os.fspath(temporary)
    lock = None
    try:
        with _locked_file(name) as file:
            # The copy holds the lock until the file has its name.
            lock = os.dup(file.fileno())
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    finally:
        if lock is not None:
            os.close(lock)


def remove_left_behind(directory: str | PathLike[str], base: str | None = None) -> None:
    """Remove the temporary files in a directory that killed processes left behind.

    ``base``  the name of the only target whose files are removed.
    """
    target = ".+" if base is None else re.escape(base)
    ours = re.compile(rf"\.{target}\.\d+-[0-9a-f]{{8}}\.tmp")
    with suppress(OSError):
        for name in filter(ours.fullmatch, os.listdir(os.fspath(directory) or os.curdir)):
            _remove_unlocked(os.path.join(directory, name))


def _hidden(target: str) -> str:
    """Name a temporary file. Processes of two machines may have one number."""
    directory, base = os.path.split(target)
    return os.path.join(directory, f".{base}.{os.getpid()}-{secrets.token_hex(4)}.tmp")


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
