"""Aligns summaries with their references, and returns the words that one covers of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.base.progress import counted
from corpus_tools.pairs.pair import Pair, can_be_aligned
from semihmm.aligner import Aligner
from semihmm.model.expectations import encoded_units, results_by_batch
from semihmm.model.link_posteriors import link_posteriors, phrase_posteriors
from semihmm.model.semi_hmm import Encoded
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
    model = aligner.model
    covering = {
        id(pair): [list[tuple[int, float]]() for _ in pair.abstract.tokens] for pair in pairs
    }
    counted_pairs = counted(pairs, "covering words")
    for units, encoded in encoded_units(model, aligner.settings, counted_pairs):
        links = link_posteriors(model, encoded)
        words = [covering[id(unit.original)][a] for unit in units for a in unit.abstract_range]
        positions = np.concatenate([unit.positions for unit in units])
        likely = links.probability >= LEAST_COVERING_POSTERIOR
        rows = (links.abstract, positions[links.document], links.probability)
        for a, d, posterior in zip(*(row[likely].tolist() for row in rows), strict=True):
            words[a].append((d, posterior))
    for links_of_pair in covering.values():
        for links_of_word in links_of_pair:
            links_of_word.sort(key=lambda link: -link[1])
            del links_of_word[MOST_COVERING_WORDS:]
    return [covering[id(pair)] for pair in pairs]


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
