"""Runs ``semihmm compare``."""

from __future__ import annotations

import argparse
import json

from corpus_tools.errors import SemiHmmError, choose
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.storage.files import replacing
from semihmm.cli.messages import print_result, say
from semihmm.cli.options import add_gold, add_ignore, add_seed, at_least, split_names
from semihmm.cli.reading import read_command_pairs
from semihmm.evaluation import comparison
from semihmm.evaluation.annotators import annotator_names
from semihmm.evaluation.comparison import FORMATS, comparison_text
from semihmm.evaluation.systems import FAMILIES, choose_systems


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_gold(parser, "pairs")
    parser.add_argument(
        "--systems",
        type=split_names,
        metavar="NAMES",
        help="systems or families of systems, as in greedy,hmm:document,default; "
        f"families: {', '.join(FAMILIES)} (default: all)",
    )
    parser.add_argument(
        "--annotators",
        nargs="+",
        default=[],
        metavar="FILE",
        help="the same pairs with one annotator's links",
    )
    parser.add_argument(
        "--extract",
        type=at_least(0),
        default=3,
        metavar="K",
        help="document sentences for each abstract sentence; 0: all (default: 3)",
    )
    add_ignore(parser)
    add_seed(parser)
    parser.add_argument(
        "--format", default="text", metavar="NAME", help=f"{', '.join(FORMATS)} (default: text)"
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="all figures, also those that the table leaves out",
    )


def run(options: argparse.Namespace) -> None:
    """Run and score all systems and print a table."""
    choose("format", options.format, FORMATS)
    chosen = choose_systems(FAMILIES if options.systems is None else options.systems)
    pairs = read_command_pairs(options, options.pairs)
    names = annotator_names(options.annotators)
    annotators = {
        name: read_pairs(file, options.tokenizer)
        for name, file in zip(names, options.annotators, strict=True)
    }
    compared = comparison.compare(
        pairs,
        chosen,
        annotators,
        ignore=options.ignore,
        extract=options.extract,
        seed=options.seed,
        report=say,
    )
    if options.json:
        with replacing(options.json) as stream:
            stream.write(json.dumps(compared.as_dict(), indent=1) + "\n")
    print_result(comparison_text(compared, options.format))
    if failed := [row.name for row in compared.rows if row.failed]:
        raise SemiHmmError(f"systems that failed, as the table says: {', '.join(failed)}")
