"""Rewrites words by how they are related: in form, in WordNet, by class. Not in the paper.

The paper's identity and stem models miss "is" and "are", "Russia" and "Russian". Its WordNet model
knows only first senses. Its null state gets every word without evidence. Which relations are
evidence for a link, and how strong, is learned: a dozen numbers, too few to overfit. A list of
paraphrases, where one is installed, adds three relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from corpus_tools.encoding import Batch
from corpus_tools.plugins.model_part import Corpus, Counts, open_shares, positive, require
from corpus_tools.plugins.options import option
from rewrite_models.related_words import (
    CLASS_PAIRS,
    LISTED,
    PAIR_OF,
    RELATIONS,
    SAME_STEM,
    count_word_pairs,
    related_words,
)
from rewrite_models.rewrite_model import BaseScore, Evidence, RewriteModel
from rewrite_models.wordnet_reader import WITHOUT, WordNetDirectory

STRENGTH = 500.0
"""Fake counts of the prior, which expects each class of word pairs as often in links as anywhere.

Chosen by hand with the development corpora (rte2/dev, edinburgh/train, cnn-articles).
"""
START = 20.0
"""How many times more often, before training, words are related among links than anywhere.

Chosen by hand with the development corpora; EM learns each relation's own ratio from there.
"""


def _classes(listed: str | None) -> int:
    """Return how many classes and relations there are, with the list of paraphrases or without."""
    return len(CLASS_PAIRS) + len(RELATIONS) - (len(LISTED) if listed == WITHOUT else 0)


@dataclass(frozen=True)
class RelationSettings(WordNetDirectory):
    """``paraphrases``: the list of paraphrases.

    ``None``: look for it (``lexicons.find_paraphrases``); ``WITHOUT``: go without it.
    """

    paraphrases: str | None = option(
        None,
        f"list of paraphrases, a file or a directory, or {WITHOUT} to go without it (default: look "
        "for it)",
        metavar="FILE",
        kind=str,
        is_path=True,
        after_training=True,
        on_resume=True,
    )


def _base(corpus: Sequence[Batch], settings: RelationSettings) -> np.ndarray:
    """Return float64 [classes], the share of each class among word pairs, or a sample of them.

    Classes of all pairs are counted in the pairs themselves, relations in unrelated texts.
    """
    counts = count_word_pairs(corpus, settings.wordnet, settings.paraphrases)
    # Half a pair more, for classes that the corpus lacks.
    own = counts.own.sum(axis=1) + 0.5
    chance = counts.chance.sum(axis=1) + 0.5
    relations = _classes(settings.paraphrases) - len(CLASS_PAIRS)
    related = (counts.chance.sum(axis=0)[2:][:relations] + 0.5) / chance.sum()
    return np.concatenate([own / own.sum(), related])


@dataclass(frozen=True)
class Relation(RewriteModel):
    """frequency(a) * linked(class) / base(class), summed over the classes of the word pair (a, d).

    Every word pair is in one of the five ``CLASS_PAIRS``, which give the base score. It may also
    be in one of the ``RELATIONS``, its evidence. ``linked`` is a distribution over all these
    classes, so that frequency(a) * frequency(d) * linked / base is one over word pairs that are
    related as often as chance has it. The score is not normalised for each document word.

    M-step: ``linked`` in proportion to the expected counts plus ``STRENGTH`` fake counts, which are
    in proportion to ``base``.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``base``       float64 [classes], the share of each of ``CLASS_PAIRS`` among the word pairs of
                   the training pairs, or of a sample, and that of each relation in unrelated texts
                   (``count_word_pairs``).
    ``linked``     float64 [classes], the share of each class among links; learned.
    ``wordnet``    where WordNet is, ``None`` to search for it (``lexicons.find_wordnet``),
                   ``WITHOUT`` to compare forms alone.
    ``paraphrases``  where the list of paraphrases is, likewise. A model that was trained without it
                     has no classes for its pairs (``LISTED``).
    """

    frequency: Annotated[np.ndarray, open_shares("V+1")]
    base: Annotated[np.ndarray, positive("classes")]
    linked: Annotated[np.ndarray, open_shares("classes")]
    wordnet: str | None
    paraphrases: str | None = WITHOUT
    name = "relation"
    Settings = RelationSettings
    has_base_score = True

    @classmethod
    def initial(cls, corpus: Corpus, settings: RelationSettings) -> Relation:
        frequency = corpus.smoothed_shares()
        base = _base(corpus.batches, settings)
        related = len(base) - len(CLASS_PAIRS)
        linked = base * np.repeat([1.0, START], [len(CLASS_PAIRS), related])
        return cls(frequency, base, linked / linked.sum(), settings.wordnet, settings.paraphrases)

    def started(self, corpus: Corpus, settings: RelationSettings) -> Relation:
        """Start from what was learned of the classes: ``base`` is that of many more word pairs.

        Classes of a list of paraphrases that the other model did not have start as in ``initial``.
        """
        base, linked = self.base, self.linked
        if len(base) < _classes(settings.paraphrases):
            base = np.concatenate([base, _base(corpus.batches, settings)[len(base) :]])
            linked = np.concatenate([linked, START * base[len(linked) :]])
        started = super().started(corpus, settings)
        return replace(started, base=base, linked=linked / linked.sum())

    def _frequency(self, words: np.ndarray) -> np.ndarray:
        frequency: np.ndarray = self.frequency[np.minimum(words, len(self.frequency) - 1)]
        return frequency

    def evidence(self, batch: Batch) -> Evidence:
        has_classes = len(self.base) == len(CLASS_PAIRS) + len(RELATIONS)
        listed = self.paraphrases if has_classes else WITHOUT
        words = related_words(batch, self.wordnet, listed)
        related = words.relations != SAME_STEM
        cells = words.cells[related]
        data = {
            "frequency": self._frequency(batch.abstract[cells[:, 0]]),
            "relation": words.relations[related],
            "abstract_class": words.abstract,
            "document_class": words.document,
        }
        return Evidence(cells, data)

    @property
    def ratio(self) -> np.ndarray:
        """Return float64 [classes], how much more often a class is among links than anywhere."""
        ratio: np.ndarray = self.linked / self.base
        return ratio

    def scores(self, evidence: Evidence) -> np.ndarray:
        ratio = self.ratio[len(CLASS_PAIRS) :]
        scores: np.ndarray = evidence.data["frequency"] * ratio[evidence.data["relation"]]
        return scores

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        relation = evidence.data["relation"]
        return {
            "related": np.bincount(
                relation, weights=posteriors, minlength=len(self.base) - len(CLASS_PAIRS)
            )
        }

    def base_score(self, batch: Batch, evidence: Evidence) -> BaseScore:
        document = self.ratio[PAIR_OF][:, evidence.data["document_class"]]
        frequency = self._frequency(batch.abstract)
        return BaseScore(frequency, evidence.data["abstract_class"], document)

    def fold_base_score(self, batch: Batch, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        pairs = PAIR_OF[:, evidence.data["document_class"]].ravel()
        counts = np.bincount(pairs, weights=posteriors.ravel(), minlength=len(CLASS_PAIRS))
        return {"unrelated": counts}

    def m_step(self, counts: Counts) -> Relation:
        total = np.concatenate([counts["unrelated"], counts["related"]]) + STRENGTH * self.base
        return replace(self, linked=total / total.sum())

    def log_prior(self) -> float:
        return float(STRENGTH * self.base @ np.log(self.linked))

    def require_consistent(self) -> None:
        """Raise ``BadArray`` for classes that there are neither with nor without paraphrases."""
        sizes = (_classes(WITHOUT), _classes(None))
        expected = f"has {len(self.base)} classes, expected {sizes[0]} or {sizes[1]}"
        require(len(self.base) in sizes, "base", expected)
