"""Runs a command: reads its arguments, and makes messages and an exit status of errors."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click
from click.exceptions import Exit, NoArgsIsHelpError
from click.shell_completion import get_completion_class, shell_complete

from corpus_tools.errors import SemiHmmError, printable, shortened
from semihmm.cli.commands import COMMANDS, MODULES
from semihmm.cli.main import MESSAGES, Stopped, StopSignals


def imported(name: str) -> click.Command:
    """Import a command."""
    module = import_module(f"semihmm.cli.commands.{MODULES.get(name, name)}")
    made: click.Command = getattr(module, f"run_{name}")
    return made


class Named(click.Command):
    """The name and the purpose of a command, which is imported when it is called."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> Any:
        """Read the arguments of the command itself."""
        return imported(self.name or "").make_context(info_name, args, *more, **extra)


class Program(click.Group):
    """All commands, in the order of their use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return list(self.commands)


SHELLS = ("bash", "zsh", "fish")

COMPLETING = "_SEMIHMM_COMPLETE"
"""The variable by which the script of ``--completion`` asks what may follow."""


def _version(context: click.Context) -> str:
    from corpus_tools.packages import installed_version

    return f"semihmm {installed_version()}"


def _completion(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    kind = get_completion_class(shell or "")
    if kind is not None:
        click.echo(kind(PROGRAM, {}, "semihmm", COMPLETING).source())
        context.exit()


@click.group(
    cls=Program,
    commands=[Named(name, short_help=purpose) for name, purpose in COMMANDS.items()],
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 10_000,  # as wide as the terminal
        "show_default": True,
    },
)
@click.custom_version_option(_version, help="print the version and stop")
@click.option(
    "--completion",
    type=click.Choice(SHELLS),
    callback=_completion,
    is_eager=True,
    expose_value=False,
    help="print what makes a shell complete",
)
def PROGRAM() -> None:  # noqa: N802  # click makes an object of it
    """Which words of a document became which words of its abstract."""


def run_command(arguments: Sequence[str], signals: StopSignals | None = None) -> int:
    """Run one command and return the exit status.

    ``signals``  those of the process, if it is the program's own.
    """
    signals = signals or StopSignals()
    try:
        if COMPLETING in os.environ:
            return shell_complete(PROGRAM, {}, "semihmm", COMPLETING, os.environ[COMPLETING])
        with PROGRAM.make_context("semihmm", list(arguments), obj=signals) as context:
            PROGRAM.invoke(context)
        return 0
    except BaseException as error:
        if not signals.received:
            return _status_after(error)
    # Libraries may have made another exception of the signal's.
    return _status_after(Stopped(signals.received[0]))


def _status_after(error: BaseException) -> int:
    """Say what went wrong and return the exit status. Raises an error that is the program's own."""
    message, status = "out of memory", 1
    if isinstance(error, BrokenPipeError):
        # Whoever read the output has enough.
        return 128 + signal.SIGPIPE
    if isinstance(error, Exit):
        return error.exit_code
    if isinstance(error, NoArgsIsHelpError):
        error.show()
        return error.exit_code
    if isinstance(error, SemiHmmError):
        from semihmm.cli.messages import with_hint

        message, status = with_hint(error), error.exit_status
    elif isinstance(error, click.UsageError):
        where = "semihmm" if error.ctx is None else error.ctx.command_path
        message = f"{shortened(error.format_message()).rstrip('.')} (see {where} --help)"
        status = error.exit_code
    elif isinstance(error, KeyboardInterrupt):
        number = error.number if isinstance(error, Stopped) else signal.SIGINT
        message, status = MESSAGES[signal.Signals(number)], 128 + number
    elif isinstance(error, OSError):
        name = "" if error.filename is None else f"{error.filename}: "
        message = f"{name}{error.strerror or error}"
    elif not isinstance(error, MemoryError):
        raise error
    # One line, whatever the names of files hold.
    print(printable(f"semihmm: {message}".replace("\n", " ")), file=sys.stderr)
    return status
