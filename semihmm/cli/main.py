"""Runs the command line: ``semihmm COMMAND ...``.

Results are written to stdout, messages to stderr, both in UTF-8 whatever the locale.

Exit status: 0 success, 1 bad data or model, 2 bad usage. If a signal ends the program, 128 plus its
number: 130 interrupted, 143 terminated, 129 hung up, 141 the reader of the output has closed it.
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
"""Thresholds of Python's garbage collector (``gc.set_threshold``).

With the defaults (700, 10, 10) it visits the tuples of all texts again and again, which takes a
quarter of the time of reading. Peak memory stays the same: the program makes few cycles.
"""

ERRORS = "surrogateescape"
"""File names that are not UTF-8 are printed byte by byte as they are."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    ``arguments``  the words after the program's name. ``None``: the arguments of this process;
                   its streams, signals and warnings are then set up for the command line.
    """
    if arguments is None:
        return _run_program()
    from semihmm.cli.program import run_command

    return run_command(arguments)


def _run_program() -> int:
    """Run the command that the arguments of this process name; return the exit status."""
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    # The program divides work among its own threads, so numpy must not start any.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signals = StopSignals()
    signals.handle()
    _set_up_streams()
    _silence_libraries()
    # Signals are handled from here on, so slow imports follow.
    from semihmm.cli.program import run_command

    try:
        status = run_command(sys.argv[1:], signals)
    finally:
        _drop_output()
        signals.leave_to_the_system()
    if signals.received:
        # Close the contexts that the signal left open. Then end at once: a thread may still run a
        # long kernel, whose result nobody needs.
        gc.collect()
        os._exit(status)
    # At its end Python searches all objects for cycles. With numba loaded, this takes a third of a
    # second, and the system frees the memory anyway.
    gc.freeze()
    return status


def _silence_libraries() -> None:
    """Hide the messages of libraries and of Python itself.

    ``semihmm.cli.messages`` shows the project's own warnings.
    """
    # These options override PYTHONWARNINGS. Python passes them on to other processes.
    sys.warnoptions[:] = ["ignore"]
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    # A library may set filters later.
    warnings.showwarning = _say_nothing
    sys.unraisablehook = _say_nothing
    threading.excepthook = _say_nothing


def _say_nothing(*_: Any, **__: Any) -> None:
    """Replace a hook that would write to stderr."""


class _Results(io.FileIO):
    """The raw stream of results. Errors of writing name the stream."""

    def write(self, content: ReadableBuffer) -> int:
        """Return the number of bytes that were written."""
        try:
            return super().write(content)
        except OSError as error:
            error.filename = "cannot write standard output"
            raise


class _Messages(io.FileIO):
    """The raw stream of messages. Errors of writing are ignored: the work goes on."""

    def write(self, content: ReadableBuffer) -> int:
        """Return the number of bytes, written or not."""
        with suppress(OSError):
            return super().write(content)
        return memoryview(content).nbytes


def _set_up_streams() -> None:
    """Write UTF-8 in every locale; make closed streams fail where they are used.

    A closed stream is replaced by the null device, opened in the wrong direction: using it then
    fails as for a closed file. Otherwise the next file that is opened would get the number of the
    stream, and would receive the messages.
    """
    for number, flags in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # ``open`` takes the lowest free number, which is this one.
            os.open(os.devnull, flags)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    results = io.BufferedWriter(_Results(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(results, "utf-8", ERRORS)
    notes = io.BufferedWriter(_Messages(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(notes, "utf-8", ERRORS, line_buffering=True, write_through=True)


def _drop_output() -> None:
    """Drop output that could not be written: Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
