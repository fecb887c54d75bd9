"""Correlations and tests against scipy, the definitions, and what the papers print."""

from __future__ import annotations

import math

import numpy as np
import pytest

from corpus_tools.meta_evaluation.correlations import (
    LEVELS,
    correlate_column,
    correlation_of_t,
    critical_correlation,
    draw,
    regression,
    weighted_correlations,
    williams_test,
)
from corpus_tools.meta_evaluation.ratings import Column
from tests.corpus_tools.measures.paper_cases import every_example
from tests.corpus_tools.meta_evaluation.random_ratings import panel_of, tables
from tests.naive import meta_evaluation as naive

ROUGE = Column("rouge-1")


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_weighted_correlations_are_those_of_repeated_points(missing):
    generator = np.random.default_rng(1)
    x, y = tables(generator, 40, 9, missing, steps=1)
    weights = generator.multinomial(9, np.full(9, 1 / 9), size=(40, 7)).astype(float)
    found = weighted_correlations(x, y, weights)
    expected = [
        [naive.drawn_correlations(x[b], y[b], times) for times in weights[b]] for b in range(40)
    ]
    assert 0 < np.isnan(found).sum() < found.size / 2
    np.testing.assert_allclose(found, np.moveaxis(np.array(expected), -1, 0), atol=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_values_and_intervals_are_those_of_the_definition(level, missing):
    scores, judgements = tables(np.random.default_rng(4), 7, 5, missing)
    panel = panel_of(scores, judgements)
    draws = draw(panel, 200, 5)
    correlation, pearson = correlate_column(panel, ROUGE, level, draws)
    once = ([[1] * 7], [[1] * 5])
    (values,) = naive.resampled_correlations(scores, judgements, *once, level)
    resampled = np.array(naive.resampled_correlations(scores, judgements, *draws, level))
    np.testing.assert_allclose(pearson, resampled[:, 0], atol=1e-10)
    for number, coefficient in enumerate(correlation.coefficients):
        drawn = resampled[:, number]
        assert coefficient.value == pytest.approx(values[number], abs=1e-10)
        assert coefficient.undefined_resamples == np.isnan(drawn).sum()
        interval = np.nanpercentile(drawn, [2.5, 97.5])
        assert coefficient.interval == pytest.approx(interval, abs=1e-10)


def test_documents_and_systems_are_drawn_independently():
    panel = panel_of(*tables(np.random.default_rng(6), 9, 9))
    draws = draw(panel, 50, 7)
    assert draws.documents.shape == draws.systems.shape == (50, 9)
    assert not np.array_equal(draws.documents, draws.systems)
    assert (draws.documents.sum(axis=1) == 9).all() and (draws.systems.sum(axis=1) == 9).all()
    np.testing.assert_array_equal(draws.documents, draw(panel, 50, 7).documents)
    assert not np.array_equal(draws.documents, draw(panel, 50, 8).documents)


@pytest.mark.parametrize(
    ("scores", "judgements", "reason"),
    [
        ([[1.0, 2.0]], [[1.0, 2.0]], "fewer than 3 systems"),
        ([[1.0, 1.0, 1.0]], [[1.0, 2.0, 3.0]], "all scores are equal"),
        ([[1.0, 2.0, 3.0]], [[2.0, 2.0, 2.0]], "all judgements are equal"),
        # The means are equal, but the sums of the addends are not, to the last bit.
        ([[0.1, 0.3, 0.6], [0.2, 0.2, 0.0], [0.3, 0.1, 0.0]], [[1.0, 2.0, 3.0]] * 3, "equal"),
    ],
)
def test_what_is_undefined_says_why(scores, judgements, reason):
    panel = panel_of(np.array(scores), np.array(judgements))
    correlation, resampled = correlate_column(panel, ROUGE, "system", draw(panel, 20, 0))
    assert reason in correlation.reason
    assert np.isnan(resampled).any()
    assert math.isnan(correlation.regression.t) and math.isnan(correlation.regression.p)
    for coefficient in correlation.coefficients:
        assert math.isnan(coefficient.value) and math.isnan(coefficient.p)


@pytest.mark.parametrize("points", [4, 7, 30])
def test_it_is_that_of_the_definition(points):
    generator = np.random.default_rng(points)
    y = generator.normal(size=points)
    one, other = (y + generator.normal(size=points) for _ in range(2))
    r = np.corrcoef([y, one, other])
    found = williams_test(r[0, 1], r[0, 2], r[1, 2], points)
    assert (found.t, found.p) == pytest.approx(naive.williams(one, other, y))
    assert found.df == points - 3
    swapped = williams_test(r[0, 2], r[0, 1], r[1, 2], points)
    assert (swapped.t, swapped.p) == pytest.approx((-found.t, found.p))


def examples(prefix):
    return [one for one in every_example() if one["id"].startswith(prefix)]


def check_cell(df, t, r, r2, tolerance):
    found = regression(correlation_of_t(t, df), df + 2)
    assert correlation_of_t(t, df) == pytest.approx(r, abs=tolerance)
    assert found.r2 == pytest.approx(r2, abs=tolerance)
    assert found.t == pytest.approx(t, abs=1e-9)


@pytest.mark.parametrize("table", [2, 3])
def test_all_cells_of_tables_2_and_3(table):
    cells = examples(f"lh-table{table}-")
    assert len(cells) == 30
    for cell in cells:
        inputs, expected = cell["inputs"], cell["expected"]
        check_cell(inputs["df"], inputs["t"], expected["r"], expected["cd"], cell["tolerance"])


def test_critical_values_of_pearsons_r():
    found = [critical_correlation(df) for df in (8, 10, 12, 14, 16)]
    assert found == pytest.approx([0.632, 0.576, 0.532, 0.497, 0.468], abs=0.0005)
    (example,) = examples("lin-pearson-critical")
    found = [critical_correlation(df) for df in example["inputs"]["df"]]
    assert found == pytest.approx(example["expected"], abs=example["tolerance"])
