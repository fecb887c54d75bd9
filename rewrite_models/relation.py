"""Rewrites words by their relation: in form, in WordNet, by class. Not in the paper.

The paper's identity and stem models miss "is" and "are", "Russia" and "Russian". Its WordNet model
knows only first senses, and its null state emits all other words. Here EM learns how strongly each
relation indicates a link: a dozen parameters, too few to overfit. A list of paraphrases, where one
is installed, adds three relations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from corpus_tools.model_parts.encoding import Batch, cached_per_batch
from corpus_tools.model_parts.model_part import Corpus, Counts, amounts, open_shares, positive
from rewrite_models import related_words
from rewrite_models.kinds import (
    CLASS_PAIR_TABLE,
    CLASS_PAIRS,
    NAME_PAIR,
    KindModel,
    sampled,
    steps,
    word_pairs,
)
from rewrite_models.related_words import RELATIONS, SAME_STEM, TWO_STEPS, UNRELATED
from rewrite_models.rewrite_model import Background, Features, resource
from rewrite_models.wordnet_reader import WITHOUT_RESOURCE, WordNetDirectory

RELATION_PSEUDO_COUNTS = 500.0
"""Pseudo-counts of the prior, which expects each class as often among links as among word pairs.

Chosen on the development corpora (rte2/dev, edinburgh/train, cnn-articles).
"""

INITIAL_RATIO = 20.0
"""p_linked / p_chance of every relation before training.

It was chosen on the development corpora. EM then learns a ratio for each relation.
"""


_ALL_CLASSES = len(CLASS_PAIRS) + len(RELATIONS)

RELATION_CLASS_COUNTS = (_ALL_CLASSES - len(related_words.LISTED_RELATIONS), _ALL_CLASSES)
"""The number of classes of ``Relation``, without and with the list of paraphrases."""

ASIDE_RELATION_COUNTS = [size - len(CLASS_PAIRS) + 1 for size in RELATION_CLASS_COUNTS]
"""The number of relations of ``Asides``, likewise. The same stem is a relation, too."""


@dataclass(frozen=True)
class RelationSettings(WordNetDirectory):
    """``paraphrases``: the list of paraphrases.

    ``None``: look for it (``lexicons.find_paraphrases``); ``WITHOUT_RESOURCE``: go without it.
    """

    paraphrases: str | None = resource(
        f"list of paraphrases, a file or a directory, or {WITHOUT_RESOURCE} to do without it "
        "(default: search for it)",
        metavar="FILE",
    )


class WordPairs(NamedTuple):
    """Counts of word pairs by their classes and relations. Counts of batches add up.

    The rows are ``CLASS_PAIRS`` and ``NAME_PAIR``. The columns are unrelated words, words of the
    same stem, and ``RELATIONS``. Two names that are unrelated or two steps apart are not counted.

    ``paired``  int64 [``CLASS_PAIRS`` + 1, 2 + ``RELATIONS``], pairs of an abstract and its
                document.
    ``chance``  int64, the same shape, pairs of an abstract and the documents of other pairs.
    """

    paired: np.ndarray
    chance: np.ndarray


def count_word_pairs(corpus: Sequence[Batch], path: str | None, listed: str | None) -> WordPairs:
    """Count the word pairs of a corpus, or of a sample of its batches.

    Many related words are no links: a common word has relations to many others by chance. So pairs
    of an abstract and the documents of other pairs are counted, too.
    """
    counts = [_word_pair_counts(batch, path, listed) for batch in sampled(corpus)]
    return WordPairs(*map(np.add.reduce, zip(*counts, strict=True)))


@cached_per_batch
def _word_pair_counts(batch: Batch, path: str | None, listed: str | None) -> WordPairs:
    """Count the word pairs of a batch."""
    words = related_words.related_words(batch, path, listed)
    table = related_words.relation_table(batch, path, listed)
    shape = len(CLASS_PAIRS) + 1, 2 + len(RELATIONS)

    def counts(step: int) -> np.ndarray:
        total = np.zeros(math.prod(shape), dtype=np.int64)
        for t, j in word_pairs(batch, step):
            # The cell of a pair in the flat result: row * columns + column.
            row = CLASS_PAIR_TABLE[words.abstract[t], words.document[j]] * np.int8(shape[1])
            cell = row + table.relations_of(t, j) - UNRELATED
            total += np.bincount(cell, minlength=len(total))
        by_class = total.reshape(shape)
        # Such names are no rewrites (``related_words``), so they count in no share.
        by_class[NAME_PAIR, [0, TWO_STEPS - UNRELATED]] = 0
        return by_class

    return WordPairs(counts(0), np.add.reduce([counts(step) for step in steps(len(batch))]))


def _chance_shares(corpus: Sequence[Batch], settings: RelationSettings) -> np.ndarray:
    """Return float64 [classes], the share of each class among word pairs, or a sample of them.

    ``CLASS_PAIRS`` are counted in abstracts and their documents, relations in unrelated texts.
    """
    counts = count_word_pairs(corpus, settings.wordnet, settings.paraphrases)
    # Half a pair is added, so that no class that the corpus lacks is impossible.
    in_pairs = counts.paired[: len(CLASS_PAIRS)].sum(axis=1) + 0.5
    chance = counts.chance.sum() + 0.5 * len(CLASS_PAIRS)
    relations = RELATION_CLASS_COUNTS[settings.paraphrases != WITHOUT_RESOURCE] - len(CLASS_PAIRS)
    related = (counts.chance.sum(axis=0)[2:][:relations] + 0.5) / chance
    return np.concatenate([in_pairs / in_pairs.sum(), related])


@dataclass(frozen=True)
class Relation(KindModel):
    """p(a | d) = frequency(a) * the sum over the classes c of (a, d) of p_linked(c) / p_chance(c).

    Every word pair is in one of the five ``CLASS_PAIRS``, which give the background emission,
    except for a pair of names (``related_words``): people and places are no rewrites of others. A
    pair may also be in one of the ``RELATIONS``, its feature. ``p_linked`` is a distribution over
    all these classes. So the sum of frequency(a) * frequency(d) * p_linked / p_chance over all word
    pairs is one, if words are related as often as by chance. The probability is not normalised for
    each document word.

    M-step: ``p_linked`` is in proportion to the expected counts plus the pseudo-counts
    ``RELATION_PSEUDO_COUNTS * p_chance``.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``p_chance``   float64 [classes], the share of each of ``CLASS_PAIRS`` among the word pairs of
                   the training pairs, or of a sample, and that of each relation in unrelated texts
                   (``count_word_pairs``).
    ``p_linked``   float64 [classes], the share of each class among links; learned.
    ``wordnet``    where WordNet is; ``None``: search for it (``lexicons.find_wordnet``);
                   ``WITHOUT_RESOURCE``: compare forms alone.
    ``paraphrases``  where the list of paraphrases is, likewise. A model that was trained without it
                     has no classes for its pairs (``LISTED_RELATIONS``).
    """

    frequency: Annotated[np.ndarray, open_shares("V+1")]
    p_chance: Annotated[np.ndarray, positive("classes")]
    p_linked: Annotated[np.ndarray, open_shares("classes")]
    wordnet: str | None
    paraphrases: str | None
    name = "relation"
    Settings = RelationSettings
    has_background = True
    common: ClassVar = {"kinds": amounts("classes"), "unrelated": amounts("classes")}

    @classmethod
    def initial(cls, corpus: Corpus, settings: RelationSettings) -> Relation:
        frequency = corpus.smoothed_shares()
        p_chance = _chance_shares(corpus.batches, settings)
        related = len(p_chance) - len(CLASS_PAIRS)
        weights = p_chance * np.repeat([1.0, INITIAL_RATIO], [len(CLASS_PAIRS), related])
        p_linked = weights / weights.sum()
        return cls(frequency, p_chance, p_linked, settings.wordnet, settings.paraphrases)

    def warm_start(self, corpus: Corpus, settings: RelationSettings) -> Relation:
        """Start from the trained shares: ``p_chance`` was counted in many more word pairs.

        Relations of paraphrases that the other model did not have start as in ``initial``.
        """
        p_chance, p_linked = self.p_chance, self.p_linked
        if len(p_chance) < RELATION_CLASS_COUNTS[settings.paraphrases != WITHOUT_RESOURCE]:
            more = _chance_shares(corpus.batches, settings)[len(p_chance) :]
            p_chance = np.concatenate([p_chance, more])
            p_linked = np.concatenate([p_linked, INITIAL_RATIO * more])
        # Only the frequencies change with the vocabulary; the shares of classes stay.
        started = super().warm_start(corpus, settings)
        return replace(started, p_chance=p_chance, p_linked=p_linked / p_linked.sum())

    def features(self, batch: Batch) -> Features:
        # A model that was trained without the list has no relations of it.
        has_list = len(self.p_chance) == RELATION_CLASS_COUNTS[-1]
        listed = self.paraphrases if has_list else WITHOUT_RESOURCE
        words = related_words.related_words(batch, self.wordnet, listed)
        related = words.relations != SAME_STEM
        spans = words.spans[related]
        data = {
            "frequency": self.frequency_of(batch.abstract[spans[:, 0]]),
            "kind": len(CLASS_PAIRS) + words.relations[related],
            "abstract_class": words.abstract,
            "document_class": words.document,
        }
        return Features(spans, data)

    def background(self, batch: Batch, features: Features) -> Background:
        # A pair of two names has no background emission: it is the last entry of the table.
        ratio = np.append(self.ratio[: len(CLASS_PAIRS)], 0.0)
        document = ratio[CLASS_PAIR_TABLE][:, features.data["document_class"]]
        frequency = self.frequency_of(batch.abstract)
        return Background(frequency, features.data["abstract_class"], document)

    def expected_background_statistics(
        self, batch: Batch, features: Features, posteriors: np.ndarray
    ) -> Counts:
        pairs = CLASS_PAIR_TABLE[:, features.data["document_class"]].ravel()
        # The last entry counts pairs of two names: without a background emission it is 0.
        counts = np.bincount(pairs, weights=posteriors.ravel(), minlength=len(CLASS_PAIRS) + 1)
        return {"unrelated": np.pad(counts[:-1], (0, len(self.p_chance) - len(CLASS_PAIRS)))}

    @property
    def pseudo_counts(self) -> np.ndarray:
        return RELATION_PSEUDO_COUNTS * self.p_chance

    def links_by_kind(self, counts: Counts) -> np.ndarray:
        return counts["kinds"] + counts["unrelated"]
