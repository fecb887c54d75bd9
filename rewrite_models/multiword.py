"""Rewrites phrases by phrases of the same meaning. Not in the paper.

There are three kinds: two entries of WordNet in one synset ("death penalty", "capital punishment");
initials and the words that begin with them ("U.S.", "United States"); one word and its spelling as
several ("anti-terrorism", "anti terrorism"). No other model links the words of such phrases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from corpus_tools.base.arrays import equal_pairs, products, without_repeats
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, amounts, open_shares, positive
from rewrite_models.kinds import KindModel, sampled, steps
from rewrite_models.phrase_keys import ENTRY_KIND, PHRASE_KINDS, FoundPhrases, phrases_of
from rewrite_models.rewrite_model import Features
from rewrite_models.wordnet_reader import WordNetDirectory


class Matches(NamedTuple):
    """Candidate phrase pairs, int32 [C, 4], and the number of the kind of each, int64 [C]."""

    spans: np.ndarray
    kind: np.ndarray


def matches(batch: Batch, path: str | None, step: int = 0) -> Matches:
    """Return the pairs of phrases of the same meaning, each once.

    ``step``  the abstract of pair p is compared with the document of pair p - ``step``
              (``kinds.steps``).
    """
    abstract, document = phrases_of(batch, path)
    kinds = [phrases.key * len(PHRASE_KINDS) + phrases.kind for phrases in (abstract, document)]
    distinct, index = np.unique(np.concatenate(kinds), return_inverse=True)
    key, other_key = np.split(index, [len(abstract.key)])
    moved = (abstract.text - step) % len(batch)
    a, d = equal_pairs(moved * len(distinct) + key, document.text * len(distinct) + other_key)
    abstract, document = (
        FoundPhrases(*(column[a] for column in abstract)),
        FoundPhrases(*(column[d] for column in document)),
    )
    spans = np.stack([abstract.start, abstract.end, document.start, document.end], axis=1)
    sizes = spans[:, 1::2] - spans[:, ::2]
    first = batch.abstract[abstract.start] == batch.document[document.start]
    one_word = (sizes == 1).sum(axis=1) == 1
    # Entries: at least one phrase of several words, and not the same words, which other models
    # link. Other kinds: one word on one side, several on the other, with different first words.
    as_entry = (sizes.max(axis=1, initial=1) > 1) & (abstract.words != document.words)
    is_match = np.where(abstract.kind == ENTRY_KIND, as_entry, one_word & ~first)
    rows = without_repeats(np.column_stack([spans, abstract.kind])[is_match])
    # If there are several kinds, the first counts.
    _, of_span = np.unique(rows[:, :4], axis=0, return_index=True)
    return Matches(rows[of_span, :4].astype(np.int32), rows[of_span, 4])


MULTIWORD_PSEUDO_COUNTS = 0.01
"""The pseudo-counts of each kind in the prior. A few links of a corpus outweigh them.

Without pseudo-counts, a kind that a corpus lacks would be impossible.
"""


@dataclass(frozen=True)
class Multiword(KindModel):
    """p(a | d) = frequency(a) * p_linked[kind] / p_chance[kind], for phrases of the same meaning.

    The kinds are ``PHRASE_KINDS``; at least one of the phrases has several words. The frequency of
    a phrase is the product of its words' frequencies. As in ``Relation``, the probability is not
    normalised.

    M-step: ``p_linked`` is in proportion to the expected counts plus ``MULTIWORD_PSEUDO_COUNTS``.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``p_chance``   float64 [kinds], pairs of such phrases for each word pair of unrelated texts
                   (``rewrite_models.kinds``).
    ``p_linked``   float64 [kinds], the share of each kind among the links of this model; learned.
    ``wordnet``    where WordNet is, as in ``Relation``.
    """

    frequency: Annotated[np.ndarray, open_shares("V+1")]
    p_chance: Annotated[np.ndarray, positive(len(PHRASE_KINDS))]
    p_linked: Annotated[np.ndarray, open_shares(len(PHRASE_KINDS))]
    wordnet: str | None
    name = "multiword"
    Settings = WordNetDirectory
    common: ClassVar = {"kinds": amounts(len(PHRASE_KINDS))}

    @classmethod
    def initial(cls, corpus: Corpus, settings: WordNetDirectory) -> Multiword:
        frequency = corpus.smoothed_shares()
        # Half a pair is added, so that no kind that the corpus lacks is impossible.
        matches_of_kind = np.full(len(PHRASE_KINDS), 0.5)
        pairs = 1.0
        for batch in sampled(corpus.batches):
            heights = np.diff(batch.abstract_offsets)
            widths = np.diff(batch.document_offsets)
            for step in steps(len(batch)):
                kinds = matches(batch, settings.wordnet, step).kind
                matches_of_kind += np.bincount(kinds, minlength=len(PHRASE_KINDS))
                pairs += float(np.roll(heights, -step) @ widths)
        even = np.full(len(PHRASE_KINDS), 1.0 / len(PHRASE_KINDS))
        return cls(frequency, matches_of_kind / pairs, even, settings.wordnet)

    def features(self, batch: Batch) -> Features:
        matched = matches(batch, self.wordnet)
        frequency = products(self.frequency_of(batch.abstract), matched.spans[:, :2])
        return Features(matched.spans, {"frequency": frequency, "kind": matched.kind})

    @property
    def pseudo_counts(self) -> np.ndarray:
        return np.full(len(PHRASE_KINDS), MULTIWORD_PSEUDO_COUNTS)
