"""The registry of measures, and ``measure``, which applies them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from corpus_tools.base.errors import BadUsage
from corpus_tools.base.progress import showing_bars
from corpus_tools.plugins.registry import Registry
from semihmm.aligner import Aligner
from semihmm.applications.measure import measuring
from semihmm.applications.measure.coverage import Coverage
from semihmm.applications.measure.evaluation import BOOTSTRAP_RESAMPLES, Evaluation
from semihmm.applications.measure.given_summaries import GivenReferences, GivenSummaries
from semihmm.applications.measure.measure import Measure
from semihmm.applications.measure.measuring import DEFAULT_METRICS, make_measure
from semihmm.applications.measure.settings import MeasureSettings
from semihmm.applications.measure.words import Tokenizer

MEASURE_FAMILIES: Registry[type[Measure]] = Registry.of_classes(
    "measure", Measure, (*measuring.TEXT_MEASURES, Coverage), "semihmm.measures"
)
"""The families of measures by name. A new family is one line here."""


def measure(
    summaries: GivenSummaries,
    references: GivenReferences,
    metrics: str | Sequence[str | Measure] = DEFAULT_METRICS,
    settings: MeasureSettings | None = None,
    *,
    model: Aligner | None = None,
    resamples: int = BOOTSTRAP_RESAMPLES,
    tokenizer: Tokenizer | None = None,
    verbose: bool = False,
) -> Evaluation:
    """Measure summaries against references.

    ``summaries``   summaries, each with its id, its system and its text; or texts alone.
    ``references``  one or more texts for each id; or a list with the reference of each summary, or
                    its references.
    ``metrics``     names of measures, or measures; or one name.
    ``settings``    the settings of measures named in ``metrics``.
    ``model``       a trained aligner for ``coverage``; without it, models are trained on the
                    summaries and references.
    ``resamples``   the number of resamples for the confidence intervals; 0 for no intervals.
    ``tokenizer``   a function that returns the words of a sentence, as those of jieba, MeCab or a
                    model; without it, the tokenizer of the settings. ``bleu`` has its own tokens.
    ``verbose``     whether bars on stderr show the progress.

    Raises the errors of ``semihmm.applications.measure.evaluation.measure``, and ``BadUsage`` for
    a model
    that no metric uses.

    >>> measure([("a", "system", "A cat sat.")], {"a": ["The cat sat."]}, ["rouge-1"]).metrics
    ... # doctest: +SKIP
    """
    chosen = settings or MeasureSettings()
    measures = make_measures([metrics] if isinstance(metrics, str) else metrics, chosen)
    if model is not None:
        coverages = [metric for metric in measures if isinstance(metric, Coverage)]
        if not coverages:
            raise BadUsage("no metric uses the model: only coverage does")
        for coverage in coverages:
            coverage.model = model
    with showing_bars() if verbose else nullcontext():
        return measuring.measure(
            summaries, references, measures, chosen, resamples=resamples, tokenizer=tokenizer
        )


def make_measures(metrics: Sequence[str | Measure], settings: MeasureSettings) -> list[Measure]:
    """Make measures from their names. Raises ``BadUsage`` for an unknown name."""
    return [
        make_measure(metric, settings, MEASURE_FAMILIES.values())
        if isinstance(metric, str)
        else metric
        for metric in metrics
    ]
