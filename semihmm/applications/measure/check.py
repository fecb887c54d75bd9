"""Checks the contract of measures."""

from __future__ import annotations

import re

import numpy as np

from corpus_tools.base.errors import BadUsage
from semihmm.applications.measure.measure import FIGURE_SIDES, Measure
from semihmm.applications.measure.settings import MeasureSettings
from semihmm.applications.measure.words import MeasuredText, WordIndexes
from semihmm.testing.parts import TEXTS, require, require_statistics


def check_measure(kind: type[Measure]) -> None:
    """Raise ``BadUsage`` if a measure breaks the contract."""
    require(kind.side in FIGURE_SIDES, f"side: {kind.side!r} is none of {', '.join(FIGURE_SIDES)}")
    require(kind.examples, "examples: there are none")
    texts = [MeasuredText([text], WordIndexes()) for text in (*TEXTS[0], *TEXTS[1], "", "the")]
    for name in kind.examples:
        match = re.fullmatch(kind.pattern, name)
        if match is None:
            raise BadUsage(f"pattern: it does not match the example {name!r}")
        measure = kind(name, match.groupdict(), MeasureSettings()).prepared(texts)
        # Both documents and the empty text.
        references = texts[0], texts[2], texts[4]
        cases = [(text, references) for text in texts]
        statistics = require_statistics([measure.statistics(*case) for case in cases], name)
        together = np.asarray(measure.all_statistics(cases))
        same = np.allclose(together, statistics, equal_nan=True)
        require(same, "all_statistics: not what statistics gives")
        sums = np.stack([statistics.sum(axis=0), *statistics])
        figures = np.asarray(measure.figure(sums))
        expected = (len(sums), len(FIGURE_SIDES))
        require(figures.shape == expected, f"figure: {figures.shape}, expected {expected}")
        alone = np.array([measure.figure(row) for row in sums])
        same = np.allclose(alone, figures, equal_nan=True)
        require(same, "figure: one sum by itself has other figures")
