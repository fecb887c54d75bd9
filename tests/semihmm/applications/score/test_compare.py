"""Table 4 with made-up systems, systems in processes of their own, and the command."""

import json
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass, replace

import psutil
import pytest

from corpus_tools.alignments.alignment import from_word_links
from corpus_tools.base.errors import BadData, BadUsage, LittleText
from corpus_tools.base.packages import installed_version
from corpus_tools.pairs.pair import ExtractChoice
from semihmm.applications.score.compare import comparison_text
from semihmm.applications.score.comparison import compare
from semihmm.applications.score.score_report import score, without_oracle
from semihmm.applications.score.system import (
    Measured,
    System,
    SystemRun,
    missing_modules,
    package_versions,
    run_measured,
)
from semihmm.applications.score.systems import (
    SYSTEM_FAMILIES,
    EmbeddingArgmax,
    Greedy,
    SemiHmmSystem,
    choose_systems,
)
from semihmm.cli.main import main
from tests.semihmm.program_runs import SAMPLE
from tests.tiny_corpora import pair, story

PAIRS = [
    story("one", ["the Mac", "sells well", "x", "y"], ["the Mac sells"], {(0, 0), (1, 1), (2, 2)}),
    story("two", ["a dog"], ["a cat"], {(0, 0)}),
]


@dataclass
class MadeUp(System):
    """Links abstract words to document words of the same number; keeps what it is run on."""

    name: str = "same"
    not_taken: int = 1
    linked: int = 1
    lacks: str | None = None
    parts: tuple[System, ...] = ()

    def __post_init__(self):
        self.parts = self.parts or (self,)
        self.runs = []

    def missing(self):
        return self.lacks

    def run(self, pairs):
        self.runs.append([pair.document.sentences() for pair in pairs])
        alignments = []
        for one in pairs:
            words, size = len(one.document), len(one.abstract)
            links = {((a + n) % words, a) for a in range(size) for n in range(self.linked)}
            alignments.append(from_word_links(one.id, links, size))
        return SystemRun(alignments, self.not_taken)


@dataclass
class Broken(System):
    error: Exception
    name: str = "broken"

    def run(self, pairs):
        raise self.error


BROKEN = [Broken(ZeroDivisionError("by zero")), Broken(BadData("too long"), "choosy")]
ABSENT = [MadeUp(f"absent:{variant}", lacks="not installed") for variant in (1, 2)]


SIGNATURE = (
    f"semihmm {installed_version()} | pairs 2 | links soft | ignore default:58 by abstract word | "
    "bootstrap 1000 seed 0 | tokenizer whitespace | other systems: extracts cover 4"
)


def pretend(system, pairs):
    return Measured(system.run(pairs), 1.5, 2.5, (3 + len(system.name)) * 2**20)


def test_tables_are_those_that_were_looked_at(looked_at):
    """They are followed by messages, by what the JSON has beside scores, and by all systems."""
    same, nothing = MadeUp(), MadeUp("nothing", 2, linked=0)
    both = MadeUp("both", parts=(same, nothing))
    # It has the best recall, and not the best SoftF.
    systems = [MadeUp("all", 0, linked=9), nothing, same, both, *ABSENT, *BROKEN]
    one, two = ({(0, 0), (1, 1)}, {(2, 2)}), ({(1, 1)}, {(0, 0)})
    ben = [
        replace(texts, sure=frozenset(sure), possible=frozenset(possible), tokenizer="own")
        for texts, (sure, possible) in zip(PAIRS, (one, two), strict=True)
    ]
    said = []
    compared = compare(PAIRS, systems, {"anna": PAIRS, "ben": ben}, run=pretend, report=said.append)
    assert len(same.runs) == 1
    text, _, signature = comparison_text(compared, "text").rpartition("\n\n")
    read = compared.as_dict()
    assert signature == read["signature"] == " | ".join([SIGNATURE, *package_versions()])
    more = [row | {"scores": [*row["scores"]]} for row in read["rows"]] + read["kappas"]
    families = [
        f"{family}: {', '.join(one.name for one in own)}" for family, own in SYSTEM_FAMILIES.items()
    ]
    tables = "\n\n".join([text, *map("\n".join, (said, map(json.dumps, more), families))]) + "\n"
    assert tables == looked_at("tables.txt", tables)


def test_systems_see_extracts_and_are_scored_on_documents_as_score_does():
    system = MadeUp()
    texts = story("last", ["q r", "the Mac sells"], ["the Mac sells"], {(2, 0), (3, 1), (4, 2)})
    pairs = [*PAIRS, texts]
    choice = ExtractChoice(1, "marcu")
    with pytest.warns(LittleText, match="only 8 abstract words to learn from"):
        compared = compare(pairs, [system], {}, ignore="none", extract=choice, seed=3, run=pretend)
    assert "other systems: extracts marcu 1" in compared.signature
    assert system.runs == [[[("the", "Mac")], [("a", "dog")], [("the", "Mac", "sells")]]]
    links = ([(0, 0), (1, 1), (0, 2)], [(0, 0), (1, 1)], [(2, 0), (3, 1), (4, 2)])
    alignments = [
        from_word_links(one.id, own, len(one.abstract))
        for one, own in zip(pairs, links, strict=True)
    ]
    (row,) = compared.rows
    assert row.scores == without_oracle(score(pairs, alignments, "none", seed=3).scores)
    assert (row.seconds, row.memory, row.not_taken, row.p) == (1.5, 7 * 2**20, 1, {})


def test_errors_in_the_data_are_raised_before_any_system_runs():
    """Without any system there must be annotators: each reason is said once."""
    system = MadeUp()
    others = [*ABSENT, MadeUp(lacks="not installed"), *BROKEN]
    reasons = "be run: not installed; ZeroDivisionError: by zero; too long$"
    for pairs, systems, annotators, ignore, problem in (
        ([pair("one", "a b", "a")], [system], {}, "default", "one"),
        (PAIRS, [system], {"anna": PAIRS[:1]}, "default", "annotator anna: "),
        (PAIRS, [system], {}, "nowhere", "nowhere"),
        (PAIRS, others, {}, "default", reasons),
    ):
        with pytest.raises((BadData, BadUsage), match=problem):
            compare(pairs, systems, annotators, ignore=ignore, run=pretend)
    assert system.runs == []
    people = compare(PAIRS, BROKEN, {"anna": PAIRS}, run=pretend)
    assert "anna against gold  1.000" in comparison_text(people, "text")


def test_systems_are_chosen_by_their_names_and_by_those_of_families_each_once():
    chosen = choose_systems(["cut-and-paste:3", "greedy", "cut-and-paste", "paper jump=uniform"])
    of_family = [f"cut-and-paste:{n}" for n in (1, 2, 4, 5)]
    names = ["cut-and-paste:3", "greedy", *of_family, "paper jump=uniform"]
    assert [one.name for one in chosen] == names


def test_a_semi_hmm_chooses_its_extracts_as_in_training(sample):
    """There is little text to learn from, which is said once for all systems."""
    system = SemiHmmSystem("paper iterations=1 rewrite=identity+stem")
    some = sample[:2]
    with pytest.warns(LittleText) as warned:
        compared = compare(some, [system], {}, extract=ExtractChoice(1, "marcu"), run=run_measured)
    assert len(warned) == 1
    with pytest.warns(LittleText):
        expected = score(some, system.aligner().fit(some).align(some))
    (row,) = compared.rows
    assert row.report.scores == expected.scores
    # The signature has what the model read, and not its name, which differs between rows.
    model, _, resources = row.by.partition(", ")
    assert resources == "extracts marcu 3"
    assert f" | {resources}" in compared.signature and model not in compared.signature
    assert "other systems" not in compared.signature


# Runs


class Program(Greedy):
    """Warns, works, and runs a program that takes 300 MB, works as long, and sleeps."""

    def run(self, pairs):
        warnings.warn("too little", LittleText, stacklevel=1)
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass
        work = "import time\nbytearray(300 * 2**20)\nwhile time.process_time() < 0.1: pass"
        subprocess.run([sys.executable, "-c", f"{work}\ntime.sleep(0.2)"], check=True)
        return super().run(pairs)


def test_a_system_has_a_process_of_its_own_with_its_programs(tmp_path, capsys, monkeypatch):
    """One that fails takes nothing from the others. One that is not installed has not failed."""
    monkeypatch.setitem(SYSTEM_FAMILIES, "program", [Program()])
    monkeypatch.setitem(sys.modules, "eflomal", None)
    assert missing_modules("json") is None
    ballast = bytearray(600 * 2**20)
    assert run_measured(Greedy(), PAIRS).memory > len(ballast)
    figures = tmp_path / "all.json"
    command = ["compare", SAMPLE, "--systems", "program,eflomal,default wordnet=/nowhere"]
    command += ["--annotators", SAMPLE, "--extract", "1", "--ignore", "none", "--seed", "3"]
    assert main([*command, "--format", "markdown", "--json", str(figures)]) == 1
    out, err = capsys.readouterr()
    assert err.splitlines()[-1].endswith("(the table says why): default wordnet=/nowhere")
    assert "too little" in err and "greedy: SoftF 0." in err
    assert "| sample.jsonl against gold | 1.000 | 1.000 |" in out
    read = json.loads(figures.read_text())
    resampled = "links soft | ignore none:0 by abstract word | bootstrap 1000 seed 3 | "
    assert resampled in read["signature"] and "extracts cover 1" in read["signature"]
    _, alone, absent, failed = read["rows"]
    assert absent["reason"].startswith("not installed: pip install") and absent["reason"] in out
    monkeypatch.setitem(sys.modules, "torch", None)
    missing = (absent["reason"], EmbeddingArgmax().missing() or "")
    assert ["eflomal" in reason for reason in missing] == [True, False]
    assert ["torch" in reason for reason in missing] == [False, True]
    assert "/nowhere" in failed["reason"] and failed["scores"] == {} and failed["reason"] in out
    assert alone["scores"]["all_words"]["soft_f"]["value"] > 0.5 and alone["reason"] is None
    assert 300 * 2**20 < alone["memory"] < len(ballast)  # not that of this process
    began, before = time.perf_counter(), sum(psutil.Process().cpu_times()[:4])
    with pytest.warns(LittleText, match="too little"):
        here = run_measured(Program(), PAIRS)
    assert here.run == Greedy().run(PAIRS)
    assert here.processor == pytest.approx(sum(psutil.Process().cpu_times()[:4]) - before, abs=0.05)
    assert here.processor + 0.1 < here.seconds < time.perf_counter() - began
    # Windows has no such module.
    monkeypatch.setitem(sys.modules, "resource", None)
    assert run_measured(Greedy(), PAIRS).memory == 0
