"""Asides: content words that are rewritten while the walk stays where it is. Not in the paper.

A jump to a document word far away and back costs so much that null explains an abstract word rather
than a rewrite of a word far from all others. But that two such words are related is rarely chance.
An aside is a null word that is a rewrite of some word of the document. Where the walk goes on does
not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from corpus_tools.encoding import Batch
from corpus_tools.plugins.model_part import Corpus, Counts, open_shares, optional, positive, require
from corpus_tools.plugins.options import Options, option
from rewrite_models.null_factor import NullFactor, NullLinks
from rewrite_models.related_words import (
    CONTENT_PAIRS,
    LISTED,
    RELATIONS,
    SAME_STEM,
    RelatedWords,
    count_word_pairs,
    related_words,
)
from rewrite_models.relation import START, Relation, RelationSettings
from rewrite_models.word_concepts import FUNCTION_CLASSES
from rewrite_models.wordnet_reader import WITHOUT

ASIDES = ("same stem", *RELATIONS)
"""The relations of an aside to its document word, in the order of their numbers."""

STRENGTH = 2000.0
"""Fake counts of the prior, which expects asides to be as often related as unrelated texts' words.

Where training starts from another model, it expects what that one learned (docs/general-model.md).

Chosen by hand with the development corpora: with 500, 2,000 and 5,000 SoftF is .8772, .8810 and
.8817 on rte2/dev, .8910, .8904 and .8894 on edinburgh/train.
"""

FIRST_SHARE, PRIOR_SHARE = 0.5, 0.1
"""The most that asides may have of null's content words before training, and in the prior, by hand.

They bind only in little text, where any two words of a corpus may be related.
"""


def _shares(weights: np.ndarray, most: float) -> np.ndarray:
    """Return float64 [1 + relations], null's share and those of asides, in proportion to weights.

    Null's weight is 1. The asides have ``most`` of the whole together, or less.
    """
    factor = min(1.0, most / (1.0 - most) / float(weights.sum()))
    shares = np.concatenate([[1.0], factor * weights])
    result: np.ndarray = shares / shares.sum()
    return result


def _relations(listed: str | None) -> int:
    """Return how many of ``ASIDES`` there are, with the list of paraphrases or without."""
    return len(ASIDES) - (len(LISTED) if listed == WITHOUT else 0)


class AsideEvidence(NamedTuple):
    """The related content words of a batch, C pairs of them, in the best sentences of documents.

    ``abstract``  int64 [C], the abstract word of each pair, its offset over the batch.
    ``document``  int64 [C], the document word likewise.
    ``relation``  int64 [C], the relation, a number in ``ASIDES``.
    ``chance``    float64 [C], p(an aside chooses the document word), from the texts alone.
    ``content``   bool [M], which abstract words are content words.
    """

    abstract: np.ndarray
    document: np.ndarray
    relation: np.ndarray
    chance: np.ndarray
    content: np.ndarray


def _evidence(batch: Batch, words: RelatedWords) -> AsideEvidence:
    """Keep the related words of the best sentence of each document, or of several equal ones.

    The best one is that in which the most abstract words have related words.
    """
    # Those of the same stem come first.
    order = np.argsort(words.relations != SAME_STEM, kind="stable")
    a, d = words.cells[order, ::2].T.astype(np.int64)
    content = words.abstract >= FUNCTION_CLASSES
    in_document = words.document >= FUNCTION_CLASSES
    both = content[a] & in_document[d]
    a, d = a[both], d[both]
    relation = words.relations[order][both].astype(np.int64) - SAME_STEM
    begins = batch.sentence_begins
    sentence = np.searchsorted(begins, d, side="right") - 1
    size = len(batch.abstract)
    covering = np.unique(sentence * size + a)
    covered = np.bincount(covering // size, minlength=len(begins))
    document = np.searchsorted(batch.document_offsets, begins, side="right") - 1
    most = np.zeros(len(batch), dtype=np.int64)
    np.maximum.at(most, document, covered)
    best = covered == most[document]
    of_sentence = np.add.reduceat(in_document.astype(np.float64), begins)
    choices = np.bincount(document, weights=of_sentence * best, minlength=len(batch))
    kept = best[sentence]
    chance = 1.0 / choices[document[sentence[kept]]]
    return AsideEvidence(a[kept], d[kept], relation[kept], chance, content)


@dataclass(frozen=True)
class AsidesSettings(Options):
    """``asides``: whether null words may be rewrites.

    They need what ``Relation`` knows of words.
    """

    asides: bool = option(
        True,
        "whether content words far from all others may be linked while the walk stays where it is "
        "(with the rewrite model relation)",
        on_start=True,
    )


@dataclass(frozen=True)
class Asides(NullFactor[AsideEvidence]):
    """A factor of what null emits: share[null] + the mean share / base of the sentence's words.

    Null emits a content word by itself, or as an aside. An aside chooses a content word of the best
    sentence of the document, all alike, and has the relation r to it. The best sentence is the one
    in which most content words of the abstract have related words. The probability of an aside is
    that of the word in null, times share[r] / base[r]. As in ``Relation``, it sums to one over all
    words, if they are related as in unrelated texts. Function words are no asides.

    M-step: ``share`` in proportion to the expected counts plus ``STRENGTH`` fake counts, which are
    in proportion to ``prior``.

    ``share``   float64 [1 + relations], of null by itself and of asides of each relation; learned.
    ``base``    float64 [relations], the share of each relation among the pairs of content words of
                an abstract and of a document that is not its own (``count_word_pairs``). Of its own
                document it would be larger for the very relations that tell of links.
    ``wordnet``, ``paraphrases``  where these are, as in ``Relation``.
    ``prior``   float64 [1 + relations], the shares that the prior expects: those of the model that
                training started from, which little text would otherwise unlearn in one iteration.
                ``None``: in proportion to one for null and ``base`` for the relations.
    """

    share: Annotated[np.ndarray, open_shares("R+1")]
    base: Annotated[np.ndarray, positive("R")]
    wordnet: str | None
    paraphrases: str | None
    prior: Annotated[np.ndarray | None, optional(open_shares("R+1"))] = None
    name = "asides"
    Settings = AsidesSettings
    beside = Relation
    makes_links = True
    evidence_types = (AsideEvidence,)

    @classmethod
    def initial(cls, corpus: Corpus, settings: RelationSettings) -> Asides:
        size = _relations(settings.paraphrases)
        counts = count_word_pairs(corpus.batches, settings.wordnet, settings.paraphrases)
        content = counts.chance[CONTENT_PAIRS].sum(axis=0)
        # Half a pair more, for relations that the corpus lacks.
        base = (content[1:][:size] + 0.5) / (content.sum() + size)
        share = _shares(START * base, FIRST_SHARE)
        return cls(share, base, settings.wordnet, settings.paraphrases)

    def started(self, corpus: Corpus, settings: RelationSettings) -> Asides:
        """Start from what was learned, unless the other model had no list of paraphrases.

        What was learned is what the prior expects.
        """
        if len(self.base) < _relations(settings.paraphrases):
            return self.initial(corpus, settings)
        return replace(super().started(corpus, settings), prior=self.share)

    def evidence(self, batch: Batch) -> AsideEvidence:
        listed = self.paraphrases if len(self.base) == len(ASIDES) else WITHOUT
        return _evidence(batch, related_words(batch, self.wordnet, listed))

    def _terms(self, evidence: AsideEvidence) -> np.ndarray:
        """Return float64 [C], the term of each pair in the factor of its abstract word."""
        ratio = self.share[1:] / self.base
        terms: np.ndarray = ratio[evidence.relation] * evidence.chance
        return terms

    def scores(self, evidence: AsideEvidence) -> np.ndarray:
        """Return float64 [M], the factor of each abstract word; 1 for function words."""
        size = len(evidence.content)
        terms = np.bincount(evidence.abstract, weights=self._terms(evidence), minlength=size)
        return np.where(evidence.content, self.share[0] + terms, 1.0)

    def links(self, evidence: AsideEvidence, null: np.ndarray) -> NullLinks:
        """Return the related words as asides, each with its share of null's posterior."""
        a, d = evidence.abstract, evidence.document
        cells = np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)
        return NullLinks(cells, (null / self.scores(evidence))[a] * self._terms(evidence))

    def fold(self, evidence: AsideEvidence, null: np.ndarray) -> Counts:
        posteriors = self.links(evidence, null).posteriors
        asides = np.bincount(evidence.relation, weights=posteriors, minlength=len(self.base))
        alone = (null / self.scores(evidence))[evidence.content].sum() * self.share[0]
        return {"used": np.concatenate([[alone], asides])}

    def null_words(self, counts: Counts) -> float:
        """Asides are words of null that are links."""
        return -float(counts["used"][1:].sum())

    @property
    def _fake(self) -> np.ndarray:
        fake: np.ndarray = STRENGTH * self.expected
        return fake

    @property
    def expected(self) -> np.ndarray:
        """Return float64 [1 + relations], the shares that the prior expects."""
        return _shares(self.base, PRIOR_SHARE) if self.prior is None else self.prior

    def unlearned(self) -> Asides:
        """Return the asides at the mode of the prior, where they hardly change what null emits.

        One iteration on little text could not tell them from chance.
        """
        return replace(self, share=self.expected)

    def m_step(self, counts: Counts) -> Asides:
        total = counts["used"] + self._fake
        return replace(self, share=total / total.sum())

    def log_prior(self) -> float:
        return float(self._fake @ np.log(self.share))

    def require_consistent(self) -> None:
        """Raise ``BadArray`` for relations that there are neither with nor without paraphrases."""
        sizes = (_relations(WITHOUT), _relations(None))
        expected = f"has {len(self.base)} relations, expected {sizes[0]} or {sizes[1]}"
        require(len(self.base) in sizes, "base", expected)
