"""Tests what the papers print: t, r and R2, critical values, levels, Spearman's rho, decisions.

Lin and Hovy (2003), Tables 1 to 3 and section 4.2; Lin (2004), section 6.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from corpus_tools.meta_evaluation.correlate import correlate
from corpus_tools.meta_evaluation.regression import (
    correlation_of_t,
    critical_correlation,
    regression,
)
from corpus_tools.meta_evaluation.report_text import report_text
from tests.paths import SHARED

EXAMPLES = SHARED / "measures" / "worked-examples.json"

# From Table 1: rho of Ngram(1,4), 13 points in the first column and 15 in the others.


def examples(prefix):
    if not EXAMPLES.exists():
        pytest.skip("shared/measures is not beside the repository")
    every = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return [one for one in every if one["id"].startswith(prefix)]


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


@pytest.mark.parametrize("table", [3, 4])
def test_r2_of_15_systems_is_shown_as_in_the_tables_of_soricut_and_brill(table):
    """Their data are not at hand: scores are made that have the printed R2."""
    (example,) = examples(f"sb-table{table}")
    generator = np.random.default_rng(table)
    judged, noise = generator.normal(size=(2, 15))
    judged = (judged - judged.mean()) / judged.std()
    noise -= noise.mean() + judged * (noise @ judged) / 15
    noise /= noise.std()
    printed = {int(n): row for n, row in example["expected"].items()}
    scores = {
        f"aev-{step / 10:g}-{n}": np.sqrt(r2 / 100) * judged + np.sqrt(1 - r2 / 100) * noise
        for n, row in printed.items()
        for step, r2 in enumerate(row)
    }
    assert len(scores) == 44
    rows = [
        {"system": f"s{number}"} | {name: values[number] for name, values in scores.items()}
        for number in range(15)
    ]
    human = [{"system": f"s{number}", "quality": judged[number]} for number in range(15)]
    made = correlate(rows, human, resamples=1)
    shown = report_text(made, "text", significance=True).splitlines()
    for n, row in printed.items():
        (line,) = [line for line in shown if line.split()[:2] == [str(n), f"{row[0]:.2f}"]]
        assert list(map(float, line.split()[1:])) == row
