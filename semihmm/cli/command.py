"""Commands, and the kinds of values that their arguments have, on click.

A kind reads a value, says what completes it in a shell, and tells files that a command reads from
those that it writes (``semihmm.cli.outputs``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from types import SimpleNamespace
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from corpus_tools.errors import BadData, BadUsage, choose
from semihmm.cli.commands import COMMANDS

Options = SimpleNamespace
"""The values of a command's arguments, by name."""

Run = Callable[[Options], None]
"""The function of a command."""

Decorator = Callable[[Run], Run]


class Value(click.ParamType[Any]):
    """A text that is not empty: of everything but numbers.

    ``read``  makes the value of the text. Raises ``ValueError`` or ``BadUsage``.
    """

    name = "value"

    def __init__(self, read: Callable[[str], Any] = str) -> None:
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a value. Raises ``click.BadParameter``."""
        if not value.strip():
            self.fail(f"expected a value, not {value!r}", param, ctx)
        if "\0" in value:
            self.fail("expected a value without the character NUL", param, ctx)
        try:
            return self._read(value)
        except (ValueError, BadUsage) as error:
            self.fail(str(error), param, ctx)


class Name(Value):
    """One of some names.

    ``what``   is named, for messages.
    ``read``   takes values that are more than one of the names; ``None``: there are none.
    """

    name = "name"

    def __init__(
        self, what: str, names: Collection[str], read: Callable[[str], Any] | None = None
    ) -> None:
        super().__init__(read or (lambda text: choose(what, text, names)))
        self._names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so."""
        return [CompletionItem(name) for name in self._names if name.startswith(incomplete)]


class InputFile(Value):
    """A file that is read, a list of files, or a directory all of whose files are read."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave it to the shell."""
        return [CompletionItem(incomplete, type=self.name)]


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


class Option(click.Option):
    """An option of a command.

    ``group``    the title of the options that it stands among, and what is said of them.
    ``several``  whether all values that follow are its own.
    """

    def __init__(
        self,
        flags: Sequence[str],
        group: tuple[str, str] = ("Options", ""),
        several: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(flags, multiple=more.pop("multiple", several), **more)
        self.group = group
        self.several = several

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Add to the help what it does not say, which is only whether the option is required."""
        return {"required": "required"} if self.required else {}


def option(
    flag: str, help: str, kind: click.ParamType[Any] | None = None, **more: Any
) -> Decorator:
    """Make a decorator that gives a command an option.

    ``kind``  of the value, which is also its name in help texts, where ``metavar`` gives none;
              ``None`` for a flag without a value, or with its opposite behind a slash.
    """
    default = more.get("default")
    if kind is None:
        more = {"is_flag": True, **more}
    elif default is None:
        more.pop("default", None)  # with it, click requires no value
    else:
        help += f" (default: {'stdout' if default == '-' else default})"
    if kind is not None and more.get("several"):
        more["metavar"] = f"{kind.name.upper()}..."
    flags = (flag, more.pop("dest")) if "dest" in more else (flag,)
    return click.option(*flags, cls=Option, type=kind, help=help, **more)


def argument(name: str, help: str, kind: click.ParamType[Any], **more: Any) -> Decorator:
    """Make a decorator that gives a command a positional argument, of which the name is shown."""
    return click.argument(name, help=help, type=kind, **more)


def named(
    flag: str, names: Collection[str], before: str = "", after: str = "", **more: Any
) -> Decorator:
    """Make a decorator that gives a command an option with one of some names.

    ``before``, ``after``  what stands in the help beside the names.
    """
    from corpus_tools.plugins.options import listed

    return option(flag, before + listed(names) + after, Name(flag[2:], names), **more)


def together(*decorators: Decorator) -> Decorator:
    """Join the decorators of several arguments."""

    def decorate(function: Run) -> Run:
        for one in reversed(decorators):
            function = one(function)
        return function

    return decorate


def write_result(text: str) -> None:
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


def stop_with(make: Callable[[click.Context, Any], str]) -> dict[str, Any]:
    """Return what makes an option write a text to stdout, in place of all else."""

    def write(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value and not context.resilient_parsing:
            write_result(f"{make(context, value)}\n")
            context.exit()

    return {"callback": write, "is_eager": True, "expose_value": False}


HELP = Option(
    ["-h", "--help"],
    is_flag=True,
    help="show this text and stop",
    **stop_with(lambda context, _: context.get_help()),
)
QUIET = Option(
    ["--quiet"],
    is_flag=True,
    help="no progress bars and no messages but warnings and errors",
)


class Command(click.Command):
    """A command, which calls its function with ``Options``."""

    def __init__(self, name: str, params: list[click.Parameter], **more: Any) -> None:
        super().__init__(name, params=[*params, QUIET, HELP], add_help_option=False, **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. An option of several values is written before each of them."""
        several = {one.opts[0] for one in self.params if isinstance(one, Option) and one.several}
        made: list[str] = []
        flag = ""
        for arg in args:
            if arg[:1] == "-" and arg != "-":
                flag = arg if arg in several else ""
            elif flag and made[-1] != flag:
                made.append(flag)
            made.append(arg)
        return super().parse_args(ctx, made)

    def invoke(self, ctx: click.Context) -> None:
        """Run the command, if its files allow it. Raises ``BadUsage`` if not."""
        from semihmm.cli.messages import reporting
        from semihmm.cli.outputs import refuse_overlaps

        _require_directory()
        refuse_overlaps(ctx)
        ctx.obj.begin_work()
        assert self.callback is not None
        with reporting(quiet=ctx.params["quiet"]):
            self.callback(Options(**ctx.params))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each group of options under its title."""
        options = [one for one in self.params if isinstance(one, Option)]
        for title, about in dict.fromkeys(one.group for one in options):
            with formatter.section(title):
                if about:
                    text = click.wrap_text(about, formatter.width, "  ", "  ")
                    formatter.write(f"{text}\n\n")
                records = (one.get_help_record(ctx) for one in options if one.group[0] == title)
                formatter.write_dl([record for record in records if record])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example on one line, so that it can be pasted."""
        formatter.write(f"\nexample: {ctx.command_path} {self.epilog}".rstrip() + "\n")


def command(name: str, example: str = "", about: str = "") -> Callable[[Run], Command]:
    """Make a decorator that makes a command of a function and its arguments.

    ``example``  of the arguments. It names the files that stand in the README's commands.
    ``about``    what the help text says, if that is more than what the list of commands says.
    """
    purpose = COMMANDS[name]
    about = about or f"{purpose[0].upper()}{purpose[1:]}."
    return click.command(name, cls=Command, epilog=example, help=about)


def refuse_unused(names: Collection[str], reason: str) -> None:
    """Raise ``BadUsage`` for the first of some arguments that the command line gives."""
    context = click.get_current_context()
    for one in context.command.params:
        source = context.get_parameter_source(one.name)
        if one.name in names and source is ParameterSource.COMMANDLINE:
            value = context.params[one.name]
            flag = one.opts[0] if isinstance(one, Option) else one.human_readable_name
            shown = "" if value is True else f" {value[0] if isinstance(value, tuple) else value}"
            raise BadUsage(f"nothing uses {flag}{shown}: {reason}")


def _require_directory() -> None:
    """Raise ``BadUsage`` if the working directory is no more, where libraries fail anywhere."""
    try:
        os.getcwd()
    except FileNotFoundError as error:
        raise BadUsage("the working directory was deleted: change to another") from error
