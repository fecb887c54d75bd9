"""Runs ``semihmm score``."""

from __future__ import annotations

import argparse

from corpus_tools.scores.registry import SCORES
from corpus_tools.scores.score_report import score
from semihmm.cli.messages import print_json, print_result
from semihmm.cli.options import add_alignments_to_score, add_gold, add_ignore, add_json, add_seed
from semihmm.cli.reading import naming_both, read_alignments, read_command_pairs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the command has."""
    parser.description = f"Scores: {', '.join(score.title for score in SCORES.values())}."
    add_gold(parser)
    add_alignments_to_score(parser)
    add_ignore(parser)
    add_seed(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Score alignments and print a table or JSON."""
    gold = read_command_pairs(options, options.gold)
    alignments = read_alignments(options, options.gold, gold, options.format)
    with naming_both(options.gold, options.alignments):
        report = score(gold, alignments, options.ignore, seed=options.seed)
    if options.json:
        print_json(report.as_dict())
    else:
        print_result(report.table())
