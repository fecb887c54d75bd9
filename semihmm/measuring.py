"""Measures summaries by all measures: also by ``coverage``, for which an aligner is trained.

Coverage is how much of the references a summary covers by an alignment's account. The summary is
the document and the reference the abstract, so that the posterior of a reference's word of being
linked says how likely the summary has its content.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadUsage, LittleText, number_of, warn_caller
from corpus_tools.measures import evaluation
from corpus_tools.measures.compressions import Compressions, Sentences, SystemSummary, to_sentences
from corpus_tools.measures.evaluation import MEASURES, RESAMPLES, USUAL, Evaluation, make_measure
from corpus_tools.measures.measure import (
    Case,
    Measure,
    Sides,
    Texts,
    f_measure,
    over_references,
)
from corpus_tools.measures.ngrams import Idf, WeightedWords
from corpus_tools.measures.settings import WORDS, MeasureSettings, WordSettings
from corpus_tools.measures.words import MeasuredText
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.progress import counted, showing_bars
from corpus_tools.texts.text import Text
from corpus_tools.views.pair_view import LEAST_COVERED
from semihmm.aligner import Aligner
from semihmm.batches.units import AlignmentUnit, batch_of, batched_units, units_for
from semihmm.model.parallel import in_order
from semihmm.resources import resources_read, with_resources_at_hand
from semihmm.settings import preset
from semihmm.training.initial_model import FEW_ABSTRACT_WORDS


def linked_words(aligner: Aligner, pairs: Sequence[Pair]) -> list[np.ndarray]:
    """Return p(the word is a rewrite of document words) of each abstract word of each pair.

    Each is float64 [abstract words], in the order of the pairs. It is what null leaves over: the
    posteriors of a word's links may add up to more, as a phrase links each of its words with each
    word of the other side. In a pair with an empty side no word is linked.
    """
    model = aligner.model
    # Ids of pairs may be equal, so the pairs themselves are the keys.
    linked = {id(pair): np.zeros(len(pair.abstract)) for pair in pairs}

    def of_batch(units: list[AlignmentUnit]) -> list[tuple[AlignmentUnit, np.ndarray]]:
        encoded = model.encode(batch_of(units, model.vocabulary))
        with_links = model.posteriors(encoded).counts.null
        null = model.null_links(encoded, with_links).left_over(with_links)
        ends = np.cumsum([len(unit.pair.abstract) for unit in units])
        return list(zip(units, np.split(1.0 - null, ends[:-1]), strict=True))

    groups = batched_units(units_for(counted(pairs, "covered words"), aligner.settings))
    for batch in in_order(of_batch, groups, aligner.workers):
        for unit, posteriors in batch:
            # Sums of rounded numbers may end a hair below 0.
            linked[id(unit.original)][unit.abstract_range] = np.maximum(posteriors, 0.0)
    return [linked[id(pair)] for pair in pairs]


JUMP = "relative"
"""The jump model of coverage, where no model is given.

A prototype was measured with people's judgements of content: there ``relative`` was better than
``syntax``. On hand alignments ``sentences`` is better (docs/measures.md).
"""

WHOLE = 0
"""The setting ``extract`` of coverage: the whole summary, which is short, is aligned.

Measured on every four hand-aligned pairs as one (scripts/coverage_quality.py --joined 4): the area
under the curve is .868 (rte2) and .907 (edinburgh); with 3 sentences for each (--extract 3) it is
.867 and .898.
"""


class CoveredText(NamedTuple):
    """The words of a text, in order, with what coverage says of them.

    ``words``    as they stand in the text, without stems.
    ``weights``  float64 [words], their idf over the references.
    ``covered``  float64 [words], the posterior of each of being linked to the other side.
    """

    words: tuple[str, ...]
    weights: np.ndarray
    covered: np.ndarray

    def sums(self) -> tuple[float, float]:
        """Return the weight that is covered, and that of all words."""
        return float(self.weights @ self.covered), float(self.weights.sum())


class CoveredPair(NamedTuple):
    """A summary and one of its references, each covered by the other."""

    reference: CoveredText
    summary: CoveredText


def word_coverage(
    cases: Sequence[Case], settings: WordSettings, idf: Idf, model: Aligner | None = None
) -> list[list[CoveredPair]]:
    """Return for each case the summary with each of its references.

    ``model``  aligns both directions; without it, one model is trained for each, on all summaries
               with all their references.

    Warns where there is little to train on.
    """
    # The aligner compares the words themselves before their stems, so it gets no stems.
    plain = replace(settings, stem="none")
    texts = [(case.summary, reference) for case in cases for reference in case.references]
    pairs = []
    for number, (summary, reference) in enumerate(texts):
        document, abstract = (
            Text.from_sentences(one.strings(plain)) for one in (summary, reference)
        )
        pairs.append(Pair(str(number), document, abstract))
    if model is None:
        _warn_of_little_text(pairs)
    recalled = _linked(pairs, model)
    precise = _linked([Pair(one.id, one.abstract, one.document) for one in pairs], model)

    def covered(measured: MeasuredText, text: Text, posteriors: np.ndarray) -> CoveredText:
        return CoveredText(text.tokens, idf.weights(measured.words(settings).ids), posteriors)

    rows = zip(texts, pairs, recalled, precise, strict=True)
    made = (
        CoveredPair(covered(reference, pair.abstract, own), covered(summary, pair.document, other))
        for (summary, reference), pair, own, other in rows
    )
    return [list(islice(made, len(case.references))) for case in cases]


def _linked(pairs: Sequence[Pair], model: Aligner | None) -> list[np.ndarray]:
    """Return the posteriors of the abstracts' words, by a model that is trained if none is given.

    Training numbers pairs by their position: ids may be equal.
    """
    if not any(map(can_be_aligned, pairs)):
        return [np.zeros(len(pair.abstract)) for pair in pairs]
    if model is None:
        with warnings.catch_warnings():
            # Both directions have warned in one already.
            warnings.simplefilter("ignore", LittleText)
            model = Aligner(jump=JUMP, extract=WHOLE).fit(pairs)
    return linked_words(model, pairs)


def _warn_of_little_text(pairs: Sequence[Pair]) -> None:
    """Warn of fewer words on a side than training needs (``semihmm.training.initial_model``)."""
    usable = [pair for pair in pairs if can_be_aligned(pair)]
    references = sum(len(pair.abstract) for pair in usable)
    summaries = sum(len(pair.document) for pair in usable)
    if min(references, summaries) < FEW_ABSTRACT_WORDS:
        problem = (
            f"coverage is trained on {number_of(references, 'word')} of references and "
            f"{number_of(summaries, 'word')} of summaries: with fewer than {FEW_ABSTRACT_WORDS} of "
            "each even identical words may count as not covered; "
            "measure more summaries at a time, or give a trained model"
        )
        warn_caller(LittleText(problem))


COLUMNS = 100
"""The width of the listing."""


class UncoveredWords(NamedTuple):
    """The words of a summary's reference that are more likely not covered.

    ``reference``  its number among those of the summary, counted from 1.
    ``of``         how many words the reference has.
    ``words``      each with its position in the reference, counted from 0, its posterior of being
                   covered, and its weight, the idf over the references.
    """

    summary: SystemSummary
    reference: int
    of: int
    words: list[tuple[str, int, float, float]]

    def as_dict(self) -> dict[str, object]:
        """Return the words for JSON."""
        names = ("word", "position", "posterior", "weight")
        return {
            "id": self.summary.id,
            "system": self.summary.system,
            "reference": self.reference,
            "words": [dict(zip(names, word, strict=True)) for word in self.words],
        }

    def text(self) -> str:
        """Return the words for a terminal, each with its posterior."""
        head = f"{self.summary.id}  {self.summary.system}"
        if self.reference > 1:
            head += f"  reference {self.reference}"
        listed = "  ".join(f"{word} {posterior:.2f}" for word, _, posterior, _ in self.words)
        lines = textwrap.wrap(
            listed, COLUMNS, initial_indent="  ", subsequent_indent="  ", break_long_words=False
        )
        return "\n".join([f"{head}: {len(self.words)} of {self.of} words", *lines])


def uncovered_words(
    coverage: Coverage, summaries: Sequence[SystemSummary]
) -> Iterator[UncoveredWords]:
    """Yield the uncovered words of every summary's references.

    ``coverage``   has measured the summaries.
    ``summaries``  in the order in which they were measured.
    """
    for summary, pairs in zip(summaries, coverage.covered, strict=True):
        for number, (text, _) in enumerate(pairs, start=1):
            rows = zip(
                text.words,
                range(len(text.words)),
                text.covered.tolist(),
                text.weights.tolist(),
                strict=True,
            )
            words = [row for row in rows if row[2] < LEAST_COVERED]
            yield UncoveredWords(summary, number, len(text.words), words)


class Coverage(WeightedWords):
    """Recall, precision and F of the words that are linked, each word weighted by its idf.

    Recall is the covered share of a reference's words, which stands for the measure; precision is
    that of the summary's words in the other direction.

    ``model``    a trained aligner; without it, models are trained on what is measured.
    ``covered``  what was measured last: of each summary its references, word by word.
    """

    name = "coverage"
    pattern = "coverage"
    examples = ("coverage",)
    side = "recall"
    uses = (*WORDS, "several", "beta")
    model: Aligner | None = None
    covered: Sequence[Sequence[CoveredPair]] = ()

    @property
    def made_by(self) -> str:
        """Return what it aligns with, for the signature of an evaluation."""
        if self.model is None:
            read = resources_read(with_resources_at_hand(preset("default")))
            return f"coverage by models trained on these, {JUMP} jumps, {', '.join(read)}"
        return f"coverage by {self.model.made_by}"

    def all_statistics(self, cases: Sequence[Case]) -> np.ndarray:
        """Return the figures of all summaries and 1, after training on all of them."""
        self.covered = word_coverage(cases, self.words, self.idf, self.model)
        rows = []
        for pairs in self.covered:
            counts = [np.array([*pair.reference.sums(), *pair.summary.sums()]) for pair in pairs]
            rows.append([*over_references(counts, self._sides, self.settings.several), 1.0])
        return np.array(rows)

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        """Return the figures of a summary that is measured by itself."""
        return list(self.all_statistics([Case(summary, references)])[0, :-1].tolist())

    def _sides(self, counts: np.ndarray) -> Sides:
        covered, reference, precise, summary = counts.tolist()
        recall = covered / reference if reference else 0.0
        precision = precise / summary if summary else 0.0
        return recall, precision, f_measure(recall, precision, self.settings.beta)


FAMILIES: tuple[type[Measure], ...] = (*MEASURES.values(), Coverage)
"""The families of measures: those of ``corpus_tools.measures``, and those with a model."""

GivenText = str | Sequence[str]
"""A text of several lines, each a sentence; or its sentences."""


def measure(
    summaries: Iterable[SystemSummary | tuple[str, str, GivenText]],
    references: Mapping[str, Sequence[GivenText]],
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


def _summary(given: SystemSummary | tuple[str, str, GivenText]) -> SystemSummary:
    if isinstance(given, SystemSummary):
        return given
    identity, system, text = given
    return SystemSummary(identity, system, to_sentences(text))


def _references(texts: Sequence[GivenText]) -> Sequence[Sentences]:
    """Return the references of an id as their sentences."""
    if isinstance(texts, str):
        raise BadUsage("the references of an id must be a list of texts, not one text")
    return texts if isinstance(texts, Compressions) else [to_sentences(text) for text in texts]
