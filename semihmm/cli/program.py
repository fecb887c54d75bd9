"""Runs a command of the program, and turns errors into messages and an exit status."""

import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from corpus_tools.base.errors import SemiHmmError, printable, shortened
from corpus_tools.base.packages import installed_version
from semihmm.cli.messages import with_hint
from semihmm.registry import commands


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
