"""Runs ``semihmm align``."""

from __future__ import annotations

import argparse

from corpus_tools.alignments.alignment import write_alignments
from semihmm.aligner import Aligner
from semihmm.batches.units import can_be_aligned
from semihmm.cli.messages import progress, warn_of_compilation, warn_of_empty
from semihmm.cli.options import add_output, add_pairs, add_threads, add_trees
from semihmm.cli.reading import read_pairs_with_trees
from semihmm.cli.setting_flags import add_settings, given_settings
from semihmm.settings import all_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_pairs(parser)
    parser.add_argument(
        "--model", required=True, metavar="DIR", help="where semihmm train put the model"
    )
    add_output(parser)
    add_trees(parser)
    add_threads(parser)
    changeable = [name for name, option in all_options().items() if option.after_training]
    about = "What is not given is as it was in training."
    add_settings(parser, changeable, about, defaults=False)


def run(options: argparse.Namespace) -> None:
    """Align all pairs and write their alignments."""
    aligner = Aligner.load(options.model, workers=options.workers, **given_settings(options))
    # Not with the tokenizer of training: all commands must count the tokens of a file alike.
    pairs = read_pairs_with_trees(options, aligner.settings)
    warn_of_empty([pair.id for pair in pairs if not can_be_aligned(pair)])
    warn_of_compilation()
    write_alignments(progress(aligner.align_all(pairs), "aligning", len(pairs)), options.output)
