"""Says of each word of a summary and of its references how likely it is to be covered."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import LittleText, number_of, warn_caller
from corpus_tools.measures.measure import Case
from corpus_tools.measures.ngrams import Idf
from corpus_tools.measures.settings import WordSettings
from corpus_tools.measures.words import MeasuredText
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.texts.text import Text
from semihmm.aligner import Aligner
from semihmm.batches.batches import batch_of, batched_units
from semihmm.batches.units import AlignmentUnit, can_be_aligned, units_for
from semihmm.model.parallel import in_order
from semihmm.training.census import FEW_ABSTRACT_WORDS


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


@dataclass(frozen=True)
class _Words:
    """The words of a text: for the aligner, as shown, and weighted."""

    text: Text
    weights: np.ndarray

    @classmethod
    def of(cls, measured: MeasuredText, settings: WordSettings, idf: Idf) -> _Words:
        # The aligner compares the words themselves before their stems, so it gets no stems.
        words = measured.strings(replace(settings, stem="none"))
        return cls(Text.from_sentences(words), idf.weights(measured.words(settings).ids))

    def covered(self, posteriors: np.ndarray) -> CoveredText:
        return CoveredText(self.text.tokens, self.weights, posteriors)


def word_coverage(
    cases: Sequence[Case], settings: WordSettings, idf: Idf, model: Aligner | None = None
) -> list[list[CoveredPair]]:
    """Return for each case the summary with each of its references.

    ``model``  aligns both directions; without it, one model is trained for each, on all summaries
               with all their references.

    Warns where there is little to train on.
    """
    pairs = []
    words = []
    for number, case in enumerate(cases):
        summary = _Words.of(case.summary, settings, idf)
        for text in case.references:
            reference = _Words.of(text, settings, idf)
            words.append((reference, summary))
            pairs.append(Pair(str(number), summary.text, reference.text))
    reversed_pairs = [Pair(pair.id, pair.abstract, pair.document) for pair in pairs]
    if model is None:
        _warn_of_little_text(pairs)
    recalled = _linked(pairs, model)
    precise = _linked(reversed_pairs, model)
    covered = (
        CoveredPair(reference.covered(of_reference), summary.covered(of_summary))
        for (reference, summary), of_reference, of_summary in zip(
            words, recalled, precise, strict=True
        )
    )
    return [[next(covered) for _ in case.references] for case in cases]


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
    """Warn of fewer words on a side than training needs (``semihmm.training.census``)."""
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
