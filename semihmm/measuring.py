"""Measures summaries by all measures: also by ``coverage``, for which an aligner is trained.

Coverage is how much of the references a summary covers by an alignment's account. The summary is
the document and the reference the abstract, so that the posterior of a reference's word of being
linked says how likely the summary has its content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.alignments.scores import ratio
from corpus_tools.base.errors import BadUsage
from corpus_tools.base.parallel import in_order
from corpus_tools.base.progress import counted, showing_bars
from corpus_tools.languages.language import ENGLISH
from corpus_tools.measures import evaluation
from corpus_tools.measures.evaluation import USUAL, Evaluation, GivenText, make_measure
from corpus_tools.measures.measure import Case, Measure, Sides, f_measure
from corpus_tools.measures.ngrams import WeightedWords
from corpus_tools.measures.settings import WORD_SETTINGS, MeasureSettings
from corpus_tools.measures.summaries import Compressions, SystemSummary
from corpus_tools.measures.words import MeasuredText
from corpus_tools.pages.pair_view import LEAST_COVERED
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.texts.text import Text
from semihmm.aligner import Aligner
from semihmm.model.decoders import link_posteriors
from semihmm.model.settings import preset
from semihmm.model.units import AlignmentUnit, batch_of, batched_units, units_for


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
        links = model.emission.null_links(encoded.null, with_links)
        null = links.left_over(with_links)
        ends = np.cumsum([len(unit.pair.abstract) for unit in units])
        return list(zip(units, np.split(1.0 - null, ends[:-1]), strict=True))

    groups = batched_units(units_for(counted(pairs, "covered words"), aligner.settings))
    for batch in in_order(of_batch, groups, aligner.workers):
        for unit, posteriors in batch:
            # Sums of rounded numbers may end a hair below 0.
            linked[id(unit.original)][unit.abstract_range] = np.maximum(posteriors, 0.0)
    return [linked[id(pair)] for pair in pairs]


LEAST_COVERING = 0.05
"""Links of a lower posterior do not say what covers a word. Chosen by looking at pages."""

MOST_COVERING = 3


def covering_words(aligner: Aligner, pairs: Sequence[Pair]) -> list[list[list[tuple[int, float]]]]:
    """Return of each pair and each abstract word the document words that it is likeliest linked to.

    Each with the posterior of the link, the likeliest first.
    """
    model = aligner.model
    found = {id(pair): [list[tuple[int, float]]() for _ in pair.abstract.tokens] for pair in pairs}
    for units in batched_units(units_for(counted(pairs, "covering words"), aligner.settings)):
        links = link_posteriors(model, model.encode(batch_of(units, model.vocabulary)))
        words = [found[id(unit.original)][a] for unit in units for a in unit.abstract_range]
        positions = np.concatenate([unit.positions for unit in units])
        likely = links.probability >= LEAST_COVERING
        rows = (links.abstract, positions[links.document], links.probability)
        for a, d, posterior in zip(*(row[likely].tolist() for row in rows), strict=True):
            words[a].append((d, posterior))
    for own in found.values():
        for links_of_word in own:
            links_of_word.sort(key=lambda link: -link[1])
            del links_of_word[MOST_COVERING:]
    return [found[id(pair)] for pair in pairs]


JUMP = "relative"
"""The jump model of coverage, where no model is given.

A prototype was measured with people's judgements of content: there ``relative`` was better than
``syntax``. On hand alignments ``sentences`` is better (docs/measures.md).
"""

OWN_FLAGS = ("model", "page")
"""The flags of the command line that only coverage uses."""

WHOLE = 0
"""The setting ``extract`` of coverage: the whole summary, which is short, is aligned.

Measured on every four hand-aligned pairs as one, the area under the curve is .868 (rte2) and .907
(edinburgh); with 3 sentences for each it is .867 and .898 (scripts/research/coverage_quality.py).
"""


class CoveredText(NamedTuple):
    """The words of a text, in order, with what coverage says of them.

    ``given``    the sentences as they were given.
    ``words``    in lower case, without stems.
    ``weights``  float64 [words], their idf over the references.
    ``covered``  float64 [words], the posterior of each of being linked to the other side.
    """

    given: tuple[str, ...]
    words: tuple[str, ...]
    weights: np.ndarray
    covered: np.ndarray


class CoveredPair(NamedTuple):
    """A summary and one of its references, each covered by the other."""

    reference: CoveredText
    summary: CoveredText


class Direction(NamedTuple):
    """Pairs with the aligner of their direction; ``None`` where no pair has words on both sides."""

    pairs: list[Pair]
    aligner: Aligner | None

    @classmethod
    def from_pairs(cls, pairs: list[Pair], model: Aligner | None, code: str) -> Direction:
        """Take a model, or train one of the language ``code``.

        Training numbers pairs by their position: ids may be equal.
        """
        if not any(map(can_be_aligned, pairs)):
            return cls(pairs, None)
        return cls(pairs, model or Aligner(jump=JUMP, extract=WHOLE, language=code).fit(pairs))

    def linked(self) -> list[np.ndarray]:
        """Return the posteriors of the abstracts' words of being linked."""
        if self.aligner is None:
            return [np.zeros(len(pair.abstract)) for pair in self.pairs]
        return linked_words(self.aligner, self.pairs)

    def covering(self) -> list[list[list[tuple[int, float]]]]:
        """Return what covers the abstracts' words, as ``covering_words`` does."""
        if self.aligner is None:
            return [[[] for _ in pair.abstract.tokens] for pair in self.pairs]
        return covering_words(self.aligner, self.pairs)


class Coverage(WeightedWords):
    """Recall, precision and F of the words that are linked, each word weighted by its idf.

    Recall is the covered share of a reference's words, which stands for the measure; precision is
    that of the summary's words in the other direction.

    ``model``    a trained aligner; without it, one model is trained for each direction, on all
                 summaries with all their references.
    ``covered``  what was measured last: of each summary its references, word by word.
    ``language``    the code of the language of what was measured last.
    ``directions``  those in which this was aligned: references by summaries, summaries by
                 references.
    """

    name = "coverage"
    pattern = "coverage"
    examples = ("coverage",)
    side = "recall"
    uses = (*WORD_SETTINGS, "several", "beta", *OWN_FLAGS)
    model: Aligner | None = None
    language: str = ENGLISH
    covered: Sequence[Sequence[CoveredPair]] = ()
    directions: tuple[Direction, ...] = ()

    def made_by(self) -> str:
        """Return what it aligns with, for the signature of an evaluation."""
        if self.model is None:
            settings = preset("default").changed(language=self.language)
            read = settings.resolve_resources().resources_read()
            return f"coverage by models trained on these, {JUMP} jumps, {', '.join(read)}"
        return f"coverage by {self.model.made_by}"

    def all_statistics(self, cases: Sequence[Case]) -> np.ndarray:
        """Return the figures of all summaries and 1, after training on all of them.

        Training warns where there is little to learn from.
        """
        # The aligner compares the words themselves before their stems, so it gets no stems.
        plain = replace(self.settings, stem="none")
        texts = [(summary, reference) for summary, own in cases for reference in own]
        self.language = cases[0][0].language
        pairs = []
        for number, both in enumerate(texts):
            document, abstract = (Text.from_sentences(one.strings(plain)) for one in both)
            pairs.append(Pair(str(number), document, abstract, language=self.language))
        turned = [replace(pair, document=pair.abstract, abstract=pair.document) for pair in pairs]
        self.directions = (
            Direction.from_pairs(pairs, self.model, self.language),
            Direction.from_pairs(turned, self.model, self.language),
        )
        posteriors = (direction.linked() for direction in self.directions)
        rows = zip(texts, pairs, *posteriors, strict=True)
        made = (
            CoveredPair(
                self._covered(reference, pair.abstract, recalled),
                self._covered(summary, pair.document, precise),
            )
            for (summary, reference), pair, recalled, precise in rows
        )
        self.covered = [list(islice(made, len(references))) for _, references in cases]
        return np.array([[*self.over_counts([*map(_sums, own)]), 1.0] for own in self.covered])

    def _covered(self, measured: MeasuredText, text: Text, posteriors: np.ndarray) -> CoveredText:
        weights = self.idf.weights(measured.words(self.settings).ids)
        return CoveredText(measured.sentences, text.tokens, weights, posteriors)

    def counts(self, summary: MeasuredText, reference: MeasuredText, /) -> np.ndarray:
        """Return the covered and the whole weight of a reference and of a summary alone."""
        self.all_statistics([(summary, [reference])])
        return _sums(self.covered[0][0])

    def of_counts(self, counts: np.ndarray, /) -> Sides:
        """Return recall, precision and F."""
        recall, precision = ratio(counts[::2], counts[1::2], 0.0).tolist()
        return recall, precision, f_measure(recall, precision, self.settings.beta)


def _sums(pair: CoveredPair) -> np.ndarray:
    """Return the weight that is covered and that of all words, of reference and summary."""
    sums = [(text.weights @ text.covered, text.weights.sum()) for text in pair]
    return np.array(sums).ravel()


def uncovered_words(coverage: Coverage, summaries: Sequence[SystemSummary]) -> list[dict[str, Any]]:
    """Return for JSON the words of every summary's references that are more likely not covered.

    ``coverage``   has measured the summaries.
    ``summaries``  in the order in which they were measured.

    References of a summary are numbered from 1, and words by their positions from 0. Each has its
    posterior of being covered and its weight, the idf over the references.
    """
    names = ("word", "position", "posterior", "weight")
    uncovered = []
    for summary, pairs in zip(summaries, coverage.covered, strict=True):
        for number, (text, _) in enumerate(pairs, start=1):
            columns = (range(len(text.words)), text.covered.tolist(), text.weights.tolist())
            rows = zip(text.words, *columns, strict=True)
            words = [dict(zip(names, row, strict=True)) for row in rows if row[2] < LEAST_COVERED]
            of_one = {"id": summary.id, "system": summary.system, "reference": number}
            uncovered.append({**of_one, "words": words})
    return uncovered


FAMILIES: tuple[type[Measure], ...] = (*evaluation.MEASURES.values(), Coverage)
"""The families of measures: those of ``corpus_tools.measures``, and those with a model."""


def measure(
    summaries: Iterable[SystemSummary | tuple[str, str, GivenText]],
    references: Mapping[str, Sequence[GivenText] | Compressions],
    metrics: Sequence[str | Measure] = USUAL,
    settings: MeasureSettings | None = None,
    *,
    model: Aligner | None = None,
    resamples: int = evaluation.RESAMPLES,
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
    made = make_measures(metrics, chosen)
    if model is not None:
        coverages = [one for one in made if isinstance(one, Coverage)]
        if not coverages:
            raise BadUsage("no metric uses the model: only coverage does")
        for coverage in coverages:
            coverage.model = model
    with showing_bars() if verbose else nullcontext():
        return evaluation.measure(summaries, references, made, chosen, resamples=resamples)


def make_measures(metrics: Sequence[str | Measure], settings: MeasureSettings) -> list[Measure]:
    """Make measures of their names. Raises ``BadUsage`` for a name that there is not."""
    return [
        make_measure(metric, settings, FAMILIES) if isinstance(metric, str) else metric
        for metric in metrics
    ]
