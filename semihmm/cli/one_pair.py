"""Reads the one pair that a command line gives with ``--document`` and ``--abstract``."""

from __future__ import annotations

import argparse

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.as_pairs import as_pairs
from corpus_tools.pairs.pair import Pair
from semihmm.cli.given_text import given_text, refuse_options_of_pairs, text_or_file

SIDES = ("document", "abstract")


def add_one_pair(parser: argparse.ArgumentParser) -> None:
    """Add the two texts of one pair."""
    group = parser.add_argument_group(
        "one pair", "In place of PAIRS; shown as semihmm view shows it, unless --output is given."
    )
    for side in SIDES:
        group.add_argument(
            f"--{side}",
            type=text_or_file,
            metavar="TEXT|FILE",
            help=f"the text of the {side}, or a file of it, plain or gzip; - for standard input "
            "(default: the pairs of PAIRS)",
        )


def gives_one_pair(options: argparse.Namespace) -> bool:
    """Tell whether the command line gives one pair in place of the file PAIRS.

    Raises ``BadUsage`` if it gives both, neither, or half a pair, and for options that are of
    PAIRS alone.
    """
    given = [f"--{side}" for side in SIDES if getattr(options, side) is not None]
    if not given:
        if not options.pairs:
            raise BadUsage("name the file PAIRS, or give one pair with --document and --abstract")
        return False
    if options.pairs:
        pairs = " ".join(options.pairs)
        raise BadUsage(f"{' and '.join(given)} in place of PAIRS, not beside it: leave out {pairs}")
    for missing in (f"--{side}" for side in SIDES if f"--{side}" not in given):
        raise BadUsage(f"{given[0]} needs {missing}: a pair has both")
    of_pairs = {
        "--resume": options.resume,
        "--skip-bad-pairs": options.skip_bad_pairs,
        "--cluster": options.cluster,
    }
    refuse_options_of_pairs(options, "there is one pair", of_pairs)
    return True


def one_pair(options: argparse.Namespace) -> Pair:
    """Make the pair of the two texts.

    Raises ``BadUsage`` for what looks like the name of a file that does not exist, ``BadData`` for
    a file that cannot be read, has no words, or holds pairs.
    """
    document, abstract = (given_text(side, getattr(options, side)) for side in SIDES)
    (pair,) = as_pairs((document, abstract), options.tokenizer)
    return pair
