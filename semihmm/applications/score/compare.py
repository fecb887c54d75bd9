"""Runs ``semihmm compare``, and prints the table of systems."""

import click

from corpus_tools.base.errors import SemiHmmError
from corpus_tools.base.resampling import shown_p
from corpus_tools.texts.text_table import TABLE_FORMATS, Table, written
from semihmm.applications.score import comparison
from semihmm.applications.score.annotators import annotator_names, kappa_table
from semihmm.applications.score.comparison import Comparison, Row
from semihmm.applications.score.score_report import SCORE_COLUMNS, scope_titles, score_cells
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
        name: reading.read_beside(options, file)
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


COST_COLUMNS = ("s", "MB", "not taken")

MEGABYTE = 2**20

COMPARISON_LEGEND = (
    "p: of the paired bootstrap test that the best system (by SoftF) is no better than this one; "
    "not taken: pairs that the system could not take, scored as aligned to nothing"
)
"""Explains the titles of columns."""

ANNOTATORS_LEGEND = (
    "A against B: the sure links of A as alignments, with the links of B as gold; gold: the links "
    "of GOLD"
)
"""Explains the rows of annotators."""


def table(comparison: Comparison) -> Table:
    """Return Table 4: scores in all scopes and cost of each system."""
    scopes = next(list(row.scores) for row in comparison.rows if row.scores)
    columns = (*SCORE_COLUMNS, "p")
    titles = ["", *scope_titles(scopes, len(columns)), *[""] * len(COST_COLUMNS)]
    head = ["System", *columns * len(scopes), *COST_COLUMNS]
    return Table([head, *map(_cells, comparison.rows)], groups=titles)


def _cells(row: Row) -> list[str]:
    if row.reason:
        return [row.name, row.reason]
    cells = [row.name]
    for scope, scores in zip(row.scores, score_cells(row.scores), strict=True):
        cells += [*scores, shown_p(row.p[scope]) if scope in row.p else ""]
    if row.seconds is None or row.memory is None:
        return cells + [""] * len(COST_COLUMNS)
    costs = f"{row.seconds:.1f}", f"{row.memory / MEGABYTE:.0f}", str(row.not_taken or "")
    return [*cells, *costs]


def comparison_text(comparison: Comparison, format: str) -> str:
    """Return the table, the agreement of annotators and the signature.

    ``format``  a name in ``text_table.TABLE_FORMATS``.
    """
    tables = [table(comparison)]
    if comparison.kappas:
        tables.append(kappa_table(comparison.kappas))
    has_annotators = any(row.report and row.seconds is None for row in comparison.rows)
    legends = [COMPARISON_LEGEND, ANNOTATORS_LEGEND] if has_annotators else [COMPARISON_LEGEND]
    notes = (Table(notes=[note]) for note in (*legends, comparison.signature))
    return written([*tables, *notes], format)
