"""Runs ``semihmm align``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from corpus_tools.alignments.formats import WRITERS
from corpus_tools.errors import choose
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import STANDARD_STREAM, replacing
from corpus_tools.storage.journal import can_be_resumed
from corpus_tools.views.pair_view import alone
from corpus_tools.views.terminal import print_views
from semihmm.aligner import Aligner
from semihmm.batches.units import can_be_aligned
from semihmm.cli.messages import warn, warn_of_compilation, warn_of_empty
from semihmm.cli.one_pair import add_one_pair, gives_one_pair, one_pair
from semihmm.cli.options import add_pairs, add_threads, add_trees
from semihmm.cli.reading import iterate_command_pairs, trees_files, with_trees_of
from semihmm.cli.resumed_alignments import RunIdentity, write_all
from semihmm.cli.setting_flags import add_settings, given_settings
from semihmm.saving.general_model import GENERAL_MODEL
from semihmm.settings import all_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_pairs(parser, optional="the one pair", several=True)
    parser.add_argument(
        "--model",
        metavar="DIR",
        help="where semihmm train put the model (default: the general model of the program)",
    )
    parser.add_argument("--output", metavar="FILE", help="JSON lines (default: stdout)")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help=f"write what semihmm export writes of the alignments: {', '.join(WRITERS)} "
        "(default: JSON lines without characters and texts)",
    )
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
    add_one_pair(parser)
    changeable = [name for name, option in all_options().items() if option.after_training]
    about = "What is not given is as it was in training."
    add_settings(parser, changeable, about, "as in training")


def run(options: argparse.Namespace) -> None:
    """Align all pairs and write their alignments, or show that of one pair."""
    if options.format is not None:
        choose("format", options.format, WRITERS)
    of_one_pair = gives_one_pair(options)
    model = GENERAL_MODEL if options.model is None else options.model
    aligner = Aligner.load(model, workers=options.workers, **given_settings(options))
    output = options.output or STANDARD_STREAM
    with KeptPairs() as pairs:
        identity = RunIdentity(aligner)
        _read(_given(options, aligner), pairs, identity if can_be_resumed(output) else None)
        warn_of_compilation()
        if of_one_pair and options.output is None and options.format is None:
            _show(aligner, *pairs)
            return
        skipped = write_all(
            aligner,
            pairs,
            identity,
            output,
            options.format,
            skip=options.skip_bad_pairs,
            resume=options.resume,
        )
    if skipped:
        warn(
            "pairs that make the model fail, which have no alignment: "
            f"{len(skipped)} ({', '.join(skipped)})"
        )


def _given(options: argparse.Namespace, aligner: Aligner) -> Iterable[Pair]:
    """Return the pairs that the command line gives, with trees where the model asks for them."""
    trees = trees_files(options, aligner.settings)
    if gives_one_pair(options):
        pairs: Iterable[Pair] = [one_pair(options)]
    else:
        # Not with the tokenizer of training: all commands must count the tokens of a file alike.
        pairs = iterate_command_pairs(options, options.pairs)
    return with_trees_of(trees, pairs)


def _read(given: Iterable[Pair], pairs: KeptPairs, identity: RunIdentity | None) -> None:
    """Read all pairs, so that what is wrong with them is said before any is aligned.

    ``identity``  gets them, if rows of this run may be there or may be left.
    """
    empty = []
    for pair in given:
        pairs.add(pair)
        if identity is not None:
            identity.add(pair)
        if not can_be_aligned(pair):
            empty.append(pair.id)
    warn_of_empty(empty)


def _show(aligner: Aligner, pair: Pair) -> None:
    alignment = aligner.align(pair)
    with replacing(STANDARD_STREAM) as stream:
        print_views([alone(pair, alignment)], stream)
