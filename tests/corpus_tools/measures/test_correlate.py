"""Tests the whole meta-evaluation: what it holds, and how it is shown."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from corpus_tools.base.errors import BadData
from corpus_tools.measures.correlations import (
    CORRELATION_LEVELS,
    correlate_column,
    correlation_of_t,
    critical_correlation,
    draw,
    regression,
    williams_test,
)
from corpus_tools.measures.meta_evaluation import correlate, report_text
from corpus_tools.measures.ratings import RatingColumn
from corpus_tools.texts.text_table import TABLE_FORMATS
from tests.corpus_tools.measures.random_ratings import panel_of, records, tables
from tests.naive import meta_evaluation as naive

DOCUMENTS, SYSTEMS = 9, 6


def made_up(missing=0.0):
    """Return three tables of scores and one of judgements, by name."""
    generator = np.random.default_rng(3)
    first, judged = tables(generator, DOCUMENTS, SYSTEMS, missing)
    noise = generator.normal(size=(2, DOCUMENTS, SYSTEMS))
    scores = {"rouge-1": first, "rouge-2": judged + noise[0], "bleu": judged + 3 * noise[1]}
    return scores, judged


def correlated(missing=0.0, **options):
    scores, judged = made_up(missing)
    rows = [row for name, values in scores.items() for row in records(name, values)]
    return correlate(rows, records("coverage", judged), resamples=100, **options)


def only(made):
    (judged,) = made.judgements.values()
    return judged


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_figures_of_systems_are_those_of_scipy(missing):
    scores, judged = made_up(missing)
    made = only(correlated(missing))
    assert [str(one.column) for one in made.correlations] == list(scores)
    for correlation in made.correlations:
        both = naive.pairwise(scores[str(correlation.column)], judged)
        x, y = (naive.system_means(values) for values in both)
        for name, test in (
            ("pearson", stats.pearsonr(x, y)),
            ("spearman", stats.spearmanr(x, y)),
            ("kendall", stats.kendalltau(x, y)),
        ):
            found = getattr(correlation, name)
            assert (found.value, found.p) == pytest.approx((test.statistic, test.pvalue))
            assert found.interval[0] <= found.interval[1]
        line = stats.linregress(x, y)
        t, df, p, r2 = correlation.regression
        assert (t, p, r2) == pytest.approx((line.slope / line.stderr, line.pvalue, line.rvalue**2))
        assert df == SYSTEMS - 2
        assert (correlation.missing > 0) == (missing > 0)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_comparisons_are_of_all_pairs_on_what_both_have(missing):
    scores, judged = made_up(missing)
    made = only(correlated(missing))
    compared = [(str(one.first), str(one.second)) for one in made.comparisons]
    assert compared == list(itertools.combinations(scores, 2))
    r = {one.column: one.pearson.value for one in made.correlations}
    for one in made.comparisons:
        x1, x2 = scores[str(one.first)], scores[str(one.second)]
        lacking = np.isnan(x1) | np.isnan(x2) | np.isnan(judged)
        means = [
            naive.system_means(np.where(lacking, np.nan, v).tolist()) for v in (x1, x2, judged)
        ]
        t, p = naive.williams(*means)
        assert (one.williams.t, one.williams.p) == pytest.approx((t, p), rel=1e-6)
        assert one.williams.df == SYSTEMS - 3
        assert one.between == pytest.approx(stats.pearsonr(*means[:2]).statistic)
        assert one.difference == pytest.approx(r[one.first] - r[one.second])
        assert one.interval[0] < one.difference < one.interval[1]


def test_judgements_of_whole_systems():
    scores, judged = made_up()
    systems = [{"system": f"s{s}", "responsiveness": s} for s in range(SYSTEMS)]
    judgements = [*records("coverage", judged), *systems]
    made = correlate(records("rouge-1", scores["rouge-1"]), judgements)
    whole = made.judgements["responsiveness"]
    assert whole.of_whole_systems and whole.decisions == []
    x = scores["rouge-1"].mean(axis=0)
    expected = stats.pearsonr(x, range(SYSTEMS)).statistic
    assert whole.correlations[0].pearson.value == pytest.approx(expected)
    made = correlate(records("rouge-1", scores["rouge-1"]), judgements, level="summary")
    assert list(made.judgements) == ["coverage"] and made.skipped == ["responsiveness"]
    assert "left out at the level of summaries: responsiveness" in report_text(made, "text")
    with pytest.raises(BadData):
        correlate(records("rouge-1", scores["rouge-1"]), systems, level="summary")


def test_the_order_of_the_lines_does_not_matter():
    scores, judged = made_up()
    rows, judgements = records("bleu", scores["bleu"]), records("coverage", judged)
    one, other = correlate(rows, judgements), correlate(rows[::-1], judgements[::-1])
    assert one.as_dict() == other.as_dict()


def test_the_table_of_r2_has_the_squares_of_pearsons_r():
    _, judged = made_up()
    generator = np.random.default_rng(5)
    scores = {
        f"aev-{alpha}-{n}": judged + generator.normal(size=judged.shape)
        for n in (1, 2)
        for alpha in (0, 0.1, 1)
    }
    rows = [row for name, values in scores.items() for row in records(name, values)]
    made = correlate(rows, records("coverage", judged))
    table = only(made).aev_r2["aev"]
    text = report_text(made, "text", significance=True)
    assert "coverage: R2 of AEv(alpha, N), per cent\nN / alpha  0" in text
    assert list(table) == [2, 1]
    for name, values in scores.items():
        _, alpha, n = name.split("-")
        r = stats.pearsonr(values.mean(axis=0), judged.mean(axis=0)).statistic
        assert table[int(n)][float(alpha)] == pytest.approx(r**2)
        assert f"{100 * r**2:.2f}" in text
    assert made.as_dict()["judgements"]["coverage"]["aev_r2"]["aev"]["2"]["0.1"] == table[2][0.1]


@pytest.mark.parametrize("level", CORRELATION_LEVELS)
@pytest.mark.parametrize("form", TABLE_FORMATS)
def test_every_format_has_all_figures_and_the_signature(level, form):
    made = correlated(level=level)
    text = report_text(made, form, significance=True)
    for correlation in only(made).correlations:
        for coefficient in correlation.coefficients:
            assert f"{coefficient.value:.3f}" in text
            assert "[{:.3f}, {:.3f}]".format(*coefficient.interval) in text
    assert made.signature in text
    assert f"level {level} | documents {DOCUMENTS} | systems {SYSTEMS}" in made.signature
    assert ("Williams" in text) == (level == "system")
    assert ("paired t test" in text) == (level == "system")
    if form == "markdown":
        rows = [line.count("|") if line.startswith("|") else 0 for line in text.splitlines()]
        # Cells of a table's rows and of its head are as many.
        assert all(one == other or 0 in (one, other) for one, other in itertools.pairwise(rows))


# Correlations and tests against scipy, the definitions, and what the papers print


ROUGE = RatingColumn("rouge-1")


@pytest.mark.parametrize("level", CORRELATION_LEVELS)
@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_values_and_intervals_are_those_of_the_definition(level, missing):
    scores, judgements = tables(np.random.default_rng(4), 7, 5, missing, steps=1)
    if missing:
        scores[2] = np.nan
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


def test_williams_test_of_a_measure_and_itself_is_undefined():
    t, df, p = williams_test(0.5, 0.5, 1.0, 10)
    assert math.isnan(t) and math.isnan(p) and df == 7


CELLS = {
    11: {1.025: 0.295, 7.130: 0.907, 2.444: 0.593, 0.704: 0.208, 0.246: 0.074},
    13: {3.910: 0.735, 13.23: 0.965, 2.142: 0.511, 1.828: 0.452, 15.648: 0.974, 1.691: 0.425},
}
"""Lin and Hovy (2003), cells of Tables 2 and 3: t and r by the degrees of freedom."""


def test_cells_of_tables_2_and_3():
    for df, cells in CELLS.items():
        for t, printed in cells.items():
            r = correlation_of_t(t, df)
            found = regression(r, df + 2)
            assert (r, found.r2) == pytest.approx((printed, printed**2), abs=0.0012)
            assert found.t == pytest.approx(t, abs=1e-9)


def test_critical_values_of_pearsons_r():
    """Those of 10 to 16 degrees of freedom are in footnote 6 of Lin (2004)."""
    found = [critical_correlation(df) for df in (8, 10, 12, 14, 16)]
    assert found == pytest.approx([0.632, 0.576, 0.532, 0.497, 0.468], abs=0.0005)
