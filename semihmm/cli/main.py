"""Runs the command line: ``semihmm COMMAND ...``.

Results are written to stdout, messages to stderr.

Exit status: 0 success, 1 bad data or model, 2 bad usage, 130 interrupted. Only the command that is
called is imported, so that ``semihmm --help`` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from corpus_tools.errors import BadUsage, SemiHmmError, choose
from semihmm.cli.commands import COMMANDS, load_command
from semihmm.cli.hints import hint


class _Parser(argparse.ArgumentParser):
    """Names the close match of a word that is none of the choices."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None:
            return
        try:
            choose(action.dest, value, action.choices)
        except BadUsage as error:
            raise argparse.ArgumentError(None, str(error)) from None


def parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser of a command line. Only the command that is called has arguments."""
    top = _Parser(
        prog="semihmm", description="Which words of a document became which words of its abstract."
    )
    top.add_argument("--version", action="store_true", help="print the version and stop")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    called = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, help_text in COMMANDS.items():
        command = commands.add_parser(name, help=help_text)
        if name == called:
            load_command(name).add_arguments(command)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        options = parser(given).parse_args(given)
        if options.version:
            return _print_version()
        if not options.command:
            parser(given).print_help(sys.stderr)
            return BadUsage.exit_status
        _run(options)
    except SemiHmmError as error:
        print(f"semihmm: {error}{hint(error)}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("semihmm: interrupted; what was saved stays", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read the output has enough. Python would complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _run(options: argparse.Namespace) -> None:
    from semihmm.cli.file_roles import refuse_overlaps
    from semihmm.cli.messages import warnings_as_messages

    refuse_overlaps(options)
    with warnings_as_messages():
        load_command(options.command).run(options)
    sys.stdout.flush()


def _print_version() -> int:
    from importlib.metadata import version

    print(f"semihmm {version('semihmm')}")
    return 0
