"""Runs ``semihmm align``."""

from __future__ import annotations

import argparse

from semihmm.aligner import Aligner
from semihmm.batches.units import can_be_aligned
from semihmm.cli.messages import say, warn_of_compilation, warn_of_empty
from semihmm.cli.options import add_output, add_pairs, add_threads, add_trees
from semihmm.cli.reading import read_pairs_with_trees
from semihmm.cli.resumed_alignments import write_all
from semihmm.cli.setting_flags import add_settings, given_settings
from semihmm.saving.general_model import GENERAL_MODEL
from semihmm.settings import all_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_pairs(parser)
    parser.add_argument(
        "--model",
        metavar="DIR",
        help="where semihmm train put the model (default: the general model of the program)",
    )
    add_output(parser)
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on from the alignments in FILE.partial, which a run that ended early left",
    )
    parser.add_argument(
        "--skip-bad-pairs",
        action="store_true",
        help="leave out pairs that make the model fail, and name them",
    )
    add_trees(parser)
    add_threads(parser)
    changeable = [name for name, option in all_options().items() if option.after_training]
    about = "What is not given is as it was in training."
    add_settings(parser, changeable, about, defaults=False)


def run(options: argparse.Namespace) -> None:
    """Align all pairs and write their alignments."""
    model = GENERAL_MODEL if options.model is None else options.model
    aligner = Aligner.load(model, workers=options.workers, **given_settings(options))
    # Not with the tokenizer of training: all commands must count the tokens of a file alike.
    pairs = read_pairs_with_trees(options, aligner.settings)
    warn_of_empty([pair.id for pair in pairs if not can_be_aligned(pair)])
    warn_of_compilation()
    skipped = write_all(aligner, pairs, options.output, options.skip_bad_pairs, options.resume)
    if skipped:
        say(
            "warning: pairs that make the model fail, which have no alignment: "
            f"{len(skipped)} ({', '.join(skipped)})"
        )
