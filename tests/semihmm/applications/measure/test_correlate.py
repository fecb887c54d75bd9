"""Correlations, tests and decisions beside their definitions, scipy and what the papers print.

Reports of them are beside those that were looked at.
"""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from corpus_tools.base.errors import SemiHmmError
from corpus_tools.texts.text_table import TABLE_FORMATS
from semihmm.applications.measure import comparisons, correlations
from semihmm.applications.measure.correlate import report_text
from semihmm.applications.measure.drawn_correlations import drawn_correlations
from semihmm.applications.measure.meta_evaluation import correlate
from semihmm.applications.measure.panels import panels
from semihmm.applications.measure.ratings import RatingColumn, Ratings
from tests.installed import without_version
from tests.naive import meta_evaluation as naive
from tests.semihmm.program_runs import fails, run, write

# Scores and judgements that are related, with ties and holes


def tables(generator, documents, systems, missing=0.0, steps=4, number=2):
    """Return tables of related values, float64 [documents, systems] each, on a scale with ties."""
    quality = generator.normal(size=systems)
    made = []
    for _ in range(number):
        values = np.round(steps * (quality + generator.normal(size=(documents, systems)))) / steps
        holes = generator.random(values.shape) < missing
        # Whole documents too.
        values[holes | (generator.random((documents, 1)) < missing)] = np.nan
        made.append(values)
    return made


def random_tables(number=2, scales=(1, 4)):
    """Draw tables: few or many documents and systems, holes or none, many ties or few."""
    return st.builds(
        tables,
        st.integers(0, 2**32).map(np.random.default_rng),
        documents=st.integers(1, 6),
        systems=st.integers(2, 6),
        missing=st.sampled_from([0.0, 0.2]),
        steps=st.sampled_from(scales),
        number=st.just(number),
    )


def records(name, values):
    """Return the records of a table: systems are s0, s1, ..., documents d0, d1, ..."""
    return [
        {"id": f"d{d}", "system": f"s{s}", name: None if np.isnan(value) else value}
        for d, row in enumerate(values)
        for s, value in enumerate(row)
    ]


def panel_of(judgements, *scores):
    """Return the only panel of judgements and of scores, which have the names 0, 1, ..."""
    rows = [row for name, values in enumerate(scores) for row in records(str(name), values)]
    judged = Ratings.of_records(records("coverage", judgements), "judgement")
    (panel,) = panels(Ratings.of_records(rows), judged).values()
    return panel


# Correlations, comparisons, decisions


pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")
SCORE = RatingColumn("0")
RESAMPLES = 5


def is_nearly(value):
    return pytest.approx(value, rel=1e-6, abs=1e-6, nan_ok=True)


def interval_of(resampled):
    known = resampled[~np.isnan(resampled)]
    return np.percentile(known, [2.5, 97.5]) if len(known) else [math.nan] * 2


@settings(max_examples=30)
@given(both=random_tables(), level=st.sampled_from([*correlations.CORRELATION_LEVELS]))
def test_correlations_are_those_of_the_definition(both, level):
    panel = panel_of(*both)
    judgements, scores = naive.pairwise(*both)
    draws = correlations.draw(panel, RESAMPLES, 5)
    found, pearson = correlations.correlate_column(panel, SCORE, level, draws)
    once = ([[1] * len(side)] for side in (scores, scores[0]))
    (values,) = naive.resampled_correlations(scores, judgements, *once, level)
    resampled = np.array(naive.resampled_correlations(scores, judgements, *draws, level))
    assert pearson == is_nearly(resampled[:, 0])
    for value, drawn, coefficient in zip(values, resampled.T, found.coefficients, strict=True):
        interval = interval_of(drawn if value == value else drawn[:0])
        assert (coefficient.value, *coefficient.interval) == is_nearly((value, *interval))
        assert coefficient.undefined_resamples == np.isnan(drawn).sum()
    present = ~np.isnan(scores)
    assert found.systems == present.any(axis=0).sum()
    assert found.documents == present.any(axis=1).sum()
    assert found.missing == (~present).sum()
    assert bool(found.reason) == math.isnan(values[0])
    of_each = [naive.correlations(*rows)[0] for rows in zip(scores, judgements, strict=True)]
    undefined = sum(map(math.isnan, of_each)) - (~present.any(axis=1)).sum()
    assert found.undefined_documents == (undefined if level == "summary" else 0)
    ps = [coefficient.p for coefficient in found.coefficients]
    if level != "system":
        assert found.regression is None and np.isnan(ps).all()
    elif not found.reason:
        # Means that differ by rounding errors are equal.
        x, y = (np.round(naive.system_means(side), 12) for side in (scores, judgements))
        x, y = x[~np.isnan(x)], y[~np.isnan(y)]
        assert ps == is_nearly([test(x, y).pvalue for test in naive.COEFFICIENTS])
        line = stats.linregress(x, y)
        t, df, p, r2 = found.regression
        assert (df, p, r2) == is_nearly((len(x) - 2, line.pvalue, line.rvalue**2))
        assert abs(values[0]) > 1 - 1e-6 or t == is_nearly(line.slope / line.stderr)


def test_resamples_of_many_points_are_correlated_in_parts():
    generator = np.random.default_rng(6)
    x, y = np.round(generator.normal(size=(2, 1, 1200)), 1)
    times = generator.multinomial(1200, [1 / 1200] * 1200, size=(1, 900)).astype(float)
    found = drawn_correlations(x, y, times)
    for resample in (0, 450, 899):
        drawn = (naive.drawn_points(side[0], times[0, resample]) for side in (x, y))
        assert found[:, resample] == is_nearly(naive.correlations(*drawn))


@settings(max_examples=30)
@given(
    three=random_tables(3, scales=[1000]),
    unit=st.sampled_from([1.0, 0.01]),
    level=st.sampled_from([*correlations.CORRELATION_LEVELS]),
)
def test_comparisons_are_of_all_pairs_on_what_both_have(three, unit, level):
    judgements, *scores = three = [values * unit for values in three]
    scores.append(np.full(judgements.shape, np.nan))
    panel = panel_of(judgements, *scores)
    draws = correlations.draw(panel, RESAMPLES, 5)
    made = [correlations.correlate_column(panel, column, level, draws) for column in panel.scores]
    resampled = {one.column: drawn for one, drawn in made}
    compared = comparisons.compare_columns(panel, [one for one, _ in made], resampled, level)
    if not (made[0][0].documents and made[1][0].documents):
        assert not compared
        return
    # The third score has no value.
    (one,) = compared
    assert (str(one.first), str(one.second)) == ("0", "1")
    assert one.difference == is_nearly(made[0][0].pearson.value - made[1][0].pearson.value)
    drawn = resampled[one.first] - resampled[one.second]
    assert one.interval == is_nearly(tuple(interval_of(drawn)))
    if level != "system":
        assert one.williams is None and math.isnan(one.between)
        return
    lacking = np.isnan(three).any(axis=0)
    points = [naive.system_means(np.where(lacking, np.nan, side).tolist()) for side in three]
    y, x1, x2 = np.array(points)[:, ~np.isnan(points[0])]
    t, p = naive.williams(x1, x2, y)
    assert one.williams == is_nearly((t, len(y) - 3, p))
    r = stats.pearsonr(x1, x2).statistic if len(y) > 2 else math.nan
    assert one.between == is_nearly(r)


@settings(max_examples=30)
@given(both=random_tables(), alpha=st.sampled_from([0.3, 0.1, 0.01]))
def test_decisions_are_those_of_one_pair_after_the_other(both, alpha):
    made = comparisons.decisions(panel_of(*both), SCORE, [alpha, 1e-9])
    judgements, scores = naive.pairwise(*both)
    wanted = [*itertools.product(comparisons.SYSTEM_TESTS, [alpha, 1e-9])]
    assert [(one.test, one.alpha) for one in made] == wanted
    for one in made:
        assert one[3:] == is_nearly(naive.decisions(scores, judgements, one.test, one.alpha))


def test_a_score_that_is_the_judgement_correlates_1_and_never_more():
    generator = np.random.default_rng(1)
    values, times = generator.normal(size=(1, 7)), generator.integers(1, 4, size=(1, 999, 7))
    for sign in (1, -1):
        found = drawn_correlations(values, sign * values / 3, times)
        assert found == pytest.approx(np.full(found.shape, sign)) and abs(found).max() <= 1.0


def at_each_level(line):
    """Yield the correlations of scores with judgements, or why there are none."""
    scores, judgements = (np.array(json.loads(side), float) for side in line.split(" | "))
    panel = panel_of(judgements, scores)
    draws = correlations.draw(panel, 20, 0)
    for level in correlations.CORRELATION_LEVELS:
        found, _ = correlations.correlate_column(panel, SCORE, level, draws)
        shown = (f"{one.value:.3f} (p {one.p:.3f})" for one in found.coefficients)
        yield ", ".join([level, *shown, found.reason])


def test_what_is_undefined_says_why(worked_out):
    worked_out("undefined.txt", at_each_level)


def test_tests_without_variance_or_points():
    for sign in (1, -1):
        assert correlations.regression(sign, 7) == (sign * math.inf, 5, 0.0, 1.0)
    # A measure and itself, and three points.
    for between, points in ((1.0, 10), (0.5, 3), (math.nan, 10)):
        t, df, p = comparisons.williams_test(0.5, 0.5, between, points)
        assert math.isnan(t) and math.isnan(p) and df == points - 3
    t, df, _ = comparisons.williams_test(0.6, 0.5, 0.5, 4)
    assert t > 0 and df == 1
    # p < alpha.
    assert [*comparisons.decided(np.array([0.05, -0.05, 0.049]), 0.05)] == [0, 0, 1]
    # Values that differ by rounding errors are equal.
    panel = panel_of(np.array([[1.0, 2], [2, 3], [3, 5]]), np.array([[0.1 + 0.2, 0.3]] * 3))
    made = comparisons.decisions(panel, SCORE, [0.1])
    assert [(one.measured, one.undefined) for one in made] == [(0, 1)] * 2


def test_figures_that_papers_print():
    """Footnote 6 of Lin (2004), and t and r in cells of Tables 2 and 3 of Lin and Hovy (2003)."""
    found = [correlations.critical_correlation(df) for df in (8, 10, 12, 14, 16)]
    assert found == pytest.approx([0.632, 0.576, 0.532, 0.497, 0.468], abs=0.0005)
    cells = [(11, 1.025, 0.295), (11, 7.13, 0.907), (13, 3.91, 0.735), (13, 15.648, 0.974)]
    for df, t, r in cells:
        assert correlations.regression(r, df + 2).t == pytest.approx(t, rel=0.01)


# The whole meta-evaluation


def test_wrong_options_are_refused():
    scores = records("bleu", tables(np.random.default_rng(3), 5, 4)[0])
    systems = [{"system": f"s{s}", "responsiveness": s} for s in range(4)]
    for options, problem in (
        ({"level": "systems"}, "unknown level"),
        ({"alphas": [0.1, 0.0]}, "not 0.0"),
        ({"alphas": [1.0]}, "not 1.0"),
        ({"resamples": 0}, "not 0"),
        ({"level": "summary"}, "all judgements are about whole systems"),
    ):
        with pytest.raises(SemiHmmError, match=problem):
            correlate(scores, systems, **options)
    made = correlate(scores, systems, alphas=[0.9999], resamples=1)
    assert made.judgements["responsiveness"].of_whole_systems


def test_correlate_says_that_few_systems_have_no_interval_and_prints_json(capsys, tmp_path):
    (table,) = tables(np.random.default_rng(4), 5, 8, number=1)
    for systems, level, is_said in ((7, "system", True), (8, "system", False), (7, "all", False)):
        judged = records("good", table) + records("rare", table[:, :systems])
        paths = write(tmp_path / "scores", *judged[:40]), write(tmp_path / "judged", *judged)
        run("correlate", *paths, "--level", level)
        assert (f"only {systems} systems" in capsys.readouterr().err) == is_said
    in_json = "correlate", *paths, "--json"
    run(*in_json)
    assert [*json.loads(capsys.readouterr().out)["judgements"]] == ["good", "rare"]
    assert "--json prints no tables" in fails(capsys, 2, *in_json, "--format", "latex")


# Reports

NAMES = ("rouge-1", "back", "same", "few", "aev-0.5-2", "aev-1-3")
"""Measures, of which some are opposite, all equal, or of two systems only."""


def correlated(level):
    """Return the correlations of scores with judgements of summaries and of whole systems."""
    quality, *values = tables(np.random.default_rng(2), 4, 5, missing=0.1, number=1 + len(NAMES))
    by_name = dict(zip(NAMES, values, strict=True))
    by_name["rouge-1"] += 3 * quality
    by_name["back"] = -by_name["rouge-1"] - quality
    by_name["same"][:] = 1
    by_name["few"][:, 2:] = math.nan
    scores = [row for name, own in by_name.items() for row in records(name, own)]
    scores += [
        row | {"aev-1-2": {"f": row.pop("f"), "recall": 1, "precision": None}}
        for row in records("f", values[1])
    ]
    judgements = records("quality", quality)
    for place in range(5):
        pooled = {"f pooled": place**2 % 7}
        scores.append({"system": f"s{place}", "whole": 3 * place % 5, "aev-1-2": pooled})
        judgements.append({"system": f"s{place}", "overall": 2 * place % 5})
    ratings = Ratings.of_records(scores)
    ratings.signatures["scores.json"] = "another program"
    return correlate(ratings, judgements, level=level, resamples=20)


HOLE = math.nan
HOLES = [
    ("system", [[1, 2, 4]] * 2),
    ("system", [[1, 2, HOLE], [2, 3, 4]]),
    ("system", [[HOLE] * 3] * 2),
    ("system", [[1, 2]]),
    ("summary", [[1, 2, HOLE], [2, 3, 4]]),
    ("all", [[1, 2, HOLE], [HOLE, 3, 4]]),
]
"""Levels and scores; notes say what of them is undefined or missing, and nothing else."""


def reports():
    """Yield reports at every level and in every form."""
    for level in correlations.CORRELATION_LEVELS:
        made = correlated(level)
        yield report_text(made, "text", significance=True)
    for form in TABLE_FORMATS:
        yield report_text(made, form)
    for level, scores in HOLES:
        given = np.array(scores, float)
        judged = np.arange(given.size, dtype=float).reshape(given.shape)
        both = records("0", given), records("quality", judged)
        yield report_text(correlate(*both, level=level), "text")
    scores = [{"system": name, "m": 1 if name == "A" else None, "n": len(name)} for name in "ABC"]
    judgements = [{"system": name, "overall": ord(name)} for name in "ABC"]
    yield report_text(correlate(scores, judgements), "text")


def test_the_reports_are_those_that_were_looked_at(looked_at):
    made = without_version("\n\n".join(reports()) + "\n")
    assert cells(made) == cells(looked_at("correlations.txt", made))


def cells(text):
    """Return the words of each line; a zero may be a rounding error, which has a sign."""
    return [line.replace("-0.000", "0.000").split() for line in text.splitlines()]


def test_json_has_every_field_and_null_for_what_is_undefined():
    made = correlated("summary")
    plain = json.loads(json.dumps(made.as_dict(), allow_nan=False))
    assert (plain["signature"], plain["skipped"]) == (made.signature, ["overall"])
    found = made.judgements["quality"].correlations
    for one, row in zip(found, plain["judgements"]["quality"]["correlations"], strict=True):
        assert (row["measure"], row["figure"]) == one.column
        value = row["pearson"]["value"]
        assert value == (None if one.reason else one.pearson.value)
    assert plain["undefined"] == sum(bool(one.reason) for one in found) >= 2
