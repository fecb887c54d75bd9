"""Table 4 with made-up systems, and once with real ones, each in a process of its own."""

from __future__ import annotations

import dataclasses
import json
import os

import pytest

from corpus_tools.alignments.alignment import from_word_links
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.scores.score_report import score
from semihmm.baselines.greedy import Greedy
from semihmm.baselines.measuring import Measured, run_alone, run_measured
from semihmm.baselines.system import Run, System
from semihmm.evaluation.comparison import compare
from semihmm.evaluation.comparison_table import comparison_text, table
from semihmm.evaluation.system_runs import Cost
from tests.semihmm.evaluation.gold_pairs import PAIRS, gold
from tests.semihmm.program_runs import SAMPLE, run


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


class Absent(System):
    name = "absent:document"

    def missing(self):
        return "not installed: pip install it"


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


def test_the_others_are_tested_against_the_best():
    best, other = compared([Fixed("right"), Fixed("wrong", shift=1)]).rows
    assert best.p == {} and set(other.p) == {"all_words", "outside_ignore_list"}


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


def test_what_cannot_run_has_a_row_that_says_why():
    messages = []
    rows = compared(
        [Absent(), Absent(), Fixed("bad", error=OSError("no WordNet")), Fixed("right")],
        report=messages.append,
    ).rows
    assert [(row.name, row.reason, row.failed) for row in rows[:2]] == [
        ("absent", "not installed: pip install it", False),
        ("bad", "OSError: no WordNet", True),
    ]
    assert [line.partition(":")[0] for line in messages] == ["absent", "bad", "right"]
    with pytest.raises(
        BadUsage,
        match="none of the systems could be run: not installed: pip install it; no WordNet",
    ):
        compared([Absent(), Fixed("bad", error=BadUsage("no WordNet"))])


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


def test_the_table_in_three_forms():
    comparison = compared([Fixed("a_b"), Absent()], ignore="none")
    head, _, row, absent = table(comparison)
    assert head == ["", "all words", *[""] * 8]
    assert row == ["a_b", "0.800", "1.000", "0.889", ".667-1.000", "0.111", "", "1.5", "3", "1"]
    assert absent == ["absent", "not installed: pip install it"]
    assert (
        "a_b     0.800   1.000  0.889  .667-1.000  0.111     1.5   3          1\n"
        in comparison_text(comparison, "text")
    )
    markdown = comparison_text(comparison, "markdown").splitlines()
    assert markdown[1] == "|---" + "|--:" * 9 + "|"
    assert {line.count("|") for line in markdown[:5]} == {11}
    latex = comparison_text(comparison, "latex")
    assert r"a\_b & 0.800 & 1.000" in latex and r"95 \%" in latex
    assert r"absent & \multicolumn{9}{l}{not installed: pip install it} \\" in latex


def test_a_system_is_measured_in_a_process_of_its_own():
    ballast = bytearray(400 * 2**20)
    alone = run_alone(Greedy(), PAIRS)
    assert alone.run == Greedy().run(PAIRS)
    assert alone.seconds > 0
    assert 20 * 2**20 < alone.memory < len(ballast)  # not that of this process
    assert run_measured(Greedy(), PAIRS).memory > len(ballast)


class Dies(System):
    name = "dies"

    def run(self, pairs):
        os._exit(1)


def test_a_process_that_dies_is_no_end_of_the_comparison():
    with pytest.raises(BadUsage, match="dies crashed, or its process was killed"):
        run_alone(Dies(), PAIRS)


# The command


def test_the_command_prints_the_table_and_writes_all_figures(capsys, tmp_path):
    run(
        "compare",
        SAMPLE,
        "--systems",
        "greedy,cut-and-paste:2",
        "--annotators",
        SAMPLE,
        "--json",
        tmp_path / "all.json",
    )
    out, err = capsys.readouterr()
    assert "greedy: SoftF" in err
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[1:5]] == [
        "System",
        "human",
        "greedy",
        "cut-and-paste:2",
    ]
    assert lines[-1].startswith("semihmm ") and " | extract 3" in lines[-1]
    rows = json.loads((tmp_path / "all.json").read_text())["rows"]
    assert [row["name"] for row in rows] == [
        "human sample.jsonl / gold",
        "greedy",
        "cut-and-paste:2",
    ]
    assert rows[2]["p"]["all_words"] <= 1.0 and rows[1]["memory"] > 2**20
