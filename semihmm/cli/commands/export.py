"""Runs ``semihmm export``."""

from __future__ import annotations

import argparse

from corpus_tools.alignments import formats
from corpus_tools.errors import choose
from semihmm.cli.options import add_output, add_pairs
from semihmm.cli.reading import read_alignments, read_command_pairs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_pairs(parser)
    parser.add_argument("alignments", metavar="ALIGNMENTS", help="what semihmm align made")
    parser.add_argument("--format", required=True, metavar="NAME", help=", ".join(formats.WRITERS))
    add_output(parser, "default: stdout")


def run(options: argparse.Namespace) -> None:
    """Write alignments in another format."""
    choose("format", options.format, formats.WRITERS)
    pairs = read_command_pairs(options, options.pairs)
    alignments = read_alignments(options, options.pairs, pairs)
    formats.write(options.format, pairs, alignments, options.output)
