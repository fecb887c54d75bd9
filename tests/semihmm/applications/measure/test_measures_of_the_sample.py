"""What the measures make of the sample, beside what they made of it when that was last looked at.

A constant or a default that changes by accident moves one of these figures.
"""

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from semihmm.applications.measure.evaluation import Evaluation
from semihmm.applications.measure.hori import NetworkAccuracy
from semihmm.applications.measure.measuring import (
    DEFAULT_METRICS,
    TEXT_MEASURES,
    make_measure,
    measure,
)
from semihmm.applications.measure.stems import irregular_forms
from semihmm.applications.measure.summary_files import read_references, read_summaries
from semihmm.applications.measure.words import MeasureSettings
from tests.installed import without_version
from tests.paths import ROOT

SAMPLE = ROOT / "corpus_tools" / "data"
METRICS = [
    metric
    for family in TEXT_MEASURES
    for metric in family.examples
    if not issubclass(family, NetworkAccuracy)
]

OTHER_SETTINGS: dict[str, list] = {
    "tokenizer": ["whitespace"],
    "stem": ["nltk", "none"],
    "stop_words": [True],
    "limit_words": [9],
    "several": ["sum", "mean", "jackknife"],
    "formula": ["paper"],
    "beta": [3.0],
    "language": ["ru"],
}
"""Values that are not the default, by setting."""


def measured(metrics: list[str], setting: dict[str, Any], **options: Any) -> Evaluation:
    summaries = read_summaries(SAMPLE / "summaries.jsonl")
    references = read_references([SAMPLE / "references.jsonl"])
    return measure(summaries, references, metrics, MeasureSettings(**setting), **options)


def rows() -> Iterator[dict[str, Any]]:
    """Yield all figures of each system, and those that each setting changes."""
    for system, figures in measured(METRICS, {}).systems.items():
        yield {"system": system, "figures": {name: plain(each) for name, each in figures.items()}}
    usual = measured([*DEFAULT_METRICS], {})
    yield {"table": usual.table().splitlines(), "signature": without_version(usual.signature)}
    before = figures_of_all(measured(METRICS, {}, resamples=0))
    for name, values in OTHER_SETTINGS.items():
        for value in values:
            found = measured(METRICS, {name: value}, resamples=0)
            figures = figures_of_all(found)
            changed = {metric: each for metric, each in figures.items() if each != before[metric]}
            yield {name: value, "figures": changed, "signature": without_version(found.signature)}


def figures_of_all(evaluation: Evaluation) -> dict[str, Any]:
    return {
        metric: plain([figure.value for figure in each])
        for metric, each in evaluation.metrics.items()
    }


def plain(nested: Any) -> Any:
    """Return figures as lists of numbers; an undefined one is None."""
    if isinstance(nested, list | tuple):
        return [plain(one) for one in nested]
    return None if math.isnan(nested) else round(nested, 9)


@pytest.mark.skipif(not irregular_forms(), reason="WordNet is not installed")
def test_the_figures_are_those_that_were_looked_at(looked_at):
    made = [*rows()]
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in made)
    expected = [*map(json.loads, looked_at("measures.jsonl", text).splitlines())]
    for setting in MeasureSettings.described():
        changed = {metric for row in expected if setting in row for metric in row["figures"]}
        uses = {name for name in METRICS if setting in make_measure(name, MeasureSettings()).uses}
        assert changed == uses, setting
    for found, row in zip(made, expected, strict=True):
        figures, before = (one.pop("figures", {}) for one in (found, row))
        assert (found, [*figures]) == (row, [*before])
        # An undefined one is NaN.
        both = (np.array([*of_row.values()], float) for of_row in (figures, before))
        np.testing.assert_allclose(*both, rtol=1e-6, atol=1e-8, err_msg=str(found))
