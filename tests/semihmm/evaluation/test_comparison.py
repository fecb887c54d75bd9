"""Table 4 with made-up systems, and once with real ones, each in a process of its own."""

from __future__ import annotations

import dataclasses

import pytest

from corpus_tools.alignments.alignment import from_word_links
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.scores.score_report import score
from semihmm.baselines.greedy import Greedy
from semihmm.baselines.measuring import Measured, run_alone, run_measured
from semihmm.baselines.system import Run, System
from semihmm.evaluation.comparison import compare
from semihmm.evaluation.system_runs import Cost
from tests.semihmm.evaluation.gold_pairs import PAIRS, gold


@dataclasses.dataclass(frozen=True)
class Fixed(System):
    """Links each abstract word to the document word of the same number; keeps what it is run on."""

    title: str
    shift: int = 0
    error: Exception | None = None
    runs: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return self.title

    def run(self, pairs):
        self.runs.append([pair.document.sentences() for pair in pairs])
        if self.error:
            raise self.error
        texts = [(pair.id, len(pair.document), len(pair.abstract)) for pair in pairs]
        return Run(
            [
                from_word_links(i, {((a + self.shift) % n, a): 1.0 for a in range(m)}, m)
                for i, n, m in texts
            ],
            1,
        )


@dataclasses.dataclass(frozen=True)
class Both(System):
    title: str
    two: tuple[System, ...]

    @property
    def name(self):
        return self.title

    @property
    def parts(self):
        return self.two

    def combined(self, pairs, runs):
        return runs[-1]


def pretend(system, pairs):
    return Measured(system.run(pairs), 1.5, 2.5, 3 * 2**20)


def compared(systems, annotators=None, **options):
    return compare(PAIRS, systems, annotators or {}, run=pretend, **options)


def test_every_system_is_scored_as_score_does():
    (row,) = compared([Fixed("right")]).rows
    alignments = {a.id: a for a in Fixed("right").run(PAIRS).alignments}
    assert row.scores["all_words"] == score(PAIRS, alignments).scores["all_words"]
    assert (
        row.scores["outside_ignore_list"] == score(PAIRS, alignments).scores["outside_ignore_list"]
    )
    assert (row.cost, row.not_taken, row.p) == (Cost(1.5, 3 * 2**20), 1, {})


def test_what_two_systems_share_runs_once_and_costs_are_added():
    one, other = Fixed("one"), Fixed("other", shift=1)
    rows = compared([one, Both("both", (one, other)), other]).rows
    assert [row.name for row in rows] == ["one", "both", "other"]
    assert len(one.runs) == len(other.runs) == 1
    assert rows[1].cost == Cost(3.0, 3 * 2**20)
    assert rows[1].scores == rows[2].scores


@dataclasses.dataclass(frozen=True)
class Compiling(Fixed):
    """Fails on one pair alone, and takes long the first time."""

    compiles = True


@pytest.mark.parametrize("error", [None, BadUsage("cannot")])
def test_compilation_is_no_part_of_what_is_measured(error):
    system = Compiling("right", error=error)
    measured = []

    def first_is_slow(system, pairs):
        measured.append(len(pairs))
        return Measured(system.run(pairs), 99.0 if len(measured) == 1 else 1.5, 2.5, 2**20)

    rows = compare(PAIRS, [system, Fixed("other", shift=1)], {}, run=first_is_slow).rows
    assert measured == [1, len(PAIRS), len(PAIRS)]
    assert rows[0].cost == (None if error else Cost(1.5, 2**20))


def test_systems_see_extracts_and_are_scored_on_documents():
    system = Fixed("right")
    compared([system], extract=1)
    assert system.runs == [[[("the", "Mac")], [("a", "dog")]]]
    last = gold("one", ["q r", "the Mac sells"], ["the Mac sells"], {(2, 0), (3, 1), (4, 2)})
    (row,) = compare([last], [Fixed("right")], {}, extract=1, run=pretend).rows
    assert row.scores["all_words"]["soft_f"].value == 1.0


def test_annotators_come_first_each_against_the_others_and_the_gold():
    annotators = {
        "A": PAIRS,
        "B": [dataclasses.replace(PAIRS[0], sure=frozenset({(0, 0)})), PAIRS[1]],
    }
    comparison = compared([Fixed("right")], annotators)
    names = ["human A / B", "human A / gold", "human B / A", "human B / gold", "right"]
    assert [row.name for row in comparison.rows] == names
    values = [
        tuple(row.scores["all_words"][name].value for name in ("soft_precision", "recall"))
        for row in comparison.rows[:2]
    ]
    assert values == [(0.5, 1.0), (1.0, 1.0)]
    assert [kappa.annotators for kappa in comparison.kappas] == [("A", "B")]


def test_pairs_without_gold_are_refused_before_anything_runs():
    system = Fixed("right")
    with pytest.raises(BadData, match="pair 'one' has no hand alignment"):
        compare([dataclasses.replace(PAIRS[0], sure=None)], [system], {}, run=pretend)
    assert system.runs == []


def test_a_system_is_measured_in_a_process_of_its_own():
    ballast = bytearray(400 * 2**20)
    alone = run_alone(Greedy(), PAIRS)
    assert alone.run == Greedy().run(PAIRS)
    assert alone.seconds > 0
    assert 20 * 2**20 < alone.memory < len(ballast)  # not that of this process
    assert run_measured(Greedy(), PAIRS).memory > len(ballast)
