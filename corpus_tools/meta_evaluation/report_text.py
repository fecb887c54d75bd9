"""Shows a meta-evaluation as tables: for a terminal, in Markdown, in LaTeX."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from corpus_tools.errors import number_of
from corpus_tools.meta_evaluation.comparisons import TESTS, Decisions
from corpus_tools.meta_evaluation.correlations import COEFFICIENTS, LEVELS, critical_correlation
from corpus_tools.meta_evaluation.meta_evaluation import MetaEvaluation, OfJudgement
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
    last = [made.signature]
    last += [f"{file}: {signature}" for file, signature in made.score_signatures.items()]
    if made.skipped:
        names = ", ".join(made.skipped)
        last.insert(0, f"of whole systems, left out at the level of summaries: {names}")
    write = FORMATS[form].write
    shown = []
    for name, judged in made.judgements.items():
        shown.append(write(_correlation_part(made, name, judged)))
        if significance:
            shown += map(write, _comparison_parts(made.level, name, judged))
            shown += map(write, _decision_parts(name, judged))
            shown += map(write, _aev_parts(name, judged))
    return "\n\n".join([*shown, write(Part("", [], last))])


def _correlation_part(made: MetaEvaluation, name: str, judged: OfJudgement) -> Part:
    counted = number_of(judged.systems, "system")
    if judged.documents:
        counted += f", {number_of(judged.documents, 'document')}"
    head = ["measure", "figure"]
    for coefficient in COEFFICIENTS:
        head += [coefficient.capitalize(), "95 %"]
    of_systems = made.level == "system"
    table = [head + (["t", "p", "R2", "systems"] if of_systems else ["documents", UNDEFINED])]
    for one in judged.correlations:
        if one.reason:
            if one.documents:
                table.append([*one.column, f"{UNDEFINED}: {one.reason}"])
            continue
        row = [*one.column]
        for value, bounds, *_ in one.coefficients:
            row += [_number(value), _interval(bounds)]
        if one.regression is None:
            row += [str(one.documents), str(one.undefined_documents)]
        else:
            t, _, p, r2 = one.regression
            row += [_number(t), _p(p), _number(r2), str(one.systems)]
        table.append(row)
    title = f"{name}: {LEVELS[made.level]}; {counted}"
    return Part(title, table, list(_notes(made, judged)))


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
    defined = [one for row in scored if not row.reason for one in row.coefficients]
    resamples = max((one.undefined_resamples for one in defined), default=0)
    if resamples:
        yield f"up to {resamples} resamples are {UNDEFINED}; intervals are of the others"


def _comparison_parts(level: str, name: str, judged: OfJudgement) -> Iterator[Part]:
    """Yield the table of the best score against all others, where there are others."""
    best = judged.best()
    if best is None or len(judged.correlations) < 2:
        return
    tests = ["Williams t", "df", "p"] if level == "system" else []
    rows = [["measure", "figure", "difference", "95 %", *tests]]
    undefined = 0
    for comparison in judged.against(best.column):
        if math.isnan(comparison.difference):
            undefined += 1
            continue
        row = [*comparison.second, _number(comparison.difference), _interval(comparison.interval)]
        if comparison.williams is not None:
            t, df, p = comparison.williams
            row += [_number(t), str(df), _p(p)]
        rows.append(row)
    title = f"{name}: Pearson's r of {best.column}, which has the highest, less that of the others"
    yield Part(title, rows, [f"{undefined} comparisons are {UNDEFINED}"] if undefined else [])


def _decision_parts(name: str, judged: OfJudgement) -> Iterator[Part]:
    """Yield a table for each test, and one more where requiring the same sign matters."""
    scored = {one.column for one in judged.correlations if one.documents}
    for test, title in TESTS.items():
        rows: dict[Column, list[Decisions]] = {}
        for one in judged.decisions:
            if one.test == test and one.column in scored:
                rows.setdefault(one.column, []).append(one)
        if not rows:
            continue
        every = [one for made in rows.values() for one in made]
        opposite = {
            column: made
            for column, made in rows.items()
            if any(one.hits != one.same_sign for one in made)
        }
        undefined = max(one.undefined for one in every)
        notes = [] if opposite else ["all hits have the same sign"]
        if undefined:
            notes.append(
                f"up to {undefined} of {every[0].pairs} tests are {UNDEFINED} "
                "and count as not significant"
            )
        what = f"{name}: recall / precision of significant differences, {title}"
        yield Part(what, _decision_rows(rows, ""), notes)
        if opposite:
            signed = f"{what}, the same sign required (where that makes a difference)"
            yield Part(signed, _decision_rows(opposite, "_same_sign"))


def _decision_rows(rows: dict[Column, list[Decisions]], which: str) -> Table:
    """Return the shares of all scores by level; ``which`` is the end of the fields' names."""
    alphas = [f"{one.alpha:g}" for one in next(iter(rows.values()))]
    table = [["measure", "figure", *alphas]]
    for column, made in rows.items():
        row = [*column]
        for one in made:
            shares = (getattr(one, f"recall{which}"), getattr(one, f"precision{which}"))
            row.append(" / ".join(_number(share, 2, "-") for share in shares))
        table.append(row)
    return table


def _aev_parts(name: str, judged: OfJudgement) -> Iterator[Part]:
    for measures, table in judged.aev_r2.items():
        alphas = sorted({alpha for row in table.values() for alpha in row})
        rows = [["N / alpha", *(f"{alpha:g}" for alpha in alphas)]]
        for n, row in table.items():
            rows.append([str(n), *(_percent(row.get(alpha)) for alpha in alphas)])
        variant = measures.removeprefix("aev")
        yield Part(f"{name}: R2 of AEv(alpha, N){variant}, per cent", rows)


def _percent(share: float | None) -> str:
    return "" if share is None else _number(100 * share, 2)


def _number(value: float, digits: int = 3, undefined: str = UNDEFINED) -> str:
    return undefined if math.isnan(value) else f"{value:.{digits}f}"


def _interval(bounds: tuple[float, float]) -> str:
    low, high = bounds
    return "-" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]"


def _p(value: float) -> str:
    return "<.001" if value < 0.001 else _number(value, 3, "-")


class Format(NamedTuple):
    """How tables are written, with what stands above and below them."""

    title: Callable[[str], str]
    table: Callable[[Table], str]
    note: str
    between: str

    def write(self, part: Part) -> str:
        """Write a table with its title and notes, each where there is one."""
        blocks = [self.title(part.title)] if part.title else []
        if part.table:
            blocks.append(self.table(part.table))
        return self.between.join([*blocks, *map(self.note.format, part.notes)])


def _latex_title(title: str) -> str:
    return in_latex(title) + "\n"


FORMATS = {
    "text": Format(str, partial(text_table, align="<<>"), "{}", "\n"),
    "markdown": Format("**{}**".format, markdown_table, "{}", "\n\n"),
    "latex": Format(_latex_title, latex_table, "% {}", "\n"),
}
