"""The paper's Table 4 on any corpus: every system trains and aligns the same text, and all are scored alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from typing import Any

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.errors import BadData, BadUsage, SemiHmmError
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.bootstrap import Figure
from corpus_tools.scores.score_report import score
from corpus_tools.scores.significance import against_best
from corpus_tools.texts.ignore_list import read_ignore_list
from semihmm.baselines.measuring import Measured, run_alone
from semihmm.baselines.system import System
from semihmm.batches.units import AlignmentUnit, can_be_aligned, extract_unit, to_original
from semihmm.evaluation.annotators import Annotators, Kappa, check_texts, kappas, sure_alignments

VIEWS = ("all_words", "outside_ignore_list")
PACKAGES = ("sil-thot", "eflomal")


@dataclass(frozen=True)
class Row:
    """One row of the table.

    ``scores``     by view and figure, as in ``scoring.ScoreReport``; empty if there are none, and ``reason`` says why.
    ``p``          by view, the paired bootstrap test against the best system; none for the best and for people.
    ``seconds``, ``memory``  wall-clock, and the peak in bytes; ``None`` for people.
    ``not_taken``  pairs that the system could not take: scored as aligned to nothing.
    """

    name: str
    scores: Mapping[str, Mapping[str, Figure]]
    p: Mapping[str, float]
    seconds: float | None = None
    memory: int | None = None
    not_taken: int = 0
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        scores = {
            view: {name: figure._asdict() for name, figure in found.items()}
            for view, found in self.scores.items()
        }
        rest = ("name", "p", "seconds", "memory", "not_taken", "reason")
        return {name: getattr(self, name) for name in rest} | {"scores": scores}


@dataclass(frozen=True)
class Comparison:
    """The rows, people first, the agreement of people, and a line that says how it was all computed."""

    rows: list[Row]
    kappas: list[Kappa]
    signature: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        kappas = [kappa._asdict() for kappa in self.kappas]
        return {
            "signature": self.signature,
            "rows": [row.as_dict() for row in self.rows],
            "kappas": kappas,
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
    run: Callable[[System, Sequence[Pair]], Measured] = run_alone,
) -> Comparison:
    """Run and score the systems on pairs with hand alignments.

    ``extract``  document sentences for each abstract sentence that the systems see; 0: all (section 5.1).
    ``report``   is told of every row; ``run`` is how a system is run.

    A system that cannot run, or fails, has a row that says why. Raises ``BadData`` if a pair has no hand alignment or the
    annotators' texts are others, ``BadUsage`` if no system could be run.
    """
    people = _people(pairs, annotators, ignore, seed)
    corpus = _Corpus.of(pairs, extract, run)
    rows: dict[str, Row] = {}
    found: dict[str, dict[str, Alignment]] = {}
    for system in systems:
        row, alignments = corpus.row(system)
        if alignments is not None:
            found[row.name] = alignments
            row = replace(row, scores=_scores(pairs, alignments, ignore, seed))
        if row.name not in rows:
            report(_said(row))
        rows[row.name] = row
    if not found:
        raise BadUsage(
            "none of the systems could be run: "
            + "; ".join(dict.fromkeys(row.reason for row in rows.values()))
        )
    tests = {view: against_best(pairs, found, view, ignore, seed=seed) for view in _views(ignore)}
    tested = [
        replace(row, p={view: p[name] for view, p in tests.items() if name in p})
        for name, row in rows.items()
    ]
    signature = " | ".join(
        [
            score(pairs, found[max(found)], ignore, seed=seed).signature,
            f"extract {extract}",
            *_versions(),
        ]
    )
    return Comparison(people + tested, kappas(annotators, ignore), signature)


def _said(row: Row) -> str:
    return f"{row.name}: " + (
        row.reason or f"SoftF {row.scores['all_words']['soft_f'].value:.3f}, {row.seconds:.1f} s"
    )


def _scores(
    pairs: Sequence[Pair], alignments: Mapping[str, Alignment], ignore: str, seed: int
) -> dict[str, dict[str, Figure]]:
    scores = score(pairs, alignments, ignore, seed=seed).scores
    return {view: scores[view] for view in _views(ignore)}


def _views(ignore: str) -> Sequence[str]:
    return VIEWS if read_ignore_list(ignore) else VIEWS[:1]


def _versions() -> list[str]:
    """The libraries behind the rivals."""
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return found


def _people(pairs: Sequence[Pair], annotators: Annotators, ignore: str, seed: int) -> list[Row]:
    for pair in pairs:
        if pair.sure is None:
            raise BadData(
                f"pair {pair.id!r} has no hand alignment: comparing needs 'sure' (and 'possible') links"
            )
    for name, others in annotators.items():
        check_texts(pairs, others, name)
    rows = []
    for (name, own), (other, theirs) in product(
        annotators.items(), [*annotators.items(), ("gold", pairs)]
    ):
        if name != other:
            rows.append(
                Row(
                    f"human {name} / {other}",
                    _scores(theirs, sure_alignments(own), ignore, seed),
                    {},
                )
            )
    return rows


class _Corpus:
    """The text that all systems see, and what has been run on it."""

    def __init__(
        self, reduced: list[AlignmentUnit], run: Callable[[System, Sequence[Pair]], Measured]
    ):
        self.reduced, self.run = reduced, run
        self.pairs = [item.pair for item in reduced]
        self.done: dict[str, Measured] = {}

    @classmethod
    def of(
        cls, pairs: Sequence[Pair], extract: int, run: Callable[[System, Sequence[Pair]], Measured]
    ) -> _Corpus:
        return cls(
            [extract_unit(pair, extract if can_be_aligned(pair) else 0) for pair in pairs], run
        )

    def row(self, system: System) -> tuple[Row, dict[str, Alignment] | None]:
        """Run what the system consists of, unless another system had it run; its row, still without scores.

        Without alignments if it cannot run: if it is not installed, under the name of its family.
        """
        missing = system.missing()
        if missing:
            return Row(system.name.partition(":")[0], {}, {}, reason=missing), None
        try:
            parts = [self._measured(part) for part in system.parts]
        except SemiHmmError as error:
            return Row(system.name, {}, {}, reason=str(error)), None
        run = system.combined(self.pairs, [part.run for part in parts])
        seconds, memory = sum(part.seconds for part in parts), max(part.memory for part in parts)
        alignments = {
            a.id: _whole(a, item) for a, item in zip(run.alignments, self.reduced, strict=True)
        }
        return Row(system.name, {}, {}, seconds, memory, run.not_taken), alignments

    def _measured(self, system: System) -> Measured:
        if system.name not in self.done:
            self.done[system.name] = self.run(system, self.pairs)
        return self.done[system.name]


def _whole(alignment: Alignment, item: AlignmentUnit) -> Alignment:
    """The alignment with offsets into the original document."""
    phrases = [phrase for link in alignment.phrases for phrase in to_original(link, item)]
    return replace(alignment, phrases=tuple(sorted(phrases)))
