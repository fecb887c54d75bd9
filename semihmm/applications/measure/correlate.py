"""Runs ``semihmm correlate``, which compares scores with judgements."""

import click

from corpus_tools.base.errors import number_of
from corpus_tools.plugins import listed
from corpus_tools.texts.text_table import TABLE_FORMATS
from semihmm.applications.measure.correlation_tables import report_text
from semihmm.applications.measure.correlations import CORRELATION_LEVELS
from semihmm.applications.measure.meta_evaluation import correlate
from semihmm.applications.measure.rating_files import read_judgements, read_scores
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import info, write_result
from semihmm.cli.reading import naming_both

FEW_SYSTEMS = 8
"""With fewer systems the interval of a correlation over systems says nothing."""


CORRELATE_DESCRIPTION = """
Show how well summary scores predict human judgements: Pearson's r, Spearman's rho and Kendall's
tau-b with 95 % bootstrap intervals over documents and systems; t, p and R2 of the linear
regression; Williams' test between measures; recall and precision of significance decisions (Lin
and Hovy 2003, section 4.2); R2 over alpha and N for measures aev-ALPHA-N (Soricut and Brill 2004,
Tables 1 to 6). Undefined values are marked and counted.
"""


@command("correlate", "scores.json judgements.jsonl", CORRELATE_DESCRIPTION)
@click.argument(
    "scores",
    help="output of semihmm measure --json, or JSON lines with id, system and measures by name: "
    "a number, or an object of recall, precision, f; a line without id is about a whole "
    "system",
    type=InputFile(),
    nargs=-1,
    required=True,
)
@click.argument(
    "human",
    help="JSON lines with id, system and judgements by name, which are numbers; a line without id "
    "is about a whole system",
    type=InputFile(),
)
@option(
    "--level",
    listed(CORRELATION_LEVELS),
    click.Choice(CORRELATION_LEVELS),
    default="system",
    metavar="NAME",
)
@option(
    "--significance",
    "print more tables: the best measure against each of the others, significance decisions, R2 of "
    "AEv",
)
@arguments.seed()
@option(
    "--json", "print all figures as JSON, with comparisons of all measures and counts of decisions"
)
@option("--format", "format of the tables", click.Choice(TABLE_FORMATS), default="text")
@arguments.output("the tables or the JSON")
def run_correlate(options: Options) -> None:
    """Correlate scores with judgements and print tables or JSON."""
    if options.json:
        refuse_unused(["format"], "--json prints no tables")
    scores = read_scores(options.scores)
    judgements = read_judgements(options.human)
    with naming_both(", ".join(options.scores), options.human):
        evaluation = correlate(scores, judgements, level=options.level, seed=options.seed)
    systems = min(
        (result.systems for result in evaluation.judgements.values()), default=FEW_SYSTEMS
    )
    if options.level == "system" and systems < FEW_SYSTEMS:
        info(
            f"there are only {number_of(systems, 'system')}: in many resamples two or three are "
            "left, so intervals reach up to [-1, 1]; --level all correlates the summaries"
        )
    text = report_text(evaluation, options.format, options.significance)
    write_result(evaluation.as_dict() if options.json else text, options.output)
