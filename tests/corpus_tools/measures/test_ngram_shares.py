"""PS(N), RS(N) and AEv(alpha, N): worked examples, golden values, naive twins."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

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
from tests.corpus_tools.measures.paper_cases import example, golden
from tests.naive import ngram_measures as naive

NUMBERS: defaultdict[str, int] = defaultdict(itertools.count().__next__)


def numbered(words):
    """Return words as arrays have them: the same number for the same word."""
    return np.array([NUMBERS[word] for word in words], dtype=np.int32)


def random_text(generator, least=0):
    return [generator.choice("abcde") for _ in range(generator.randint(least, 9))]


def counted(words, stop, whole_text):
    kept = numbered(word for word in words if word not in stop)
    return CountedText(kept, kept if whole_text else numbered(words), len(words))


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
