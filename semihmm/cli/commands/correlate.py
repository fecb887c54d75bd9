"""Runs ``semihmm correlate``."""

from __future__ import annotations

import click

from corpus_tools.meta_evaluation.correlations import ALPHAS, LEVELS
from corpus_tools.meta_evaluation.meta_evaluation import FORMATS, correlate, report_text
from corpus_tools.meta_evaluation.ratings import read_judgements, read_scores
from corpus_tools.plugins.options import listed
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, Value, command, option, refuse_unused
from semihmm.cli.messages import write_result
from semihmm.cli.reading import naming_both

DESCRIPTION = """
How well measures of summaries predict the judgements of people: Pearson's r, Spearman's rho and
Kendall's tau-b with 95 % bootstrap intervals over documents and systems, the t, p and R2 of the
linear regression, Williams' test between measures, recall and precision of significance decisions
(Lin and Hovy 2003, section 4.2), and R2 over alpha and N for measures aev-ALPHA-N (Soricut and
Brill 2004, Tables 1 to 6). Undefined values are shown as such and counted.
"""


def _read_numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split(",")))


@command("correlate", "scores.json judgements.jsonl", DESCRIPTION)
@click.argument(
    "scores",
    help="what semihmm measure --json wrote, or JSON lines with id, system and, by the names of "
    "measures, a number or an object of recall, precision, f; a line without id is about a whole "
    "system",
    type=InputFile(),
    nargs=-1,
    required=True,
)
@click.argument(
    "human",
    help="JSON lines with id, system and, by the names of judgements, numbers; a line without id "
    "judges a whole system",
    type=InputFile(),
)
@option("--level", listed(LEVELS), click.Choice(LEVELS), default="system", metavar="NAME")
@option(
    "--significance",
    "the other tables too: the best measure against each other one, significance decisions, R2 of "
    "AEv",
)
@option(
    "--alpha",
    "levels of the significance decisions, which are then shown "
    f"(default: {','.join(f'{alpha:g}' for alpha in ALPHAS)})",
    Value(_read_numbers),
    metavar="A,...",
)
@arguments.seed()
@option(
    "--json",
    "all figures as JSON, also comparisons of every two measures and counts of decisions",
)
@option("--format", "of the tables", click.Choice(FORMATS), default="text")
@arguments.output("the tables or the JSON")
def run_correlate(options: Options) -> None:
    """Correlate scores with judgements and print tables or JSON."""
    if options.json:
        refuse_unused(["format"], "JSON has one form")
    if options.level != "system":
        refuse_unused(["alpha"], "decisions are about systems")
    alphas = options.alpha or ALPHAS
    scores = read_scores(options.scores)
    judgements = read_judgements(options.human)
    with naming_both(", ".join(options.scores), options.human):
        made = correlate(scores, judgements, level=options.level, alphas=alphas, seed=options.seed)
    shown = options.significance or options.alpha is not None
    text = report_text(made, options.format, shown)
    write_result(made.as_dict() if options.json else text, options.output)
