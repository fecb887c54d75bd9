"""Runs the command line: ``semihmm COMMAND ...``.

Results are written to stdout, messages to stderr, both in UTF-8 whatever the locale.

Exit status: 0 success, 1 bad data or model, 2 bad usage, 128 and the number of the signal for what
a signal ends: 130 interrupted, 143 terminated, 129 hung up, 141 nobody reads the output any more.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from semihmm.cli.signals import StopSignals

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

GARBAGE_THRESHOLDS = (100_000, 20, 100)
"""When Python looks for objects in circles (``gc.set_threshold``).

By its own (700, 10, 10) it goes through the tuples of all texts again and again, which is a quarter
of the time of reading. Peak memory stays the same: the program makes few circles.
"""

ERRORS = "surrogateescape"
"""What stands for a byte of a file name is written as this byte."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    ``arguments``  what stands behind the program's name. ``None``: the arguments of this process,
                   whose streams, signals and warnings are then set up for the command line.
    """
    if arguments is None:
        return _run_program()
    from semihmm.cli.program import run_command

    return run_command(arguments)


def _run_program() -> int:
    """Run the command that the arguments of this process name; return the exit status."""
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    # Work is divided among threads of our own, and numpy starts none at its import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signals = StopSignals()
    signals.handle()
    _set_up_streams()
    _silence_libraries()
    # Signals are answered by now: what takes long to import comes here.
    from semihmm.cli.program import run_command

    try:
        status = run_command(sys.argv[1:], signals)
    finally:
        _drop_output()
        signals.leave_to_the_system()
    if signals.received:
        # Contexts that the signal left behind are closed. Then nothing is worth waiting for: a
        # thread may be in the midst of a long kernel, and its results are for nobody.
        gc.collect()
        os._exit(status)
    # At its end Python looks for circles among all objects: a third of a second where numba is
    # loaded, for memory that the system takes back anyway.
    gc.freeze()
    return status


def _silence_libraries() -> None:
    """Keep everything from the user that libraries and Python itself say.

    ``semihmm.cli.messages`` shows the project's own warnings.
    """
    # Whatever PYTHONWARNINGS says. Python passes these options on to other processes.
    sys.warnoptions[:] = ["ignore"]
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    # For filters that a library sets later.
    warnings.showwarning = _say_nothing
    sys.unraisablehook = _say_nothing
    threading.excepthook = _say_nothing


def _say_nothing(*_: Any, **__: Any) -> None:
    """Take the place of a hook that would write to stderr."""


class _Results(io.FileIO):
    """The raw stream of results. The error of what cannot be written says what it is about."""

    def write(self, content: ReadableBuffer) -> int:
        """Return the number of bytes that were written."""
        try:
            return super().write(content)
        except OSError as error:
            error.filename = "cannot write standard output"
            raise


class _Messages(io.FileIO):
    """The raw stream of messages. What cannot be written is dropped: the work goes on."""

    def write(self, content: ReadableBuffer) -> int:
        """Return the number of bytes, written or not."""
        with suppress(OSError):
            return super().write(content)
        return memoryview(content).nbytes


def _set_up_streams() -> None:
    """Write UTF-8 whatever the locale; make closed streams fail where they are used.

    Reading the null device that was opened for writing fails as for a closed file. Without
    anything in its place, the next file that is opened would get the number, and with it the
    messages.
    """
    for number, flags in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free, which is this one.
            os.open(os.devnull, flags)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    results = io.BufferedWriter(_Results(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(results, "utf-8", ERRORS)
    notes = io.BufferedWriter(_Messages(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(notes, "utf-8", ERRORS, line_buffering=True, write_through=True)


def _drop_output() -> None:
    """Forget what could not be written to stdout: Python would try once more at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
