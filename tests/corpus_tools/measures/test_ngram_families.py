"""The families of Ngram(i,j) and of Soricut and Brill: names, settings, several references."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import sacrebleu

from corpus_tools.errors import BadUsage
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.registry import make_measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.several import statistics_over_references
from corpus_tools.measures.summary import SystemSummary
from corpus_tools.measures.words import MeasuredText, Wordings
from tests.corpus_tools.measures.paper_cases import example, golden
from tests.naive import ngram_measures as naive

PLAIN = MeasureSettings(stem="none")


def evaluated(metric, pairs, settings=PLAIN):
    """Return recall, precision and F over pairs of a summary and its references."""
    summaries = [SystemSummary(str(k), "s", tuple(pair[0])) for k, pair in enumerate(pairs)]
    references = {str(k): [tuple(text) for text in pair[1]] for k, pair in enumerate(pairs)}
    figures = measure(summaries, references, [metric], settings, resamples=0).metrics[metric]
    return np.array([figure.value for figure in figures])


def random_pairs(seed, references=1):
    generator = random.Random(seed)

    def text():
        return [" ".join(generator.choices("abcde", k=generator.randint(1, 9))) for _ in range(2)]

    return [(text(), [text() for _ in range(references)]) for _ in range(4)]


def words(text):
    return " ".join(text).split()


def ngram(units, summary, i, j):
    """Return Ngram(i,j) of units and of a summary that are given as words."""
    reference = [" ".join(unit) for unit in units]
    return evaluated(f"ngram-{i}-{j}", [([" ".join(summary)], [reference])])[0]


def without(stop, text):
    return [word for word in text.split() if word not in stop]


@pytest.mark.parametrize("name", ["1", "2", "3", "4", "14"])
def test_united_states_japan_and_taiwan(name):
    """The bigrams are 1/3; the paper prints 0.5, which eq. 5 cannot yield."""
    case = example(f"lh-us-{name}")
    stop = case["inputs"]["stop words"]
    units = [without(stop, unit) for unit in case["inputs"]["model units"]]
    _, i, j = case["metric"].split("-")
    found = ngram(units, without(stop, case["inputs"]["peer"]), i, j)
    assert found == pytest.approx(case["expected"], abs=1e-12)


def test_united_states_japan_and_taiwan_by_hand():
    pair = (["United States, Taiwan, and Japan"], [["United States, Japan, and Taiwan"]])
    settings = MeasureSettings(stop_words=True)
    found = [evaluated(f"ngram-{n}-{n}", [pair], settings)[0] for n in (1, 2, 3, 4)]
    assert found == [1, 1 / 3, 0, 0]
    assert evaluated("ngram-1-4", [pair], settings)[0] == 0


def test_an_n_gram_of_the_summary_may_serve_several_units():
    """ROUGE-1, which clips over the whole text, has 4/7."""
    units, summary = [list("abc"), list("abde")], list("abce")
    assert [ngram(units, summary, n, n) for n in (1, 2, 3)] == [6 / 7, 3 / 5, 1 / 3]
    assert ngram(units, summary, 1, 2) == pytest.approx((6 / 7 * 3 / 5) ** 0.5, rel=1e-12)
    pairs = [(["a b c e"], [["a b c", "a b d e"]])]
    assert np.isnan(evaluated("ngram-1-2", pairs)[1:]).all()
    assert evaluated("rouge-1", pairs)[0] == pytest.approx(4 / 7, abs=1e-5)


def test_the_worked_example_of_units():
    case = example("lh-units")
    units = [unit.split() for unit in case["inputs"]["model units"]]
    summary = case["inputs"]["peer"].split()
    for n in (1, 2, 3):
        assert ngram(units, summary, n, n) == pytest.approx(case["expected"][f"C{n}"])
    for j in (2, 4):
        assert ngram(units, summary, 1, j) == pytest.approx(case["expected"][f"Ngram(1,{j})"])


def test_the_golden_values_of_ngram():
    for case in golden("ngram"):
        units, summary = [unit.split() for unit in case["units"]], case["peer"].split()
        found = [ngram(units, summary, n, n) for n in range(1, 5)]
        assert found == pytest.approx(case["C"], abs=1e-12)
        for key, value in case["Ngram"].items():
            assert ngram(units, summary, *key.split(",")) == pytest.approx(value, abs=1e-12)


def test_the_coverage_of_each_unit():
    wordings = Wordings()
    summary = MeasuredText(["a b c", "e"], wordings)
    reference = MeasuredText(["a b c", "a b d e", "e"], wordings)
    by_unit = make_measure("ngram-1-3", PLAIN).by_unit(summary, reference)
    np.testing.assert_allclose(by_unit, [[1, 1, 1], [3 / 4, 1 / 3, 0], [1, np.nan, np.nan]])


@pytest.mark.parametrize("seed", range(10))
def test_ngram_is_the_mean_over_summaries(seed):
    pairs = random_pairs(seed)
    expected = [
        naive.ngram([unit.split() for unit in reference], words(summary), 1, 2)
        for summary, (reference,) in pairs
    ]
    found = evaluated("ngram-1-2", pairs)[0]
    assert found == pytest.approx(np.mean(expected), abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_several_references_of_ngram(seed):
    pairs = random_pairs(seed, references=3)[:1]
    ((summary, references),) = pairs
    units = [[unit.split() for unit in reference] for reference in references]
    values = [naive.ngram(of_one, words(summary), 1, 2) for of_one in units]
    expected = {
        "best": max(values),
        "mean": np.mean(values),
        "jackknife": np.mean([max(two) for two in itertools.combinations(values, 2)]),
        "sum": naive.ngram(list(itertools.chain(*units)), words(summary), 1, 2),
    }
    for several, value in expected.items():
        settings = MeasureSettings(stem="none", several=several)
        assert evaluated("ngram-1-2", pairs, settings)[0] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_counts_and_lengths_are_summed_over_summaries(seed):
    pairs = random_pairs(seed)
    twins = [(words(summary), words(reference)) for summary, (reference,) in pairs]
    assert evaluated("ps-2", pairs)[1] == pytest.approx(naive.ps(twins, 2), abs=1e-12)
    assert evaluated("rs-2", pairs)[0] == pytest.approx(naive.rs(twins, 2), abs=1e-12)
    expected = [naive.rs(twins, 2), naive.ps(twins, 2), naive.aev(0.3, twins, 2)]
    np.testing.assert_allclose(evaluated("aev-0.3-2", pairs), expected, atol=1e-12)
    assert evaluated("ps-2-b1.5", pairs)[1] == pytest.approx(naive.ps(twins, 2, brevity=1.5))
    assert evaluated("rs-2-w0.5", pairs)[0] == pytest.approx(naive.rs(twins, 2, wordiness=0.5))
    assert evaluated("aev-1-2-b1.5-w0.5", pairs)[:2] == pytest.approx(
        [naive.rs(twins, 2, wordiness=0.5), naive.ps(twins, 2, brevity=1.5)]
    )


@pytest.mark.parametrize("seed", range(10))
def test_several_references_of_soricut_and_brill(seed):
    pairs = random_pairs(seed, references=3)[:1]
    ((summary, references),) = pairs
    twins = [(words(summary), words(reference)) for reference in references]
    sums = MeasureSettings(stem="none", several="sum")
    assert evaluated("ps-2", pairs, sums)[1] == pytest.approx(naive.ps(twins, 2), abs=1e-12)
    best = max(naive.ps([twin], 2) for twin in twins)
    assert evaluated("ps-2", pairs)[1] == pytest.approx(best, abs=1e-12)


def test_statistics_with_several_references():
    rows, figures = np.array([[1.0], [5.0], [3.0]]), np.array([0.2, 0.9, 0.9])
    expected = {"best": 5.0, "sum": 9.0, "mean": 3.0, "jackknife": (5 + 3 + 5) / 3}
    for several, value in expected.items():
        assert statistics_over_references(rows, figures, several).tolist() == pytest.approx([value])
        assert statistics_over_references(rows[:1], figures[:1], several).tolist() == [1.0]


def test_stems_concern_unigrams_or_the_whole_text():
    pairs = [(["the dogs barked"], [["the dog barks"]])]
    stems = MeasureSettings(stem="nltk")
    assert evaluated("ps-1", pairs)[1] == pytest.approx(1 / 3)
    assert evaluated("ps-1", pairs, stems)[1] == 1.0
    assert evaluated("ps-2", pairs, stems)[1] == 0.0
    assert evaluated("ps-2-text", pairs, stems)[1] == 1.0


def test_stop_words_concern_unigrams_or_the_whole_text():
    """The worked examples ``sb-stop`` and ``sb-stop-text``; but "sat" is on the stop list."""
    pairs = [(["the cat slept on the mat"], [["the cat slept on a mat"]])]
    settings = MeasureSettings(stem="none", stop_words=True)
    for name in ("sb-stop", "sb-stop-text"):
        suffix = "-text" if name == "sb-stop-text" else ""
        expected = example(name)["expected"]
        for n in (1, 2, 3, 4):
            found = evaluated(f"ps-{n}{suffix}", pairs, settings)[1]
            assert found == pytest.approx(expected[f"PS({n})"], abs=1e-9)
            found = evaluated(f"rs-{n}{suffix}", pairs, settings)[0]
            assert found == pytest.approx(expected[f"RS({n})"], abs=1e-9)


def test_lengths_count_stop_words():
    pairs = [(["cat slept"], [["the cat slept on the mat"]])]
    settings = MeasureSettings(stem="none", stop_words=True)
    assert evaluated("ps-1", pairs, settings)[1] == pytest.approx(np.exp(1 - 6 / 2))


@pytest.mark.parametrize("seed", range(20))
def test_aev_1_4_is_bleu_without_stems_and_stop_words(seed):
    """Section 4.1 of Soricut and Brill says so in words."""
    generator = random.Random(seed)
    references = [generator.choices("abc", k=generator.randint(4, 20)) for _ in range(5)]
    # Each summary is its reference with some words replaced and some left out.
    summaries = [
        [generator.choice([word] * 9 + ["d"]) for word in text if generator.random() < 0.9]
        for text in references
    ]
    summaries, references = (
        [" ".join(text) for text in texts] for texts in (summaries, references)
    )
    bleu = sacrebleu.BLEU(tokenize="none", smooth_method="none").corpus_score(
        summaries, [references]
    )
    pairs = [([one], [[other]]) for one, other in zip(summaries, references, strict=True)]
    for metric, side in (("aev-1-4", 2), ("ps-4", 1)):
        assert evaluated(metric, pairs)[side] == pytest.approx(bleu.score / 100, abs=1e-12)


def test_the_identities_of_soricut_and_brill():
    assert example("sb-identities")["expected"]["AEv(0,N)"] == "RS(N)"
    pairs = random_pairs(seed=3)
    assert evaluated("aev-0-1", pairs)[2] == pytest.approx(evaluated("rs-1", pairs)[0])
    # RS(1) with a large W is the recall of ROUGE-1 over the whole corpus.
    added = [(words(summary), words(reference)) for summary, (reference,) in pairs]
    recall = naive.shares(added, 1, (), False)[1]
    assert evaluated("rs-1-w100", pairs)[0] == pytest.approx(recall)


def test_nothing_is_0():
    for metric, side in (("ngram-1-1", 0), ("ps-1", 1), ("rs-1", 0), ("aev-0.5-1", 2)):
        assert evaluated(metric, [([], [["a b"]]), ([], [["c"]])])[side] == 0.0


@pytest.mark.parametrize(
    ("metric", "problem"),
    [
        ("ngram-2-1", "the first number must not be greater"),
        ("ngram-1-5", "unknown metric 'ngram-1-5'"),
        ("ps-0", "unknown metric 'ps-0'"),
        ("ps-4-b0", "B and W must be greater than 0"),
        ("rs-4-b1", "unknown metric"),
        ("aev-1.5-4", "alpha must be a number from 0 to 1"),
        ("aev-4", "unknown metric 'aev-4'"),
    ],
)
def test_names_that_are_no_measure(metric, problem):
    with pytest.raises(BadUsage, match=problem):
        make_measure(metric)
