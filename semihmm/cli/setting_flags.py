"""Makes flags from the settings of all plug-ins (``semihmm.settings``), and reads their values."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from typing import Any

from corpus_tools.errors import BadUsage
from corpus_tools.plugins.options import Option
from semihmm.settings import all_options


def add_settings(
    parser: argparse.ArgumentParser, names: Collection[str], about: str, default: str | None = None
) -> None:
    """Add a flag for each setting.

    ``about``    says in the help text where the values come from that no flag gives.
    ``default``  what help texts show as the default of all; ``None``: each setting's own.
    """
    group = parser.add_argument_group("settings of the model", about)
    for name in names:
        add_flag(group, name, all_options()[name], default)


def add_flag(
    group: argparse._ArgumentGroup, name: str, option: Option, default: str | None = None
) -> None:
    """Add the flag of an option. Its value is ``None`` if the command line does not give it.

    ``default``  what the help text shows as the default; ``None``: the option's own.
    """
    help_text = option.help
    if default is not None:
        # The help of an option without a default says what happens then.
        help_text = f"{help_text.partition(' (default: ')[0]} (default: {default})"
    elif option.default is not None:
        help_text += f" (default: {shown_default(option)})"
    help_text = help_text.replace("%", "%%")
    flag = flag_of(name, option)
    if isinstance(option.default, bool):
        truth = argparse.BooleanOptionalAction
        group.add_argument(flag, dest=name, action=truth, default=None, help=help_text)
    else:
        read = _reader(name, flag, option)
        group.add_argument(flag, dest=name, type=read, metavar=option.metavar, help=help_text)


def given_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the command line gives, by name."""
    given = {name: getattr(options, name, None) for name in all_options()}
    return {name: value for name, value in given.items() if value is not None}


def flag_of(name: str, option: Option) -> str:
    """Return the flag of a setting: its own, or one that is made from its name."""
    return option.flag or f"--{name.replace('_', '-')}"


def shown_default(option: Option) -> str:
    """Return the default as it would be written behind the flag; of truth values, yes or no."""
    if isinstance(option.default, bool):
        return "yes" if option.default else "no"
    if isinstance(option.default, tuple):
        return "+".join(map(str, option.default))
    return str(option.default)


def _reader(name: str, flag: str, option: Option) -> Callable[[str], Any]:
    """Make the function that reads and checks a value."""

    def read(text: str) -> Any:
        try:
            value = option.parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        try:
            option.check(name, value)
        except BadUsage as error:
            raise BadUsage(f"{flag}: {error}") from None
        return value

    return read
