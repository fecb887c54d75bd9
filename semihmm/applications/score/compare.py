"""Runs ``semihmm compare``."""

import click

from corpus_tools.base.errors import SemiHmmError
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.text_table import TABLE_FORMATS
from semihmm.applications.score import comparison
from semihmm.applications.score.agreement import annotator_names
from semihmm.applications.score.comparison import comparison_text
from semihmm.applications.score.systems import SYSTEM_FAMILIES, choose_systems
from semihmm.cli import arguments, reading
from semihmm.cli.command import InputFile, Options, OutputFile, command, option
from semihmm.cli.messages import info, write_result
from semihmm.model.settings import preset

EXTRACTS = preset("default").extract_choice
"""How all commands choose extracts by default."""


@command("compare", "gold.jsonl --systems greedy,default")
@arguments.gold
@option(
    "--systems",
    "systems or families of systems, such as greedy,hmm:document,default; "
    f"families: {', '.join(SYSTEM_FAMILIES)} (default: all)",
    arguments.NAME_LIST,
    metavar="NAMES",
)
@option(
    "--annotators",
    "files of the same pairs, each with the links of one annotator; each annotator is scored "
    "against GOLD and against each other annotator",
    InputFile(),
    several=True,
)
@arguments.number(
    "--extract",
    "document sentences for each abstract sentence; 0: all; semi-HMMs ignore it: set theirs as in "
    '"default extract=3"',
    EXTRACTS.sentences,
    name="K",
)
@arguments.ignore
@arguments.seed()
@option("--format", "format of the table", click.Choice(TABLE_FORMATS), default="text")
@option("--json", "write all figures here, including those not in the table", OutputFile())
def run_compare(options: Options) -> None:
    """Run and score all systems and print a table."""
    chosen = choose_systems(SYSTEM_FAMILIES if options.systems is None else options.systems)
    pairs = reading.read_command_pairs(options)
    names = annotator_names(options.annotators)
    annotators = {
        name: read_pairs(file, options.tokenizer, language=options.language)
        for name, file in zip(names, options.annotators, strict=True)
    }
    compared = comparison.compare(
        pairs,
        chosen,
        annotators,
        ignore=options.ignore,
        extract=EXTRACTS._replace(sentences=options.extract),
        seed=options.seed,
        report=info,
    )
    if options.json:
        write_result(compared.as_dict(), options.json)
    write_result(comparison_text(compared, options.format))
    if failed := [row.name for row in compared.rows if row.failed]:
        raise SemiHmmError(f"systems that failed (the table says why): {', '.join(failed)}")
