"""Runs ``semihmm correlate``, which compares scores with judgements."""

import math
from collections.abc import Iterator, Mapping

import click

from corpus_tools.base.errors import number_of
from corpus_tools.base.resampling import shown_p
from corpus_tools.plugins import listed
from corpus_tools.texts.text_table import TABLE_FORMATS, Table, written
from semihmm.applications.measure.comparisons import SYSTEM_TESTS
from semihmm.applications.measure.correlations import CORRELATION_LEVELS, critical_correlation
from semihmm.applications.measure.drawn_correlations import COEFFICIENTS
from semihmm.applications.measure.meta_evaluation import JudgementResult, MetaEvaluation, correlate
from semihmm.applications.measure.ratings import RatingColumn, read_judgements, read_scores
from semihmm.cli import arguments
from semihmm.cli.command import InputFile, Options, command, option, refuse_unused
from semihmm.cli.messages import info, write_result
from semihmm.cli.reading import naming_both

UNDEFINED_FIGURE = "undefined"


REPORT_ALIGNMENT = "<<>"


def report_text(evaluation: MetaEvaluation, form: str, significance: bool = False) -> str:
    """Return the tables of correlations, one for each judgement, and the signatures.

    ``form``          a name in ``text_table.TABLE_FORMATS``.
    ``significance``  whether all other tables are shown too.
    """
    tables = []
    for name, judged in evaluation.judgements.items():
        tables.append(_correlation_table(evaluation.level, name, judged))
        if significance:
            for more_tables in (_comparison_tables, _decision_tables, _aev_tables):
                tables += more_tables(name, judged)
    notes = [evaluation.signature]
    notes += [f"{file}: {signature}" for file, signature in evaluation.score_signatures.items()]
    if evaluation.skipped:
        names = ", ".join(evaluation.skipped)
        notes.insert(0, f"judgements of whole systems, left out at the level of summaries: {names}")
    return written([*tables, Table(notes=notes)], form)


def _correlation_table(level: str, name: str, judged: JudgementResult) -> Table:
    head = ["measure", "figure"]
    for coefficient in COEFFICIENTS:
        head += [coefficient.capitalize(), "95 %"]
    by_level = {"system": ["t", "p", "R2", "systems"], "summary": ["documents", UNDEFINED_FIGURE]}
    table = [head + by_level.get(level, ["documents"])]
    for result in judged.correlations:
        row = [*result.column]
        if result.reason:
            if result.documents:
                table.append([*row, f"{UNDEFINED_FIGURE}: {result.reason}"])
            continue
        for figure in result.coefficients:
            row += [_number(figure.value), _interval(figure.interval)]
        if line := result.regression:
            row += [_number(line.t), shown_p(line.p), _number(line.r2), str(result.systems)]
        else:
            row.append(str(result.documents))
        if level == "summary":
            row.append(str(result.undefined_documents))
        table.append(row)
    counted = number_of(judged.systems, "system")
    if judged.documents:
        counted += f", {number_of(judged.documents, 'document')}"
    title = f"{name}: {CORRELATION_LEVELS[level]}; {counted}"
    return Table(table, title, _notes(level, judged), align=REPORT_ALIGNMENT)


def _notes(level: str, judged: JudgementResult) -> list[str]:
    """Return the notes below a table: the critical r, and what is undefined or missing."""
    scored = [result for result in judged.correlations if result.documents]
    empty = [str(result.column) for result in judged.correlations if not result.documents]
    reasons = [result.reason for result in scored if result.reason]
    missing = max((result.missing for result in scored), default=0)
    defined = [coefficient for row in scored if not row.reason for coefficient in row.coefficients]
    resamples = max((coefficient.undefined_resamples for coefficient in defined), default=0)
    systems = judged.systems
    whole = number_of(systems, "system")
    if judged.documents:
        whole = number_of(judged.documents * systems, "summary", "summaries")
    critical = critical_correlation(systems - 2)
    notes = {
        f"r of {systems} systems is significant (0.05, two sides) "
        f"from {critical:.3f} or -{critical:.3f}": level == "system" and systems > 2,
        "documents with fewer than three systems, or whose scores or judgements are all equal, "
        f"are {UNDEFINED_FIGURE} and left out of the mean": level == "summary",
        f"{len(reasons)} of {len(scored)} correlations are {UNDEFINED_FIGURE}": reasons,
        f"no score has a value: {', '.join(empty)}": empty,
        f"up to {missing} of {whole} lack a score or a judgement": missing,
        f"up to {resamples} resamples are undefined; intervals are of the others": resamples,
    }
    return _true_notes(notes)


def _true_notes(notes: Mapping[str, object]) -> list[str]:
    return [note for note, is_so in notes.items() if is_so]


def _comparison_tables(name: str, judged: JudgementResult) -> Iterator[Table]:
    """Yield the table of the best score against all others, if there are others."""
    defined = {
        result.column: result.pearson.value for result in judged.correlations if not result.reason
    }
    best = max(defined, key=defined.__getitem__, default=None)
    compared = [result for result in judged.comparisons if best in (result.first, result.second)]
    if not compared:
        return
    tests = ["Williams t", "df", "p"] if compared[0].williams else []
    rows = [["measure", "figure", "difference", "95 %", *tests]]
    defined_ones = [result for result in compared if not math.isnan(result.difference)]
    for result in defined_ones:
        other, sign = (result.second, 1) if result.first == best else (result.first, -1)
        low, high = sorted(sign * bound for bound in result.interval)
        row = [*other, _number(sign * result.difference), _interval((low, high))]
        if result.williams is not None:
            t, df, p = result.williams
            row += [_number(sign * t), str(df), shown_p(p)]
        rows.append(row)
    title = f"{name}: Pearson's r of {best}, which has the highest, less that of the others"
    undefined = len(compared) - len(defined_ones)
    notes = [f"{undefined} comparisons are {UNDEFINED_FIGURE}"] * bool(undefined)
    yield Table(rows, title, notes, align=REPORT_ALIGNMENT)


def _decision_tables(name: str, judged: JudgementResult) -> Iterator[Table]:
    """Yield a table for each test: a row for each score with a cell for each alpha."""
    scored = {result.column for result in judged.correlations if result.documents}
    for test, title in SYSTEM_TESTS.items():
        results = [
            result for result in judged.decisions if result.test == test and result.column in scored
        ]
        if not results:
            continue
        rows: dict[RatingColumn, list[str]] = {}
        for result in results:
            recall, precision = (_number(s, 2, "-") for s in (result.recall, result.precision))
            rows.setdefault(result.column, [*result.column]).append(f"{recall} / {precision}")
        alphas = [f"{result.alpha:g}" for result in results if result.column == results[0].column]
        opposite = max(result.hits - result.same_sign for result in results)
        undefined = max(result.undefined for result in results)
        tests = f"{undefined} of {results[0].pairs} tests"
        notes = {
            f"up to {number_of(opposite, 'hit')} of a score have the opposite sign": opposite,
            f"up to {tests} are {UNDEFINED_FIGURE} and count as not significant": undefined,
        }
        yield Table(
            [["measure", "figure", *alphas], *rows.values()],
            f"{name}: recall / precision of significant differences, {title}",
            _true_notes(notes),
            align=REPORT_ALIGNMENT,
        )


def _aev_tables(name: str, judged: JudgementResult) -> Iterator[Table]:
    for measures, table in judged.aev_r2.items():
        alphas = sorted({alpha for row in table.values() for alpha in row})
        rows = [["N / alpha", *(f"{alpha:g}" for alpha in alphas)]]
        for n, row in table.items():
            cells = ("" if alpha not in row else _number(100 * row[alpha], 2) for alpha in alphas)
            rows.append([str(n), *cells])
        variant = measures.removeprefix("aev")
        yield Table(rows, f"{name}: R2 of AEv(alpha, N){variant}, per cent", align=REPORT_ALIGNMENT)


def _number(value: float, digits: int = 3, undefined: str = UNDEFINED_FIGURE) -> str:
    return undefined if math.isnan(value) else f"{value:.{digits}f}"


def _interval(bounds: tuple[float, float]) -> str:
    low, high = bounds
    return "-" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]"


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
