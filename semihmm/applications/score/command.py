"""Runs ``semihmm score``, ``errors`` and ``agreement``.

They start at once. Only ``semihmm errors --model`` imports what models need.
"""

import click

from corpus_tools.base.errors import BadUsage
from corpus_tools.base.files import write_json_lines
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import row_of
from corpus_tools.texts.text_table import TABLE_FORMATS
from semihmm.applications.score.agreement import agreement_text, agreements
from semihmm.applications.score.annotators import annotator_names, united
from semihmm.applications.score.score_report import score
from semihmm.applications.score.scores import SCORES
from semihmm.cli import arguments, reading
from semihmm.cli.command import InputFile, Options, OutputFile, command, option, refuse_unused
from semihmm.cli.messages import write_result


@command(
    "score",
    "gold.jsonl aligned.jsonl",
    f"Scores: {', '.join(score.title for score in SCORES.values())}.",
)
@arguments.gold
@arguments.alignments()
@arguments.format_of()
@arguments.ignore
@arguments.seed()
@option("--json", "print all figures as JSON")
def run_score(options: Options) -> None:
    """Score alignments and print a table or JSON."""
    gold, alignments = reading.read_decided(options)
    report = score(gold, alignments, options.ignore, seed=options.seed)
    write_result(report.as_dict() if options.json else report.table())


@command("errors", "gold.jsonl aligned.jsonl --model model")
@arguments.gold
@arguments.alignments()
@arguments.format_of()
@arguments.model("the model that made the alignments: shows the rewrite models of the links")
@arguments.number("--examples", "number of examples of each kind of error", 3)
@arguments.ignore
@arguments.seed("the examples and the bootstrap")
@option("--json", "print all figures as JSON")
def run_errors(options: Options) -> None:
    """Count the errors of each kind and print a table with examples, or JSON."""
    # Imported here: the scores need no model.
    from semihmm.aligner import Aligner
    from semihmm.applications.score.error_report import error_report
    from semihmm.model.expectations import component_links

    gold, alignments = reading.read_decided(options)
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


@command("agreement", "anna.jsonl ben.jsonl")
@click.argument(
    "files",
    metavar="FILE...",
    help="files of hand alignments, one for each annotator, as semihmm annotate writes them; two "
    "annotators are compared on the pairs that both have decided",
    type=InputFile(),
    nargs=-1,
    required=True,
)
@arguments.number("--examples", "number of examples of each kind of difference", 3)
@arguments.ignore
@arguments.seed("the examples and the bootstrap")
@option("--format", "format of the tables", click.Choice(TABLE_FORMATS), default="text")
@option("--json", "print all figures and all differences as JSON")
@option(
    "--union",
    "write the pairs that two or more annotators have decided, with the links of all of them; a "
    "link is sure if it is sure for one (section 5.2)",
    OutputFile(),
)
def run_agreement(options: Options) -> None:
    """Compare annotators and print tables or JSON."""
    if len(options.files) < 2:
        raise BadUsage("agreement needs two annotators or more: name their files")
    if options.json:
        refuse_unused(["format", "examples"], "--json prints no tables, but all differences")
    names = annotator_names(options.files)
    annotators = dict(zip(names, map(read_pairs, options.files), strict=True))
    compared = agreements(annotators, options.ignore, seed=options.seed)
    if options.union:
        write_json_lines(map(row_of, united(annotators)), options.union)
    if options.json:
        write_result({"agreements": [agreement.as_dict() for agreement in compared]})
        return
    write_result(agreement_text(compared, options.format, options.examples, options.seed))
