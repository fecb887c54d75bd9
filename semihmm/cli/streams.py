"""Sets up the standard streams of the program: UTF-8, and no surprises where one is closed."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

ERRORS = "surrogateescape"
"""What stands for a byte of a file name is written as this byte."""

STANDARD_STREAMS = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))
"""The numbers of the standard streams, and how the null device stands in for a closed one.

Reading the one and writing to the other fails as for a closed file. Without anything in their
place, the next file that is opened would get the number, and with it the messages.
"""


class _Messages(io.FileIO):
    """The raw stream of messages. What cannot be written is dropped: the work goes on."""

    def write(self, content: ReadableBuffer) -> int:
        """Return the number of bytes, written or not."""
        with suppress(OSError):
            return super().write(content)
        return memoryview(content).nbytes


def set_up_streams() -> None:
    """Write UTF-8 whatever the locale; make closed streams fail where they are used."""
    for number, flags in STANDARD_STREAMS:
        _open_if_closed(number, flags)
    # Python has no object for a stream that was closed, which type checkers do not know.
    streams: dict[str, io.TextIOWrapper | None] = vars(sys)
    if streams["stdin"] is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    if streams["stdout"] is None:
        raw = io.FileIO(1, "w", closefd=False)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", ERRORS)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors=ERRORS)
    messages = io.BufferedWriter(_Messages(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(
        messages, "utf-8", ERRORS, line_buffering=True, write_through=True
    )


def drop_output() -> None:
    """Forget what could not be written to stdout: Python would try once more at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def _open_if_closed(number: int, flags: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        null = os.open(os.devnull, flags)
        if null != number:
            os.dup2(null, number)
            os.close(null)
