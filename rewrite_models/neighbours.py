"""Scores the link of two function words by the words around them. Not in the paper.

A document of some length has each frequent word several times, and words of one stem look alike to
the rewrite models. A jump sees where the walk comes from and goes to, one phrase at a time. Sultan
et al. (2014), "Back to Basics for Monolingual Alignment" (TACL 2), align function words by the
content words around both. Here these decide how much a link is worth, and EM learns it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import (
    Declared,
    check_arrays,
    flags,
    indices,
    open_shares,
    optional,
    require_distribution,
)
from corpus_tools.plugins.model_part import Counts, ModelPart
from rewrite_models.related_words.chance import RelatedContent, sampled
from rewrite_models.related_words.word_relations import RelatedWords
from rewrite_models.relation import RelationSettings
from rewrite_models.word_classes import CLASSES, FUNCTION_CLASSES
from rewrite_models.wordnet_access.settings import WITHOUT

WINDOW = 5
"""Words on each side that are neighbours. Chosen by hand with the development corpora.

SoftF with 3, 4, 5, 6 and 8 words is .8862, .8857, .8865, .8857 and .8849 on rte2/dev (.8837 without
neighbours), .8928, .8932, .8932, .8930 and .8929 on edinburgh/train (.8932).
"""

KINDS = ("punctuation", "function words")
"""Which words are scored by their neighbours, each kind by shares of its own.

A content word is evidence enough by itself: the likelihood gains with a third kind, the links do
not.
"""

FEW = 4
"""So many neighbours and more of which none is linked are told from fewer, by hand."""

MOST = 3
"""So many linked neighbours and more are alike, by hand."""

BINS = 3 + MOST
"""No neighbours; none of a few linked; none of many; one linked, two, and so on."""

STRENGTH = 50.0
"""Fake counts of the prior of each kind. Chosen by hand with the development corpora.

With windows of three words, 5, 50 and 500 fake counts gave .8858, .8862 and .8851 on rte2/dev,
.8925, .8928 and .8930 on edinburgh/train.
"""


class BatchCells(NamedTuple):
    """A batch, and the cells of its pairs, int32 [C, 4] (``rewrite_models.mixture.Cells``)."""

    batch: Batch
    cells: np.ndarray


class NeighbourEvidence(NamedTuple):
    """The cells that are scored by their neighbours, K of them.

    ``cells``  int64 [K], their indices among the cells of the batch.
    ``bins``   int64 [K], the kind of the words times ``BINS``, plus the bin of their neighbours.
    """

    cells: np.ndarray
    bins: np.ndarray


def _around(words: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return int64 [C, 2], where the neighbourhoods of words begin and end.

    ``begins``, ``ends``  int64 [C], those of the texts that they do not leave.
    """
    first = np.maximum(words - WINDOW, begins)
    last = np.minimum(words + WINDOW + 1, ends)
    return np.stack([first, last], axis=1).astype(np.int64)


def _windows(batch: Batch, words: np.ndarray) -> np.ndarray:
    """Return int64 [C, 4], the neighbourhoods of pairs of words, int64 [C, 2].

    They do not leave the abstract, nor the document's sentence.
    """
    abstract, document = words.T
    pair = np.searchsorted(batch.abstract_offsets, abstract, side="right")
    bounds = batch.abstract_offsets[pair - 1], batch.abstract_offsets[pair]
    begins = np.append(batch.sentence_begins, len(batch.document))
    sentence = np.searchsorted(begins, document, side="right")
    sentences = begins[sentence - 1], begins[sentence]
    return np.concatenate([_around(abstract, *bounds), _around(document, *sentences)], axis=1)


def _bins(batch: Batch, words: np.ndarray, related: RelatedContent) -> np.ndarray:
    """Return int64 [C], the bin of the neighbours of each pair of words, int64 [C, 2]."""
    from rewrite_models.related_words.neighbour_kernels import count_neighbours

    heights, widths = np.diff(batch.abstract_offsets), np.diff(batch.document_offsets)
    starts = np.cumsum([0, *(heights * widths)])
    pair = np.repeat(np.arange(len(batch)), heights)
    above = np.arange(len(batch.abstract)) - batch.abstract_offsets[pair]
    row = starts[pair] + above * widths[pair] - batch.document_offsets[pair]
    table = np.zeros(starts[-1], dtype=np.bool_)
    table[row[related.abstract] + related.document] = True
    near, linked = count_neighbours(words, _windows(batch, words), related.content, row, table).T
    none = np.where(near == 0, 0, np.where(near < FEW, 1, 2))
    bins: np.ndarray = np.where(linked == 0, none, 2 + np.minimum(linked, MOST))
    return bins


def _kinds(classes: np.ndarray) -> np.ndarray:
    """Return int64 [C], the numbers in ``KINDS`` of words with these classes."""
    return np.where(classes == CLASSES.index("punctuation"), 0, 1)


@dataclass(frozen=True)
class Neighbours(ModelPart[BatchCells, NeighbourEvidence, np.ndarray, np.ndarray]):
    """A factor of the scores of cells of two function words of one stem: linked / base of a bin.

    The bin counts the content words near the abstract word that are linked: they have a related
    word, or one of the same stem, near the document word. The factor is fixed by the texts but for
    ``linked``, so that EM learns it as it does a component of the mixture.

    M-step: ``linked`` of a kind in proportion to the expected counts plus ``STRENGTH`` fake counts,
    which are in proportion to ``prior``.

    ``linked``     float64 [kinds, bins], the share of each bin among links; learned.
    ``base``       float64 [kinds, bins], among all pairs of function words of one stem.
    ``prior``      float64 [kinds, bins], the shares that the prior expects: ``base``, or what the
                   model learned that training started from.
    ``with_list``  whether paraphrases of the list count as related.
    ``path``       where WordNet is, as in ``Relation``.
    ``listed``     where the list of paraphrases is, likewise.
    """

    linked: np.ndarray
    base: np.ndarray
    prior: np.ndarray
    with_list: bool
    path: str | None
    listed: str | None
    name = "neighbours"
    Settings = RelationSettings
    evidence_types = (NeighbourEvidence,)

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: RelationSettings
    ) -> Neighbours:
        """Count how words of one stem stand anywhere; before training links are no different."""
        even = np.full((len(KINDS), BINS), 1.0 / BINS)
        with_list = settings.paraphrases != WITHOUT
        blank = cls(even, even, even, with_list, settings.wordnet, settings.paraphrases)
        counts = np.full(even.size, 0.5)
        for batch in sampled(corpus):
            same_stem = RelatedWords.of(batch, settings.wordnet, settings.paraphrases).same_stem
            bins = blank.evidence(BatchCells(batch, same_stem)).bins
            counts += np.bincount(bins, minlength=even.size)
        base = counts.reshape(even.shape)
        base /= base.sum(axis=1, keepdims=True)
        return replace(blank, linked=base, base=base, prior=base)

    @classmethod
    def started(
        cls,
        corpus: Sequence[Batch],
        vocabulary: Vocabulary,
        settings: RelationSettings,
        start: Neighbours,
        known: np.ndarray,
    ) -> Neighbours:
        """Start from what was learned, which the prior expects too."""
        return replace(
            start,
            prior=start.linked,
            with_list=settings.paraphrases != WITHOUT,
            path=settings.wordnet,
            listed=settings.paraphrases,
        )

    def evidence(self, observed: BatchCells) -> NeighbourEvidence:
        batch = observed.batch
        listed = self.listed if self.with_list else WITHOUT
        a, a_end, d, d_end = observed.cells.astype(np.int64).T
        classes = RelatedWords.of(batch, self.path, listed).abstract[a]
        stems = batch.vocabulary.stem_of
        same = stems[batch.abstract[a]] == stems[batch.document[d]]
        single = (a_end - a == 1) & (d_end - d == 1)
        cells = np.flatnonzero(single & same & (classes < FUNCTION_CLASSES))
        words = np.stack([a, d], axis=1)[cells]
        bins = _bins(batch, words, RelatedContent.of(batch, self.path, listed))
        return NeighbourEvidence(cells, _kinds(classes[cells]) * BINS + bins)

    def require_evidence(self, observed: BatchCells, evidence: NeighbourEvidence) -> None:
        size = len(evidence.cells)
        declared = {
            "cells": indices(size, below=len(observed.cells)),
            "bins": indices(size, below=self.linked.size),
        }
        check_arrays(evidence._asdict(), declared)

    def scores(self, evidence: NeighbourEvidence) -> np.ndarray:
        """Return float64 [K], the factor of each cell."""
        factors: np.ndarray = (self.linked / self.base).ravel()[evidence.bins]
        return factors

    def fold(self, evidence: NeighbourEvidence, counted: np.ndarray) -> Counts:
        """Count the links in each bin. ``counted`` float64 [C], the posteriors of all cells."""
        posteriors = counted[evidence.cells]
        bins = np.bincount(evidence.bins, weights=posteriors, minlength=self.linked.size)
        return {"bins": bins.reshape(self.linked.shape)}

    @property
    def _fake(self) -> np.ndarray:
        fake: np.ndarray = STRENGTH * self.prior
        return fake

    def m_step(self, counts: Counts) -> Neighbours:
        total = counts["bins"] + self._fake
        return replace(self, linked=total / total.sum(axis=1, keepdims=True))

    def log_prior(self) -> float:
        return float((self._fake * np.log(self.linked)).sum())

    def to_arrays(self) -> dict[str, np.ndarray]:
        arrays = {
            "linked": self.linked,
            "base": self.base,
            "with_list": np.array(self.with_list),
        }
        from_nothing = np.array_equal(self.prior, self.base)
        return arrays if from_nothing else arrays | {"prior": self.prior}

    @classmethod
    def declared(cls, vocabulary: Vocabulary, settings: RelationSettings) -> dict[str, Declared]:
        shape = len(KINDS), BINS
        return {
            "linked": open_shares(*shape),
            "base": open_shares(*shape),
            "prior": optional(open_shares(*shape)),
            "with_list": flags(),
        }

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: RelationSettings
    ) -> Neighbours:
        shares = {name: arrays[name] for name in ("linked", "base", "prior") if name in arrays}
        for name, share in shares.items():
            for of_kind in share:
                require_distribution(name, of_kind)
        shares.setdefault("prior", shares["base"])
        with_list = bool(arrays["with_list"])
        return cls(
            **shares, with_list=with_list, path=settings.wordnet, listed=settings.paraphrases
        )
