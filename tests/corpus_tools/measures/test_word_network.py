"""The network of several compressions: the paper's example, golden values, and enumeration."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from corpus_tools.measures.nearest_path_kernels import word_errors
from corpus_tools.measures.word_network import UNKNOWN, WordNetwork
from tests.corpus_tools.measures.paper_cases import example, golden
from tests.naive import word_network as naive

TABLE_1 = [[0, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1, 2, 3, 7, 8], [2, 3, 6, 7, 8], [1, 2, 6, 7, 8]]
"""The subjects A to E of Hori et al. (2003), Table 1."""
NETWORK = WordNetwork(TABLE_1)


def array(positions):
    return np.array(positions, dtype=np.int64)


def test_the_connections_of_figure_1():
    arcs = {("<s>", word): subjects for word, subjects in NETWORK.begins.items()}
    arcs |= {(word, "</s>"): subjects for word, subjects in NETWORK.ends.items()}
    assert arcs | NETWORK.made == naive.connections(TABLE_1)
    assert len(naive.sequences(TABLE_1)) == 12


def test_the_network_of_the_worked_example():
    case = example("hori-network")
    subjects = case["inputs"]["subjects (positions from 1)"].values()
    assert [[position - 1 for position in positions] for positions in subjects] == TABLE_1
    assert len(case["expected"]) == len(naive.connections(TABLE_1))
    for arc, number in case["expected"].items():
        before, after = (int(end) - 1 if end.isdigit() else end for end in arc.split("->"))
        if before == "<s>":
            assert NETWORK.begins[after] == number
        elif after == "</s>":
            assert NETWORK.ends[before] == number
        else:
            assert NETWORK.made[before, after] == number
    assert len(naive.sequences(TABLE_1)) == example("hori-paths")["expected"]


@pytest.mark.parametrize("name", ["bloom", "new", "A", "B", "original", "wrong"])
def test_the_nearest_path_of_the_worked_examples(name):
    case = example(f"hori-{name}")
    words = example("hori-network")["inputs"]["original"].split()
    expected = case["expected"]
    summary = [position - 1 for position in case["inputs"]["positions"]]
    target = NETWORK.nearest(summary)
    assert " ".join(words[position] for position in target.positions) == expected["target"]
    assert target.errors == expected["errors"]
    assert target.accuracy == pytest.approx(expected["sumaccy"], abs=1e-9)
    assert target.weight == pytest.approx(expected["weight"], abs=1e-9)
    for positions, accuracy in zip(
        TABLE_1, expected["word accuracy against each subject"].values(), strict=True
    ):
        found = 1 - word_errors(array(positions), array(summary)) / len(positions)
        assert found == pytest.approx(accuracy, abs=1e-9)


def test_nobody_wrote_japan_bloom():
    """Section 3.4 calls "Cherry blossoms in Japan bloom" correct; no subject ended with "bloom"."""
    target = NETWORK.nearest([2, 3, 4, 5, 6])
    assert (target.positions, target.errors, target.accuracy) == ((2, 3, 4, 5), 1, 0.75)
    assert target.weight == pytest.approx((4 / 5 * 2 / 5 * 2 / 5) ** (1 / 3), rel=1e-12)


def test_a_sequence_that_no_subject_wrote_may_be_correct():
    target = NETWORK.nearest([1, 2, 3, 6, 7, 8])
    assert target.accuracy == 1
    assert target.weight == pytest.approx(
        math.prod([3 / 5, 4 / 5, 1 / 5, 2 / 5, 3 / 5]) ** (1 / 5), rel=1e-12
    )


def test_an_empty_summary_lacks_every_word_of_the_shortest_sequence():
    target = NETWORK.nearest([])
    assert target.accuracy == 0
    assert target.errors == len(target.positions) == 4


def test_a_target_of_one_word_has_weight_1():
    target = WordNetwork([[1], [0, 2]]).nearest([1])
    assert (target.positions, target.accuracy, target.weight) == ((1,), 1.0, 1.0)


def test_more_errors_than_words_make_the_accuracy_negative():
    assert WordNetwork([[0]]).nearest([UNKNOWN, 1, 2]).accuracy == -2


def test_the_golden_values():
    for case in golden("hori"):
        summary, subjects = case["candidate"], case["subjects"]
        target = WordNetwork(subjects).nearest(summary)
        assert target.errors == case["errors"]
        assert len(target.positions) == len(case["target"])
        assert target.accuracy == pytest.approx(case["sumaccy"], abs=1e-12)
        assert target.weight == pytest.approx(case["weight"], abs=1e-12)
        found = [1 - word_errors(array(s), array(summary)) / len(s) for s in subjects]
        assert found == pytest.approx(case["wacc"], abs=1e-12)
        assert len(naive.sequences(subjects)) == case["paths"]


@pytest.mark.parametrize("seed", range(150))
def test_the_nearest_path_beside_all_paths(seed):
    generator = random.Random(seed)
    words = range(generator.randint(1, 8))
    subjects = [
        sorted(generator.sample(words, generator.randint(1, len(words))))
        for _ in range(generator.randint(1, 6))
    ]
    summary = [generator.choice([UNKNOWN, *words]) for _ in range(generator.randint(0, 7))]
    target = WordNetwork(subjects).nearest(summary)
    expected = naive.target(subjects, summary)
    assert target.positions in naive.sequences(subjects)
    assert target.errors == naive.errors(expected, summary)
    assert target.errors == naive.errors(target.positions, summary)
    assert len(target.positions) == len(expected)
    assert target.weight == pytest.approx(naive.weight(expected, subjects), rel=1e-12)
    assert target.weight == pytest.approx(naive.weight(target.positions, subjects), rel=1e-12)
