"""Runs a command: reads its arguments, and makes messages and an exit status of errors."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from corpus_tools.errors import (
    BadData,
    BadPair,
    BadResource,
    BadUsage,
    ClusterLost,
    InUse,
    MissingText,
    NoModel,
    OtherCorpus,
    OtherRun,
    PlainTextAlignments,
    PlainTextPairs,
    SemiHmmError,
    SemiHmmWarning,
    UnspacedText,
    UnusedSetting,
    choose,
)
from corpus_tools.printable import printable
from semihmm.cli.commands import COMMANDS, load_command
from semihmm.cli.stop_signals import MESSAGES, Stopped, StopSignals

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

HINTS: dict[type[SemiHmmError | SemiHmmWarning], str] = {
    BadResource: "--wordnet none goes on without WordNet, --paraphrases none without the list",
    BadPair: "--skip-bad-pairs goes on without it",
    ClusterLost: "--resume goes on from the last iteration",
    InUse: "wait until it has ended, or name another output",
    MissingText: "--document-key and --abstract-key name other keys",
    NoModel: "semihmm train makes one",
    OtherCorpus: "train without --resume",
    OtherRun: "without --resume it is replaced",
    PlainTextAlignments: "score and errors read other formats with --format",
    PlainTextPairs: "--abstracts FILE reads it, a document a line, with the abstracts in FILE",
    UnspacedText: "--tokenizer unicode takes it",
}
"""What helps, by the kind of error or warning."""


def hint(error: SemiHmmError | SemiHmmWarning) -> str:
    """Return the hint to be added to the message of an error or a warning, or nothing."""
    text = HINTS.get(type(error))
    return "" if text is None else f"; {text}"


EXAMPLE = "example: "


class _HelpFormatter(argparse.HelpFormatter):
    """Keeps an example on one line, so that it can be pasted."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(EXAMPLE) else super()._fill_text(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Names the close match of a word that is none of the choices."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None:
            return
        try:
            choose(action.dest, value, action.choices)
        except BadUsage as error:
            raise argparse.ArgumentError(None, str(error)) from None

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        # One check for every argument of every command: what is empty was meant to be something.
        # What stands behind the command is checked by the command's own parser.
        if action.nargs != argparse.PARSER and not arg_string.strip():
            raise argparse.ArgumentError(action, f"expected a value, not {arg_string!r}")
        if "\0" in arg_string:
            raise argparse.ArgumentError(action, "expected a value without the character NUL")
        return super()._get_value(action, arg_string)

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse passes over what cannot be written.
        if message and file is sys.stdout:
            _print_result(message)
        else:
            super()._print_message(message, file)


def parser(arguments: Sequence[str], *, complete: bool = False) -> argparse.ArgumentParser:
    """Make the parser of a command line. Only the command that is called has arguments.

    ``complete``  gives all commands their arguments.
    """
    top = _Parser(
        prog="semihmm", description="Which words of a document became which words of its abstract."
    )
    top.add_argument("--version", action="store_true", help="print the version and stop")
    top.add_argument(
        "--completion",
        metavar="SHELL",
        help="print what makes a shell complete: bash, zsh or fish",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    called = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, about in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=about.purpose,
            epilog=f"{EXAMPLE}%(prog)s {about.example}".rstrip(),
            formatter_class=_HelpFormatter,
        )
        if complete or name == called:
            load_command(name).add_arguments(command)
            _add_quiet(command)
    return top


def _add_quiet(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--quiet",
        action="store_true",
        help="no progress bars and no messages but warnings and errors",
    )


def run_command(arguments: Sequence[str], signals: StopSignals | None = None) -> int:
    """Run one command and return the exit status.

    ``signals``  those of the process, if it is the program's own.

    Raises ``SystemExit`` after a help text and for arguments that ``argparse`` refuses.
    """
    signals = signals or StopSignals()
    try:
        status = _parse_and_run(arguments, signals)
        _print_result("")  # what is left in the buffer
        return status
    except BaseException as error:
        if signals.received is None:
            return _status_after(error)
    # Libraries may have made another exception of the signal's.
    return _status_after(Stopped(signals.received))


def _parse_and_run(arguments: Sequence[str], signals: StopSignals) -> int:
    options = parser(arguments).parse_args(arguments)
    if options.version:
        from corpus_tools.version import installed_version

        _print_result(f"semihmm {installed_version()}\n")
        return 0
    if options.completion is not None:
        from semihmm.cli.completion import completion_script

        _print_result(completion_script(options.completion, parser((), complete=True)) + "\n")
        return 0
    if not options.command:
        parser(arguments).print_help(sys.stderr)
        return BadUsage.exit_status
    from semihmm.cli.file_roles import refuse_overlaps
    from semihmm.cli.messages import reporting

    _require_directory()
    refuse_overlaps(options)
    signals.begin_work()
    with reporting(quiet=options.quiet):
        load_command(options.command).run(options)
    return 0


def _require_directory() -> None:
    """Raise ``BadUsage`` if the working directory is no more, where libraries fail anywhere."""
    try:
        os.getcwd()
    except FileNotFoundError as error:
        raise BadUsage("the working directory was deleted: change to another") from error


def _print_result(text: str) -> None:
    """Write to stdout at once. Raises ``BadData`` if that is not possible.

    As ``corpus_tools.storage.files`` does it, whose imports help texts do not wait for.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error  # ValueError: closed
        raise BadData(f"cannot write standard output: {reason}") from error


def _flag(error: SemiHmmError) -> str:
    """Return the flag that the user wrote for a setting that nothing uses, or nothing."""
    if not isinstance(error, UnusedSetting):
        return ""
    from semihmm.cli.setting_flags import flag_of
    from semihmm.settings import all_options

    return f"{flag_of(error.setting, all_options()[error.setting])}: "


def _status_after(error: BaseException) -> int:
    """Say what went wrong and return the exit status. Raises an error that is the program's own."""
    message, status = "out of memory", 1
    if isinstance(error, BrokenPipeError):
        # Whoever read the output has enough.
        return 128 + signal.SIGPIPE
    if isinstance(error, SemiHmmError):
        message, status = f"{_flag(error)}{error}{hint(error)}", error.exit_status
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
