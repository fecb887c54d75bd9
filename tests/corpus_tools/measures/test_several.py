"""Tests of how several references make one figure."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.measures.settings import SEVERAL
from corpus_tools.measures.several import over_references

COUNTS = [np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([3.0, 8.0])]
EXPECTED = {
    "best": 3 / 4,
    "sum": 7 / 14,
    "mean": (1 / 2 + 3 / 4 + 3 / 8) / 3,
    "jackknife": (3 / 4 + 1 / 2 + 3 / 4) / 3,
}


def sides(counts):
    return (counts[0] / counts[1], counts[1], np.nan)


def test_every_way_has_a_case():
    assert EXPECTED.keys() == SEVERAL.keys()


@pytest.mark.parametrize("several", SEVERAL)
def test_recall(several):
    assert over_references(COUNTS, sides, several)[0] == pytest.approx(EXPECTED[several])


@pytest.mark.parametrize("several", SEVERAL)
def test_one_reference_is_the_same_in_every_way(several):
    assert list(over_references(COUNTS[:1], sides, several)) == pytest.approx(
        [1 / 2, 2.0, np.nan], nan_ok=True
    )


def test_the_best_reference_gives_all_figures_and_the_first_of_equals_is_the_best():
    equal = [np.array([1.0, 2.0]), np.array([2.0, 4.0])]
    assert list(over_references(equal, sides, "best"))[:2] == [1 / 2, 2.0]
