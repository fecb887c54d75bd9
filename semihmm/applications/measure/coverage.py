"""The measure ``coverage``, which trains an aligner.

    coverage = sum over the words w of a reference of idf(w) p(w is linked) / sum of idf(w)

The summary is aligned as the document, the reference as the abstract. So the posterior that a word
of the reference is linked is the probability that the summary has its content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.base.progress import counted
from corpus_tools.base.resampling import ratio
from corpus_tools.languages.language import ENGLISH
from corpus_tools.pages.pair_view import LEAST_COVERED
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.texts.text import Text
from semihmm.aligner import Aligner
from semihmm.applications.measure.measure import Case, Sides, f_measure
from semihmm.applications.measure.ngrams import WeightedWords
from semihmm.applications.measure.summaries import SystemSummary
from semihmm.applications.measure.words import WORD_SETTINGS, MeasuredText
from semihmm.model.expectations import results_by_batch
from semihmm.model.link_posteriors import phrase_posteriors
from semihmm.model.semi_hmm import Encoded
from semihmm.model.settings import preset
from semihmm.model.units import AlignmentUnit


def linked_words(aligner: Aligner, pairs: Sequence[Pair]) -> list[np.ndarray]:
    """Return p(the word is a rewrite of document words) of each abstract word of each pair.

    Each is float64 [abstract words], in the order of the pairs. It is 1 - p(the word comes from
    null without a link). The posteriors of a word's links may add up to more, since a phrase links
    each of its words with each word of the other side. In a pair with an empty side no word is
    linked.
    """
    model = aligner.model
    # Ids of pairs may be equal, so the pairs themselves are the keys.
    linked = {id(pair): np.zeros(len(pair.abstract)) for pair in pairs}

    def of_batch(
        units: list[AlignmentUnit], encoded: Encoded
    ) -> tuple[list[AlignmentUnit], np.ndarray]:
        # Rounding errors may make the difference negative.
        return units, np.maximum(1.0 - phrase_posteriors(model, encoded).null, 0.0)

    counted_pairs = counted(pairs, "covered words")
    batches = results_by_batch(of_batch, model, aligner.settings, counted_pairs, aligner.workers)
    for units, posteriors in batches:
        ends = np.cumsum([len(unit.pair.abstract) for unit in units])
        for unit, of_unit in zip(units, np.split(posteriors, ends[:-1]), strict=True):
            linked[id(unit.original)][unit.abstract_range] = of_unit
    return [linked[id(pair)] for pair in pairs]


LEAST_COVERING_POSTERIOR = 0.05
"""The least posterior of a link that is shown as covering a word. Chosen by looking at pages."""


MOST_COVERING_WORDS = 3


def covering_words(aligner: Aligner, pairs: Sequence[Pair]) -> list[list[list[tuple[int, float]]]]:
    """Return for each abstract word of each pair the document words of its most probable links.

    Each document word has the posterior of its link. The most probable one comes first.
    """
    covering = []
    for pair in counted(pairs, "covering words"):
        of_words = aligner.posteriors(pair).links.T
        best = np.argsort(-of_words, axis=1, kind="stable")[:, :MOST_COVERING_WORDS].tolist()
        covering.append(
            [
                [(d, float(links[d])) for d in likely if links[d] >= LEAST_COVERING_POSTERIOR]
                for links, likely in zip(of_words, best, strict=True)
            ]
        )
    return covering


COVERAGE_JUMP = "relative"
"""The jump model of coverage, if no model is given.

A prototype with ``relative`` agreed better with people's judgements of content than one with
``syntax``. On hand alignments ``sentences`` is better (docs/research/measures.md).
"""


WHOLE_SUMMARY = 0
"""The setting ``extract`` of coverage: the whole summary, which is short, is aligned.

On groups of four hand-aligned pairs, each joined to one pair, the area under the curve is .868
(rte2) and .907 (edinburgh); with extracts of 3 sentences it is .867 and .898
(scripts/research/coverage_quality.py).
"""


class Direction(NamedTuple):
    """Pairs with the aligner of their direction; ``None`` if no pair has words on both sides."""

    pairs: list[Pair]
    aligner: Aligner | None

    @classmethod
    def from_pairs(cls, pairs: list[Pair], model: Aligner | None, code: str) -> Direction:
        """Use a model, or train one for the language ``code``."""
        if not any(map(can_be_aligned, pairs)):
            return cls(pairs, None)
        untrained = Aligner(jump=COVERAGE_JUMP, extract=WHOLE_SUMMARY, language=code)
        return cls(pairs, model or untrained.fit(pairs))

    def linked(self) -> list[np.ndarray]:
        """Return the posteriors that words of the abstracts are linked (``linked_words``)."""
        if self.aligner is None:
            return [np.zeros(len(pair.abstract)) for pair in self.pairs]
        return linked_words(self.aligner, self.pairs)

    def covering(self) -> list[list[list[tuple[int, float]]]]:
        """Return the document words that cover each abstract word (``covering_words``)."""
        if self.aligner is None:
            return [[[] for _ in pair.abstract.tokens] for pair in self.pairs]
        return covering_words(self.aligner, self.pairs)


COVERAGE_FLAGS = ("model", "page")
"""The flags of the command line that only coverage uses."""


class CoveredText(NamedTuple):
    """The words of a text, in order, with their weights and posteriors.

    ``given``    the original sentences.
    ``words``    the words in lower case, not stemmed.
    ``weights``  float64 [words], the idf of each word over the references.
    ``covered``  float64 [words], the posterior that each word is linked to the other side.
    """

    given: tuple[str, ...]
    words: tuple[str, ...]
    weights: np.ndarray
    covered: np.ndarray


class CoveredPair(NamedTuple):
    """A summary and one of its references, each covered by the other."""

    reference: CoveredText
    summary: CoveredText


class Coverage(WeightedWords):
    """Recall, precision and F of the words that are linked, each word weighted by its idf.

    Recall, the main figure, is the covered share of a reference's words; precision is the covered
    share of the summary's words in the other direction.

    ``model``    a trained aligner; without it, one model is trained for each direction, on all
                 summaries with all their references.

    The last call of ``all_statistics`` sets:

    ``covered``     for each summary a ``CoveredPair`` for each of its references.
    ``language``    the code of the language.
    ``directions``  both directions: summaries cover references, references cover summaries.
    """

    name = "coverage"
    pattern = "coverage"
    examples = ("coverage",)
    side = "recall"
    uses = (*WORD_SETTINGS, "several", "beta", *COVERAGE_FLAGS)
    model: Aligner | None = None
    language: str = ENGLISH
    covered: Sequence[Sequence[CoveredPair]] = ()
    directions: tuple[Direction, ...] = ()

    def made_by(self) -> str:
        """Return the name of the model, for the signature of an evaluation."""
        if self.model is None:
            settings = preset("default").changed(language=self.language)
            read = settings.resolve_resources().resources_read()
            return f"coverage by models trained on these, {COVERAGE_JUMP} jumps, {', '.join(read)}"
        return f"coverage by {self.model.made_by}"

    def all_statistics(self, cases: Sequence[Case]) -> np.ndarray:
        """Return the figures of all summaries and 1, after training on all of them.

        Training warns if there is little text to learn from.
        """
        # The aligner compares words before it compares stems, so it gets unstemmed words.
        plain = replace(self.settings, stem="none")
        texts = [(summary, reference) for summary, own in cases for reference in own]
        self.language = cases[0][0].language
        pairs = []
        for number, both in enumerate(texts):
            document, abstract = (Text.from_sentences(side.strings(plain)) for side in both)
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
    """Return covered and whole weight of the reference, then of the summary: float64 [4]."""
    sums = [(text.weights @ text.covered, text.weights.sum()) for text in pair]
    return np.array(sums).ravel()


def uncovered_words(coverage: Coverage, summaries: Sequence[SystemSummary]) -> list[dict[str, Any]]:
    """Return for JSON the words of references that are probably not covered.

    ``coverage``   the measure, which has measured the summaries.
    ``summaries``  the summaries in the order in which they were measured.

    References of a summary are numbered from 1, and words by their positions from 0. Each word has
    the posterior that it is covered, and its weight, the idf over the references.
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
