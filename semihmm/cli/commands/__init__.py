"""Lists the commands by name. A new one is one module here and one line in ``COMMANDS``.

The list itself imports no command, so that ``semihmm --help`` answers at once.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import NamedTuple, Protocol, cast


class Command(Protocol):
    """What the module of a command has."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Say which arguments the command has."""

    def run(self, options: argparse.Namespace) -> None:
        """Run the command. Errors are raised as ``SemiHmmError``, never printed."""


class About(NamedTuple):
    """What the help text says of a command: what it does in one line, and an example of it."""

    purpose: str
    example: str


COMMANDS = {
    "demo": About("write a sample to try all commands on, and show it aligned", ""),
    "align": About("decode the alignments of pairs", "pairs.jsonl --output aligned.jsonl"),
    "view": About(
        "show alignments in the terminal or as a web page",
        "pairs.jsonl aligned.jsonl --output report.html",
    ),
    "train": About("learn a model from pairs, without labelled data", "pairs.jsonl --model model"),
    "annotate": About(
        "make and correct hand alignments on a web page of this machine",
        "pairs.jsonl --output gold.jsonl",
    ),
    "score": About("score alignments against hand alignments", "gold.jsonl aligned.jsonl"),
    "errors": About(
        "the kinds of errors of an alignment, with examples (section 5.3, Table 5)",
        "gold.jsonl aligned.jsonl --model model",
    ),
    "compare": About(
        "train, align and score with every system: the paper's Table 4",
        "gold.jsonl --systems greedy,default",
    ),
    "export": About(
        "write alignments in another format",
        "pairs.jsonl aligned.jsonl --format pharaoh --output links.txt",
    ),
    "stats": About(
        "figures of a corpus (Tables 1 and 3) and of its alignments (section 2.3)",
        "pairs.jsonl aligned.jsonl",
    ),
    "plot": About(
        "draw a figure of training, jumps, thresholds or positions (matplotlib)",
        "jumps gold.jsonl --model model --output jumps.pdf",
    ),
    "extract": About(
        "the document sentences that serve each abstract sentence (Marcu 1999)",
        "pairs.jsonl --output extracts.jsonl",
    ),
    "tokenize": About(
        "write the sentences and tokens of pairs, or of a text", "pairs.jsonl --format fast-align"
    ),
    "parse": About(
        "parse the documents once, for the syntax-aware jump model",
        "pairs.jsonl --output trees.jsonl",
    ),
    "measure": About(
        "measure summaries against references: ROUGE, coverage and others",
        "summaries.jsonl --references references.jsonl --json --output scores.json",
    ),
    "correlate": About(
        "how well measures of summaries predict the judgements of people",
        "scores.json judgements.jsonl",
    ),
    "compile": About("compile what the presets need, before the first use: for images and CI", ""),
}
"""The commands in the order of their use, which is that of the help text.

Examples name the files that stand in the README's commands.
"""


def load_command(name: str) -> Command:
    """Import the module of a command."""
    # A module is a Command if it has the two functions; import_module cannot say so.
    return cast(Command, import_module(f"{__name__}.{name}"))
