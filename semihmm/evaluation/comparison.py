"""Compares systems as Table 4 of the paper does, on any corpus, and annotators (section 2.2).

Every system trains on the same text and aligns it, and all are scored alike. Annotators are
compared with each other by their sure links, as alignments, and by kappa.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from typing import Any, NamedTuple

from corpus_tools.alignments.alignment import (
    GOLD,
    Alignment,
    from_word_links,
    match,
    unaligned_tokens,
)
from corpus_tools.errors import BadData, BadUsage, SemiHmmError, described
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.progress import counted
from corpus_tools.scores import (
    SCOPES,
    SCORES,
    Figure,
    Figures,
    ScoreReport,
    against_best,
    figures_as_dict,
    score,
    without_oracle,
)
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list
from corpus_tools.texts.text_table import column_widths, latex_table, markdown_table, text_table
from semihmm.baselines.system import Measured, System, package_versions, run_alone
from semihmm.batches.units import AlignmentUnit, extract_unit, to_original
from semihmm.training.em import warn_of_little_text

RunSystem = Callable[[System, Sequence[Pair]], Measured]
"""Runs a system on pairs, as ``run_alone`` does."""

Annotators = Mapping[str, Sequence[Pair]]
"""The pairs with each annotator's links, by the name of the annotator, which is not ``GOLD``."""


@dataclass
class Row:
    """One row of the table.

    ``report``     the scores; ``None`` if there are none.
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
    report: ScoreReport | None = None
    p: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None
    memory: int | None = None
    not_taken: int = 0
    reason: str | None = None
    failed: bool = False

    @property
    def scores(self) -> Figures:
        """Return the figures by scope and name, without those of the oracle null."""
        return without_oracle(self.report.scores) if self.report else {}

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
    people = [
        Row(f"human {name} / {other}", scored(references[other], sure_alignments(annotators[name])))
        for name, other in product(annotators, references)
        if name != other
    ]
    units = [extract_unit(pair, extract) for pair in counted(pairs, "extracts")]
    measured: dict[str, Measured] = {}
    rows: dict[str, Row] = {}
    for system in counted(systems, "systems", unit="systems"):
        row = _row(system, units, scored, run, measured)
        # A family that is not installed has one row.
        if row.name not in rows:
            report(_message(row))
        rows[row.name] = row
    reports = {name: row.report for name, row in rows.items() if row.report}
    for scope in next((row.scores for row in rows.values() if row.report), ()):
        for name, p in against_best(reports, scope).items():
            rows[name].p[scope] = p
    # Systems first: the files of annotators may name another tokenizer than the pairs do.
    scored_rows = [row.report for row in (*rows.values(), *people) if row.report]
    if not scored_rows:
        reasons = dict.fromkeys(row.reason for row in rows.values() if row.reason)
        raise BadUsage(f"none of the systems could be run: {'; '.join(reasons)}")
    signature = " | ".join([scored_rows[0].signature, f"extract {extract}", *package_versions()])
    return Comparison([*people, *rows.values()], kappas(annotators, ignore), signature)


def _message(row: Row) -> str:
    if row.reason:
        return f"{row.name}: {row.reason}"
    soft_f = row.scores["all_words"]["soft_f"]
    return f"{row.name}: SoftF {soft_f.value:.3f}, {row.seconds:.1f} s"


def _row(
    system: System,
    units: Sequence[AlignmentUnit],
    scored: Callable[[Sequence[Pair], list[Alignment]], ScoreReport],
    run: RunSystem,
    measured: dict[str, Measured],
) -> Row:
    """Run all parts of a system, combine them, and score the result.

    ``units``     the pairs with the extracts that the system sees.
    ``scored``    scores the alignments of pairs.
    ``measured``  the parts that ran for systems before, by name; new ones are added.
    """
    if missing := system.missing():
        # One row says it for the whole family.
        return Row(system.name.partition(":")[0], reason=missing)
    extracts = [unit.pair for unit in units]
    try:
        for part in system.parts:
            # Both heuristics join the same two directions, which take most of the time.
            if part.name not in measured:
                measured[part.name] = run(part, extracts)
        parts = [measured[part.name] for part in system.parts]
        whole = system.combined(extracts, [part.run for part in parts])
        alignments = list(map(_on_document, whole.alignments, units))
        report = scored([unit.original for unit in units], alignments)
    except Exception as error:  # of programs that others wrote: of whatever kind
        reason = str(error) if isinstance(error, SemiHmmError) else described(error)
        return Row(system.name, reason=reason, failed=True)
    return Row(
        system.name,
        report,
        seconds=sum(part.seconds for part in parts),
        memory=max(part.memory for part in parts),
        not_taken=whole.not_taken,
    )


def _on_document(alignment: Alignment, unit: AlignmentUnit) -> Alignment:
    """Return the alignment of the original pair, whose document has more words than the extract."""
    pair = unit.original
    phrases = sorted(phrase for link in alignment.phrases for phrase in to_original(link, unit))
    return Alignment(pair.id, tuple(phrases), unaligned_tokens(phrases, len(pair.abstract)))


# Annotators


class Kappa(NamedTuple):
    """The agreement of two annotators.

    ``sure``, ``possible``  on sure links, on sure and possible ones.
    ``..._outside``         the same on words outside the ignore list.
    """

    annotators: tuple[str, str]
    sure: float
    possible: float
    sure_outside: float
    possible_outside: float


def annotator_names(files: Sequence[str]) -> list[str]:
    """Return the names of files, with their directories if two names are equal.

    Raises ``BadUsage`` for a file that is given twice.
    """
    real = [os.path.realpath(file) for file in files]
    if len(set(real)) < len(real):
        raise BadUsage("the file of an annotator is given twice")
    names = [os.path.basename(file) for file in files]
    # An annotator has another name than the hand alignments of the pairs.
    return names if len({*names, GOLD}) > len(names) else real


def check_texts(pairs: Sequence[Pair], others: Sequence[Pair], name: str) -> None:
    """Raise ``BadData`` unless an annotator's pairs are the same texts, all with links."""
    try:
        match(pairs, sure_alignments(others))
    except BadData as error:
        raise BadData(f"annotator {name}: {error}") from None


def sure_alignments(pairs: Sequence[Pair]) -> list[Alignment]:
    """Return the sure links of the pairs as alignments, which know their texts."""
    return [
        from_word_links(pair.id, pair.sure_links(), len(pair.abstract)).made_from(pair)
        for pair in pairs
    ]


def kappas(annotators: Annotators, ignore: str) -> list[Kappa]:
    """Return the agreement of every two annotators."""
    every = [
        (links_of, ignored)
        for ignored in (frozenset[str](), read_ignore_list(ignore))
        for links_of in (Pair.sure_links, Pair.gold_links)
    ]
    return [
        Kappa((one, other), *(kappa(first, second, *which) for which in every))
        for (one, first), (other, second) in combinations(annotators.items(), 2)
    ]


def kappa(
    first: Sequence[Pair],
    second: Sequence[Pair],
    links_of: Callable[[Pair], AbstractSet[WordLink]],
    ignored: AbstractSet[str] = frozenset(),
) -> float:
    """Return Cohen's kappa of the word links that two annotators gave to the same pairs.

    Every document token with every abstract token of a pair is one decision, linked or not. With
    ``ignored``, abstract tokens on that list are no decisions, as in a ``Scope``. The value is 1.0
    where chance leaves no room to disagree: no decision at all, or both link nothing or everything.
    """
    others = {pair.id: pair for pair in second}
    decisions, differing = 0, 0
    one, other = 0, 0
    for pair in first:
        words = content_tokens(pair.abstract.tokens, ignored)
        links = {link for link in links_of(pair) if link[1] in words}
        other_links = {link for link in links_of(others[pair.id]) if link[1] in words}
        decisions += len(pair.document) * len(words)
        differing += len(links ^ other_links)
        one += len(links)
        other += len(other_links)
    # All terms are multiplied by decisions squared: whole numbers, so that the difference of nearly
    # equal terms loses no digits.
    observed = decisions * (decisions - differing)
    expected = one * other + (decisions - one) * (decisions - other)
    by_chance_alone = decisions**2 - expected
    return (observed - expected) / by_chance_alone if by_chance_alone else 1.0


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
    line, start = "", 0
    for cell, width in zip(cells, widths, strict=True):
        line = line.ljust(start) + cell if cell else line
        start += width + 2
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
