"""Runs ``semihmm score`` and ``semihmm errors``."""

from __future__ import annotations

from corpus_tools.scores.score_report import score
from corpus_tools.scores.soft_scores import SCORES
from semihmm.cli import arguments
from semihmm.cli.command import Options, command, option
from semihmm.cli.messages import write_result
from semihmm.cli.reading import read_alignments, read_command_pairs


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
@option("--json", "all figures as JSON")
def run_score(options: Options) -> None:
    """Score alignments and print a table or JSON."""
    gold = read_command_pairs(options, options.gold)
    alignments = read_alignments(options.gold, options.alignments, gold, options.format)
    report = score(gold, alignments, options.ignore, seed=options.seed)
    write_result(report.as_dict() if options.json else report.table())


@command("errors", "gold.jsonl aligned.jsonl --model model")
@arguments.gold()
@arguments.alignments()
@arguments.format_of()
@arguments.model("the model that made them: which of its rewrite models produced what")
@arguments.number("--examples", "of each kind of error", 3)
@arguments.ignore()
@arguments.seed("of the examples and the bootstrap")
@option("--json", "all figures as JSON")
def run_errors(options: Options) -> None:
    """Count the errors of each kind and print a table with examples, or JSON."""
    # Imported here: the scores need no model.
    from semihmm.aligner import Aligner
    from semihmm.decoding import component_links
    from semihmm.evaluation.error_report import error_report

    gold = read_command_pairs(options, options.gold)
    alignments = read_alignments(options.gold, options.alignments, gold, options.format)
    components = None
    if options.model:
        aligner = Aligner.load(options.model)
        components = component_links(aligner.model, aligner.settings, gold)
    report = error_report(
        gold,
        alignments,
        options.ignore,
        examples=options.examples,
        seed=options.seed,
        components=components,
    )
    write_result(report.as_dict() if options.json else report.table())
