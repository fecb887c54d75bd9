"""Writes the scripts with which shells complete command lines."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator

from corpus_tools.errors import choose
from semihmm.cli.file_roles import FILE_ROLES

SHELLS = ("bash", "zsh", "fish")


def completion_script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script that completes commands, options, names and files in a shell.

    ``parser``  has the arguments of all commands.

    Raises ``BadUsage`` for another shell.
    """
    import shtab

    choose("shell", shell, SHELLS)
    for command, of_command in commands_of(parser).items():
        for action in of_command._actions:
            _add_values(command, action)
    return shtab.complete(parser, shell)


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands by name."""
    (commands,) = (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


def _add_values(command: str, action: argparse.Action) -> None:
    """Say what completes the value of an argument: names, files or directories."""
    import shtab

    roles = FILE_ROLES[command]
    names = _names(command, action.dest)
    if names:
        action.choices = tuple(names)
    elif action.dest in (*roles.input_models, *roles.output_directories):
        setattr(action, "complete", shtab.DIRECTORY)  # noqa: B010  # actions do not declare it
    elif action.dest in (*roles.inputs, *roles.outputs):
        setattr(action, "complete", shtab.FILE)  # noqa: B010


def _names(command: str, argument: str) -> Collection[str]:
    """Return the names that an argument may have, if they are few and known."""
    if argument == "format":
        return _formats(command)
    return dict(_known_names()).get(argument, ())


def _known_names() -> Iterator[tuple[str, Collection[str]]]:
    """Yield the arguments that mean the same in all commands, with their names."""
    from corpus_tools.meta_evaluation.correlations import LEVELS
    from corpus_tools.parsing import PARSERS
    from corpus_tools.texts.tokenizers import TOKENIZERS
    from jump_models.registry import JUMP_MODELS
    from semihmm.decoders.registry import DECODERS
    from semihmm.plots.registry import PLOTS
    from semihmm.settings import PRESETS

    yield "decoder", DECODERS
    yield "jump", JUMP_MODELS
    yield "level", LEVELS
    yield "parser", PARSERS
    yield "plot", PLOTS
    yield "preset", PRESETS
    yield "tokenizer", TOKENIZERS


def _formats(command: str) -> Collection[str]:
    """Return the formats that a command reads or writes."""
    from corpus_tools.alignments.formats import READERS, WRITERS
    from corpus_tools.meta_evaluation import report_text
    from semihmm.cli.commands import tokenize
    from semihmm.evaluation import comparison

    own: dict[str, Collection[str]] = {
        "align": WRITERS,
        "compare": comparison.FORMATS,
        "correlate": report_text.FORMATS,
        "export": WRITERS,
        "tokenize": (*tokenize.PAIR_WRITERS, *tokenize.TEXT_WRITERS),
    }
    return own.get(command, READERS)
