"""The program, its commands, and the kinds of values that their arguments have, on click.

A kind reads a value, says what completes it in a shell, and tells files that a command reads from
those that it writes (``semihmm.cli.outputs``).
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import click
from click.core import ParameterSource
from click.exceptions import Exit, NoArgsIsHelpError
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from corpus_tools.errors import BadUsage, SemiHmmError, printable, shortened
from semihmm.cli.commands import COMMANDS, MODULES
from semihmm.cli.main import MESSAGES, Stopped, StopSignals
from semihmm.cli.messages import reporting, with_hint

# The kinds of values

Options = SimpleNamespace
"""The values of a command's arguments, by name."""

Run = Callable[[Options], None]
"""The function of a command."""

Decorator = Callable[[Run], Run]


class Value(click.ParamType[Any]):
    """A text that is not empty, or what a function reads from it.

    ``read``   raises ``ValueError`` or ``BadUsage``.
    ``names``  complete the text; it may be another one.
    """

    name = "value"

    def __init__(self, read: Callable[[str], Any] = str, names: Collection[str] = ()) -> None:
        self._read = read
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a value; a default that is no text stays. Raises ``click.BadParameter``."""
        if not isinstance(value, str):
            # Click reads defaults too, which the settings give as values.
            return value
        # An empty value comes from a shell variable that is not set.
        if not value.strip():
            self.fail(f"expected a value, not {value!r}", param, ctx)
        try:
            return self._read(value)
        except (ValueError, BadUsage) as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so. Files and directories are left to the shell."""
        if self.name != Value.name:
            return [CompletionItem(incomplete, type=self.name)]
        return [CompletionItem(name) for name in self._names if name.startswith(incomplete)]


class InputFile(Value):
    """A file that is read, a list of files, or a directory all of whose files are read."""

    name = "file"


class InputModel(InputFile):
    """The directory of a model that is read."""

    name = "dir"


class OutputFile(InputFile):
    """A file that is written. Standard output is one for every command.

    ``has_shards``  whether it may be a directory, with a file for each of the pairs.
    """

    def __init__(self, has_shards: bool = False) -> None:
        super().__init__()
        self.has_shards = has_shards


class OutputDirectory(InputFile):
    """A directory in which files are replaced or deleted."""

    name = "dir"


# Options and commands


class Option(click.Option):
    """An option of a command.

    ``group``  the title of the options that it stands among, and what is said of them.
    """

    def __init__(self, *args: Any, group: tuple[str, str] = ("Options", ""), **more: Any) -> None:
        super().__init__(*args, **more)
        self.group = group


def option(
    flag: str, help: str, kind: click.ParamType[Any] | None = None, name: str = "", **more: Any
) -> Decorator:
    """Make a decorator that gives a command an option; without a kind of value it is a flag.

    The option is called as its flag, unless it has another ``name``.

    With ``several=True`` all values that follow are its own: the option has a list of them.
    """
    if kind is None:
        more["is_flag"] = True
    if more.pop("several", False):
        more |= {"multiple": True, "metavar": SEVERAL}
    names = (flag, name) if name else (flag,)
    return click.option(*names, cls=Option, type=kind, help=help, **more)


SEVERAL = "FILE..."
"""The placeholder of an option that takes all values that follow."""

QUIET = Option(
    ["--quiet"],
    is_flag=True,
    help="show only warnings and errors, no progress bars",
)


class Command(click.Command):
    """A command whose function gets all arguments at once. Its epilog is an example."""

    def __init__(self, name: str, params: list[click.Parameter], **more: Any) -> None:
        super().__init__(name, params=[*params, QUIET], **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. An option of several values is written before each of them."""
        several = {one.opts[0] for one in self.params if one.metavar == SEVERAL}
        made: list[str] = []
        flag = ""
        for arg in args:
            # A single dash is a file, standard input, and belongs to the flag before it.
            if arg[:1] == "-" and arg != "-":
                flag = arg if arg in several else ""
            elif flag and made[-1] != flag:
                made.append(flag)
            made.append(arg)
        return super().parse_args(ctx, made)

    def invoke(self, ctx: click.Context) -> None:
        """Run the command, if its files allow it. Raises ``BadUsage`` if not."""
        # Imported here: it needs the kinds of values.
        from semihmm.cli.outputs import refuse_overlaps

        # Before anything is read: a wrong output must not cost hours.
        refuse_overlaps(ctx)
        ctx.obj.begin_work()
        assert self.callback is not None
        with reporting(quiet=ctx.params["quiet"]):
            self.callback(Options(**ctx.params))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each group of options under its title."""
        groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for one in self.get_params(ctx):
            if isinstance(one, click.Option) and (record := one.get_help_record(ctx)):
                groups.setdefault(getattr(one, "group", QUIET.group), []).append(record)
        for (title, about), records in groups.items():
            with formatter.section(title):
                if about:
                    text = click.wrap_text(about, formatter.width, "  ", "  ")
                    formatter.write(f"{text}\n\n")
                formatter.write_dl(records)


def command(name: str, example: str = "", about: str = "") -> Callable[[Run], Command]:
    """Make a decorator that makes a command of a function and its arguments.

    ``example``  of the arguments. It names the files that stand in the README's commands.
    ``about``    what the help text says, if that is more than what the list of commands says.
    """
    purpose = COMMANDS[name]
    about = about or f"{purpose[0].upper()}{purpose[1:]}."
    # On one line, so that it can be pasted.
    epilog = f"\b\nexample: semihmm {name} {example}".rstrip()
    return click.command(name, cls=Command, epilog=epilog, help=about)


def given() -> dict[str, Any]:
    """Return the values of the arguments that the command line gives, by name."""
    context = click.get_current_context()
    return {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def refuse_unused(names: Collection[str], reason: str) -> None:
    """Raise ``BadUsage`` for the first of some arguments that the command line gives."""
    values = given()
    for one in click.get_current_context().command.params:
        if one.name in names and one.name in values:
            value = values[one.name]
            flag = one.opts[0] if isinstance(one, Option) else one.human_readable_name
            shown = "" if value is True else f" {value[0] if isinstance(value, tuple) else value}"
            raise BadUsage(f"nothing uses {flag}{shown}: {reason}")


# The program

NOBODY_READS = 141
"""128 and the number of SIGPIPE, which Windows does not have."""


def imported(name: str) -> click.Command:
    """Import a command."""
    (module,) = (module for module, names in MODULES.items() if name in names)
    return getattr(import_module(f"semihmm.cli.commands.{module}"), f"run_{name}")


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
@click.custom_version_option(_version, help="print the version and exit")
@click.option(
    "--completion",
    type=click.Choice(SHELLS),
    callback=_completion,
    is_eager=True,
    expose_value=False,
    help="print the completion script for a shell",
)
def PROGRAM() -> None:  # noqa: N802  # click makes an object of it
    """Find which words of a document became which words of its abstract."""


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
            # No signal made it: the error is what it says it is.
            return _status_after(error)
    # Libraries may have made another exception of the signal's.
    return _status_after(Stopped(signals.received[0]))


def _status_after(error: BaseException) -> int:
    """Say what went wrong and return the exit status. Raises an error that is the program's own."""
    match error:
        case BrokenPipeError():
            # Whoever read the output has enough.
            return NOBODY_READS
        case Exit():
            return error.exit_code
        case NoArgsIsHelpError():
            error.show()
            return error.exit_code
        case SemiHmmError():
            message, status = with_hint(error), error.exit_status
        case click.UsageError():
            where = "semihmm" if error.ctx is None else error.ctx.command_path
            message = f"{shortened(error.format_message()).rstrip('.')} (see {where} --help)"
            status = error.exit_code
        case KeyboardInterrupt():
            number = error.number if isinstance(error, Stopped) else signal.SIGINT
            message, status = MESSAGES[signal.Signals(number)], 128 + number
        case OSError():
            name = "" if error.filename is None else f"{error.filename}: "
            message, status = f"{name}{error.strerror or error}", 1
        case MemoryError():
            message, status = "out of memory", 1
        case _:
            raise error
    # One line, whatever the names of files hold.
    print(printable(f"semihmm: {message}".replace("\n", " ")), file=sys.stderr)
    return status
