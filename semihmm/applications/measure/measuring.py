"""Measures summaries: the registry of measures, and ``measure``, which applies them to texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from itertools import chain

from corpus_tools.base import errors
from corpus_tools.base.errors import BadUsage, choose
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
    GivenText,
    SystemSummary,
    as_summaries,
    problem_of_positions,
    require_distinct,
    to_sentences,
)
from semihmm.applications.measure.words import MeasuredText, MeasureSettings, Tokenizer, WordIndexes


def language_of(
    summaries: Iterable[SystemSummary], references: Mapping[str, Sequence[GivenText] | Compressions]
) -> str:
    """Return the code of the language of all texts together (``corpus_tools.languages``).

    One text alone may be too short to tell. English with a tenth of letters that are not Latin is
    ``UNKNOWN``, since ROUGE-1.5.5 finds no words in those letters.
    """
    texts = [summary.sentences for summary in summaries]
    for of_id in references.values():
        if not isinstance(of_id, Compressions | str):
            texts += map(to_sentences, of_id)
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
    every = ((id, "".join(summary.sentences)) for id, of_id in texts.items() for summary in of_id)
    if empty := sorted(id for id, text in every if not text.strip()):
        problem = f"{_counted(empty, 'empty reference')}: all scores against it are 0"
        errors.warn_caller(errors.SemiHmmWarning(problem))
    for summary in summaries:
        of_both = [
            *summary.sentences,
            *chain.from_iterable(reference.sentences for reference in texts[summary.id]),
        ]
        if markup := find_markup(of_both):
            problem = f"the summary {summary.id!r} of {summary.system!r}, or a reference of it, has"
            errors.warn_caller(
                errors.MarkupText(f"{problem} markup ({markup}): it is read as words")
            )
            break
    if unused := sorted(set(references) - set(texts)):
        problem = f"{_counted(unused, 'id')} of references without a summary"
        errors.warn_caller(errors.SemiHmmWarning(problem))


def _counted(ids: Iterable[str], what: str) -> str:
    names = [*map(repr, ids)]
    return f"{errors.number_of(len(names), what)} ({errors.first_of(names)})"


def reference_texts(
    references: Sequence[GivenText] | Compressions, indexes: WordIndexes
) -> list[MeasuredText]:
    """Return the measured texts of the references of an id."""
    if isinstance(references, str):
        raise errors.BadUsage("the references of an id must be a list of texts, not one text")
    if isinstance(references, Compressions):
        choices = map(references.chosen, references.compressions)
        return [MeasuredText(choice.sentences, indexes, choice) for choice in choices]
    return [MeasuredText(to_sentences(text), indexes) for text in references]


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
        check_summaries(read_summaries, references)
        code = language_of(read_summaries, references)
        indexes = WordIndexes(code, tokenizer)
        ids = dict.fromkeys(summary.id for summary in read_summaries)
        texts = {
            id: reference_texts(references[id], indexes)
            for id in counted(ids, "references", unit="ids")
        }
        warn_of_texts(read_summaries, texts, references)
        every = [text for of_id in texts.values() for text in of_id]
        cases = [
            (summary_text(summary, references[summary.id], indexes), texts[summary.id])
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
