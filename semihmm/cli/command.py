"""Defines commands and the kinds of values of their arguments, on click.

A kind reads a value, completes it in a shell, and tells input files from output files
(``refuse_overlaps``).
"""

import os
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from corpus_tools.base import files
from corpus_tools.base.errors import BadUsage
from semihmm.cli.messages import reporting
from semihmm.registry import commands

# The kinds of values

Options = SimpleNamespace
"""The values of a command's arguments, by name."""

RunCommand = Callable[[Options], None]
"""The function of a command."""

Decorator = Callable[[RunCommand], RunCommand]


class Value(click.ParamType[Any]):
    """A text that is not empty, or a value that a function reads from it.

    ``read``   the function; raises ``ValueError`` or ``BadUsage``.
    ``names``  completions of the text; other texts are allowed too.
    """

    name = "value"

    def __init__(self, read: Callable[[str], Any] = str, names: Collection[str] = ()) -> None:
        self._read = read
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a value. Raises ``click.BadParameter``."""
        if not isinstance(value, str):
            # Click converts defaults too, and those of settings are values already.
            return value
        # A shell variable that is not set makes an empty value.
        if not value.strip():
            self.fail(f"expected a value, not {value!r}", param, ctx)
        try:
            return self._read(value)
        except (ValueError, BadUsage) as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin like this. The shell completes files and directories."""
        if self.name != Value.name:
            return [CompletionItem(incomplete, type=self.name)]
        return [CompletionItem(name) for name in self._names if name.startswith(incomplete)]


class InputFile(Value):
    """A file that is read, a list of files, or a directory all of whose files are read."""

    name = "file"


class InputModel(InputFile):
    """The directory of an input model."""

    name = "dir"


class OutputFile(InputFile):
    """An output file, or standard output."""


PAGE_ENDINGS = ("", ".html", ".htm", ".xhtml")


def page_name(path: str) -> str:
    """Check the name of a web page. Raises ``ValueError`` for another ending."""
    if PurePath(path).suffix.lower() not in PAGE_ENDINGS:
        raise ValueError(f"{path}: the name of a web page ends in .html")
    return path


class OutputDirectory(Value):
    """A directory in which the program replaces or deletes its own files."""

    name = "dir"


# Options and commands


class CommandOption(click.Option):
    """An option of a command.

    ``group``  the title of its section in the help text, and a sentence below the title.
    """

    def __init__(self, *args: Any, group: tuple[str, str] = ("Options", ""), **more: Any) -> None:
        super().__init__(*args, **more)
        self.group = group


def option(
    flag: str, help: str, kind: click.ParamType[Any] | None = None, name: str = "", **more: Any
) -> Decorator:
    """Make a decorator that adds an option to a command; without a ``kind`` it is a flag.

    The option has the name of its flag, unless ``name`` is given.

    With ``several=True``, the option takes all values that follow, as a list.
    """
    if kind is None:
        more["is_flag"] = True
    if more.pop("several", False):
        more |= {"multiple": True, "metavar": SEVERAL_FILES}
    names = (flag, name) if name else (flag,)
    return click.option(*names, cls=CommandOption, type=kind, help=help, **more)


SEVERAL_FILES = "FILE..."
"""The placeholder of an option that takes all values that follow."""

QUIET_OPTION = CommandOption(
    ["--quiet"], is_flag=True, help="show only warnings and errors, no progress bars"
)


class Command(click.Command):
    """A command. Its function gets all arguments as one object. Its epilog is an example."""

    def __init__(self, name: str, params: list[click.Parameter], **more: Any) -> None:
        super().__init__(name, params=[*params, QUIET_OPTION], **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. Click wants an option of several values before each value."""
        several = {
            parameter.opts[0] for parameter in self.params if parameter.metavar == SEVERAL_FILES
        }
        expanded: list[str] = []
        flag = ""
        for arg in args:
            # A single dash is standard input, a value of the flag before it.
            if arg[:1] == "-" and arg != "-":
                flag = arg if arg in several else ""
            elif flag and expanded[-1] != flag:
                expanded.append(flag)
            expanded.append(arg)
        return super().parse_args(ctx, expanded)

    def invoke(self, ctx: click.Context) -> None:
        """Run the function, unless an output is also an input or another output."""
        # Checked before anything is read: a wrong output must not cost hours.
        refuse_overlaps(ctx)
        assert self.callback is not None
        with reporting(quiet=ctx.params["quiet"]):
            self.callback(Options(**ctx.params))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each group of options under its title."""
        groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
                groups.setdefault(getattr(parameter, "group", QUIET_OPTION.group), []).append(
                    record
                )
        for (title, about), records in groups.items():
            with formatter.section(title):
                if about:
                    text = click.wrap_text(about, formatter.width, "  ", "  ")
                    formatter.write(f"{text}\n\n")
                formatter.write_dl(records)


def command(name: str, example: str = "", about: str = "") -> Callable[[RunCommand], Command]:
    """Make a decorator that turns a function and its arguments into a command.

    ``example``  example arguments, with the file names of the README's commands.
    ``about``    the description in the help text; empty: that of the list of commands.
    """
    purpose = commands()[name].purpose
    about = about or f"{purpose[0].upper()}{purpose[1:]}."
    # One line can be pasted.
    epilog = f"\b\nexample: semihmm {name} {example}".rstrip()
    return click.command(name, cls=Command, epilog=epilog, help=about)


def given(names: Collection[str]) -> dict[str, Any]:
    """Return the values that the command line gives for some arguments, by name."""
    context, line = click.get_current_context(), ParameterSource.COMMANDLINE
    there = [name for name in context.params if context.get_parameter_source(name) is line]
    return {name: context.params[name] for name in there if name in names}


def refuse_unused(names: Collection[str], reason: str) -> None:
    """Raise ``BadUsage`` for the first of some arguments that the command line gives."""
    values = given(names)
    for parameter in click.get_current_context().command.params:
        if parameter.name in values:
            value, is_option = values[parameter.name], isinstance(parameter, click.Option)
            flag = parameter.opts[0] if is_option else parameter.human_readable_name
            value_shown = (
                "" if value is True else f" {value[0] if isinstance(value, tuple) else value}"
            )
            raise BadUsage(f"nothing uses {flag}{value_shown}: {reason}")


def output_files(users: Sequence[str] | None, output: str) -> list[str]:
    """Return the files of an output: the output itself, or one file for each user in it."""
    return [str(Path(output, f"{user}.jsonl")) for user in users] if users else [output]


# Outputs that are inputs


def refuse_overlaps(context: click.Context) -> None:
    """Raise ``BadUsage`` if the command would write a file that it reads.

    A file that it would write twice is refused too, and so are a directory as an output and
    standard input as several inputs. Links are followed. Streams, devices and pipes may be input
    and output: nothing replaces them.
    """
    inputs: list[str] = []
    outputs: list[str] = []
    for parameter in context.command.params:
        value = context.params[parameter.name or ""] or ()
        if isinstance(parameter.type, InputFile):
            for path in [value] if isinstance(value, str) else value:
                if isinstance(parameter.type, OutputFile):
                    outputs += output_files(context.params.get("users"), path)
                else:
                    inputs += _files(path)
    if inputs.count(files.STANDARD_STREAM) > 1:
        raise BadUsage("standard input can be read only once: name files")
    read = {os.path.realpath(path): path for path in inputs if files.can_be_resumed(path)}
    written: dict[str, str] = {}
    for path in outputs:
        if os.path.isdir(path) or path.endswith(os.sep):
            raise BadUsage(f"the output {path} is a directory: name a file")
        real = os.path.realpath(path)
        for role, others in (("read", read), ("also written", written)):
            if same := others.get(real):
                problem = f"the output {path} is the file {same}, which is {role}"
                raise BadUsage(f"{problem} by the same command: name another file")
        if files.can_be_resumed(path):
            written[real] = path


def _files(path: str) -> list[str]:
    """Return the file of a path, or the files of a directory."""
    if path != files.STANDARD_STREAM and os.path.isdir(path):
        # If it cannot be listed, reading it raises the error later.
        with suppress(OSError):
            return [str(inside) for inside in Path(path).iterdir() if inside.is_file()]
    return [path]
