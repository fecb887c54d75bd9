"""Lists the measures by family, and makes one from its name. A new family is one line here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corpus_tools.errors import choose
from corpus_tools.measures.bleu import Bleu
from corpus_tools.measures.compression_measures import (
    SummarizationAccuracy,
    WeightedSummarizationAccuracy,
    WordAccuracy,
    WordStringPrecision,
)
from corpus_tools.measures.idf_recall import IdfRecall
from corpus_tools.measures.measure import Measure
from corpus_tools.measures.ngram import Ngram
from corpus_tools.measures.rouge import (
    RougeL,
    RougeLSequence,
    RougeN,
    RougeS,
    RougeSU,
    RougeW,
)
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.soricut_brill import NgramPrecision, NgramRecall, WeightedNgrams
from corpus_tools.plugins.registry import Registry

MEASURES: Registry[type[Measure]] = Registry.of_classes(
    "measure",
    Measure,
    (
        RougeN,
        RougeL,
        RougeLSequence,
        RougeW,
        RougeS,
        RougeSU,
        IdfRecall,
        Ngram,
        NgramPrecision,
        NgramRecall,
        WeightedNgrams,
        WordAccuracy,
        SummarizationAccuracy,
        WeightedSummarizationAccuracy,
        WordStringPrecision,
        Bleu,
    ),
    "semihmm.measures",
)


def make_measure(
    metric: str,
    settings: MeasureSettings | None = None,
    families: Iterable[type[Measure]] | None = None,
) -> Measure:
    """Make a measure from its name, as "rouge-w-1.2", of one of the families; by default of all.

    Raises ``BadUsage`` with a close match for a name of no family.
    """
    known: list[str] = []
    for family in MEASURES.values() if families is None else families:
        if match := re.fullmatch(family.pattern, metric):
            return family(metric, match.groupdict(), settings or MeasureSettings())
        known += family.examples
    choose("metric", metric, known)
    raise AssertionError(f"{metric} is an example that its own pattern does not match")
