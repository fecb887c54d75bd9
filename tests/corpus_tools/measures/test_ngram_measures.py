"""Ngram(i,j), PS(N), RS(N) and AEv(alpha, N): worked examples, golden values, naive twins."""

from __future__ import annotations

import random

import numpy as np
import pytest

from corpus_tools.measures.ngram_shares import (
    CountedText,
    pair_statistics,
    precision,
    recall,
    sums_of,
    weighted_mean,
)
from corpus_tools.measures.unit_coverage import coverage, matches_by_unit, ngram
from tests.corpus_tools.measures.paper_cases import example, golden
from tests.naive import ngram_measures as naive


def without(stop, text):
    return [word for word in text.split() if word not in stop]


@pytest.mark.parametrize("name", ["1", "2", "3", "4", "14"])
def test_united_states_japan_and_taiwan(name):
    """The bigrams are 1/3; the paper prints 0.5, which eq. 5 cannot yield."""
    case = example(f"lh-us-{name}")
    stop = case["inputs"]["stop words"]
    units = [without(stop, unit) for unit in case["inputs"]["model units"]]
    _, i, j = case["metric"].split("-")
    found = ngram(units, without(stop, case["inputs"]["peer"]), int(i), int(j))
    assert found == pytest.approx(case["expected"], abs=1e-12)


def test_united_states_japan_and_taiwan_by_hand():
    unit, summary = list("usjt"), list("ustj")
    assert [coverage([unit], summary, n) for n in (1, 2, 3, 4)] == [1, 1 / 3, 0, 0]
    assert ngram([unit], summary, 1, 4) == 0


def test_an_n_gram_of_the_summary_may_serve_several_units():
    units, summary = [list("abc"), list("abde")], list("abce")
    assert coverage(units, summary, 1) == 6 / 7
    assert coverage(units, summary, 2) == 3 / 5
    assert ngram(units, summary, 1, 2) == pytest.approx((6 / 7 * 3 / 5) ** 0.5, rel=1e-12)
    matched, counted = matches_by_unit(units, summary, 1)
    assert matched.tolist() == [3, 3] and counted.tolist() == [3, 4]
    case = example("lh-units")
    assert [unit.split() for unit in case["inputs"]["model units"]] == units
    for n in (1, 2, 3):
        assert coverage(units, summary, n) == pytest.approx(case["expected"][f"C{n}"])
    assert ngram(units, summary, 1, 4) == case["expected"]["Ngram(1,4)"]


def test_the_golden_values_of_ngram():
    for case in golden("ngram"):
        units, summary = [unit.split() for unit in case["units"]], case["peer"].split()
        found = [coverage(units, summary, n) for n in range(1, 5)]
        assert found == pytest.approx(case["C"], abs=1e-12)
        for key, value in case["Ngram"].items():
            assert ngram(units, summary, *map(int, key.split(","))) == pytest.approx(value)


def random_text(generator, least=0):
    return [generator.choice("abcde") for _ in range(generator.randint(least, 9))]


@pytest.mark.parametrize("seed", range(50))
def test_ngram_beside_its_twin(seed):
    generator = random.Random(seed)
    units = [random_text(generator) for _ in range(generator.randint(1, 4))]
    summary = random_text(generator)
    for i, j in ((1, 1), (1, 2), (2, 3), (1, 4)):
        expected = naive.ngram(units, summary, i, j)
        assert ngram(units, summary, i, j) == pytest.approx(expected, abs=1e-12)


def counted(words, stop, whole_text):
    kept = [word for word in words if word not in stop]
    return CountedText(kept, kept if whole_text else words, len(words))


def sums(pairs, longest, stop=(), whole_text=False):
    """Return the sums over pairs of a summary's and a reference's words."""
    statistics = [
        pair_statistics(
            counted(summary, stop, whole_text), counted(reference, stop, whole_text), longest
        )
        for summary, reference in pairs
    ]
    return sums_of(np.sum(statistics, axis=0))


def aev(alpha, pairs, *arguments):
    added = sums(pairs, *arguments)
    return float(weighted_mean(precision(added, 1.0), recall(added, 2.0), alpha))


@pytest.mark.parametrize("name", ["same", "short", "long", "two", "stop", "stop-text", "zero"])
def test_the_worked_examples_of_soricut_and_brill(name):
    case = example(f"sb-{name}")
    pairs = [
        (summary.split(), reference.split())
        for summary, reference in zip(
            case["inputs"]["candidates"], case["inputs"]["references"], strict=True
        )
    ]
    stop = case["parameters"].get("stop", ())
    whole_text = case["parameters"].get("which") == "text"
    for n in range(1, 5):
        added = sums(pairs, n, stop, whole_text)
        assert precision(added, 1.0) == pytest.approx(case["expected"][f"PS({n})"], abs=1e-9)
        assert recall(added, 2.0) == pytest.approx(case["expected"][f"RS({n})"], abs=1e-9)
    means = {key: value for key, value in case["expected"].items() if key.startswith("AEv")}
    assert len(means) == 12
    for key, value in means.items():
        alpha, n = key[4:-1].split(",")
        found = aev(float(alpha), pairs, int(n), stop, whole_text)
        assert found == pytest.approx(value, abs=1e-9)


def test_the_golden_values_of_soricut_and_brill():
    for case in golden("soricut-brill"):
        pairs = [(summary.split(), reference.split()) for summary, reference in case["pairs"]]
        how = case["stop"], case["stop and stems for"] == "text"
        for n in range(1, 5):
            added = sums(pairs, n, *how)
            assert precision(added, 1.0) == pytest.approx(case["PS"][n - 1], abs=1e-12)
            assert recall(added, 2.0) == pytest.approx(case["RS"][n - 1], abs=1e-12)
        for key, value in case["AEv"].items():
            alpha, n = key.split(",")
            assert aev(float(alpha), pairs, int(n), *how) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("seed", range(50))
def test_soricut_and_brill_beside_their_twins(seed):
    generator = random.Random(seed)
    pairs = [
        (random_text(generator), random_text(generator)) for _ in range(generator.randint(1, 4))
    ]
    how = generator.choice([("a",), ()]), generator.choice([True, False])
    longest = generator.randint(1, 4)
    brevity, wordiness = generator.choice([(1.0, 2.0), (0.5, 1.0), (2.0, 0.5)])
    added = sums(pairs, longest, *how)
    expected = naive.ps(pairs, longest, *how, brevity)
    assert precision(added, brevity) == pytest.approx(expected, abs=1e-12)
    expected = naive.rs(pairs, longest, *how, wordiness)
    assert recall(added, wordiness) == pytest.approx(expected, abs=1e-12)
    alpha = generator.choice([0.0, 0.3, 1.0])
    expected = naive.aev(alpha, pairs, longest, *how)
    assert aev(alpha, pairs, longest, *how) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_alpha_0_is_recall_and_alpha_1_is_precision(seed):
    generator = random.Random(seed)
    pairs = [(random_text(generator, 1), random_text(generator, 1)) for _ in range(3)]
    added = sums(pairs, 2)
    assert aev(0.0, pairs, 2) == pytest.approx(float(recall(added, 2.0)), abs=1e-15)
    assert aev(1.0, pairs, 2) == pytest.approx(float(precision(added, 1.0)), abs=1e-15)
