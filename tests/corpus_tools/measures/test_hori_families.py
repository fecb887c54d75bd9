"""The measures of Hori et al. (2003) by their names: worked examples, golden values, twins."""

from __future__ import annotations

import itertools
import random
import sys

import numpy as np
import pytest
import sacrebleu

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.measures.compressions import Compressions
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.registry import make_measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.summary import SystemSummary
from tests.corpus_tools.measures.paper_cases import example, golden
from tests.naive import word_network as naive

PLAIN = MeasureSettings(stem="none")
WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
TABLE_1 = ((0, 2, 3, 4, 5), (1, 2, 3, 4, 5), (1, 2, 3, 7, 8), (2, 3, 6, 7, 8), (1, 2, 6, 7, 8))
SOURCE = Compressions("hori", WORDS, TABLE_1)


def figure(metric, summaries, references, settings=PLAIN):
    """Return the one figure of a measure over summaries and references in order."""
    given = {str(k): one for k, one in enumerate(references)}
    named = [SystemSummary(str(k), "s", *one) for k, one in enumerate(summaries)]
    found = measure(named, given, [metric], settings, resamples=0).metrics[metric]
    side = 1 if metric == "bleu" or metric.startswith("word-string") else 2
    values = [value.value for value in found]
    assert np.isnan(np.delete(values, side)).all()
    return values[side]


def positions(*chosen):
    return (), chosen


@pytest.mark.parametrize("name", ["bloom", "new", "A", "B", "original", "wrong"])
def test_the_worked_examples(name):
    case = example(f"hori-{name}")
    expected = case["expected"]
    summary = positions(*(position - 1 for position in case["inputs"]["positions"]))
    for metric in ("sumaccy", "wsumaccy"):
        assert figure(metric, [summary], [SOURCE]) == pytest.approx(expected[metric], abs=1e-9)
    found = [figure(f"word-string-precision-{n}", [summary], [SOURCE]) for n in range(1, 6)]
    assert found[: len(expected["p1..p5"])] == pytest.approx(expected["p1..p5"], abs=1e-9)
    accuracies = expected["word accuracy against each subject"].values()
    best = figure("word-accuracy", [summary], [SOURCE])
    assert best == pytest.approx(max(accuracies), abs=1e-9)
    mean = figure("word-accuracy", [summary], [SOURCE], MeasureSettings(several="mean"))
    assert mean == pytest.approx(sum(accuracies) / 5, abs=1e-9)


def test_cherry_blossoms_in_japan_bloom_by_hand():
    """The paper calls it correct, but nobody wrote "Japan bloom"; see ``docs/measures.md``."""
    by_words = (("Cherry blossoms in Japan bloom",),)
    for summary in (by_words, positions(2, 3, 4, 5, 6)):
        assert figure("sumaccy", [summary], [SOURCE]) == 0.75
        assert figure("wsumaccy", [summary], [SOURCE]) == pytest.approx(
            0.75 * (4 / 5 * 2 / 5 * 2 / 5) ** (1 / 3), rel=1e-12
        )
        found = [figure(f"word-string-precision-{n}", [summary], [SOURCE]) for n in range(1, 6)]
        assert found == pytest.approx([1, 3 / 4, 2 / 3, 1 / 2, 0])


def test_the_paper_chose_56_percent():
    ratio = example("hori-ratio")
    assert SOURCE.ratio() == pytest.approx(ratio["expected"], abs=ratio["tolerance"])


@pytest.mark.parametrize("name", ["hori-wacc", "hori-wacc-negative"])
def test_word_accuracy_beside_one_target(name):
    inputs = example(name)["inputs"]
    settings = MeasureSettings(stem="none")
    found = figure("word-accuracy", [((inputs["candidate"],),)], [[(inputs["target"],)]], settings)
    assert found == pytest.approx(example(name)["expected"])


def test_one_substitution_and_one_insertion():
    assert figure("word-accuracy", [(("a x c c d",),)], [[("a b c d",)]]) == 0.5
    assert figure("word-accuracy", [(("b c d",),)], [[("a",)]]) == -2.0


def test_the_golden_values():
    for case in golden("hori"):
        words = tuple(f"w{number}" for number in range(case["positions"]))
        subjects = tuple(tuple(word - 1 for word in one) for one in case["subjects"])
        source = Compressions("x", words, subjects)
        # 99 is a word that is not in the source: by words it is one too.
        if 99 in case["candidate"]:
            summary = ((" ".join(f"w{word - 1}" for word in case["candidate"]),),)
        else:
            summary = positions(*(word - 1 for word in case["candidate"]))
        for metric in ("sumaccy", "wsumaccy"):
            assert figure(metric, [summary], [source]) == pytest.approx(case[metric], abs=1e-12)
        best = figure("word-accuracy", [summary], [source])
        assert best == pytest.approx(max(case["wacc"]), abs=1e-12)
        for n, expected in enumerate(case["p"], start=1):
            found = figure(f"word-string-precision-{n}", [summary], [source])
            assert found == pytest.approx(expected, abs=1e-12)


def random_case(generator):
    words = range(generator.randint(2, 8))
    subjects = tuple(
        tuple(sorted(generator.sample(words, generator.randint(1, len(words)))))
        for _ in range(generator.randint(1, 5))
    )
    chosen = tuple(sorted(generator.sample(words, generator.randint(1, len(words)))))
    return Compressions("x", tuple(f"w{word}" for word in words), subjects), chosen


@pytest.mark.parametrize("seed", range(10))
def test_figures_are_means_over_summaries(seed):
    generator = random.Random(seed)
    cases = [random_case(generator) for _ in range(5)]
    sources = [source for source, _ in cases]
    summaries = [positions(*chosen) for _, chosen in cases]
    for metric, twin in (("sumaccy", naive.sumaccy), ("wsumaccy", naive.wsumaccy)):
        expected = np.mean([twin(source.compressions, chosen) for source, chosen in cases])
        assert figure(metric, summaries, sources) == pytest.approx(expected, abs=1e-12)
    for n in (1, 2, 3):
        each = [
            naive.word_string_precision(source.compressions, chosen, n) for source, chosen in cases
        ]
        found = figure(f"word-string-precision-{n}", summaries, sources)
        assert found == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_word_accuracy_with_several_references(seed):
    source, chosen = random_case(random.Random(seed))
    targets = source.compressions
    each = [naive.word_accuracy(target, chosen) for target in targets]
    errors = sum(naive.errors(target, chosen) for target in targets)
    pairs = itertools.combinations(each, len(each) - 1) if len(each) > 1 else [each]
    expected = {
        "best": max(each),
        "mean": np.mean(each),
        "sum": 1 - errors / sum(map(len, targets)),
        "jackknife": np.mean([max(others) for others in pairs]),
    }
    for several, value in expected.items():
        found = figure(
            "word-accuracy", [positions(*chosen)], [source], MeasureSettings(several=several)
        )
        assert found == pytest.approx(value, abs=1e-12)


def test_a_word_is_known_by_its_position():
    source = Compressions("x", ("a", "b", "a"), ((0, 1),))
    assert figure("word-string-precision", [positions(1, 2)], [source]) == 0.5
    # Of texts the words are compared.
    assert figure("word-string-precision", [(("b a",),)], [[("a b",)]]) == 1.0


def test_the_worked_example_of_bleu():
    case = example("hori-bleu")
    inputs = case["inputs"]
    references = [(text,) for text in inputs["target"]]
    found = figure("bleu", [((inputs["candidate"],),)], [references])
    assert found == pytest.approx(case["expected"], abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_bleu_is_that_of_sacrebleu_over_the_corpus(seed):
    generator = random.Random(seed)

    def text():
        return " ".join(generator.choices("ab", k=generator.randint(5, 12)))

    references = [[text() for _ in range(3)] for _ in range(6)]
    summaries = [text() for _ in range(5)] + [""]
    expected = sacrebleu.BLEU(tokenize="none", smooth_method="none").corpus_score(
        summaries, [list(column) for column in zip(*references, strict=True)]
    )
    assert expected.score > 0
    found = figure(
        "bleu",
        [((summary,) if summary else (),) for summary in summaries],
        [[(reference,) for reference in of_one] for of_one in references],
    )
    assert found == pytest.approx(expected.score / 100, abs=1e-12)


def test_bleu_of_compressions_compares_words():
    by_words = (("BEAUTIFUL cherry blossoms in spring",),)
    for summary in (by_words, positions(1, 2, 3, 7, 8)):
        assert figure("bleu", [summary], [SOURCE]) == pytest.approx(1.0)


def test_without_sacrebleu_bleu_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(BadUsage, match=r"needs the package sacrebleu: .*semihmm\[bleu\]"):
        make_measure("bleu")


@pytest.mark.parametrize("metric", ["sumaccy", "wsumaccy"])
def test_the_network_needs_compressions(metric):
    with pytest.raises(BadUsage, match=f"{metric} needs compressions as references"):
        figure(metric, [(("a b",),)], [[("a b",)]])


def test_positions_need_compressions_and_stand_in_their_source():
    with pytest.raises(BadData, match="the summary '0' of 's' has positions, but its references"):
        figure("rouge-1", [positions(0)], [[("a b",)]])
    with pytest.raises(BadData, match="the summary '0' of 's': position 9 is out of range"):
        figure("sumaccy", [positions(0, 9)], [SOURCE])


def test_an_empty_summary_scores_0():
    for metric in ("word-accuracy", "sumaccy", "wsumaccy", "word-string-precision", "bleu"):
        assert figure(metric, [positions()], [SOURCE]) == 0.0
        assert figure(metric, [((),)], [SOURCE]) == 0.0


def test_other_measures_see_the_words_of_compressions():
    found = measure(
        [SystemSummary("hori", "s", (), TABLE_1[0])], {"hori": SOURCE}, ["rouge-1"], resamples=0
    )
    assert found.metrics["rouge-1"].recall.value == 1.0
