"""Compares systems as Table 4 of the paper does, on any corpus, together with annotators.

Every system trains on the same pairs and aligns them, and all are scored in the same way. The sure
links of annotators are scored as alignments, and annotators are compared by kappa.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from corpus_tools.alignments.alignment import GOLD_SYSTEM, Alignment, unaligned_tokens
from corpus_tools.base.errors import BadUsage, SemiHmmError, described
from corpus_tools.base.progress import counted
from corpus_tools.pairs.pair import ExtractChoice, Pair
from corpus_tools.texts.lexicons import read_ignore_list
from semihmm.applications.score.annotators import (
    Annotators,
    Kappa,
    check_texts,
    kappas,
    sure_alignments,
)
from semihmm.applications.score.score_report import (
    ScoreFigures,
    ScoreReport,
    against_best,
    figures_as_dict,
    score,
    without_oracle,
)
from semihmm.applications.score.system import Measured, System, package_versions, run_alone
from semihmm.model.decoding import in_original
from semihmm.model.settings import preset
from semihmm.model.units import AlignmentUnit, extract_unit
from semihmm.training.starts import warn_of_little_text

ScoreSystem = Callable[[Sequence[Pair], list[Alignment]], ScoreReport]
"""A function that scores alignments of some pairs."""

RunSystem = Callable[[System, Sequence[Pair]], Measured]
"""A function that runs a system on pairs, such as ``run_alone``."""


@dataclass
class Row:
    """One row of the table.

    ``report``     the scores; ``None`` if there are none.
    ``p``          the p-values of the paired bootstrap test against the best system, by scope; none
                   for the best system and for annotators.
    ``seconds``    wall-clock; ``None`` for annotators and for systems without alignments.
    ``memory``     the peak of resident memory in bytes; ``None`` like ``seconds``.
    ``not_taken``  the number of pairs that the system cannot align: scored without links.
    ``by``         the maker of the alignments (``Alignment.by``): a model and its resources.
    ``reason``     why there are no scores.
    ``failed``     whether the run failed; otherwise a system without scores is not installed.
    """

    name: str
    report: ScoreReport | None = None
    p: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None
    memory: int | None = None
    not_taken: int = 0
    by: str = ""
    reason: str | None = None
    failed: bool = False

    @property
    def scores(self) -> ScoreFigures:
        """Return the figures by scope and name, without those of the oracle null."""
        return without_oracle(self.report.scores) if self.report else {}

    def summary(self) -> str:
        """Return the main figure and the time."""
        return f"SoftF {self.scores['all_words']['soft_f'].value:.3f}, {self.seconds:.1f} s"

    def as_dict(self) -> dict[str, Any]:
        """Return the row for JSON."""
        names = ("name", "p", "seconds", "memory", "not_taken", "by", "reason")
        row = {name: getattr(self, name) for name in names}
        return row | {"scores": figures_as_dict(self.scores)}


@dataclass(frozen=True)
class Comparison:
    """The rows, annotators first, the kappas of annotators, and the signature of the figures."""

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
    extract: ExtractChoice | None = None,
    seed: int = 0,
    report: Callable[[str], None] = lambda message: None,
    run: RunSystem = run_alone,
) -> Comparison:
    """Run and score the systems on pairs with hand alignments.

    ``extract``  the extracts for systems that choose none themselves (section 5.1); ``None``: those
                 of the preset ``default``. Semi-HMMs choose extracts by their settings.
    ``report``   receives a message about each row.
    ``run``      the function that runs a system.

    A system that cannot run, or fails, has a row with the reason. Raises ``BadData`` if a pair has
    no hand alignment or the annotators' texts differ; ``BadUsage`` if there are no annotators and
    no system can be run.
    """
    # Errors in the data are raised before any system runs.
    read_ignore_list(ignore)
    for pair in pairs:
        pair.sure_links()
    for name, others in annotators.items():
        check_texts(pairs, others, name)
    warn_of_little_text(sum(len(pair.abstract) for pair in pairs))
    scored = partial(score, ignore=ignore, seed=seed)
    people = [*_annotator_rows(pairs, annotators, scored)]
    choice = extract or preset("default").extract_choice
    # Units by ``System.chooses_extracts``: whole pairs, or pairs with extracts.
    units = {
        True: [AlignmentUnit(pair, pair, np.arange(len(pair.document))) for pair in pairs],
        False: [extract_unit(pair, *choice) for pair in counted(pairs, "extracts")],
    }
    measured: dict[str, Measured] = {}
    rows: dict[str, Row] = {}
    for system in counted(systems, "systems", unit="systems"):
        row = _row(system, units[system.chooses_extracts], scored, run, measured)
        # All systems of a family that is not installed share one row.
        if row.name not in rows:
            report(f"{row.name}: {row.reason or row.summary()}")
        rows[row.name] = row
    reports = {name: row.report for name, row in rows.items() if row.report}
    for scope in next((row.scores for row in rows.values() if row.report), ()):
        for name, p in against_best(reports, scope).items():
            rows[name].p[scope] = p
    # The signature of a system comes first: files of annotators may name another tokenizer.
    scored_rows = [row.report for row in (*rows.values(), *people) if row.report]
    if not scored_rows:
        reasons = dict.fromkeys(row.reason for row in rows.values() if row.reason)
        raise BadUsage(f"none of the systems could be run: {'; '.join(reasons)}")
    # Without the name of the model, which differs between rows.
    resources = dict.fromkeys(row.by.partition(", ")[2] for row in rows.values() if row.by)
    parts = [scored_rows[0].signature, *resources]
    if not all(system.chooses_extracts for system in systems):
        parts.append(f"other systems: {choice}")
    signature = " | ".join([*parts, *package_versions()])
    return Comparison([*people, *rows.values()], kappas(annotators, ignore), signature)


def _annotator_rows(
    pairs: Sequence[Pair], annotators: Annotators, scored: ScoreSystem
) -> Iterator[Row]:
    """Yield the scores of each annotator against each other one, and against the pairs' links."""
    references = {**annotators, GOLD_SYSTEM: pairs}
    for name, other in product(annotators, references):
        if name != other:
            alignments = sure_alignments(annotators[name])
            yield Row(f"{name} against {other}", scored(references[other], alignments))


def _row(
    system: System,
    units: Sequence[AlignmentUnit],
    scored: ScoreSystem,
    run: RunSystem,
    measured: dict[str, Measured],
) -> Row:
    """Run all parts of a system, combine them, and score the result.

    ``units``     the pairs that the system gets: whole, or with extracts.
    ``scored``    scores the alignments of pairs.
    ``measured``  the runs of parts of earlier systems, by name; new ones are added.
    """
    if missing := system.missing():
        # One row for the whole family.
        return Row(system.name.partition(":")[0], reason=missing)
    extracts = [unit.pair for unit in units]
    try:
        for part in system.parts:
            # Both heuristics combine the same two directions, which take most of the time.
            if part.name not in measured:
                measured[part.name] = run(part, extracts)
        parts = [measured[part.name] for part in system.parts]
        whole = system.combined(extracts, [part.run for part in parts])
        alignments = list(map(_on_document, whole.alignments, units))
        report = scored([unit.original for unit in units], alignments)
    except Exception as error:  # other people's programs may raise any error
        reason = str(error) if isinstance(error, SemiHmmError) else described(error)
        return Row(system.name, reason=reason, failed=True)
    return Row(
        system.name,
        report,
        seconds=sum(part.seconds for part in parts),
        memory=max(part.memory for part in parts),
        not_taken=whole.not_taken,
        by=next((alignment.by for alignment in whole.alignments), ""),
    )


def _on_document(alignment: Alignment, unit: AlignmentUnit) -> Alignment:
    """Return the alignment of the original pair from that of its extract."""
    pair = unit.original
    phrases = sorted(in_original(alignment.phrases, unit))
    return Alignment(pair.id, tuple(phrases), unaligned_tokens(phrases, len(pair.abstract)))
