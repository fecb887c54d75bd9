"""Measures summaries: the registry of measures, and ``measure``, which applies them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import nullcontext

from corpus_tools.base.errors import BadUsage, choose
from corpus_tools.base.packages import installed_version
from corpus_tools.base.progress import counted, showing_bars
from corpus_tools.plugins import Registry
from semihmm.aligner import Aligner
from semihmm.applications.measure import hori, measured_texts, ngrams
from semihmm.applications.measure.coverage import Coverage
from semihmm.applications.measure.evaluation import BOOTSTRAP_RESAMPLES, Evaluation
from semihmm.applications.measure.given_summaries import (
    GivenReferences,
    GivenSummaries,
    as_summaries,
)
from semihmm.applications.measure.measure import Measure
from semihmm.applications.measure.rouge import Rouge
from semihmm.applications.measure.settings import MeasureSettings
from semihmm.applications.measure.stems import irregular_forms
from semihmm.applications.measure.words import Tokenizer, WordIndexes

TEXT_MEASURES: tuple[type[Measure], ...] = (
    *(Rouge, ngrams.IdfRecall, ngrams.Ngram, ngrams.NgramShares),
    *(hori.WordAccuracy, hori.NetworkAccuracy, hori.WordStringPrecision, ngrams.Bleu),
)
"""The families of measures without a model."""

MEASURE_FAMILIES: Registry[type[Measure]] = Registry.of_classes(
    "measure", Measure, (*TEXT_MEASURES, Coverage), "semihmm.measures"
)
"""The families of measures by name. A new family is one line here."""

DEFAULT_METRICS = ("rouge-1", "rouge-2", "rouge-l")


def make_measure(metric: str, settings: MeasureSettings) -> Measure:
    """Make a measure from its name, as "rouge-w-1.2".

    Raises ``BadUsage`` with a close match for a name of no family.
    """
    examples: list[str] = []
    for family in MEASURE_FAMILIES.values():
        if match := re.fullmatch(family.pattern, metric):
            return family(metric, match.groupdict(), settings)
        examples += family.examples
    choose("metric", metric, examples)
    raise AssertionError(f"{metric} is an example that its own pattern does not match")


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

    ``summaries``   summaries, each with its id, its system and its text; or texts alone, or
                    records.
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

    All figures of an empty summary are 0. Raises ``BadUsage`` for an unknown metric, for no metrics
    and for a model that no metric uses; ``BadData`` for no summaries, for a second summary of an id
    by one system, and for references that do not fit. Warns of empty references and of references
    without a summary.

    >>> measure([("a", "system", "A cat sat.")], {"a": ["The cat sat."]}, ["rouge-1"]).metrics
    ... # doctest: +SKIP
    """
    chosen = settings or MeasureSettings()
    measures = make_measures([metrics] if isinstance(metrics, str) else metrics, chosen)
    if not measures:
        raise BadUsage("there is no metric to compute")
    if model is not None:
        coverages = [metric for metric in measures if isinstance(metric, Coverage)]
        if not coverages:
            raise BadUsage("no metric uses the model: only coverage does")
        for coverage in coverages:
            coverage.model = model
    with showing_bars() if verbose else nullcontext():
        read_summaries, references = as_summaries(summaries, references)
        measured_texts.check_summaries(read_summaries, references)
        code = measured_texts.language_of(read_summaries, references)
        indexes = WordIndexes(code, tokenizer)
        ids = dict.fromkeys(summary.id for summary in read_summaries)
        texts = {
            id: measured_texts.reference_texts(references[id], indexes)
            for id in counted(ids, "references", unit="ids")
        }
        measured_texts.warn_of_texts(read_summaries, texts, references)
        every = [text for of_id in texts.values() for text in of_id]
        cases = [
            (
                measured_texts.summary_text(summary, references[summary.id], indexes),
                texts[summary.id],
            )
            for summary in read_summaries
        ]
        prepared = {measure.metric: measure.prepared(every) for measure in measures}
        statistics = {name: measure.all_statistics(cases) for name, measure in prepared.items()}
    signed = signature(chosen.in_language(code), resamples, prepared.values(), tokenizer)
    return Evaluation(signed, prepared, read_summaries, statistics, resamples, code)


def make_measures(metrics: Sequence[str | Measure], settings: MeasureSettings) -> list[Measure]:
    """Make measures from their names. Raises ``BadUsage`` for an unknown name."""
    return [
        make_measure(metric, settings) if isinstance(metric, str) else metric for metric in metrics
    ]


def signature(
    settings: MeasureSettings,
    resamples: int,
    measures: Iterable[Measure],
    tokenizer: Tokenizer | None = None,
) -> str:
    """Return the version and all settings in one line, to be quoted with the figures.

    ``settings``   settings without ``auto`` (from ``MeasureSettings.in_language``).
    ``tokenizer``  the function that split sentences in place of the settings' tokenizer.

    Without WordNet the line says that stems lack irregular forms.
    """
    # A partial function or an object has no name.
    words = getattr(tokenizer, "__qualname__", "of the caller") if tokenizer else settings.tokenizer
    stem = settings.stem
    if stem == "program" and not irregular_forms():
        stem += " without irregular forms"
    limit = "none" if settings.limit_words is None else f"{settings.limit_words} words"
    parts = [
        f"semihmm {installed_version()} | language {settings.language}",
        f"tokenizer {words} | stem {stem}",
        f"stop words {'removed' if settings.stop_words else 'kept'} | limit {limit}",
        f"several {settings.several} | formula {settings.formula} | beta {settings.beta:g}",
        f"bootstrap {resamples}",
        *(measure.made_by() for measure in measures),
    ]
    return " | ".join(filter(None, parts))
