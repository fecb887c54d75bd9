"""Runs ``semihmm errors``."""

from __future__ import annotations

import argparse

from semihmm.aligner import Aligner
from semihmm.cli.messages import print_json, print_result
from semihmm.cli.options import (
    add_alignments_to_score,
    add_gold,
    add_ignore,
    add_json,
    add_seed,
    at_least,
)
from semihmm.cli.reading import naming_both, read_alignments, read_command_pairs
from semihmm.decoding.component_links import component_links
from semihmm.evaluation.error_report import error_report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    add_gold(parser)
    add_alignments_to_score(parser)
    parser.add_argument(
        "--model",
        metavar="DIR",
        help="the model that made them: which of its rewrite models produced what",
    )
    parser.add_argument(
        "--examples",
        type=at_least(0),
        default=3,
        metavar="N",
        help="of each kind of error (default: 3)",
    )
    add_ignore(parser)
    add_seed(parser, "of the examples and the bootstrap")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Count the errors of each kind and print a table with examples, or JSON."""
    gold = read_command_pairs(options, options.gold)
    alignments = read_alignments(options, options.gold, gold, options.format)
    components = None
    if options.model:
        aligner = Aligner.load(options.model)
        components = component_links(aligner.model, aligner.settings, gold)
    with naming_both(options.gold, options.alignments):
        report = error_report(
            gold,
            alignments,
            options.ignore,
            examples=options.examples,
            seed=options.seed,
            components=components,
        )
    if options.json:
        print_json(report.as_dict())
    else:
        print_result(report.table())
