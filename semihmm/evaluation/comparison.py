"""Compares systems as Table 4 of the paper does, on any corpus.

Every system trains on the same text and aligns it, and all are scored alike.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from corpus_tools.alignments.alignment import Alignment, unaligned_tokens
from corpus_tools.alignments.matching import match
from corpus_tools.errors import BadUsage, SemiHmmError, SemiHmmWarning, described
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.progress import bar, counted
from corpus_tools.scores.registry import SCORES
from corpus_tools.scores.scopes import SCOPES, scope_names
from corpus_tools.scores.score_report import Figures, ScoreReport, figures_as_dict, score
from corpus_tools.scores.significance import Figure, against_best
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.text_table import column_widths, latex_table, markdown_table, text_table
from semihmm.baselines.measuring import Measured, run_alone
from semihmm.baselines.system import System, package_versions
from semihmm.batches.units import AlignmentUnit, extract_unit, to_original
from semihmm.evaluation.annotators import (
    GOLD,
    Annotators,
    Kappa,
    check_texts,
    kappas,
    sure_alignments,
)
from semihmm.training.initial_model import warn_of_little_text

SOFT_SCORES = ("soft_precision", "recall", "soft_f")
"""The scores of Table 4. AER is beside them; the figures of all scores are in the JSON."""
COLUMNS = (*(SCORES[name].title for name in SOFT_SCORES), "95 %", SCORES["aer"].title, "p")
COST_COLUMNS = ("s", "MB", "not taken")
KAPPA_COLUMNS = ("sure", "sure and possible", "sure, outside the ignore list", "both, outside")
MEGABYTE = 2**20

Table = list[list[str]]
"""Rows of cells, as many as the first row has.

A row of a system that could not run has only two: name and reason.
"""


def table(comparison: Comparison) -> Table:
    """Return the rows of Table 4.

    A line of scopes, the head, then scores and cost of each system.
    """
    scopes = next(list(row.scores) for row in comparison.rows if row.scores)
    title = [""]
    for scope in scopes:
        title += [SCOPES[scope].title, *[""] * (len(COLUMNS) - 1)]
    head = ["System", *COLUMNS * len(scopes), *COST_COLUMNS]
    rows = [_cells(row, scopes) for row in comparison.rows]
    return [title + [""] * len(COST_COLUMNS), head, *rows]


def _cells(row: Row, scopes: Sequence[str]) -> list[str]:
    if row.reason:
        return [row.name, row.reason]
    scores = [cell for scope in scopes for cell in _score_cells(row, scope)]
    if row.cost is None:
        return [row.name, *scores, *[""] * len(COST_COLUMNS)]
    seconds, megabytes = f"{row.cost.seconds:.1f}", f"{row.cost.memory / MEGABYTE:.0f}"
    return [row.name, *scores, seconds, megabytes, str(row.not_taken or "")]


def _score_cells(row: Row, scope: str) -> list[str]:
    figures = row.scores[scope]
    p = row.p.get(scope)
    return [
        *(f"{figures[name].value:.3f}" for name in SOFT_SCORES),
        _interval(figures["soft_f"]),
        f"{figures['aer'].value:.3f}",
        "" if p is None else f"{p:.3f}",
    ]


def _interval(figure: Figure) -> str:
    return f"{figure.low:.3f}-{figure.high:.3f}".replace("0.", ".")


def kappa_table(kappas: Sequence[Kappa]) -> Table:
    """Return the agreement of every two annotators."""
    rows = [
        [" and ".join(names), *(f"{value:.3f}" for value in values)] for names, *values in kappas
    ]
    return [[""] * (len(KAPPA_COLUMNS) + 1), ["kappa", *KAPPA_COLUMNS], *rows]


def text(rows: Table) -> str:
    """Return columns for a terminal."""
    title, *body = rows
    return f"{_title(title, column_widths(body))}\n{text_table(body)}"


def _title(cells: list[str], widths: list[int]) -> str:
    """Put each cell that is not empty where its column begins; it may be wider than the column."""
    line = ""
    for column, cell in enumerate(cells):
        start = sum(widths[:column]) + 2 * column
        line = line.ljust(start) + cell if cell else line
    return line


FORMATS: dict[str, Callable[[Table], str]] = {
    "text": text,
    "markdown": markdown_table,
    "latex": latex_table,
}


def comparison_text(comparison: Comparison, format: str) -> str:
    """Return the table, the agreement of annotators and the signature.

    ``format``  a name in ``FORMATS``.
    """
    tables = [table(comparison)]
    if comparison.kappas:
        tables.append(kappa_table(comparison.kappas))
    return "\n\n".join([*map(FORMATS[format], tables), comparison.signature])


RunSystem = Callable[[System, Sequence[Pair]], Measured]
"""Runs a system on pairs, as ``measuring.run_alone`` does."""


@dataclass(frozen=True)
class Cost:
    """What a run cost: wall-clock seconds and the peak of resident memory in bytes."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Aligned:
    """The alignments of a system.

    ``alignments``  by id, with offsets into the original documents.
    ``not_taken``   how many pairs the system could not take: they have no links.
    """

    name: str
    alignments: dict[str, Alignment]
    cost: Cost
    not_taken: int


@dataclass(frozen=True)
class Failed:
    """A system that has no alignments, and why.

    ``name``     of the system, or of its family if that is not installed.
    ``missing``  whether it is not installed; otherwise its run went wrong.
    """

    name: str
    reason: str
    missing: bool = False


class SystemRunner:
    """Runs systems on one corpus. A part that two systems share runs once."""

    def __init__(self, pairs: Sequence[Pair], extract: int, run: RunSystem) -> None:
        """Cut the documents down.

        ``extract``  document sentences for each abstract sentence that the systems see; 0: all.
        """
        self._units = [
            extract_unit(pair, extract if can_be_aligned(pair) else 0)
            for pair in counted(pairs, "extracts")
        ]
        self._pairs = [unit.pair for unit in self._units]
        self._run = run
        self._measured: dict[str, Measured] = {}

    def run(self, system: System) -> Aligned | Failed:
        """Run all parts of a system that have not run yet, and combine them."""
        missing = system.missing()
        if missing:
            return Failed(system.name.partition(":")[0], missing, missing=True)
        try:
            parts = [self._run_once(part) for part in system.parts]
            whole = system.combined(self._pairs, [part.run for part in parts])
            alignments = {
                unit.original.id: _on_document(alignment, unit)
                for alignment, unit in zip(whole.alignments, self._units, strict=True)
            }
            match([unit.original for unit in self._units], alignments)
        except Exception as error:  # of programs that others wrote: of whatever kind
            reason = str(error) if isinstance(error, SemiHmmError) else described(error)
            return Failed(system.name, reason)
        cost = Cost(sum(part.seconds for part in parts), max(part.memory for part in parts))
        return Aligned(system.name, alignments, cost, whole.not_taken)

    def _run_once(self, system: System) -> Measured:
        if system.name not in self._measured:
            self._compile(system)
            self._measured[system.name] = self._run(system, self._pairs)
        return self._measured[system.name]

    def _compile(self, system: System) -> None:
        """Let a system compile its kernels on one pair, so that no other run is slower for it."""
        if not system.compiles:
            return
        pair = next(filter(can_be_aligned, self._pairs), None)
        if pair is not None:
            with suppress(Exception), warnings.catch_warnings():  # the run that is measured tells
                warnings.simplefilter("ignore", SemiHmmWarning)
                self._run(system, [pair])


def _on_document(alignment: Alignment, unit: AlignmentUnit) -> Alignment:
    """Return the alignment of the original pair, whose document has more words than the extract."""
    pair = unit.original
    phrases = sorted(phrase for link in alignment.phrases for phrase in to_original(link, unit))
    null = unaligned_tokens(phrases, len(pair.abstract))
    return Alignment(pair.id, tuple(phrases), null).made_from(pair)


@dataclass(frozen=True)
class Row:
    """One row of the table.

    ``scores``     by scope and name, as in ``ScoreReport``; empty if there are none.
    ``p``          by scope, from the paired bootstrap test against the best system; none for the
                   best system and for annotators.
    ``cost``       ``None`` for annotators and for systems without alignments.
    ``not_taken``  pairs that the system could not take: scored as aligned to nothing.
    ``reason``     why there are no scores.
    ``failed``     whether they are missing because the run went wrong; otherwise the system is not
                   installed.
    """

    name: str
    scores: Mapping[str, Mapping[str, Figure]]
    p: Mapping[str, float]
    cost: Cost | None = None
    not_taken: int = 0
    reason: str | None = None
    failed: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the row for JSON."""
        return {
            "name": self.name,
            "p": self.p,
            "seconds": self.cost.seconds if self.cost else None,
            "memory": self.cost.memory if self.cost else None,
            "not_taken": self.not_taken,
            "reason": self.reason,
            "scores": figures_as_dict(self.scores),
        }


@dataclass(frozen=True)
class Comparison:
    """The rows, annotators first, the agreement of annotators, and how it was all computed."""

    rows: list[Row]
    kappas: list[Kappa]
    signature: str

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison for JSON."""
        return {
            "signature": self.signature,
            "rows": [row.as_dict() for row in self.rows],
            "kappas": [kappa._asdict() for kappa in self.kappas],
        }


def compare(
    pairs: Sequence[Pair],
    systems: Sequence[System],
    annotators: Annotators,
    *,
    ignore: str = "default",
    extract: int = 3,
    seed: int = 0,
    report: Callable[[str], None] = lambda message: None,
    run: RunSystem = run_alone,
) -> Comparison:
    """Run and score the systems on pairs with hand alignments.

    ``extract``  document sentences for each abstract sentence that the systems see; 0: all
                 (section 5.1).
    ``report``   takes a message about each row.
    ``run``      runs one system.

    A system that cannot run, or fails, has a row that says why. Raises ``BadData`` if a pair has no
    hand alignment or the annotators' texts are others, ``BadUsage`` if there is nothing to show: no
    system could be run, and there are no annotators.
    """
    for pair in pairs:
        pair.sure_links()  # raises before anything runs
    for name, others in annotators.items():
        check_texts(pairs, others, name)
    warn_of_little_text(sum(len(pair.abstract) for pair in pairs))
    annotator_rows, annotator_reports = _annotator_rows(pairs, annotators, ignore, seed)
    runner = SystemRunner(pairs, extract, run)
    rows: dict[str, Row] = {}
    reports: dict[str, ScoreReport] = {}
    alignments: dict[str, dict[str, Alignment]] = {}
    for system in _with_bar(systems):
        outcome = runner.run(system)
        if isinstance(outcome, Failed):
            row = Row(outcome.name, {}, {}, reason=outcome.reason, failed=not outcome.missing)
        else:
            scored = score(pairs, outcome.alignments, ignore, seed=seed)
            row = Row(outcome.name, _shown(scored), {}, outcome.cost, outcome.not_taken)
            reports[row.name], alignments[row.name] = scored, outcome.alignments
        if row.name not in rows:
            report(_message(row))
        rows[row.name] = row
    every_report = [*reports.values(), *annotator_reports]
    if not every_report:
        raise BadUsage(_nothing_could_run(rows.values()))
    tested = _with_p_values(pairs, rows.values(), alignments, ignore, seed)
    signature = every_report[0].signature
    parts = [signature, f"extract {extract}", *package_versions()]
    return Comparison(annotator_rows + tested, kappas(annotators, ignore), " | ".join(parts))


def _with_bar(systems: Sequence[System]) -> Iterator[System]:
    """Yield the systems, with a bar that names the one that runs."""
    with bar("systems", len(systems), "systems") as shown:
        for system in systems:
            shown.set_postfix_str(system.name)
            yield system
            shown.update()


def _shown(report: ScoreReport) -> Figures:
    """Return the figures without those of the oracle null."""
    return {
        scope: figures for scope, figures in report.scores.items() if not SCOPES[scope].oracle_null
    }


def _message(row: Row) -> str:
    if row.cost is None:
        return f"{row.name}: {row.reason}"
    soft_f = row.scores["all_words"]["soft_f"]
    return f"{row.name}: SoftF {soft_f.value:.3f}, {row.cost.seconds:.1f} s"


def _nothing_could_run(rows: Iterable[Row]) -> str:
    reasons = dict.fromkeys(row.reason for row in rows if row.reason)
    return f"none of the systems could be run: {'; '.join(reasons)}"


def _with_p_values(
    pairs: Sequence[Pair],
    rows: Iterable[Row],
    alignments: Mapping[str, Mapping[str, Alignment]],
    ignore: str,
    seed: int,
) -> list[Row]:
    """Test every system with ``alignments``, by name, against the best in each scope."""
    scopes = scope_names(read_ignore_list(ignore), oracle_null=False) if alignments else []
    tests = {scope: against_best(pairs, alignments, scope, ignore, seed=seed) for scope in scopes}
    return [
        replace(row, p={scope: p[row.name] for scope, p in tests.items() if row.name in p})
        for row in rows
    ]


def _annotator_rows(
    pairs: Sequence[Pair], annotators: Annotators, ignore: str, seed: int
) -> tuple[list[Row], list[ScoreReport]]:
    """Score every annotator against every other one and against the gold."""
    rows = []
    reports = []
    references = {**annotators, GOLD: pairs}
    for name, own in annotators.items():
        for other, gold in references.items():
            if name != other:
                reports.append(score(gold, sure_alignments(own), ignore, seed=seed))
                rows.append(Row(f"human {name} / {other}", _shown(reports[-1]), {}))
    return rows, reports
