"""Measures summaries: makes the measures that need no model, checks the texts, and applies them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from corpus_tools.base import errors, library_loading
from corpus_tools.base.progress import counted
from corpus_tools.languages.detection import detect_language, is_latin, sample
from corpus_tools.languages.language import ENGLISH, UNKNOWN
from corpus_tools.texts.marks import find_markup
from semihmm.applications.measure import hori, ngrams
from semihmm.applications.measure.given_summaries import (
    GivenReferences,
    GivenSummaries,
    GivenText,
    as_summaries,
)
from semihmm.applications.measure.measure import Measure
from semihmm.applications.measure.rouge import Rouge
from semihmm.applications.measure.settings import MeasureSettings
from semihmm.applications.measure.stems import irregular_forms
from semihmm.applications.measure.summaries import (
    Choice,
    Compressions,
    SystemSummary,
    problem_of_positions,
    require_distinct,
    to_sentences,
)
from semihmm.applications.measure.words import MeasuredText, Tokenizer, WordIndexes

if TYPE_CHECKING:
    pass
from semihmm.applications.measure.evaluation import BOOTSTRAP_RESAMPLES, Evaluation

TEXT_MEASURES: tuple[type[Measure], ...] = (
    *(Rouge, ngrams.IdfRecall, ngrams.Ngram, ngrams.NgramShares),
    *(hori.WordAccuracy, hori.NetworkAccuracy, hori.WordStringPrecision, ngrams.Bleu),
)
"""The families of measures without a model.
``semihmm.applications.measure.families.MEASURE_FAMILIES`` has all."""


DEFAULT_METRICS = ("rouge-1", "rouge-2", "rouge-l")


def make_measure(
    metric: str, settings: MeasureSettings, families: Iterable[type[Measure]] = TEXT_MEASURES
) -> Measure:
    """Make a measure from its name, as "rouge-w-1.2", of one of the families.

    Raises ``BadUsage`` with a close match for a name of no family.
    """
    examples: list[str] = []
    for family in families:
        if match := re.fullmatch(family.pattern, metric):
            return family(metric, match.groupdict(), settings)
        examples += family.examples
    errors.choose("metric", metric, examples)
    raise AssertionError(f"{metric} is an example that its own pattern does not match")


def measure(
    summaries: GivenSummaries,
    references: GivenReferences,
    metrics: str | Sequence[str | Measure] = DEFAULT_METRICS,
    settings: MeasureSettings | None = None,
    *,
    resamples: int = BOOTSTRAP_RESAMPLES,
    tokenizer: Tokenizer | None = None,
) -> Evaluation:
    """Measure summaries against references.

    ``summaries``   each with its id, its system and its text; or texts alone, or records.
    ``references``  at least one for the id of each summary; or a list with those of each summary.
    ``metrics``     names of measures (``make_measure``), or measures; or one name.
    ``resamples``   how many are drawn for the confidence intervals; 0 for no intervals.
    ``tokenizer``   a function that returns the words of a sentence, in place of the tokenizer of
                    the settings. ``bleu`` has tokens of its own.

    All figures of an empty summary are 0. Raises ``BadUsage`` for an unknown metric and for no
    metrics; ``BadData`` for no summaries, for a second summary of an id by one system, and for
    references that do not fit. Warns of empty references and of references without a summary.
    """
    read_summaries, references = as_summaries(summaries, references)
    chosen = settings or MeasureSettings()
    metrics = [metrics] if isinstance(metrics, str) else metrics
    measures_made = [
        make_measure(metric, chosen) if isinstance(metric, str) else metric for metric in metrics
    ]
    if not measures_made:
        raise errors.BadUsage("there is no metric to compute")
    _check(read_summaries, references)
    code = language_of(read_summaries, references)
    indexes = WordIndexes(code, tokenizer)
    ids = counted(dict.fromkeys(summary.id for summary in read_summaries), "references", unit="ids")
    texts = {id: reference_texts(references[id], indexes) for id in ids}
    _warn(read_summaries, texts, references)
    every = [text for of_id in texts.values() for text in of_id]
    cases = [
        (summary_text(summary, references[summary.id], indexes), texts[summary.id])
        for summary in read_summaries
    ]
    measures = {measure.metric: measure.prepared(every) for measure in measures_made}
    statistics = {name: measure.all_statistics(cases) for name, measure in measures.items()}
    signed = signature(chosen.in_language(code), resamples, measures.values(), tokenizer)
    return Evaluation(signed, measures, read_summaries, statistics, resamples, code)


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


def _check(summaries: Sequence[SystemSummary], references: Mapping[str, object]) -> None:
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


def _warn(
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
    choice = Choice(references, hori.place_words(words, references), words)
    return MeasuredText(summary.sentences, indexes, choice)


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
        f"semihmm {library_loading.installed_version()} | language {settings.language}",
        f"tokenizer {words} | stem {stem}",
        f"stop words {'removed' if settings.stop_words else 'kept'} | limit {limit}",
        f"several {settings.several} | formula {settings.formula} | beta {settings.beta:g}",
        f"bootstrap {resamples}",
        *(measure.made_by() for measure in measures),
    ]
    return " | ".join(filter(None, parts))
