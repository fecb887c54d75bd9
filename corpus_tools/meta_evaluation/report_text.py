"""Shows a meta-evaluation as tables: for a terminal, in Markdown, in LaTeX."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from corpus_tools.errors import number_of
from corpus_tools.meta_evaluation.comparisons import TESTS, Decisions
from corpus_tools.meta_evaluation.correlations import COEFFICIENTS, LEVELS, critical_correlation
from corpus_tools.meta_evaluation.meta_evaluation import AevTable, MetaEvaluation, OfJudgement
from corpus_tools.meta_evaluation.ratings import Column
from corpus_tools.texts.text_table import in_latex, latex_table, markdown_table, text_table

UNDEFINED = "undefined"

Table = list[list[str]]
"""Rows of cells. A row with a reason instead of numbers has fewer cells than the head."""


class Part(NamedTuple):
    """A table with what stands above and below it."""

    title: str
    table: Table
    notes: Sequence[str] = ()


def report_text(made: MetaEvaluation, form: str, significance: bool = False) -> str:
    """Return the tables of correlations, one for each judgement, and the signatures.

    ``form``          a name in ``FORMATS``.
    ``significance``  whether all other tables are shown too.
    """
    parts = [
        part
        for name, judged in made.judgements.items()
        for part in _parts(made, name, judged, significance)
    ]
    last = [*_skipped(made), made.signature]
    last += [f"{file}: {signature}" for file, signature in made.score_signatures.items()]
    write = FORMATS[form]
    return "\n\n".join([*map(write, parts), write(Part("", [], last))])


def _parts(
    made: MetaEvaluation, name: str, judged: OfJudgement, significance: bool
) -> Iterator[Part]:
    counted = number_of(judged.systems, "system")
    if judged.documents:
        counted += f", {number_of(judged.documents, 'document')}"
    title = f"{name}: {LEVELS[made.level]}; {counted}"
    yield Part(title, list(_correlation_rows(made.level, judged)), list(_notes(made, judged)))
    if not significance:
        return
    best = judged.best()
    if best is not None and len(judged.correlations) > 1:
        yield _comparison_part(made.level, name, judged, best.column)
    yield from _decision_parts(name, judged)
    for measures, table in judged.aev.items():
        yield _aev_part(name, measures, table)


def _correlation_rows(level: str, judged: OfJudgement) -> Iterator[list[str]]:
    head = ["measure", "figure"]
    for name in COEFFICIENTS:
        head += [name.capitalize(), "95 %"]
    yield head + (["t", "p", "R2", "systems"] if level == "system" else ["documents", UNDEFINED])
    for correlation in judged.correlations:
        if correlation.reason:
            if correlation.documents:
                yield [*correlation.column, f"{UNDEFINED}: {correlation.reason}"]
            continue
        cells = [*correlation.column]
        for coefficient in correlation.coefficients.values():
            cells += [_number(coefficient.value), _interval(coefficient.low, coefficient.high)]
        test = correlation.regression
        if test is None:
            yield [*cells, str(correlation.documents), str(correlation.undefined_documents)]
        else:
            tested = [_number(test.t), _p(test.p), _number(test.r2), str(correlation.systems)]
            yield [*cells, *tested]


def _notes(made: MetaEvaluation, judged: OfJudgement) -> Iterator[str]:
    """Say what the numbers of the table leave out."""
    scored = [one for one in judged.correlations if one.documents]
    empty = [str(one.column) for one in judged.correlations if not one.documents]
    if made.level == "system" and judged.systems > 2:
        critical = critical_correlation(judged.systems - 2)
        yield (
            f"r of {judged.systems} systems is significant (0.05, two sides) "
            f"from {critical:.3f} or -{critical:.3f}"
        )
    if made.level == "summary":
        yield (
            "documents with fewer than three systems, or whose scores or judgements are all equal, "
            f"are {UNDEFINED} and left out of the mean"
        )
    undefined = sum(bool(one.reason) for one in scored)
    if undefined:
        yield f"{undefined} of {len(scored)} correlations are {UNDEFINED}"
    if empty:
        yield f"no score has a value: {', '.join(empty)}"
    missing = max((one.missing for one in scored), default=0)
    if missing:
        summaries = max(1, judged.documents) * judged.systems
        yield f"up to {missing} of {summaries} summaries lack a score or a judgement"
    defined = [one for row in scored if not row.reason for one in row.coefficients.values()]
    resamples = max((one.undefined for one in defined), default=0)
    if resamples:
        yield f"up to {resamples} resamples are {UNDEFINED}; intervals are of the others"


def _comparison_part(level: str, name: str, judged: OfJudgement, best: Column) -> Part:
    tests = ["Williams t", "df", "p"] if level == "system" else []
    rows = [["measure", "figure", "difference", "95 %", *tests]]
    against = judged.against(best)
    defined = [one for one in against if not math.isnan(one.difference.value)]
    for comparison in defined:
        value, low, high = comparison.difference
        cells = [*comparison.second, _number(value), _interval(low, high)]
        if comparison.williams is not None:
            t, df, p = comparison.williams
            cells += [_number(t), str(df), _p(p)]
        rows.append(cells)
    title = f"{name}: Pearson's r of {best}, which has the highest, less that of the others"
    undefined = len(against) - len(defined)
    return Part(title, rows, [f"{undefined} comparisons are {UNDEFINED}"] if undefined else [])


def _decision_parts(name: str, judged: OfJudgement) -> Iterator[Part]:
    """Yield a table for each test, and one more where requiring the same sign matters."""
    scored = {one.column for one in judged.correlations if one.documents}
    for test, title in TESTS.items():
        rows = {
            column: [one for one in made if one.test == test]
            for column, made in judged.decisions.items()
            if column in scored
        }
        if not rows:
            continue
        every = [one for made in rows.values() for one in made]
        opposite = {column: made for column, made in rows.items() if any(map(_opposite_hits, made))}
        undefined = max(one.undefined for one in every)
        notes = [] if opposite else ["all hits have the same sign"]
        if undefined:
            notes.append(
                f"up to {undefined} of {every[0].pairs} tests are {UNDEFINED} "
                "and count as not significant"
            )
        what = f"{name}: recall / precision of significant differences, {title}"
        yield Part(what, _decision_rows(rows, same_sign=False), notes)
        if opposite:
            signed = f"{what}, the same sign required (where that makes a difference)"
            yield Part(signed, _decision_rows(opposite, same_sign=True))


def _opposite_hits(made: Decisions) -> bool:
    return made.hits != made.same_sign


def _decision_rows(rows: dict[Column, list[Decisions]], same_sign: bool) -> Table:
    alphas = [f"{one.alpha:g}" for one in next(iter(rows.values()))]
    table = [["measure", "figure", *alphas]]
    for column, made in rows.items():
        table.append([*column, *(_shares(one, same_sign) for one in made)])
    return table


def _shares(agreed: Decisions, same_sign: bool) -> str:
    shares = (agreed.recall(same_sign), agreed.precision(same_sign))
    return " / ".join("-" if math.isnan(share) else f"{share:.2f}" for share in shares)


def _aev_part(name: str, measures: str, table: AevTable) -> Part:
    alphas = sorted({alpha for row in table.values() for alpha in row})
    rows = [["N / alpha", *(f"{alpha:g}" for alpha in alphas)]]
    for n, row in table.items():
        rows.append([str(n), *(_percent(row.get(alpha)) for alpha in alphas)])
    variant = measures.removeprefix("aev")
    return Part(f"{name}: R2 of AEv(alpha, N){variant}, per cent", rows)


def _percent(share: float | None) -> str:
    if share is None:
        return ""
    return UNDEFINED if math.isnan(share) else f"{100 * share:.2f}"


def _number(value: float) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.3f}"


def _interval(low: float, high: float) -> str:
    return "-" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]"


def _p(value: float) -> str:
    if math.isnan(value):
        return "-"
    return "<.001" if value < 0.001 else f"{value:.3f}"


def _skipped(made: MetaEvaluation) -> list[str]:
    if not made.skipped:
        return []
    return [f"of whole systems, left out at the level of summaries: {', '.join(made.skipped)}"]


def _text(part: Part) -> str:
    lines = [part.title] if part.title else []
    if part.table:
        lines.append(text_table(part.table, "<<>"))
    return "\n".join([*lines, *part.notes])


def _markdown(part: Part) -> str:
    blocks = [f"**{part.title}**"] if part.title else []
    if part.table:
        blocks.append(markdown_table(part.table))
    return "\n\n".join([*blocks, *part.notes])


def _latex(part: Part) -> str:
    lines = [in_latex(part.title) + "\n"] if part.title else []
    if part.table:
        lines.append(latex_table(part.table))
    return "\n".join([*lines, *(f"% {note}" for note in part.notes)])


FORMATS: dict[str, Callable[[Part], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
}
