"""Runs ``semihmm score``."""

from __future__ import annotations

from corpus_tools.scores.score_report import score
from corpus_tools.scores.soft_scores import SCORES
from semihmm.cli import arguments
from semihmm.cli.command import Options, command
from semihmm.cli.messages import print_report
from semihmm.cli.reading import naming_both, read_alignments, read_command_pairs


@command(
    "score",
    "gold.jsonl aligned.jsonl",
    f"Scores: {', '.join(score.title for score in SCORES.values())}.",
)
@arguments.gold()
@arguments.alignments()
@arguments.format_of()
@arguments.ignore()
@arguments.seed()
@arguments.json_figures()
def run(options: Options) -> None:
    """Score alignments and print a table or JSON."""
    gold = read_command_pairs(options, options.gold)
    alignments = read_alignments(options.gold, options.alignments, gold, options.format)
    with naming_both(options.gold, options.alignments):
        report = score(gold, alignments, options.ignore, seed=options.seed)
    print_report(report, options.json)
