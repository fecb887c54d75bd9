"""Runs ``semihmm errors``."""

from __future__ import annotations

from semihmm.aligner import Aligner
from semihmm.cli import arguments
from semihmm.cli.command import Options, command
from semihmm.cli.messages import print_report
from semihmm.cli.reading import naming_both, read_alignments, read_command_pairs
from semihmm.decoding.align import component_links
from semihmm.evaluation.error_report import error_report


@command("errors", "gold.jsonl aligned.jsonl --model model")
@arguments.gold()
@arguments.alignments()
@arguments.format_of()
@arguments.model("the model that made them: which of its rewrite models produced what")
@arguments.number("--examples", "of each kind of error", 3)
@arguments.ignore()
@arguments.seed("of the examples and the bootstrap")
@arguments.json_figures()
def run(options: Options) -> None:
    """Count the errors of each kind and print a table with examples, or JSON."""
    gold = read_command_pairs(options, options.gold)
    alignments = read_alignments(options.gold, options.alignments, gold, options.format)
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
    print_report(report, options.json)
