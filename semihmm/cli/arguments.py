"""The arguments that several commands share, and the flags of settings."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import click

from corpus_tools.alignments.formats import READERS
from corpus_tools.base.files import STANDARD_STREAM
from corpus_tools.languages.language import AUTO, require_language
from corpus_tools.pairs.formats import RECORD_FORMATS
from corpus_tools.plugins import LANGUAGE_HELP, LARGEST_SETTING, Option, listed, shown
from corpus_tools.texts.tokenizers import TOKENIZERS
from semihmm.cli.command import (
    Decorator,
    InputFile,
    InputModel,
    OutputFile,
    RunCommand,
    Value,
    option,
)

MOST_WORKERS = 1024
"""The largest number of threads or processes of a command: more than machines have processors."""


TEXT_SETTINGS = ("language",)
"""Settings of models whose options are among those of the pairs."""


def names_between_commas(text: str) -> tuple[str, ...]:
    """Read names with commas between them. Raises ``ValueError`` if there is none."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise ValueError(f"expected names with commas between them, not {shown(text)}")
    return names


NAME_LIST = Value(names_between_commas)


def text_in_utf8(text: str) -> str:
    """Check that a text, which is compared with texts of files, is UTF-8. Raises ``ValueError``."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"expected UTF-8, not {shown(text)}") from None
    return text


TEXT = Value(text_in_utf8)


def read_language(code: str) -> str | None:
    """Return the code of a language; ``None``: detect it. Raises ``BadUsage``."""
    require_language(code)
    return None if code == AUTO else code


def together(*decorators: Decorator) -> Decorator:
    """Join the decorators of several arguments."""

    def decorate(function: RunCommand) -> RunCommand:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


strip_markup = option(
    "--strip-markup", "remove tags and entities of HTML, and tokens of models such as <pad>"
)
"""Whether texts are read without markup."""


skip_empty = option(
    "--skip-empty", "leave out pairs without a document or an abstract, and count them"
)


def pairs(
    what: str = "documents and abstracts",
    *,
    metavar: str | None = None,
    optional: str | None = None,
    several: bool = False,
) -> Decorator:
    """Add the file of the pairs and the options for reading it.

    ``metavar``   the name of the file in help texts, if it is not PAIRS.
    ``optional``  the default that the help text shows, may be empty; ``None``: the file must be
                  given.
    ``several``   whether there may be more than one file: then the value is a list.
    """
    help = (
        f"{what}: {', '.join(reversed(RECORD_FORMATS))}; plain or gzip; "
        f"a directory of such files{', or several files and directories' if several else ''}; "
        "- for standard input" + (f" (default: {optional})" if optional else "")
    )
    how_many: dict[str, Any] = {"nargs": -1 if several else 1, "required": optional is None}
    name = metavar or "PAIRS"
    keys = (
        option(
            f"--{side}-key",
            f"the field that holds the {side} (default: one of the usual names)",
            TEXT,
            metavar="KEY",
        )
        for side in ("document", "abstract")
    )
    return together(
        click.argument("pairs", type=InputFile(), help=help, metavar=metavar, **how_many),
        option(
            "--tokenizer",
            f"{listed(TOKENIZERS)} (default: chosen for each pair)",
            click.Choice(TOKENIZERS),
            metavar="NAME",
        ),
        option(
            "--language", f"{LANGUAGE_HELP} (default: {AUTO})", Value(read_language), metavar="CODE"
        ),
        *keys,
        strip_markup,
        skip_empty,
        option(
            "--abstracts",
            "plain text with one abstract a line, or a directory with one abstract a file; "
            f"{name} then has the documents in the same way, under the same names "
            f"(default: {name} has both)",
            InputFile(),
        ),
    )


gold = pairs("pairs with sure and possible links", metavar="GOLD")
"""The file of pairs with hand alignments, and the options for reading it."""


def alignments(help: str = "alignments, made by semihmm align or another aligner") -> Decorator:
    """Add a file of alignments."""
    return click.argument("alignments", help=help, type=InputFile(), required=True)


def format_of(files: str = "ALIGNMENTS") -> Decorator:
    """Add the format of alignments that are read, which help texts call ``files``."""
    return option("--format", f"format of {files}", click.Choice(READERS), default="jsonl")


def model(help: str, **more: Any) -> Decorator:
    """Add the directory of a model that is read."""
    return option("--model", help, InputModel(), **more)


ignore = option(
    "--ignore", "ignore list: default, none, or a FILE of words", InputFile(), default="default"
)
"""The ignore list."""


def number(
    flag: str,
    help: str,
    default: float | None,
    least: float = 0,
    most: float = LARGEST_SETTING,
    name: str = "N",
    kind: type = int,
    **more: Any,
) -> Decorator:
    """Add a number from ``least`` to ``most``, an integer by default; ``name`` is its metavar."""
    read = partial(Option(default, help, kind, least=least, most=most).read, flag[2:])
    return option(flag, help, Value(read), default=default, metavar=name, **more)


LAST_PORT = 65535

served_page = together(
    number("--port", "port of the web page; 0: any free port", 0, most=LAST_PORT),
    option("--no-browser", "print the address of the page, but do not open it"),
)
"""The port of a page that a command serves, and whether a browser opens it."""

SERVED_PAGE = ("port", "no_browser")
"""The names of these options."""


def seed(of: str = "the bootstrap") -> Decorator:
    """Add the seed of random numbers."""
    return number("--seed", f"random seed of {of}", 0)


def output(help: str, read: Callable[[str], str] = str, **more: Any) -> Decorator:
    """Add the file of the results, by default standard output; ``read`` checks its name."""
    if not more:
        more = {"default": STANDARD_STREAM, "show_default": "stdout"}
    return option("--output", help, OutputFile(read), **more)


def threads(what: str = "number of threads, and of processes that read many pairs") -> Decorator:
    """Add the number of threads and processes; ``what`` describes it in the help text."""
    help = f"{what} (default: all processors)"
    most = min(os.cpu_count() or 1, MOST_WORKERS)
    return number("--workers", help, most, least=1, most=MOST_WORKERS, show_default=False)


def cluster(what: str, files: str) -> Decorator:
    """Add the address of a cluster; the help text says that it does ``what`` and sees ``files``."""
    help = (
        f"Dask cluster that {what}: local, or the address of a scheduler such as "
        f"tcp://host:8786; its workers must see {files} (default: this process)"
    )
    return option("--cluster", help, Value(), metavar="ADDRESS")


def settings(
    about: str,
    options: Mapping[str, Option],
    of: str = "the model",
    shown_defaults: Mapping[str, Any] | None = None,
) -> Decorator:
    """Add a flag for each setting.

    ``about``           a sentence of the help text about values that no flag gives.
    ``of``              the owner of the settings, for the help text.
    ``shown_defaults``  the defaults that the help text shows, by setting; ``None``: those of all
                        settings.
    """
    group = (f"Settings of {of}", about)
    return together(
        *(_setting(name, setting, group, shown_defaults) for name, setting in options.items())
    )


def _setting(
    name: str, setting: Option, group: tuple[str, str], shown_defaults: Mapping[str, Any] | None
) -> Decorator:
    help, flag = setting.help, flag_of(name, setting)
    more: dict[str, Any] = {"default": setting.default}
    if shown_defaults is not None:
        # The help of a setting without a default says what happens then.
        help = help.partition(" (default: ")[0]
        more |= {"default": shown_defaults.get(name), "show_default": name in shown_defaults}
    if isinstance(setting.default, bool):
        return option(f"{flag}/--no-{flag[2:]}", help, None, name, group=group, **more)
    read = partial(setting.read, name)
    kind = InputFile(read) if setting.is_path else Value(read, setting.names)
    return option(flag, help, kind, name, group=group, metavar=setting.metavar, **more)


def flag_of(name: str, setting: Option) -> str:
    """Return the flag of a setting: its own, or one that is made from its name."""
    return setting.flag or f"--{name.replace('_', '-')}"
