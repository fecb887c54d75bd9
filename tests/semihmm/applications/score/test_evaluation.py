"""Table 4 with made-up systems, and reports of errors."""

import math
import random
import subprocess
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import from_word_links, word_links
from corpus_tools.alignments.formats import link_of
from corpus_tools.base.errors import BadData, BadUsage, LittleText
from corpus_tools.pairs.pair import ExtractChoice, Pair
from corpus_tools.texts.text import Text
from jump_models.jump_model import ByDirection, Skipped
from semihmm.aligner import Aligner
from semihmm.applications.score.agreement import DIFFERENCE_KINDS, agreements
from semihmm.applications.score.annotators import (
    Kappa,
    annotator_names,
    cohens_kappa,
    kappas,
    sure_alignments,
)
from semihmm.applications.score.compare import comparison_text
from semihmm.applications.score.comparison import compare
from semihmm.applications.score.error_report import LINK_KINDS, RIGHT_KIND, judge_phrases
from semihmm.applications.score.score_report import score, without_oracle
from semihmm.applications.score.system import (
    Measured,
    System,
    SystemRun,
    missing_modules,
    run_alone,
    run_measured,
)
from semihmm.applications.score.systems import (
    SYSTEM_FAMILIES,
    Greedy,
    SemiHmmSystem,
    choose_systems,
)
from semihmm.applications.stats.command import skipped_table
from tests.paths import lines_beside
from tests.tiny_corpora import pair, story

TABLES = Path(__file__).with_name("tables.txt")

PAIRS = [
    story("one", ["the Mac", "sells well", "x", "y"], ["the Mac sells"], {(0, 0), (1, 1), (2, 2)}),
    story("two", ["a dog"], ["a cat"], {(0, 0)}),
]


# Comparisons


@dataclass
class MadeUp(System):
    """Links abstract words to document words of the same number; keeps what it is run on."""

    name: str = "same"
    not_taken: int = 1
    links_all: bool = True
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
            links = {(a % words, a) for a in range(size * self.links_all)}
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


def pretend(system, pairs):
    return Measured(system.run(pairs), 1.5, 2.5, (3 + len(system.name)) * 2**20)


def test_every_system_is_scored_as_score_does():
    with pytest.warns(LittleText, match="only 5 abstract words to learn from"):
        (row,) = compare(PAIRS, [MadeUp()], {}, ignore="none", seed=3, run=pretend).rows
    alignments = {a.id: a for a in MadeUp().run(PAIRS).alignments}
    assert row.scores == without_oracle(score(PAIRS, alignments, "none", seed=3).scores)
    assert (row.seconds, row.memory, row.not_taken, row.p) == (1.5, 7 * 2**20, 1, {})


def test_tables_are_those_that_were_looked_at():
    """A change that is meant to move them is made in the file by hand, from what this prints."""
    same, nothing = MadeUp(), MadeUp("nothing", 2, links_all=False)
    both = MadeUp("both", parts=(same, nothing))
    systems = [nothing, same, both, *ABSENT, *BROKEN]
    ben = [replace(PAIRS[0], sure=frozenset({(0, 0), (1, 1)})), replace(PAIRS[1], sure={(1, 1)})]
    said = []
    compared = compare(PAIRS, systems, {"anna": PAIRS, "ben": ben}, run=pretend, report=said.append)
    assert len(same.runs) == 1
    assert [row.name for row in compared.rows if row.failed] == ["broken", "choosy"]
    text, _, signature = comparison_text(compared, "text").rpartition("\n\n")
    assert "other systems: extracts cover 4" in signature
    skipped = [
        Skipped(
            "NP", ByDirection(1200.0, 3.26), ByDirection(0.254, 0.5), ByDirection(1.0, math.nan)
        ),
        Skipped("ROOT#2", ByDirection(0.03, 0.02), ByDirection(0.25, 0.5), ByDirection(1.0, 0.125)),
        Skipped("#", ByDirection(0.03, 0.019), ByDirection(0.25, 0.5), ByDirection(1.0, 0.125)),
    ]
    families = (
        f"{family}: {', '.join(one.name for one in own)}" for family, own in SYSTEM_FAMILIES.items()
    )
    tables = [
        text,
        "\n".join(said),
        skipped_table("own", skipped),
        skipped_table("few", skipped[::2]),
        skipped_table("none", []),
        "\n".join(families),
    ]
    assert "\n\n".join(tables) + "\n" == TABLES.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pairs", "annotators", "ignore", "problem"),
    [
        ([pair("one", "a b", "a")], {}, "default", "one"),
        (PAIRS, {"anna": PAIRS[:1]}, "default", "annotator anna: "),
        (PAIRS, {}, "nowhere", "nowhere"),
    ],
)
def test_errors_in_the_data_are_raised_before_any_system_runs(pairs, annotators, ignore, problem):
    system = MadeUp()
    with pytest.raises((BadData, BadUsage), match=problem):
        compare(pairs, [system], annotators, ignore=ignore, run=pretend)
    assert system.runs == []


def test_each_reason_why_no_system_could_be_run_is_given_once():
    with pytest.raises(
        BadUsage, match=r"be run: not installed; ZeroDivisionError: by zero; too long$"
    ):
        compare(PAIRS, [*ABSENT, *BROKEN], {}, run=pretend)


def test_systems_are_chosen_by_their_names_and_by_those_of_families_each_once():
    chosen = choose_systems(["cut-and-paste:3", "greedy", "cut-and-paste", "paper jump=uniform"])
    assert [one.name for one in chosen] == [
        "cut-and-paste:3",
        "greedy",
        *(f"cut-and-paste:{n}" for n in (1, 2, 4, 5)),
        "paper jump=uniform",
    ]
    for names, problem in (
        ([], "no system is named"),
        (["gready"], "greedy"),
        (["paper jump=far"], "jump"),
    ):
        with pytest.raises(BadUsage, match=problem):
            choose_systems(names)


def test_one_module_that_is_missing_is_enough():
    assert missing_modules("json") is None
    assert missing_modules("json", "no_such_module").startswith("not installed: ")


def test_systems_see_extracts_and_are_scored_on_documents():
    system = MadeUp()
    one = ExtractChoice(1, "marcu")
    assert (
        "other systems: extracts marcu 1"
        in compare(PAIRS, [system], {}, extract=one, run=pretend).signature
    )
    assert system.runs == [[[("the", "Mac")], [("a", "dog")]]]
    last = story("one", ["q r", "the Mac sells"], ["the Mac sells"], {(2, 0), (3, 1), (4, 2)})
    (row,) = compare([last], [MadeUp()], {}, extract=one, run=pretend).rows
    assert row.scores["all_words"]["soft_f"].value == 1.0


def test_a_semi_hmm_chooses_its_extracts_as_in_training(sample):
    settings = {"iterations": 1, "wordnet": "none", "paraphrases": "none"}
    name = " ".join(["default", *map("=".join, ((key, str(settings[key])) for key in settings))])
    compared = compare(sample, [SemiHmmSystem(name)], {}, run=run_measured)
    expected = score(sample, Aligner(**settings).fit(sample).align(sample))
    assert compared.rows[0].report.scores == expected.scores
    assert all("extracts cover 4, " in one for one in (compared.signature, expected.signature))


class Program(Greedy):
    """Warns, and runs a program that takes 300 MB."""

    def run(self, pairs):
        warnings.warn("too little", LittleText, stacklevel=1)
        subprocess.run([sys.executable, "-c", "bytearray(300 * 2**20)"], check=True)
        return super().run(pairs)


class Sleeper(System):
    name = "sleeper"

    def run(self, pairs):
        time.sleep(0.2)
        return SystemRun([])


def test_a_system_is_measured_in_a_process_of_its_own_with_its_programs():
    ballast = bytearray(600 * 2**20)
    with pytest.warns(LittleText, match="too little"):
        alone = run_alone(Program(), PAIRS)
    assert alone.run == Greedy().run(PAIRS)
    assert 300 * 2**20 < alone.memory < len(ballast)  # not that of this process
    began = time.perf_counter()
    here = run_measured(Sleeper(), PAIRS)
    assert here.memory > len(ballast)
    assert here.processor < 0.2 <= here.seconds <= time.perf_counter() - began


# The kinds of errors


def judge(document, abstract, links, sure, possible=()):
    judged = replace(pair("x", document, abstract), sure={*sure}, possible={*possible})
    return judge_phrases(judged, from_word_links("x", links, len(judged.abstract)))


@pytest.mark.parametrize("case", lines_beside(__file__, "kinds_of_phrases.txt"))
def test_the_kind_of_a_phrase(case):
    document, abstract, *links, kind = map(str.strip, case.split("|"))
    phrases = judge(document, abstract, *([*map(link_of, some.split())] for some in links))
    assert phrases[-1].kind == kind


def test_words_that_only_the_system_links_are_phrases_as_long_as_they_stand_together():
    phrases = judge("a b c d", "a b x c d", [(0, 0), (1, 1), (2, 3), (3, 4)], [(3, 4)])
    assert [(phrase.abstract, phrase.kind) for phrase in phrases] == [
        ((0, 2), "null missed"),
        ((3, 4), "null missed"),
        ((4, 5), RIGHT_KIND),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_every_link_is_in_one_phrase_and_an_alignment_as_the_gold_is_right(seed):
    generator = random.Random(seed)
    texts = [
        Text.from_sentences([generator.choices(["the", "it", "dog", "dogs", "cat"], k=5)])
        for _ in range(2)
    ]
    every = [(d, a) for d in range(5) for a in range(5)]
    sure, links = (frozenset(generator.sample(every, 4)) for _ in range(2))
    pair = Pair("x", *texts, sure, frozenset())
    alignment = from_word_links("x", links, 5)
    phrases = judge_phrases(pair, alignment)
    assert sorted(link for phrase in phrases for link in phrase.links) == sorted(
        word_links(alignment, *(t.tokens for t in texts))
    )
    assert {phrase.kind for phrase in phrases} <= {*LINK_KINDS}
    same = judge_phrases(pair, from_word_links("x", sure, 5))
    assert {phrase.kind for phrase in same} == {RIGHT_KIND}


# Agreement of annotators: kappa, and what each word of the abstract is to two of them


def annotated(sure, possible=(), document=("the", "Mac", "sold")):
    texts = (Text.from_sentences([document]), Text.from_sentences([["the", "Mac"]]))
    return [Pair("one", *texts, frozenset(sure), frozenset(possible))]


def test_annotators_have_the_names_of_their_files_unless_two_are_alike():
    assert annotator_names(["one/anna", "two/ben"]) == ["anna", "ben"]
    # "gold" are the hand alignments of the pairs.
    for names in (["/one/anna", "/two/anna"], ["/one/gold", "/two/ben"]):
        assert annotator_names(names) == names


def test_a_file_that_is_given_twice_is_refused_also_through_a_link(tmp_path):
    (tmp_path / "anna").write_text("", encoding="utf-8")
    (tmp_path / "ben").symlink_to("anna")
    with pytest.raises(BadUsage, match="given twice"):
        annotator_names([f"{tmp_path}/anna", f"{tmp_path}/ben"])


def test_kappas_of_every_two_annotators():
    annotators = {
        "A": annotated({(0, 0), (1, 1)}),
        "B": annotated({(0, 0)}, {(1, 1)}),
        "C": annotated({(0, 0), (1, 1)}),
    }
    one, same, _ = kappas(annotators, "default")
    # A and B, six decisions: both link 1, only A 1, neither 4. Observed 5/6, by chance
    # (2 + 20) / 36, so 8 / 14.
    assert one == Kappa(("A", "B"), pytest.approx(8 / 14), 1.0, 0.0, 1.0)
    assert same == Kappa(("A", "C"), 1.0, 1.0, 1.0, 1.0)


def test_words_that_kappa_ignores_are_those_of_the_language():
    sides = [Text.from_sentences([["der", "Hund", "sah", "die", "Katze"]])] * 2
    one, other = (
        Pair("1", *sides, links, frozenset(), language="de")
        for links in (frozenset({(0, 0), (1, 1)}), frozenset({(1, 1)}))
    )
    (found,) = kappas({"anna": [one], "ben": [other]}, "default")
    assert found.sure < found.sure_outside == 1.0


LINKS = st.frozensets(st.tuples(*[st.integers(0, 2)] * 2))
LINKS_OF_TWO = st.lists(st.tuples(LINKS, LINKS), max_size=3)


@given(LINKS_OF_TWO, st.frozensets(st.sampled_from(["dog", "the"])), st.booleans())
def test_kappa_is_that_of_a_table_of_decisions(links, ignored, is_possible):
    words = ["The", "dog", "barks"]
    sides = [Text.from_sentences([words])] * 2
    one, other = (
        [
            Pair(str(n), *sides, *((frozenset(), both[which]) if is_possible else (both[which],)))
            for n, both in enumerate(links)
        ]
        for which in range(2)
    )
    decisions = [
        ((d, a) in first, (d, a) in second)
        for first, second in links
        for d in range(3)
        for a in range(3)
        if words[a].lower() not in ignored
    ]
    count = Fraction(len(decisions) or 1)
    observed = sum(first == second for first, second in decisions) / count
    p, q = (sum(both[which] for both in decisions) / count for which in range(2))
    chance = p * q + (1 - p) * (1 - q)
    expected = 1.0 if chance == 1 else float((observed - chance) / (1 - chance))
    assert cohens_kappa(one, other[::-1], Pair.gold_links, ignored) == pytest.approx(
        expected, abs=1e-15
    )
    if is_possible:
        assert cohens_kappa(one, other, Pair.sure_links, ignored) == 1.0


@pytest.mark.parametrize("case", lines_beside(__file__, "differences.txt"))
def test_the_differences_of_two_annotators(case):
    document, abstract, *columns, expected = map(str.strip, case.split("|"))
    links = [frozenset(map(link_of, column.split())) for column in columns]
    texts = pair("1", document, abstract)
    people = {"A": [replace(texts, sure=links[0], possible=links[1])]}
    people["B"] = [replace(texts, sure=links[2], possible=links[3])]
    (agreed,) = agreements(people, "none")
    differences = agreed.pairs[0].differences
    found = (f"{one.kind} {one.words}: {one.first}, {one.second}" for one in differences)
    assert "; ".join(found) == expected
    kinds = Counter(one.kind for one in differences for _ in range(*one.abstract))
    kinds["agreed"] = len(texts.abstract) - kinds.total()
    assert agreed.words() == {kind: kinds[kind] for kind in DIFFERENCE_KINDS}


def test_annotators_are_compared_on_the_pairs_that_both_have_decided():
    # More words are agreed on than in the short pair, but they also differ on some.
    texts = pair("1", "a b c", "u v w x y")
    short = pair("0", "a b", "a b")
    one, other = (
        [replace(texts, sure=frozenset(links), possible=frozenset())]
        for links in ({(0, 0), (1, 1)}, {(0, 0), (2, 2)})
    )
    both = [replace(short, sure=frozenset({(0, 0), (1, 1)}), possible=frozenset())]
    annotators = {"A": both + one, "B": [*other, *both, pair("2", "a", "a")], "C": [texts, short]}
    (agreed,) = agreements(annotators, "none", seed=3)
    assert (agreed.annotators, agreed.undecided, agreed.only_one) == (("A", "B"), 0, 1)
    # The pair on which they differ comes first.
    assert [compared.id for compared in agreed.pairs] == ["1", "0"]
    two = both + one, both + other
    assert agreed.scores == tuple(
        score(gold, sure_alignments(own), "none", seed=3) for own, gold in (two, two[::-1])
    )
