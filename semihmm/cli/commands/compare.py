"""Runs ``semihmm compare``."""

from __future__ import annotations

import click

from corpus_tools.errors import SemiHmmError
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, OutputFile, command, option
from semihmm.cli.messages import say, write_result
from semihmm.cli.reading import read_command_pairs
from semihmm.evaluation import comparison
from semihmm.evaluation.comparison import FORMATS, annotator_names, comparison_text
from semihmm.evaluation.systems import FAMILIES, choose_systems


@command("compare", "gold.jsonl --systems greedy,default")
@arguments.gold("pairs")
@option(
    "--systems",
    "systems or families of systems, as in greedy,hmm:document,default; "
    f"families: {', '.join(FAMILIES)} (default: all)",
    arguments.NAMES,
    metavar="NAMES",
)
@option("--annotators", "the same pairs with one annotator's links", InputFile(), several=True)
@arguments.number("--extract", "document sentences for each abstract sentence; 0: all", 3, name="K")
@arguments.ignore()
@arguments.seed()
@option("--format", "of the table", click.Choice(FORMATS), default="text")
@option("--json", "all figures, also those that the table leaves out", OutputFile())
def run_compare(options: Options) -> None:
    """Run and score all systems and print a table."""
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
        write_result(compared.as_dict(), options.json)
    write_result(comparison_text(compared, options.format))
    if failed := [row.name for row in compared.rows if row.failed]:
        raise SemiHmmError(f"systems that failed, as the table says: {', '.join(failed)}")
