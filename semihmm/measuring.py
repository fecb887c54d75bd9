"""Measures summaries by all measures, those that need a trained model included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

from corpus_tools.errors import BadUsage
from corpus_tools.measures import evaluation
from corpus_tools.measures.compressions import Compressions, Sentences, SystemSummary, to_sentences
from corpus_tools.measures.evaluation import MEASURES, RESAMPLES, USUAL, Evaluation, make_measure
from corpus_tools.measures.measure import Measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.progress import showing_bars
from semihmm.aligner import Aligner
from semihmm.coverage import Coverage

FAMILIES: tuple[type[Measure], ...] = (*MEASURES.values(), Coverage)
"""The families of measures: those of ``corpus_tools.measures``, and those with a model."""

Text = str | Sequence[str]
"""A text of several lines, each a sentence; or its sentences."""


def measure(
    summaries: Iterable[SystemSummary | tuple[str, str, Text]],
    references: Mapping[str, Sequence[Text]],
    metrics: Sequence[str | Measure] = USUAL,
    settings: MeasureSettings | None = None,
    *,
    model: Aligner | None = None,
    resamples: int = RESAMPLES,
    verbose: bool = False,
) -> Evaluation:
    """Measure summaries against references.

    ``summaries``   each with its id, its system and its text.
    ``references``  of each id one or more texts.
    ``metrics``     names of measures, or measures.
    ``settings``    words, several references and so on.
    ``model``       a trained aligner for ``coverage``; without it, models are trained on what is
                    measured.
    ``resamples``   how many are drawn for the confidence intervals; 0 for no intervals.
    ``verbose``     whether bars on stderr show how far it is.

    Raises what ``corpus_tools.measures.evaluation.measure`` does, and ``BadUsage`` for a model that
    no metric uses.

    >>> measure([("a", "system", "A cat sat.")], {"a": ["The cat sat."]}, ["rouge-1"]).metrics
    ... # doctest: +SKIP
    """
    chosen = settings or MeasureSettings()
    made = make_measures(metrics, chosen, model)
    if model is not None and not any(isinstance(one, Coverage) for one in made):
        raise BadUsage("no metric uses the model: only coverage does")
    with showing_bars() if verbose else nullcontext():
        evaluated = evaluation.measure(
            [_summary(one) for one in summaries],
            {id: _references(texts) for id, texts in references.items()},
            made,
            chosen,
            resamples=resamples,
        )
    models = [one.made_by for one in made if isinstance(one, Coverage)]
    return replace(evaluated, signature=" | ".join([evaluated.signature, *models]))


def make_measures(
    metrics: Sequence[str | Measure], settings: MeasureSettings, model: Aligner | None = None
) -> list[Measure]:
    """Make measures of their names. Raises ``BadUsage`` for a name that there is not.

    ``model``  is what ``coverage`` aligns with; without it, models are trained.
    """
    made = []
    for metric in metrics:
        one = make_measure(metric, settings, FAMILIES) if isinstance(metric, str) else metric
        if isinstance(one, Coverage) and model is not None:
            one.model = model
        made.append(one)
    return made


def _summary(given: SystemSummary | tuple[str, str, Text]) -> SystemSummary:
    if isinstance(given, SystemSummary):
        return given
    identity, system, text = given
    return SystemSummary(identity, system, to_sentences(text))


def _references(texts: Sequence[Text]) -> Sequence[Sentences]:
    """Return the references of an id as their sentences."""
    if isinstance(texts, str):
        raise BadUsage("the references of an id must be a list of texts, not one text")
    return texts if isinstance(texts, Compressions) else [to_sentences(text) for text in texts]
