"""Rewrites words by how they are related: in form, in WordNet, by class. Not in the paper.

The paper's identity and stem models miss "is" and "are", "Russia" and "Russian". Its WordNet model
knows only first senses. Its null state gets every unlisted word. EM learns how strongly each
relation indicates a link: a dozen parameters, too few to overfit. A list of paraphrases, where one
is installed, adds three relations.

The rewrite model ``relation`` links words along the path through the lattice. A jump to a distant
document word and back has a small probability. So the path takes the abstract word from null rather
than as a rewrite of a document word far from all other links, although two content words are rarely
related by chance. An aside is such a word: null emits it, and it is linked to a related word of the
document. The next jump does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from corpus_tools.base.arrays import without_repeats
from corpus_tools.model_parts import model_part
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, amounts, open_shares, positive
from corpus_tools.plugins.options import Options, option
from rewrite_models import related_words
from rewrite_models.concepts import FUNCTION_CLASSES
from rewrite_models.null_factor import NullFactor, NullLinks
from rewrite_models.related_words import CLASS_PAIRS, PAIR_OF, RELATIONS, SAME_STEM
from rewrite_models.rewrite_model import Background, Features, KindModel, resource
from rewrite_models.wordnet_reader import WITHOUT, WordNetDirectory

STRENGTH = 500.0
"""Pseudo-counts of the prior, which expects each class of word pairs as often in links as anywhere.

Chosen on the development corpora (rte2/dev, edinburgh/train, cnn-articles).
"""
START = 20.0
"""How many times more often, before training, words are related among links than anywhere.

Chosen on the development corpora; EM learns each relation's own ratio from there.
"""


def _of_size(counts: Counts, size: int) -> Counts:
    """Return counts of so many kinds. Those of the list of paraphrases are last."""
    return {name: np.pad(array, (0, size))[:size] for name, array in counts.items()}


def _related(batch: Batch, model: Relation | Asides, most: int) -> related_words.RelatedWords:
    """Find the related words of a batch. A model may have no kinds for those of the list."""
    listed = model.paraphrases if len(model.base) == most else WITHOUT
    return related_words.related_words(batch, model.wordnet, listed)


SIZES = [len(CLASS_PAIRS) + len(RELATIONS) - listed for listed in (len(related_words.LISTED), 0)]
"""The classes of ``Relation``, without and with the list of paraphrases."""
ASIDE_SIZES = [size - len(CLASS_PAIRS) + 1 for size in SIZES]
"""The relations of asides, likewise. One is the same stem."""


@dataclass(frozen=True)
class RelationSettings(WordNetDirectory):
    """``paraphrases``: the list of paraphrases.

    ``None``: look for it (``lexicons.find_paraphrases``); ``WITHOUT``: go without it.
    """

    paraphrases: str | None = resource(
        f"list of paraphrases, a file or a directory, or {WITHOUT} to do without it (default: "
        "search for it)",
        metavar="FILE",
    )


def _base(corpus: Sequence[Batch], settings: RelationSettings) -> np.ndarray:
    """Return float64 [classes], the share of each class among word pairs, or a sample of them.

    Classes of all pairs are counted in the pairs themselves, relations in unrelated texts.
    """
    counts = related_words.count_word_pairs(corpus, settings.wordnet, settings.paraphrases)
    # Half a pair more, for classes that the corpus lacks.
    own = counts.own[: len(CLASS_PAIRS)].sum(axis=1) + 0.5
    chance = counts.chance.sum() + 0.5 * len(CLASS_PAIRS)
    relations = SIZES[settings.paraphrases != WITHOUT] - len(CLASS_PAIRS)
    related = (counts.chance.sum(axis=0)[2:][:relations] + 0.5) / chance
    return np.concatenate([own / own.sum(), related])


@dataclass(frozen=True)
class Relation(KindModel):
    """frequency(a) * linked(class) / base(class), summed over the classes of the word pair (a, d).

    Every word pair is in one of the five ``CLASS_PAIRS``, which give the background emission, but
    for two names (``related_words``): people and places are no rewrites of others. A pair
    may also be in one of the ``RELATIONS``, its feature. ``linked`` is a distribution over all
    these classes, so that frequency(a) * frequency(d) * linked / base is one over word pairs that
    are related as often as chance has it. The probability is not normalised for each document word.

    M-step: ``linked`` in proportion to the expected counts plus ``STRENGTH`` pseudo-counts, which
    are in proportion to ``base``.

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
    has_background = True
    common: ClassVar = {"kinds": amounts("classes"), "unrelated": amounts("classes")}

    @classmethod
    def initial(cls, corpus: Corpus, settings: RelationSettings) -> Relation:
        frequency = corpus.smoothed_shares()
        base = _base(corpus.batches, settings)
        related = len(base) - len(CLASS_PAIRS)
        linked = base * np.repeat([1.0, START], [len(CLASS_PAIRS), related])
        return cls(frequency, base, linked / linked.sum(), settings.wordnet, settings.paraphrases)

    def warm_start(self, corpus: Corpus, settings: RelationSettings) -> Relation:
        """Start from what was learned of the classes: ``base`` is that of many more word pairs.

        Classes of a list of paraphrases that the other model did not have start as in ``initial``.
        """
        base, linked = self.base, self.linked
        if len(base) < SIZES[settings.paraphrases != WITHOUT]:
            base = np.concatenate([base, _base(corpus.batches, settings)[len(base) :]])
            linked = np.concatenate([linked, START * base[len(linked) :]])
        # Words become those of both corpora; classes keep what was learned of them.
        started = super().warm_start(corpus, settings)
        return replace(started, base=base, linked=linked / linked.sum())

    def features(self, batch: Batch) -> Features:
        words = _related(batch, self, SIZES[-1])
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
        # Two names are no rewrites of each other unless they are related.
        ratio = np.append(self.ratio[: len(CLASS_PAIRS)], 0.0)
        document = ratio[PAIR_OF][:, features.data["document_class"]]
        frequency = self.frequency_of(batch.abstract)
        return Background(frequency, features.data["abstract_class"], document)

    def expected_background_statistics(
        self, batch: Batch, features: Features, posteriors: np.ndarray
    ) -> Counts:
        pairs = PAIR_OF[:, features.data["document_class"]].ravel()
        # Those of names, which are the last here, are 0.
        counts = np.bincount(pairs, weights=posteriors.ravel(), minlength=len(CLASS_PAIRS) + 1)
        return {"unrelated": np.pad(counts[:-1], (0, len(self.base) - len(CLASS_PAIRS)))}

    @property
    def pseudo_counts(self) -> np.ndarray:
        return STRENGTH * self.base

    def links_by_kind(self, counts: Counts) -> np.ndarray:
        return counts["kinds"] + counts["unrelated"]

    def transferred(self, counts: Counts) -> Counts:
        return _of_size(counts, len(self.linked))


ASIDES = ("same stem", *RELATIONS)
"""The relations of an aside to its document word, in the order of their numbers."""

ASIDE_STRENGTH = 2000.0
"""Pseudo-counts of the prior, which expects asides to be as often related as unrelated texts'
words.

Where training starts from another model, it expects what that one learned (docs/general-model.md).

Chosen on the development corpora: with 500, 2,000 and 5,000 SoftF is .8772, .8810 and
.8817 on rte2/dev, .8910, .8904 and .8894 on edinburgh/train.
"""

FIRST_SHARE, PRIOR_SHARE = 0.5, 0.1
"""The most that asides may have of null's content words before training, and in the prior.

They bind only in little text, where any two words of a corpus may be related.
"""


def _shares(weights: np.ndarray, most: float) -> np.ndarray:
    """Return float64 [1 + relations], null's share and those of asides, in proportion to weights.

    Null's weight is 1. The asides have ``most`` of the whole together, or less.
    """
    # Asides share at most ``most``, so null keeps the rest, whatever the weights sum to.
    factor = min(1.0, most / (1.0 - most) / float(weights.sum()))
    shares = np.concatenate([[1.0], factor * weights])
    return shares / shares.sum()


class AsideFeatures(NamedTuple):
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


def _aside_features(batch: Batch, words: related_words.RelatedWords) -> AsideFeatures:
    """Keep the related words of the best sentence of each document, or of several equal ones.

    The best one is that in which the most abstract words have related words.
    """
    # Those of the same stem come first.
    order = np.argsort(words.relations != SAME_STEM, kind="stable")
    a, d = words.spans[order, ::2].T.astype(np.int64)
    content = words.abstract >= FUNCTION_CLASSES
    in_document = words.document >= FUNCTION_CLASSES
    both = content[a] & in_document[d]
    a, d = a[both], d[both]
    relation = words.relations[order][both].astype(np.int64) - SAME_STEM
    begins = batch.sentence_begins
    sentence = np.searchsorted(begins, d, side="right") - 1
    size = len(batch.abstract)
    covering = without_repeats(sentence * size + a)
    covered = np.bincount(covering // size, minlength=len(begins))
    document = np.searchsorted(batch.document_offsets, begins, side="right") - 1
    most = np.zeros(len(batch), dtype=np.int64)
    np.maximum.at(most, document, covered)
    best = covered == most[document]
    of_sentence = np.add.reduceat(in_document.astype(np.float64), begins)
    choices = np.bincount(document, weights=of_sentence * best, minlength=len(batch))
    kept = best[sentence]
    chance = 1.0 / choices[document[sentence[kept]]]
    return AsideFeatures(a[kept], d[kept], relation[kept], chance, content)


@dataclass(frozen=True)
class AsidesSettings(Options):
    """``asides``: whether null words may be rewrites.

    They need what ``Relation`` knows of words.
    """

    asides: bool = option(
        True,
        "whether isolated content words may be linked without a jump "
        "(with the rewrite model relation)",
        on_start=True,
    )


@dataclass(frozen=True)
class Asides(NullFactor[AsideFeatures]):
    """A factor of what null emits: share[null] + the mean share / base of the sentence's words.

    Null emits a content word by itself, or as an aside. An aside chooses a content word of the best
    sentence of the document, all alike, and has the relation r to it. The best sentence is the one
    in which most content words of the abstract have related words. The probability of an aside is
    that of the word in null, times share[r] / base[r]. As in ``Relation``, it sums to one over all
    words, if they are related as in unrelated texts. Function words are no asides.

    M-step: ``share`` in proportion to the expected counts plus ``ASIDE_STRENGTH`` pseudo-counts,
    which are in proportion to ``prior``.

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
    prior: Annotated[np.ndarray | None, model_part.optional(open_shares("R+1"))] = None
    name = "asides"
    Settings = AsidesSettings
    beside = Relation
    makes_links = True
    feature_types = (AsideFeatures,)
    common: ClassVar = {"used": amounts("R+1")}

    @classmethod
    def initial(cls, corpus: Corpus, settings: RelationSettings) -> Asides:
        size = ASIDE_SIZES[settings.paraphrases != WITHOUT]
        counts = related_words.count_word_pairs(
            corpus.batches, settings.wordnet, settings.paraphrases
        )
        content = counts.chance[related_words.CONTENT_PAIRS].sum(axis=0)
        # Half a pair more, for relations that the corpus lacks.
        base = (content[1:][:size] + 0.5) / (content.sum() + size)
        share = _shares(START * base, FIRST_SHARE)
        return cls(share, base, settings.wordnet, settings.paraphrases)

    def warm_start(self, corpus: Corpus, settings: RelationSettings) -> Asides:
        """Start from what was learned, unless the other model had no list of paraphrases.

        What was learned is what the prior expects.
        """
        if len(self.base) < ASIDE_SIZES[settings.paraphrases != WITHOUT]:
            return self.initial(corpus, settings)
        return replace(super().warm_start(corpus, settings), prior=self.share)

    def features(self, batch: Batch) -> AsideFeatures:
        return _aside_features(batch, _related(batch, self, ASIDE_SIZES[-1]))

    def _terms(self, features: AsideFeatures) -> np.ndarray:
        """Return float64 [C], the term of each pair in the factor of its abstract word."""
        ratio = self.share[1:] / self.base
        return ratio[features.relation] * features.chance

    def probabilities(self, features: AsideFeatures) -> np.ndarray:
        """Return float64 [M], the factor of each abstract word; 1 for function words."""
        size = len(features.content)
        terms = np.bincount(features.abstract, weights=self._terms(features), minlength=size)
        return np.where(features.content, self.share[0] + terms, 1.0)

    def links(self, features: AsideFeatures, null: np.ndarray) -> NullLinks:
        """Return the related words as asides, each with its share of null's posterior."""
        a, d = features.abstract, features.document
        spans = np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)
        return NullLinks(spans, (null / self.probabilities(features))[a] * self._terms(features))

    def expected_statistics(self, features: AsideFeatures, null: np.ndarray) -> Counts:
        posteriors = self.links(features, null).posteriors
        asides = np.bincount(features.relation, weights=posteriors, minlength=len(self.base))
        alone = (null / self.probabilities(features))[features.content].sum() * self.share[0]
        return {"used": np.concatenate([[alone], asides])}

    def null_words(self, counts: Counts) -> float:
        """Asides are words of null that are links."""
        return -float(counts["used"][1:].sum())

    @property
    def expected(self) -> np.ndarray:
        """Return float64 [1 + relations], the shares that the prior expects."""
        return _shares(self.base, PRIOR_SHARE) if self.prior is None else self.prior

    def without_warm_start(self) -> Asides:
        """Return the asides at the mode of the prior, where they hardly change what null emits.

        One iteration on little text could not tell them from chance.
        """
        return replace(self, share=self.expected)

    def m_step(self, counts: Counts) -> Asides:
        total = counts["used"] + ASIDE_STRENGTH * self.expected
        return replace(self, share=total / total.sum())

    def log_prior(self) -> float:
        return self.log_likelihood({"used": ASIDE_STRENGTH * self.expected})

    def log_likelihood(self, counts: Counts) -> float:
        return float(counts["used"] @ np.log(self.share))

    def transferred(self, counts: Counts) -> Counts:
        return _of_size(counts, len(self.share))
