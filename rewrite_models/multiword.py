"""Rewrites phrases by phrases that stand for them: entries of WordNet, initials, joined words.

Not in the paper. "U.S." stands for "United States", "death penalty" for "capital punishment",
"anti-terrorism" for "anti terrorism". No other model links the words of such phrases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import products, ranges
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import open_shares, positive
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.word_shares import smoothed_shares
from rewrite_models.multiword_phrases import ENTRY, KINDS, Phrases, Sides, phrases_of
from rewrite_models.related_words import sampled, steps
from rewrite_models.rewrite_model import Evidence, RewriteModel
from rewrite_models.wordnet_reader import WordNetDirectory


class Matches(NamedTuple):
    """Pairs of phrases, int32 [C, 4] as cells, and the number of each one's kind, int64 [C]."""

    cells: np.ndarray
    kind: np.ndarray


def matches(batch: Batch, sides: Sides, step: int = 0) -> Matches:
    """Return the pairs of phrases that stand for one another, each once.

    ``sides`` are those of the batch. With a ``step`` abstracts are compared with the documents of
    other pairs, so many before their own (``related_words.steps``).
    """
    a, d = _with_equal_keys(sides, len(batch), step)
    abstract = Phrases(*(column[a] for column in sides.abstract))
    document = Phrases(*(column[d] for column in sides.document))
    sizes = abstract.end - abstract.start, document.end - document.start
    first = batch.abstract[abstract.start] == batch.document[document.start]
    one_word = (sizes[0] == 1) != (sizes[1] == 1)
    entry = abstract.kind == ENTRY
    kept = np.where(entry, np.maximum(*sizes) > 1, one_word & ~first)
    kept &= ~(entry & _identical(batch, abstract, document))
    rows = [abstract.start, abstract.end, document.start, document.end]
    cells = np.stack(rows, axis=1)[kept]
    kind = abstract.kind[kept]
    order = np.lexsort((kind, *cells.T[::-1]))
    cells, kind = cells[order], kind[order]
    new = np.ones(len(cells), dtype=bool)
    new[1:] = (cells[1:] != cells[:-1]).any(axis=1)
    return Matches(cells[new].astype(np.int32), kind[new])


def _with_equal_keys(sides: Sides, pairs: int, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the phrases of a kind with equal keys: int64 of abstracts, of documents.

    ``pairs`` and ``step`` are those of ``matches``.
    """
    codes = np.concatenate([one.key * len(KINDS) + one.kind for one in sides])
    _, index = np.unique(codes, return_inverse=True)
    index = index.ravel()
    width = int(index.max(initial=0)) + 1
    size = len(sides.abstract.key)
    of_abstract = (sides.abstract.text - step) % pairs * width + index[:size]
    of_document = sides.document.text * width + index[size:]
    order = np.argsort(of_document, kind="stable")
    first = np.searchsorted(of_document[order], of_abstract)
    sizes = np.searchsorted(of_document[order], of_abstract, side="right") - first
    return np.repeat(np.arange(size), sizes), order[ranges(first, sizes)]


def _identical(batch: Batch, abstract: Phrases, document: Phrases) -> np.ndarray:
    """Tell which phrases have the same words, which other models link: bool."""
    length = abstract.end - abstract.start
    same: np.ndarray = length == document.end - document.start
    for shift in range(int(length.max(initial=0))):
        inside = same & (shift < length)
        words = batch.abstract[abstract.start[inside] + shift]
        same[inside] = words == batch.document[document.start[inside] + shift]
    return same


STRENGTH = 0.01
"""Fake counts of the prior, which expects all kinds alike. So few that a kind of which a corpus has
a dozen links is worth what these say, set by hand; none would be no distribution."""


@dataclass(frozen=True)
class Multiword(RewriteModel):
    """frequency(words of a) * linked[kind] / base[kind] for phrases that stand for one another.

    The kinds are ``KINDS``; at least one of the phrases has several words. The frequency of a
    phrase is the product of those of its words. As in ``Relation``, the score is not normalised.

    M-step: ``linked`` in proportion to the expected counts plus ``STRENGTH`` fake counts.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``base``       float64 [kinds], pairs of such phrases for each word pair of unrelated texts
                   (``rewrite_models.related_words``).
    ``linked``     float64 [kinds], the share of each kind among the links of this model; learned.
    ``wordnet``    where WordNet is, as in ``Relation``.
    """

    frequency: Annotated[np.ndarray, open_shares("V+1")]
    base: Annotated[np.ndarray, positive(len(KINDS))]
    linked: Annotated[np.ndarray, open_shares(len(KINDS))]
    wordnet: str | None
    name = "multiword"
    Settings = WordNetDirectory

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: WordNetDirectory
    ) -> Multiword:
        frequency = smoothed_shares(corpus, len(vocabulary))
        # Half a pair more, for kinds that the corpus lacks.
        found = np.full(len(KINDS), 0.5)
        pairs = 1.0
        for batch in sampled(corpus):
            sides = phrases_of(batch, settings.wordnet)
            heights = np.diff(batch.abstract_offsets)
            widths = np.diff(batch.document_offsets)
            for step in steps(len(batch)):
                kinds = matches(batch, sides, step).kind
                found += np.bincount(kinds, minlength=len(KINDS))
                pairs += float(np.roll(heights, -step) @ widths)
        even = np.full(len(KINDS), 1.0 / len(KINDS))
        return cls(frequency, found / pairs, even, settings.wordnet)

    def evidence(self, batch: Batch) -> Evidence:
        found = matches(batch, phrases_of(batch, self.wordnet))
        words = np.minimum(batch.abstract, len(self.frequency) - 1)
        frequency = products(self.frequency[words], found.cells[:, :2])
        return Evidence(found.cells, {"frequency": frequency, "kind": found.kind})

    def scores(self, evidence: Evidence) -> np.ndarray:
        ratio = self.linked / self.base
        scores: np.ndarray = evidence.data["frequency"] * ratio[evidence.data["kind"]]
        return scores

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        kinds = evidence.data["kind"]
        return {"kinds": np.bincount(kinds, weights=posteriors, minlength=len(KINDS))}

    def m_step(self, counts: Counts) -> Multiword:
        total = counts["kinds"] + STRENGTH
        return replace(self, linked=total / total.sum())

    def log_prior(self) -> float:
        return float(STRENGTH * np.log(self.linked).sum())
