"""Measures summaries: the registry of measures, and ``measure``, which applies them to texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from itertools import chain

from corpus_tools.base import errors
from corpus_tools.base.packages import installed_version
from corpus_tools.base.progress import counted, showing_bars
from corpus_tools.languages.detection import detect_language, is_latin, sample
from corpus_tools.languages.language import ENGLISH, UNKNOWN
from corpus_tools.plugins import Registry
from corpus_tools.texts.marks import find_markup
from semihmm.aligner import Aligner
from semihmm.applications.measure import hori, ngrams
from semihmm.applications.measure.coverage import Coverage
from semihmm.applications.measure.evaluation import BOOTSTRAP_RESAMPLES, Evaluation
from semihmm.applications.measure.hori import place_words
from semihmm.applications.measure.measure import Measure
from semihmm.applications.measure.rouge import Rouge
from semihmm.applications.measure.stems import irregular_forms
from semihmm.applications.measure.summaries import (
    Choice,
    Compressions,
    GivenReferences,
    GivenSummaries,
    References,
    ReferencesOfId,
    SystemSummary,
    as_summaries,
    problem_of_positions,
    require_distinct,
)
from semihmm.applications.measure.words import MeasuredText, MeasureSettings, Tokenizer, WordIndexes

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


def make_measure(metric: str | Measure, settings: MeasureSettings) -> Measure:
    """Make a measure from its name, as "rouge-w-1.2"; return a measure as it is.

    Raises ``BadUsage`` with a close match for a name of no family.
    """
    if isinstance(metric, Measure):
        return metric
    for family in MEASURE_FAMILIES.values():
        if match := re.fullmatch(family.pattern, metric):
            return family(metric, match.groupdict(), settings)
    examples = chain.from_iterable(family.examples for family in MEASURE_FAMILIES.values())
    errors.choose("metric", metric, [*examples])
    raise AssertionError(f"{metric} is an example that its own pattern does not match")


# Texts that are measured


def language_of(summaries: Iterable[SystemSummary], references: References) -> str:
    """Return the code of the language of all texts together (``corpus_tools.languages``).

    One text alone may be too short to tell. English with a tenth of letters that are not Latin is
    ``UNKNOWN``, since ROUGE-1.5.5 finds no words in those letters.
    """
    texts = [summary.sentences for summary in summaries]
    for of_id in references.values():
        texts += [] if isinstance(of_id, Compressions) else of_id
    samples = [*map(sample, texts)]
    code = detect_language(" ".join(samples))
    return UNKNOWN if code == ENGLISH and not is_latin(samples) else code


def check_summaries(summaries: Sequence[SystemSummary], references: Mapping[str, object]) -> None:
    """Raise ``BadData`` where summaries cannot be measured."""
    if not summaries:
        raise errors.BadData("there are no summaries")
    require_distinct(summaries)
    for summary in summaries:
        of_id = references.get(summary.id)
        if not of_id:
            others = _counted(references, "other id")
            raise summary.error(f"has no reference: the references have other ids ({others})")
        if summary.positions is None:
            continue
        if not isinstance(of_id, Compressions):
            raise summary.error("has positions, but its references are no compressions of a source")
        if problem := problem_of_positions(list(summary.positions), len(of_id.words)):
            raise summary.error(f"does not fit its source: {problem}")


def warn_of_texts(
    summaries: Iterable[SystemSummary],
    texts: Mapping[str, Sequence[MeasuredText]],
    references: Iterable[str],
) -> None:
    """Warn of empty references, of references without a summary, and of markup."""
    every = ((id, "".join(text.sentences)) for id, of_id in texts.items() for text in of_id)
    if empty := sorted(id for id, text in every if not text.strip()):
        problem = f"{_counted(empty, 'empty reference')}: all scores against it are 0"
        errors.warn_caller(errors.SemiHmmWarning(problem))
    for summary in summaries:
        of_references = chain.from_iterable(text.sentences for text in texts[summary.id])
        if markup := find_markup([*summary.sentences, *of_references]):
            problem = f"the summary {summary.id!r} of {summary.system!r}, or a reference of it, has"
            errors.warn_caller(
                errors.MarkupText(f"{problem} markup ({markup}): it is read as words")
            )
            break
    if unused := sorted(set(references) - set(texts)):
        errors.warn_caller(
            errors.SemiHmmWarning(f"{_counted(unused, 'id')} of references without a summary")
        )


def _counted(ids: Iterable[str], what: str) -> str:
    names = [*map(repr, ids)]
    return f"{errors.number_of(len(names), what)} ({errors.first_of(names)})"


def reference_texts(references: ReferencesOfId, indexes: WordIndexes) -> list[MeasuredText]:
    """Return the measured texts of the references of an id."""
    if not isinstance(references, Compressions):
        return [MeasuredText(text, indexes) for text in references]
    choices = map(references.chosen, references.compressions)
    return [MeasuredText(choice.sentences, indexes, choice) for choice in choices]


def summary_text(summary: SystemSummary, references: object, indexes: WordIndexes) -> MeasuredText:
    """Return the measured text of a summary; for compressions, with the positions of its words."""
    if not isinstance(references, Compressions):
        return MeasuredText(summary.sentences, indexes)
    if summary.positions is not None:
        choice = references.chosen(summary.positions)
        return MeasuredText(choice.sentences, indexes, choice)
    words = tuple(" ".join(summary.sentences).split())
    choice = Choice(references, place_words(words, references), words)
    return MeasuredText(summary.sentences, indexes, choice)


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
    named = [metrics] if isinstance(metrics, str) else metrics
    measures = [make_measure(metric, chosen) for metric in named]
    if not measures:
        raise errors.BadUsage("there is no metric to compute")
    if model is not None:
        _align_with(model, measures)
    with showing_bars() if verbose else nullcontext():
        read, by_id = as_summaries(summaries, references)
        check_summaries(read, by_id)
        code = language_of(read, by_id)
        indexes = WordIndexes(code, tokenizer)
        ids = dict.fromkeys(summary.id for summary in read)
        counted_ids = counted(ids, "references", unit="ids")
        texts = {id: reference_texts(by_id[id], indexes) for id in counted_ids}
        warn_of_texts(read, texts, by_id)
        cases = [(summary_text(one, by_id[one.id], indexes), texts[one.id]) for one in read]
        every = list(chain.from_iterable(texts.values()))
        prepared = {measure.metric: measure.prepared(every) for measure in measures}
        statistics = {name: measure.all_statistics(cases) for name, measure in prepared.items()}
    signed = signature(chosen.in_language(code), resamples, prepared.values(), tokenizer)
    return Evaluation(signed, prepared, read, statistics, resamples, code)


def _align_with(model: Aligner, measures: Iterable[Measure]) -> None:
    """Give the model to the measures that align. Raises ``BadUsage`` if none does."""
    coverages = [measure for measure in measures if isinstance(measure, Coverage)]
    if not coverages:
        raise errors.BadUsage("no metric uses the model: only coverage does")
    for coverage in coverages:
        coverage.model = model


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
