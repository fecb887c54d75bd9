"""Measures summaries: ``measure``, its result, and the measures that need no model."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_tools.base import errors
from corpus_tools.base.progress import counted
from corpus_tools.base.resampling import (
    INTERVAL_PERCENTILES,
    Figure,
    bootstrap_sums,
    p_of_better,
    shown_p,
)
from corpus_tools.languages.detection import detect_language, is_latin, sample
from corpus_tools.languages.language import ENGLISH, UNKNOWN
from corpus_tools.texts.marks import find_markup
from corpus_tools.texts.text_table import Table, data_frame
from semihmm.applications.measure import hori, ngrams
from semihmm.applications.measure.given_summaries import (
    GivenReferences,
    GivenSummaries,
    GivenText,
    as_summaries,
)
from semihmm.applications.measure.measure import FIGURE_SIDES, Measure
from semihmm.applications.measure.rouge import Rouge
from semihmm.applications.measure.settings import MeasureSettings
from semihmm.applications.measure.summaries import (
    Choice,
    Compressions,
    SystemSummary,
    problem_of_positions,
    require_distinct,
    to_sentences,
)
from semihmm.applications.measure.words import MeasuredText, Tokenizer, WordIndexes, irregular_forms

if TYPE_CHECKING:
    from pandas import DataFrame

TEXT_MEASURES: tuple[type[Measure], ...] = (
    *(Rouge, ngrams.IdfRecall, ngrams.Ngram, ngrams.NgramShares),
    *(hori.WordAccuracy, hori.NetworkAccuracy, hori.WordStringPrecision, ngrams.Bleu),
)
"""The families of measures without a model.
``semihmm.applications.measure.coverage.MEASURE_FAMILIES`` has all."""

DEFAULT_METRICS = ("rouge-1", "rouge-2", "rouge-l")
BOOTSTRAP_RESAMPLES = 1000
"""The number of resamples that ROUGE-1.5.5 draws by default."""


def make_measure(
    metric: str, settings: MeasureSettings, families: Iterable[type[Measure]] = TEXT_MEASURES
) -> Measure:
    """Make a measure from its name, as "rouge-w-1.2", of one of the families.

    Raises ``BadUsage`` with a close match for a name of no family.
    """
    known: list[str] = []
    for family in families:
        if match := re.fullmatch(family.pattern, metric):
            return family(metric, match.groupdict(), settings)
        known += family.examples
    errors.choose("metric", metric, known)
    raise AssertionError(f"{metric} is an example that its own pattern does not match")


class MeasureFigures(NamedTuple):
    """Recall, precision and F over several summaries, each with its 95 % confidence interval."""

    recall: Figure
    precision: Figure
    f: Figure


@dataclass(frozen=True)
class Evaluation:
    """The figures of summaries, of each system and of all, by measure.

    ``signature``   the settings in one line.
    ``measures``    the measures by name.
    ``summaries``   the summaries in the order of the input.
    ``statistics``  the statistics of the summaries by measure, float64 [summaries, k].
    ``resamples``   the number of resamples for the intervals; 0 for no intervals.
    ``language``    the code of the language of the texts (``language_of``).
    """

    signature: str
    measures: Mapping[str, Measure]
    summaries: tuple[SystemSummary, ...]
    statistics: Mapping[str, np.ndarray]
    resamples: int = BOOTSTRAP_RESAMPLES
    language: str = ENGLISH

    @cached_property
    def metrics(self) -> dict[str, MeasureFigures]:
        """The figures of each measure over all summaries."""
        return self._figures(range(len(self.summaries)))

    @cached_property
    def systems(self) -> dict[str, dict[str, MeasureFigures]]:
        """The figures of each measure over the summaries of each system."""
        rows: dict[str, list[int]] = {}
        for row, summary in enumerate(self.summaries):
            rows.setdefault(summary.system, []).append(row)
        shown = counted(rows.items(), "intervals", unit="systems")
        return {system: self._figures(of_system) for system, of_system in shown}

    @cached_property
    def values(self) -> dict[str, np.ndarray]:
        """The figures of each summary by measure: float64 [summaries, figures]."""
        return {
            name: measure.figure(self.statistics[name]) for name, measure in self.measures.items()
        }

    def _figures(self, rows: Sequence[int]) -> dict[str, MeasureFigures]:
        """Return the figures over some summaries."""
        # ROUGE-1.5.5 draws from a sorted list of strings.
        ordered = sorted(rows, key=lambda row: "{0.id}.{0.system}".format(self.summaries[row]))
        statistics = [self.statistics[name][ordered] for name in self.measures]
        # All measures are drawn at once.
        ends = np.cumsum([statistic.shape[1] for statistic in statistics])[:-1]
        drawn = np.split(resampled_sums(np.hstack(statistics), self.resamples), ends, axis=1)
        figures = {}
        for (name, measure), own, sums in zip(
            self.measures.items(), statistics, drawn, strict=True
        ):
            bounds = bounds_as_the_program(measure.figure(sums))
            sides = np.vstack([measure.figure(own.sum(axis=0)), bounds]).T.tolist()
            figures[name] = MeasureFigures(*(Figure(*side) for side in sides))
        return figures

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON holds it; a figure that a measure lacks is ``None``."""
        rows = []
        for number, summary in enumerate(self.summaries):
            figures = {name: _by_side(rows_of[number]) for name, rows_of in self.values.items()}
            rows.append({"id": summary.id, "system": summary.system} | figures)
        return {
            "signature": self.signature,
            "metrics": self._plain(self.metrics),
            "systems": {system: self._plain(of_it) for system, of_it in self.systems.items()},
            "summaries": rows,
        }

    def _plain(self, figures: Mapping[str, MeasureFigures]) -> dict[str, object]:
        plain: dict[str, object] = {}
        for name, sides in figures.items():
            _, *interval = map(_number, getattr(sides, self.measures[name].side))
            plain[name] = {**_by_side(side.value for side in sides), "interval": interval}
        return plain

    @cached_property
    def p_values(self) -> dict[str, dict[str, float]]:
        """Return for each measure the one-sided p-value of every system but the best.

        Resamples are those of the ids that both have, and the figure is the measure's main one
        (``p_of_better``).
        """
        rows: dict[str, dict[str, int]] = {}
        for row, summary in enumerate(self.summaries):
            rows.setdefault(summary.system, {})[summary.id] = row
        found: dict[str, dict[str, float]] = {}
        for name, measure in self.measures.items():
            means = {
                system: getattr(figures[name], measure.side).value
                for system, figures in self.systems.items()
            }
            best = max(means, key=lambda system: np.nan_to_num(means[system], nan=-1.0))
            tested = ((other, self._p_value(name, rows[best], rows[other])) for other in rows)
            found[name] = {other: p for other, p in tested if other != best and p is not None}
        return found

    def _p_value(
        self, name: str, best: Mapping[str, int], other: Mapping[str, int]
    ) -> float | None:
        """Return the p-value of a system; ``None`` if fewer than two ids are those of both.

        ``best``, ``other``  the rows of their summaries by id.
        """
        common = [id for id in other if id in best]
        if len(common) < 2 or not self.resamples:
            return None
        measure, statistics = self.measures[name], self.statistics[name]
        of_both = [statistics[[rows[id] for id in common]] for rows in (best, other)]
        sums = np.hsplit(bootstrap_sums(np.hstack(of_both), self.resamples, 0), 2)
        side = FIGURE_SIDES.index(measure.side)
        return p_of_better(*(measure.figure(own)[:, side] for own in sums))

    def to_pandas(self) -> "DataFrame":
        """Return a data frame with a row for each summary: id, system, each measure's main figure.

        Raises ``ImportError`` without pandas.
        """
        sides = [FIGURE_SIDES.index(measure.side) for measure in self.measures.values()]
        columns = [own[:, side] for own, side in zip(self.values.values(), sides, strict=True)]
        rows = [
            (one.id, one.system, *map(float, figures))
            for one, *figures in zip(self.summaries, *columns, strict=True)
        ]
        return data_frame(rows, ("id", "system", *self.measures))

    def table(self) -> str:
        """Return the figures of the systems as a table in plain text.

        The interval is that of the measure's main figure. With several systems ``p`` says how
        certainly the best one is better (``p_values``).
        """
        has_test = any(self.p_values.values())
        rows = [["system", "metric", *FIGURE_SIDES, "95 %", *(["p"] if has_test else [])]]
        for system, figures in self.systems.items():
            for name, sides in figures.items():
                side = self.measures[name].side
                _, low, high = map(_shown, getattr(sides, side))
                usual = [_shown(figure.value) for figure in sides]
                p = self.p_values[name].get(system)
                tested = ["" if p is None else shown_p(p)] if has_test else []
                rows.append([system, name, *usual, f"{side} [{low}, {high}]", *tested])
        return Table(rows, align="<<>>><>"[: len(rows[0])]).text()


def _by_side(values: Iterable[float]) -> dict[str, object]:
    return dict(zip(FIGURE_SIDES, map(_number, values), strict=True))


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _shown(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


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
    given, references = as_summaries(summaries, references)
    chosen = settings or MeasureSettings()
    metrics = [metrics] if isinstance(metrics, str) else metrics
    made = [
        make_measure(metric, chosen) if isinstance(metric, str) else metric for metric in metrics
    ]
    if not made:
        raise errors.BadUsage("there is no metric to compute")
    _check(given, references)
    code = language_of(given, references)
    indexes = WordIndexes(code, tokenizer)
    ids = counted(dict.fromkeys(one.id for one in given), "references", unit="ids")
    texts = {id: reference_texts(references[id], indexes) for id in ids}
    _warn(given, texts, references)
    every = [text for of_id in texts.values() for text in of_id]
    cases = [
        (summary_text(summary, references[summary.id], indexes), texts[summary.id])
        for summary in given
    ]
    measures = {measure.metric: measure.prepared(every) for measure in made}
    statistics = {name: measure.all_statistics(cases) for name, measure in measures.items()}
    signed = signature(chosen.in_language(code), resamples, measures.values(), tokenizer)
    return Evaluation(signed, measures, given, statistics, resamples, code)


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
    found = detect_language(" ".join(samples))
    return UNKNOWN if found == ENGLISH and not is_latin(samples) else found


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
            *chain.from_iterable(own.sentences for own in texts[summary.id]),
        ]
        if found := find_markup(of_both):
            problem = f"the summary {summary.id!r} of {summary.system!r}, or a reference of it, has"
            errors.warn_caller(
                errors.MarkupText(f"{problem} markup ({found}): it is read as words")
            )
            break
    if unused := sorted(set(references) - set(texts)):
        problem = f"{_counted(unused, 'id')} of references without a summary"
        errors.warn_caller(errors.SemiHmmWarning(problem))


def _counted(ids: Iterable[str], what: str) -> str:
    shown = [*map(repr, ids)]
    return f"{errors.number_of(len(shown), what)} ({errors.first_of(shown)})"


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
        f"semihmm {errors.installed_version()} | language {settings.language}",
        f"tokenizer {words} | stem {stem}",
        f"stop words {'removed' if settings.stop_words else 'kept'} | limit {limit}",
        f"several {settings.several} | formula {settings.formula} | beta {settings.beta:g}",
        f"bootstrap {resamples}",
        *(measure.made_by() for measure in measures),
    ]
    return " | ".join(filter(None, parts))


def bounds_as_the_program(figures: np.ndarray) -> np.ndarray:
    """Return the bounds of the 95 % intervals, as ROUGE-1.5.5 computes them: float64 [2, k].

    ``figures``  the figures of the resamples, float64 [resamples, k].

    The bounds are the figures 2.5 % from either end. If that is between two resamples, the program
    interpolates: it moves both bounds up by the share that is right for the upper one. Without
    resamples the bounds are NaN.
    """
    if not len(figures):
        return np.full((2, figures.shape[1]), np.nan)
    ordered = np.sort(figures, axis=0)
    last = len(ordered) - 1
    beyond = len(ordered) * INTERVAL_PERCENTILES[0] / 100
    upper = max(int(last - beyond), 0)
    share = max(last - beyond - upper, 0.0)
    rows = np.array([int(beyond), upper])
    steps = ordered[np.minimum(rows + 1, last)] - ordered[rows]
    return ordered[rows] + share * steps


DRAND48_MULTIPLIER = np.uint64(0x5DEECE66D)
DRAND48_INCREMENT = np.uint64(0xB)
DRAND48_SEED = 0x330E
"""The low 16 bits of the state that the C library's ``srand48`` sets."""

DRAND48_STATES = 1 << 48


def resampled_sums(statistics: np.ndarray, resamples: int) -> np.ndarray:
    """Sum up the statistics of the summaries in each resample: float64 [resamples, k].

    ``statistics``  float64 [summaries, k], the summaries in the order from which ROUGE-1.5.5 draws.

    A resample has as many summaries as there are. Resample i is drawn by ``drand48`` with seed i,
    as in ROUGE-1.5.5.
    """
    sums = np.zeros((resamples, statistics.shape[1]))
    states = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(DRAND48_SEED)
    for _draw in range(len(statistics) if resamples else 0):
        # Products are cut to 64 bits, of which the generator keeps the lower 48.
        states = (states * DRAND48_MULTIPLIER + DRAND48_INCREMENT) & np.uint64(DRAND48_STATES - 1)
        sums += statistics[(states / DRAND48_STATES * len(statistics)).astype(int)]
    return sums
