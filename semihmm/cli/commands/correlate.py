"""Runs ``semihmm correlate``."""

from __future__ import annotations

import json

from corpus_tools.errors import BadUsage
from corpus_tools.meta_evaluation.comparisons import ALPHAS
from corpus_tools.meta_evaluation.correlations import LEVELS
from corpus_tools.meta_evaluation.meta_evaluation import correlate
from corpus_tools.meta_evaluation.ratings import read_judgements, read_scores
from corpus_tools.meta_evaluation.report_text import FORMATS, report_text
from corpus_tools.printable import printable
from corpus_tools.storage.files import replacing
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, argument, command, named, option
from semihmm.cli.reading import naming_both

DESCRIPTION = """
How well measures of summaries predict the judgements of people: Pearson's r, Spearman's rho and
Kendall's tau-b with 95 % bootstrap intervals over documents and systems, the t, p and R2 of the
linear regression, Williams' test between measures, recall and precision of significance decisions
(Lin and Hovy 2003, section 4.2), and R2 over alpha and N for measures aev-ALPHA-N (Soricut and
Brill 2004, Tables 1 to 6). Undefined values are shown as such and counted.
"""


@command("correlate", "scores.json judgements.jsonl", DESCRIPTION)
@argument(
    "scores",
    "what semihmm measure --json wrote, or JSON lines with id, system and, by the names of "
    "measures, a number or an object of recall, precision, f; a line without id is about a whole "
    "system",
    InputFile(),
    nargs=-1,
    required=True,
)
@argument(
    "human",
    "JSON lines with id, system and, by the names of judgements, numbers; a line without id judges "
    "a whole system",
    InputFile(),
)
@named("--level", LEVELS, default="system")
@option(
    "--significance",
    "the other tables too: the best measure against each other one, significance decisions, R2 of "
    "AEv",
)
@option(
    "--alpha",
    "levels of the significance decisions, which are then shown "
    f"(default: {','.join(f'{alpha:g}' for alpha in ALPHAS)})",
    arguments.Names(),
    metavar="A,...",
)
@arguments.seed()
@option(
    "--json",
    "all figures as JSON, also comparisons of every two measures and counts of decisions",
)
@named("--format", FORMATS, after=" (default: text)")
@arguments.output("the tables or the JSON")
def run(options: Options) -> None:
    """Correlate scores with judgements and print tables or JSON."""
    if options.json and options.format:
        raise BadUsage("--json and --format: choose one of them")
    alphas = _alphas(options)
    with replacing(options.output) as stream:
        scores = read_scores(options.scores)
        judgements = read_judgements(options.human)
        with naming_both(", ".join(options.scores), options.human):
            made = correlate(
                scores, judgements, level=options.level, alphas=alphas, seed=options.seed
            )
        if options.json:
            stream.write(json.dumps(made.as_dict(), indent=1) + "\n")
        else:
            shown = options.significance or options.alpha is not None
            stream.write(printable(report_text(made, options.format or "text", shown)) + "\n")


def _alphas(options: Options) -> tuple[float, ...]:
    if options.alpha is None:
        return ALPHAS
    if options.level != "system":
        raise BadUsage("--alpha is for the level system: decisions are about systems")
    try:
        return tuple(map(float, options.alpha))
    except ValueError:
        raise BadUsage(f"--alpha {','.join(options.alpha)}: expected numbers") from None
