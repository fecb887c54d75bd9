"""Lists the commands by name. A new one is one module here and one line in ``COMMANDS``.

The list itself imports no command, so that ``semihmm --help`` answers at once.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Protocol, cast


class Command(Protocol):
    """What the module of a command has."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Say which arguments the command has."""

    def run(self, options: argparse.Namespace) -> None:
        """Run the command. Errors are raised as ``SemiHmmError``, never printed."""


COMMANDS = {
    "demo": "write a sample to try all commands on, and show it aligned",
    "train": "learn a model from pairs, without labelled data",
    "align": "decode the alignments of pairs",
    "score": "score alignments against hand alignments",
    "compare": "train, align and score with every system: the paper's Table 4",
    "measure": "measure summaries against references: ROUGE, coverage and others",
    "correlate": "how well measures of summaries predict the judgements of people",
    "errors": "the kinds of errors of an alignment, with examples (section 5.3, Table 5)",
    "extract": "the document sentences that serve each abstract sentence (Marcu 1999)",
    "view": "show alignments in the terminal or as a web page",
    "annotate": "make and correct hand alignments on a web page of this machine",
    "export": "write alignments in another format",
    "stats": "figures of a corpus (Tables 1 and 3) and of its alignments (section 2.3)",
    "tokenize": "write the sentences and tokens of pairs, or of a text",
    "plot": "draw a figure of training, jumps, thresholds or positions (matplotlib)",
    "parse": "parse the documents once, for the syntax-aware jump model",
    "compile": "compile what the presets need, before the first use: for images and CI",
}
"""The commands with what they do in one line, in the order of the help text."""


def load_command(name: str) -> Command:
    """Import the module of a command."""
    # A module is a Command if it has the two functions; import_module cannot say so.
    return cast(Command, import_module(f"{__name__}.{name}"))
