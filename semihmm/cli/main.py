"""Runs the command line: ``semihmm COMMAND ...``.

Results are written to stdout, messages to stderr, both in UTF-8 whatever the locale.

Exit status: 0 success, 1 bad data or model, or the reader of the output has closed it, 2 bad usage.
If a signal ends the program, 128 plus its number, as 130 after Ctrl-C.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from corpus_tools.base.errors import SemiHmmError, printable, shortened
from corpus_tools.base.packages import installed_version
from semihmm.cli.messages import with_hint
from semihmm.registry import APPLICATIONS_PACKAGE, commands

GARBAGE_THRESHOLDS = (1_000_000, 20, 100)
"""Thresholds of Python's garbage collector (``gc.set_threshold``).

With the defaults (700, 10, 10) it visits the tuples of all texts again and again, which takes a
quarter of the time of reading. Peak memory stays the same: the program makes few cycles.
"""

INTERRUPTS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)  # Windows has no SIGHUP
    # Signals that the caller ignores stay ignored (nohup).
    and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN
]
"""The signals that ask the program to end."""

_received: list[int] = []
"""The numbers of the interrupts that came."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    ``arguments``  the words after the program's name. ``None``: the arguments of this process;
                   its streams, signals and warnings are then set up for the command line.
    """
    return _run_program() if arguments is None else run_command(arguments)


def _run_program() -> int:
    """Run the command that the arguments of this process name; return the exit status."""
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    # The program divides work among its own threads, so numpy must not start any.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for number in INTERRUPTS:
        signal.signal(number, _interrupt)
    _set_up_streams()
    _silence_libraries()
    try:
        status = run_command(sys.argv[1:])
    except BaseException:
        # Libraries may have made another exception of the interrupt.
        if not _received:
            raise
    if _received:
        # A thread may still run a long kernel, whose result nobody needs.
        os._exit(128 + _received[0])
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        # It was reported. Python would try again at its end, and return 120.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # open until the end
    # From here on an interrupt may end the process at once.
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_DFL)
    # At its end Python searches all objects for cycles. With numba loaded, this takes a third of a
    # second, and the system frees the memory anyway.
    gc.freeze()
    return status


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise ``KeyboardInterrupt``, once: ``timeout`` and closed terminals send two signals."""
    _received.append(number)
    if len(_received) == 1:
        raise KeyboardInterrupt


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


def _set_up_streams() -> None:
    """Write UTF-8 in every locale; drop messages if stderr is closed.

    The null device takes the number of a closed stream. Otherwise the next file that is opened
    would get the number, and would receive what libraries write to the stream.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115  # open until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # File names that are not UTF-8 are printed byte by byte as they are.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


# Commands


def imported(name: str) -> click.Command:
    """Import a command."""
    return getattr(import_module(commands()[name].module), f"run_{name}")


class Named(click.Command):
    """A command by name and purpose. It is imported when it is called."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> Any:
        """Read the arguments of the imported command."""
        return imported(self.name or "").make_context(info_name, args, *more, **extra)


class Program(click.Group):
    """All commands, in the order of their use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return list(self.commands)


@click.group(
    cls=Program,
    commands=[Named(name, short_help=purpose) for name, (_, _, purpose) in commands().items()],
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 10_000,  # as wide as the terminal
        "show_default": True,
    },
)
@click.custom_version_option(
    lambda _: f"semihmm {installed_version()}", help="print the version and exit"
)
def PROGRAM() -> None:  # noqa: N802  # click makes an object of it
    """Find which words of a document became which words of its abstract."""


def run_command(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status."""
    try:
        return PROGRAM.main(list(arguments), "semihmm", standalone_mode=False) or 0
    except BaseException as error:
        return _status_after(error)


def _status_after(error: BaseException) -> int:
    """Print the message of an error and return the exit status. Raises unexpected errors again."""
    match error:
        case SystemExit():
            # Completion is done, or the reader of the output has closed it.
            return int(error.code or 0)
        case NoArgsIsHelpError():
            error.show()
            return error.exit_code
        case SemiHmmError():
            message, status = with_hint(error), error.exit_status
        case click.UsageError():
            where = "semihmm" if error.ctx is None else error.ctx.command_path
            message = f"{shortened(error.format_message()).rstrip('.')} (see {where} --help)"
            status = error.exit_code
        case click.Abort():
            message, status = "interrupted", 128 + signal.SIGINT
        case ModuleNotFoundError(name=str(name)) if name.startswith(APPLICATIONS_PACKAGE):
            # A command of another application imports its public names where it uses them.
            missing = name.removeprefix(APPLICATIONS_PACKAGE)
            message, status = f"this needs the application {missing}, which was taken out", 2
        case OSError():
            name = "" if error.filename is None else f"{error.filename}: "
            message, status = f"{name}{error.strerror or error}", 1
        case MemoryError():
            message, status = "out of memory", 1
        case _:
            raise error
    # The message is one line, even if a file name has a line break.
    print(printable(f"semihmm: {message}".replace("\n", " ")), file=sys.stderr)
    return status
