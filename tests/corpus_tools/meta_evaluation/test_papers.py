"""Tests what the papers print: t, r and R2, critical values, levels, Spearman's rho, decisions.

Lin and Hovy (2003), Tables 1 to 3 and section 4.2; Lin (2004), section 6.
"""

from __future__ import annotations

import pytest

from corpus_tools.meta_evaluation.correlations import (
    correlation_of_t,
    critical_correlation,
    regression,
)
from tests.corpus_tools.measures.paper_cases import every_example


def examples(prefix):
    return [one for one in every_example() if one["id"].startswith(prefix)]


def check_cell(df, t, r, r2, tolerance):
    found = regression(correlation_of_t(t, df), df + 2)
    assert correlation_of_t(t, df) == pytest.approx(r, abs=tolerance)
    assert found.r2 == pytest.approx(r2, abs=tolerance)
    assert found.t == pytest.approx(t, abs=1e-9)


def test_table_1_is_of_13_and_15_systems():
    """Rho of rankings of n systems is 1 less an even number times 6 / (n^3 - n)."""
    printed = {
        13: (0.604, 0.615),
        15: (0.875, 0.546, 0.575, 0.775, 0.861, 0.832, 0.646, 0.529, 0.814, 0.843),
    }

    def are_of(n, values):
        step = 12 / (n**3 - n)
        return all(abs(1 - step * round((1 - rho) / step) - rho) <= 0.0005 for rho in values)

    assert all(are_of(n, values) for n, values in printed.items())
    assert not any(are_of(n + 1, values) for n, values in printed.items()), "as in footnote 8"


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
