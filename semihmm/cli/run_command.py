"""Runs a command: reads its arguments, and makes messages and an exit status of errors."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

import click
from click.exceptions import Exit
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from corpus_tools.errors import (
    BadPair,
    BadResource,
    BadUsage,
    ClusterLost,
    InUse,
    MissingText,
    NoModel,
    OtherCorpus,
    PlainTextAlignments,
    PlainTextPairs,
    SemiHmmError,
    SemiHmmWarning,
    UnspacedText,
    UnusedSetting,
    choose,
    shortened,
)
from corpus_tools.printable import printable
from semihmm.cli.command import HELP, Name, Option, stop_with, write_result
from semihmm.cli.commands import COMMANDS
from semihmm.cli.stop_signals import MESSAGES, Stopped, StopSignals

HINTS: dict[type[SemiHmmError | SemiHmmWarning], str] = {
    BadResource: "--wordnet none goes on without WordNet, --paraphrases none without the list",
    BadPair: "--skip-bad-pairs goes on without it",
    ClusterLost: "--resume goes on from the last iteration",
    InUse: "wait until it has ended, or name another output",
    MissingText: "--document-key and --abstract-key name other keys",
    NoModel: "semihmm train makes one",
    OtherCorpus: "train without --resume",
    PlainTextAlignments: "score and errors read other formats with --format",
    PlainTextPairs: "--abstracts FILE reads it, a document a line, with the abstracts in FILE",
    UnspacedText: "--tokenizer unicode takes it",
}
"""What helps, by the kind of error or warning."""


def hint(error: SemiHmmError | SemiHmmWarning) -> str:
    """Return the hint to be added to the message of an error or a warning, or nothing."""
    text = HINTS.get(type(error))
    return "" if text is None else f"; {text}"


class Program(click.Group):
    """All commands, each of which is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of their use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command. Raises ``BadUsage`` with the close match of a name of none."""
        if ctx.resilient_parsing and cmd_name not in COMMANDS:
            return None
        choose("command", cmd_name, COMMANDS)
        made: click.Command = import_module(f"semihmm.cli.commands.{cmd_name}").run
        return made

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say what each command does."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so."""
        found = [CompletionItem(name) for name in COMMANDS if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)


def _version(context: click.Context, value: bool) -> str:
    from corpus_tools.version import installed_version

    return f"semihmm {installed_version()}"


def _completion(context: click.Context, shell: str) -> str:
    kind = get_completion_class(shell)
    assert kind is not None
    return kind(PROGRAM, {}, "semihmm", COMPLETING).source()


SHELLS = ("bash", "zsh", "fish")

COMPLETING = "_SEMIHMM_COMPLETE"
"""The variable by which the script of ``--completion`` asks what may follow."""

PROGRAM = Program(
    "semihmm",
    params=[
        Option(
            ["--version"],
            is_flag=True,
            help="print the version and stop",
            **stop_with(_version),
        ),
        Option(
            ["--completion"],
            metavar="SHELL",
            type=Name("shell", SHELLS),
            help="print what makes a shell complete: bash, zsh or fish",
            **stop_with(_completion),
        ),
        HELP,
    ],
    help="Which words of a document became which words of its abstract.",
    add_help_option=False,
    context_settings={"max_content_width": 10_000},  # as wide as the terminal
)


def run_command(arguments: Sequence[str], signals: StopSignals | None = None) -> int:
    """Run one command and return the exit status.

    ``signals``  those of the process, if it is the program's own.
    """
    signals = signals or StopSignals()
    try:
        status = _parse_and_run(arguments, signals)
        write_result("")  # what is left in the buffer
        return status
    except BaseException as error:
        if signals.received is None:
            return _status_after(error)
    # Libraries may have made another exception of the signal's.
    return _status_after(Stopped(signals.received))


def _parse_and_run(arguments: Sequence[str], signals: StopSignals) -> int:
    if COMPLETING in os.environ:
        return shell_complete(PROGRAM, {}, "semihmm", COMPLETING, os.environ[COMPLETING])
    if not arguments:
        print(PROGRAM.get_help(click.Context(PROGRAM, info_name="semihmm")), file=sys.stderr)
        return BadUsage.exit_status
    with PROGRAM.make_context("semihmm", list(arguments), obj=signals) as context:
        PROGRAM.invoke(context)
    return 0


def _flag(error: SemiHmmError) -> str:
    """Return the flag that the user wrote for a setting that nothing uses, or nothing."""
    if not isinstance(error, UnusedSetting):
        return ""
    from semihmm.cli.arguments import flag_of
    from semihmm.settings import all_options

    return f"{flag_of(error.setting, all_options()[error.setting])}: "


def _status_after(error: BaseException) -> int:
    """Say what went wrong and return the exit status. Raises an error that is the program's own."""
    message, status = "out of memory", 1
    if isinstance(error, BrokenPipeError):
        # Whoever read the output has enough.
        return 128 + signal.SIGPIPE
    if isinstance(error, Exit):
        return error.exit_code
    if isinstance(error, SemiHmmError):
        message, status = f"{_flag(error)}{error}{hint(error)}", error.exit_status
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
    print(printable(f"semihmm: {message}"), file=sys.stderr)
    return status
