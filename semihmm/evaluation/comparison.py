"""Compares systems as Table 4 of the paper does, on any corpus.

Every system trains on the same text and aligns it, and all are scored alike.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from corpus_tools.alignments.alignment import GOLD, Alignment, unaligned_tokens
from corpus_tools.errors import BadUsage, SemiHmmError, SemiHmmWarning, described
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.progress import bar, counted
from corpus_tools.scores.scopes import SCOPES
from corpus_tools.scores.score_report import (
    Figures,
    ScoreReport,
    figures_as_dict,
    score,
    without_oracle,
)
from corpus_tools.scores.significance import Figure, against_best
from corpus_tools.scores.soft_scores import SCORES
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.text_table import column_widths, latex_table, markdown_table, text_table
from semihmm.baselines.system import Measured, System, package_versions, run_alone
from semihmm.batches.units import AlignmentUnit, extract_unit, to_original
from semihmm.evaluation.annotators import Annotators, Kappa, check_texts, kappas, sure_alignments
from semihmm.training.initial_model import warn_of_little_text

RunSystem = Callable[[System, Sequence[Pair]], Measured]
"""Runs a system on pairs, as ``run_alone`` does."""


@dataclass
class Row:
    """One row of the table.

    ``scores``     by scope and name, as in ``ScoreReport``, without those of the oracle null; empty
                   if there are none.
    ``p``          by scope, from the paired bootstrap test against the best system; none for the
                   best system and for annotators.
    ``seconds``    wall-clock; ``None`` for annotators and for systems without alignments.
    ``memory``     the peak of resident memory in bytes; ``None`` as ``seconds``.
    ``not_taken``  pairs that the system could not take: scored as aligned to nothing.
    ``reason``     why there are no scores.
    ``failed``     whether they are missing because the run went wrong; otherwise the system is not
                   installed.
    """

    name: str
    scores: Figures = field(default_factory=dict)
    p: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None
    memory: int | None = None
    not_taken: int = 0
    reason: str | None = None
    failed: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the row for JSON."""
        names = ("name", "p", "seconds", "memory", "not_taken", "reason")
        row = {name: getattr(self, name) for name in names}
        return row | {"scores": figures_as_dict(self.scores)}


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
    # What is wrong with the data is said before anything runs.
    read_ignore_list(ignore)
    for pair in pairs:
        pair.sure_links()
    for name, others in annotators.items():
        check_texts(pairs, others, name)
    warn_of_little_text(sum(len(pair.abstract) for pair in pairs))
    scored = partial(score, ignore=ignore, seed=seed)
    references = {**annotators, GOLD: pairs}
    of_annotators = {
        f"human {name} / {other}": scored(references[other], sure_alignments(annotators[name]))
        for name, other in product(annotators, references)
        if name != other
    }
    runner = SystemRunner(pairs, scored, extract, run)
    rows: dict[str, Row] = {}
    for system in _with_bar(systems):
        row = runner.row(system)
        if row.name not in rows:
            report(_message(row))
        rows[row.name] = row
    reports = [*runner.reports, *of_annotators.values()]
    if not reports:
        reasons = dict.fromkeys(row.reason for row in rows.values() if row.reason)
        raise BadUsage(f"none of the systems could be run: {'; '.join(reasons)}")
    if runner.alignments:
        for scope in without_oracle(reports[0].scores):
            p_values = against_best(pairs, runner.alignments, scope, ignore, seed=seed)
            for name, p in p_values.items():
                rows[name].p[scope] = p
    annotator_rows = [Row(name, without_oracle(one.scores)) for name, one in of_annotators.items()]
    signature = " | ".join([reports[0].signature, f"extract {extract}", *package_versions()])
    return Comparison([*annotator_rows, *rows.values()], kappas(annotators, ignore), signature)


def _with_bar(systems: Sequence[System]) -> Iterator[System]:
    """Yield the systems, with a bar that names the one that runs."""
    with bar("systems", len(systems), "systems") as shown:
        for system in systems:
            shown.set_postfix_str(system.name)
            yield system
            shown.update()


def _message(row: Row) -> str:
    if row.reason:
        return f"{row.name}: {row.reason}"
    soft_f = row.scores["all_words"]["soft_f"]
    return f"{row.name}: SoftF {soft_f.value:.3f}, {row.seconds:.1f} s"


class SystemRunner:
    """Runs and scores systems on one corpus. A part that two systems share runs once.

    ``reports``     of all systems that could be run.
    ``alignments``  by the name of the system.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        scored: Callable[[Sequence[Pair], list[Alignment]], ScoreReport],
        extract: int,
        run: RunSystem,
    ) -> None:
        """Cut the documents down.

        ``scored``   scores the alignments of pairs.
        ``extract``  document sentences for each abstract sentence that the systems see; 0: all.
        """
        self.reports: list[ScoreReport] = []
        self.alignments: dict[str, list[Alignment]] = {}
        self._whole_pairs = pairs
        self._units = [extract_unit(pair, extract) for pair in counted(pairs, "extracts")]
        self._pairs = [unit.pair for unit in self._units]
        self._scored = scored
        self._run = run
        self._measured: dict[str, Measured] = {}

    def row(self, system: System) -> Row:
        """Run all parts of a system that have not run yet, combine them, and score the result."""
        if missing := system.missing():
            # One row says it for the whole family.
            return Row(system.name.partition(":")[0], reason=missing)
        try:
            parts = [self._run_once(part) for part in system.parts]
            whole = system.combined(self._pairs, [part.run for part in parts])
            aligned = zip(whole.alignments, self._units, strict=True)
            alignments = [_on_document(alignment, unit) for alignment, unit in aligned]
            report = self._scored(self._whole_pairs, alignments)
        except Exception as error:  # of programs that others wrote: of whatever kind
            reason = str(error) if isinstance(error, SemiHmmError) else described(error)
            return Row(system.name, reason=reason, failed=True)
        self.reports.append(report)
        self.alignments[system.name] = alignments
        return Row(
            system.name,
            without_oracle(report.scores),
            seconds=sum(part.seconds for part in parts),
            memory=max(part.memory for part in parts),
            not_taken=whole.not_taken,
        )

    def _run_once(self, system: System) -> Measured:
        if system.name not in self._measured:
            if system.compiles:
                # On one pair, so that the run that is measured is not slower for it. That run also
                # tells what goes wrong.
                with suppress(Exception), warnings.catch_warnings():
                    warnings.simplefilter("ignore", SemiHmmWarning)
                    self._run(system, [pair for pair in self._pairs if can_be_aligned(pair)][:1])
            self._measured[system.name] = self._run(system, self._pairs)
        return self._measured[system.name]


def _on_document(alignment: Alignment, unit: AlignmentUnit) -> Alignment:
    """Return the alignment of the original pair, whose document has more words than the extract."""
    pair = unit.original
    phrases = sorted(phrase for link in alignment.phrases for phrase in to_original(link, unit))
    return Alignment(pair.id, tuple(phrases), unaligned_tokens(phrases, len(pair.abstract)))


# The table

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
    return [title + [""] * len(COST_COLUMNS), head, *map(_cells, comparison.rows)]


def _cells(row: Row) -> list[str]:
    if row.reason:
        return [row.name, row.reason]
    cells = [row.name]
    for scope, figures in row.scores.items():
        cells += [f"{figures[name].value:.3f}" for name in SOFT_SCORES]
        cells += [_interval(figures["soft_f"]), f"{figures['aer'].value:.3f}"]
        cells.append(f"{row.p[scope]:.3f}" if scope in row.p else "")
    if row.seconds is None or row.memory is None:
        return cells + [""] * len(COST_COLUMNS)
    costs = f"{row.seconds:.1f}", f"{row.memory / MEGABYTE:.0f}", str(row.not_taken or "")
    return [*cells, *costs]


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
