"""Computes how well measures of summaries predict people's judgements, and prints the result.

Lin and Hovy (2003), section 4; Lin (2004), section 6; Soricut and Brill (2004), section 4.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from corpus_tools.base.errors import BadData, BadUsage, choose, installed_version, number_of
from corpus_tools.base.progress import counted
from corpus_tools.base.resampling import shown_p
from corpus_tools.texts.text_table import Table, written
from semihmm.applications.measure import correlations, ratings
from semihmm.applications.measure.correlations import (
    CORRELATION_LEVELS,
    SIGNIFICANCE_LEVELS,
    Comparison,
    Correlation,
)
from semihmm.applications.measure.evaluation import Evaluation
from semihmm.applications.measure.ratings import RatingColumn, Ratings

Records = Iterable[Mapping[str, object]]
"""``{"id", "system", NAME: number or {SIDE: number}, ...}``, as a line of a file holds them."""

AEV_NAME = re.compile(r"aev-(?P<alpha>(?:\d*+\.)?\d++)-(?P<n>\d+)(?P<rest>.*)")
"""The name of the measure AEv(alpha, N); the rest is the name of a file, if several have it."""

AEV_SIDES = (f"f {ratings.POOLED_SIDE}", "f", "")
"""The sides of a figure that may be AEv, the preferred one first.

AEv lies between precision and recall, so it is F, or the only number. The paper computes it from
counts that are summed over all texts of a system.
"""

AevTable = dict[int, dict[float, float]]
"""R2 by N, the highest first as in the paper, and alpha; NaN where it is undefined."""


class JudgementResult(NamedTuple):
    """How well all scores predict one judgement.

    ``documents``, ``systems``  how many have a score and a judgement; 0 documents if both are for
                                whole systems.
    ``of_whole_systems``        whether the judgement is for whole systems.
    ``correlations``            one for each score.
    ``comparisons``             one for each two scores.
    ``decisions``               one for each score, test and alpha; none at the levels ``summary``
                                and ``all``, and none if the judgement or the score is for whole
                                systems.
    ``aev_r2``                  tables of R2 over alpha and N; empty without AEv measures.
    """

    documents: int
    systems: int
    of_whole_systems: bool
    correlations: list[Correlation]
    comparisons: list[Comparison]
    decisions: list[correlations.Decisions]
    aev_r2: dict[str, AevTable]


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """How well scores predict judgements.

    ``signature``         the program's version and the settings, in one line.
    ``score_signatures``  the signatures of the programs that computed the scores, by file.
    ``level``             a name in ``correlations.CORRELATION_LEVELS``.
    ``judgements``        the results by the name of the judgement.
    ``skipped``           the names of judgements of whole systems, which have no result at the
                          levels ``summary`` and ``all``.
    """

    signature: str
    score_signatures: dict[str, str]
    level: str
    judgements: dict[str, JudgementResult]
    skipped: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON. Undefined and infinite numbers are null."""
        every = [result for judged in self.judgements.values() for result in judged.correlations]
        return {
            "signature": self.signature,
            "scores": self.score_signatures,
            "level": self.level,
            "undefined": sum(bool(one.reason) for one in every),
            "skipped": self.skipped,
            "judgements": _plain(self.judgements),
        }


def _plain(value: Any) -> Any:
    """Return a value for JSON: named tuples become objects, undefined numbers null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, RatingColumn):
        return {"measure": value.name, "figure": value.side}
    if hasattr(value, "_asdict"):
        value = value._asdict()
        if "column" in value:
            value = {**_plain(value.pop("column")), **value}
    if isinstance(value, dict):
        names = [key if isinstance(key, str) else f"{key:g}" for key in value]
        return dict(zip(names, map(_plain, value.values()), strict=True))
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def correlate(
    scores: Evaluation | Ratings | Records,
    judgements: Ratings | Records,
    *,
    level: str = "system",
    alphas: Sequence[float] = SIGNIFICANCE_LEVELS,
    resamples: int = 1000,
    seed: int = 0,
) -> MetaEvaluation:
    """Correlate all scores with all judgements of the same summaries or systems.

    ``scores``      the result of ``measure`` or ``read_scores``, or records.
    ``judgements``  the result of ``read_judgements``, or records whose values are numbers.
    ``level``       ``system`` correlates the systems' means over documents. ``summary`` correlates
                    the summaries of each document, and takes the mean of the documents. ``all``
                    correlates all summaries together.
    ``alphas``      the levels of the significance decisions.
    ``resamples``   the number of bootstrap resamples over documents and systems.
    ``seed``        the seed of the bootstrap.

    Raises ``BadUsage`` for an unknown level, an alpha outside ]0, 1[ or no resamples; ``BadData``
    for wrong records, and if scores and judgements have no summary and no system in common.
    """
    choose("level", level, CORRELATION_LEVELS)
    for alpha in alphas:
        if not 0 < alpha < 1:
            raise BadUsage(f"a level of significance is between 0 and 1, not {alpha}")
    if resamples < 1:
        raise BadUsage(f"the bootstrap needs at least 1 resample, not {resamples}")
    if isinstance(scores, Evaluation):
        scores = ratings.ratings_of_report(scores.as_dict(), "scores")
    elif not isinstance(scores, Ratings):
        scores = Ratings.of_records(scores)
    if not isinstance(judgements, Ratings):
        judgements = Ratings.of_records(judgements, "judgement")
    judged, skipped = {}, []
    for name, panel in ratings.panels(scores, judgements).items():
        if level != "system" and panel.whole:
            skipped.append(str(name))
        else:
            judged[str(name)] = _judgement_result(panel, level, alphas, resamples, seed)
    if not judged:
        raise BadData("all judgements are about whole systems: summaries cannot be compared")
    signature = _signature(list(judged.values()), level, resamples, seed)
    return MetaEvaluation(signature, dict(scores.signatures), level, judged, skipped)


def _judgement_result(
    panel: ratings.Panel, level: str, alphas: Sequence[float], resamples: int, seed: int
) -> JudgementResult:
    # All scores get the same draws, so that their differences have intervals.
    draws = correlations.draw(panel, resamples, seed)
    made, resampled = [], {}
    for column in counted(panel.scores, "correlations", unit="measures"):
        if level == "system" or column not in panel.whole_scores:
            one, resampled[column] = correlations.correlate_column(panel, column, level, draws)
            made.append(one)
    # A test of two systems needs a value for each document.
    tested = [column for column in panel.scores if column not in panel.whole_scores]
    if level != "system" or panel.whole:
        tested = []
    return JudgementResult(
        documents=sum(document is not None for document in panel.documents),
        systems=len(panel.systems),
        of_whole_systems=panel.whole,
        correlations=made,
        comparisons=correlations.compare_columns(panel, made, resampled, level),
        decisions=[
            one for column in tested for one in correlations.decisions(panel, column, alphas)
        ],
        aev_r2=aev_tables({one.column: one.regression.r2 for one in made if one.regression}),
    )


def _signature(judged: Sequence[JudgementResult], level: str, resamples: int, seed: int) -> str:
    documents = "+".join(dict.fromkeys(str(one.documents) for one in judged))
    systems = "+".join(dict.fromkeys(str(one.systems) for one in judged))
    return (
        f"semihmm {installed_version()} | level {level} | documents {documents} | "
        f"systems {systems} | bootstrap of both {resamples} seed {seed}"
    )


# R2 over alpha and N (Soricut and Brill 2004, Tables 1 to 6)


def aev_tables(r2: Mapping[RatingColumn, float]) -> dict[str, AevTable]:
    """Return the tables of R2 of the measures that are named ``aev-ALPHA-N``.

    ``r2``  the coefficient of determination by column; other measures are left out.

    The name of a table is ``aev`` and the rest of the measures' names after N.
    """
    tables: dict[str, AevTable] = {}
    for side in AEV_SIDES:
        for column, value in r2.items():
            if column.side == side and (match := AEV_NAME.fullmatch(column.name)):
                rows = tables.setdefault(f"aev{match['rest']}", {})
                rows.setdefault(int(match["n"]), {}).setdefault(float(match["alpha"]), value)
    return {
        name: {n: dict(sorted(rows[n].items())) for n in sorted(rows, reverse=True)}
        for name, rows in tables.items()
    }


# Tables: for a terminal, in Markdown, in LaTeX

UNDEFINED_FIGURE = "undefined"
REPORT_ALIGNMENT = "<<>"


def report_text(made: MetaEvaluation, form: str, significance: bool = False) -> str:
    """Return the tables of correlations, one for each judgement, and the signatures.

    ``form``          a name in ``text_table.TABLE_FORMATS``.
    ``significance``  whether all other tables are shown too.
    """
    tables = []
    for name, judged in made.judgements.items():
        tables.append(_correlation_table(made.level, name, judged))
        if significance:
            for more_tables in (_comparison_tables, _decision_tables, _aev_tables):
                tables += more_tables(name, judged)
    notes = [made.signature]
    notes += [f"{file}: {signature}" for file, signature in made.score_signatures.items()]
    if made.skipped:
        names = ", ".join(made.skipped)
        notes.insert(0, f"judgements of whole systems, left out at the level of summaries: {names}")
    return written([*tables, Table(notes=notes)], form)


def _correlation_table(level: str, name: str, judged: JudgementResult) -> Table:
    head = ["measure", "figure"]
    for coefficient in correlations.COEFFICIENTS:
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
    summaries = max(1, judged.documents) * systems
    critical = correlations.critical_correlation(systems - 2)
    notes = {
        f"r of {systems} systems is significant (0.05, two sides) "
        f"from {critical:.3f} or -{critical:.3f}": level == "system" and systems > 2,
        "documents with fewer than three systems, or whose scores or judgements are all equal, "
        f"are {UNDEFINED_FIGURE} and left out of the mean": level == "summary",
        f"{len(reasons)} of {len(scored)} correlations are {UNDEFINED_FIGURE}": reasons,
        f"no score has a value: {', '.join(empty)}": empty,
        f"up to {missing} of {summaries} summaries lack a score or a judgement": missing,
        f"up to {resamples} resamples are undefined; intervals are of the others": resamples,
    }
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
    shown = [result for result in compared if not math.isnan(result.difference)]
    for result in shown:
        other, sign = (result.second, 1) if result.first == best else (result.first, -1)
        low, high = sorted(sign * bound for bound in result.interval)
        row = [*other, _number(sign * result.difference), _interval((low, high))]
        if result.williams is not None:
            t, df, p = result.williams
            row += [_number(sign * t), str(df), shown_p(p)]
        rows.append(row)
    title = f"{name}: Pearson's r of {best}, which has the highest, less that of the others"
    undefined = len(compared) - len(shown)
    notes = [f"{undefined} comparisons are {UNDEFINED_FIGURE}"] * bool(undefined)
    yield Table(rows, title, notes, align=REPORT_ALIGNMENT)


def _decision_tables(name: str, judged: JudgementResult) -> Iterator[Table]:
    """Yield a table for each test, and another one if some hits have opposite signs."""
    scored = {result.column for result in judged.correlations if result.documents}
    for test, title in correlations.SYSTEM_TESTS.items():
        made = [one for one in judged.decisions if one.test == test and one.column in scored]
        if not made:
            continue
        opposite = {result.column for result in made if result.hits != result.same_sign}
        undefined = max(result.undefined for result in made)
        notes = [] if opposite else ["all hits have the same sign"]
        if undefined:
            some = f"up to {undefined} of {made[0].pairs} tests"
            notes.append(f"{some} are {UNDEFINED_FIGURE} and count as not significant")
        shown = f"{name}: recall / precision of significant differences, {title}"
        yield Table(
            _decision_rows(made, "recall", "precision"), shown, notes, align=REPORT_ALIGNMENT
        )
        if opposite:
            signed = f"{shown}, the same sign required (where that makes a difference)"
            others = [result for result in made if result.column in opposite]
            shares = "recall_same_sign", "precision_same_sign"
            yield Table(_decision_rows(others, *shares), signed, align=REPORT_ALIGNMENT)


def _decision_rows(made: Sequence[correlations.Decisions], *shares: str) -> list[list[str]]:
    """Return a row for each score with a cell for each alpha.

    ``shares``  the names of the fields of ``Decisions`` in a cell.
    """
    rows: dict[RatingColumn, list[str]] = {}
    for result in made:
        shown = (_number(getattr(result, share), 2, "-") for share in shares)
        rows.setdefault(result.column, [*result.column]).append(" / ".join(shown))
    alphas = [f"{result.alpha:g}" for result in made if result.column == made[0].column]
    return [["measure", "figure", *alphas], *rows.values()]


def _aev_tables(name: str, judged: JudgementResult) -> Iterator[Table]:
    for measures, table in judged.aev_r2.items():
        alphas = sorted({alpha for row in table.values() for alpha in row})
        rows = [["N / alpha", *(f"{alpha:g}" for alpha in alphas)]]
        for n, row in table.items():
            shown = ("" if alpha not in row else _number(100 * row[alpha], 2) for alpha in alphas)
            rows.append([str(n), *shown])
        variant = measures.removeprefix("aev")
        yield Table(rows, f"{name}: R2 of AEv(alpha, N){variant}, per cent", align=REPORT_ALIGNMENT)


def _number(value: float, digits: int = 3, undefined: str = UNDEFINED_FIGURE) -> str:
    return undefined if math.isnan(value) else f"{value:.{digits}f}"


def _interval(bounds: tuple[float, float]) -> str:
    low, high = bounds
    return "-" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]"
