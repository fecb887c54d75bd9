"""Links content words that null emits with related words of the document. Not in the paper.

The rewrite model ``relation`` links words along the path through the lattice. A jump to a distant
document word and back has a small probability. So the path takes an abstract word from null, not
as a rewrite of a document word far from all other links, although two content words are rarely
related by chance. An aside is such a word: null emits it, and it is linked to a related word of the
document. The next jump does not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from corpus_tools.base.arrays import without_repeats
from corpus_tools.model_parts import model_part
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, amounts, open_shares, positive
from corpus_tools.plugins import Options, option
from rewrite_models import kinds, related_words
from rewrite_models.kinds import FUNCTION_CLASS_COUNT
from rewrite_models.null_factor import NullFactor, NullLinks
from rewrite_models.related_words import SAME_STEM
from rewrite_models.relation import (
    ASIDE_RELATION_COUNTS,
    INITIAL_RATIO,
    Relation,
    RelationSettings,
    count_word_pairs,
)
from rewrite_models.wordnet_reader import WITHOUT_RESOURCE

ASIDE_PSEUDO_COUNTS = 2000.0
"""The pseudo-counts of the prior, which expects asides to be related as often as words of unrelated
texts.

If training starts with another model, the prior expects the shares of that model
(docs/research/general-model.md).

The number was chosen on the development corpora: for 500, 2,000 and 5,000 SoftF is .8772, .8810 and
.8817 on rte2/dev, and .8910, .8904 and .8894 on edinburgh/train.
"""

MOST_INITIAL_ASIDES, MOST_PRIOR_ASIDES = 0.5, 0.1
"""The largest share of asides among the content words of null, before training and in the prior.

These bounds matter only in little text, where any two words of a corpus may be related.
"""


def _shares(weights: np.ndarray, most: float) -> np.ndarray:
    """Return float64 [1 + relations], the shares of null by itself and of asides by relation.

    The weight of null by itself is 1. All asides together get at most the share ``most``.
    """
    # factor W / (1 + factor W) <= most, where W is the sum of the weights of asides.
    factor = min(1.0, most / (1.0 - most) / float(weights.sum()))
    shares = np.concatenate([[1.0], factor * weights])
    return shares / shares.sum()


class AsideFeatures(NamedTuple):
    """The related content words of a batch, C pairs of them, in the best sentences of documents.

    ``abstract``  int64 [C], the abstract word of each pair, its offset over the batch.
    ``document``  int64 [C], the document word likewise.
    ``relation``  int64 [C], the relation: 0 for the same stem, k + 1 for ``RELATIONS[k]``.
    ``chance``    float64 [C], p(an aside chooses the document word), from the texts alone.
    ``content``   bool [M], which abstract words are content words.
    """

    abstract: np.ndarray
    document: np.ndarray
    relation: np.ndarray
    chance: np.ndarray
    content: np.ndarray


def _aside_features(batch: Batch, words: related_words.RelatedWords) -> AsideFeatures:
    """Keep the related words of the best sentence of each document, or of equally good ones.

    The best sentence is the one in which the most abstract words have related words.
    """
    # Words of the same stem come first.
    order = np.argsort(words.relations != SAME_STEM, kind="stable")
    a, d = words.spans[order, ::2].T.astype(np.int64)
    content = words.abstract >= FUNCTION_CLASS_COUNT
    in_document = words.document >= FUNCTION_CLASS_COUNT
    are_content = content[a] & in_document[d]
    a, d = a[are_content], d[are_content]
    relation = words.relations[order][are_content].astype(np.int64) - SAME_STEM
    begins = batch.sentence_begins
    sentence = np.searchsorted(begins, d, side="right") - 1
    # An abstract word counts once for a sentence, even if several of its words are related.
    size = len(batch.abstract)
    covering = without_repeats(sentence * size + a)
    covered = np.bincount(covering // size, minlength=len(begins))
    document = np.searchsorted(batch.document_offsets, begins, side="right") - 1
    most = np.zeros(len(batch), dtype=np.int64)
    np.maximum.at(most, document, covered)
    best = covered == most[document]
    # p(the aside chooses d) = 1 / (content words of the best sentences of the document).
    of_sentence = np.add.reduceat(in_document.astype(np.float64), begins)
    choices = np.bincount(document, weights=of_sentence * best, minlength=len(batch))
    in_best = best[sentence]
    chance = 1.0 / choices[document[sentence[in_best]]]
    return AsideFeatures(a[in_best], d[in_best], relation[in_best], chance, content)


@dataclass(frozen=True)
class AsidesSettings(Options):
    """``asides``: whether null words may be linked to related words.

    The relations are those of ``Relation``, which the model must have.
    """

    asides: bool = option(
        True,
        "whether isolated content words may be linked without a jump "
        "(with the rewrite model relation)",
        on_start=True,
    )


@dataclass(frozen=True)
class Asides(NullFactor[AsideFeatures]):
    """The factor of a word in null: share[null] + the mean over d of share[r(d)] / p_chance[r(d)].

    Null emits a content word by itself, or as an aside. An aside chooses a content word d of the
    best sentence of the document, each with the same probability, and has the relation r to it. The
    best sentence is the one in which most content words of the abstract have related words. The
    probability of an aside is that of the word in null, times share[r] / p_chance[r]. As in
    ``Relation``, it sums to one over all words, if they are related as in unrelated texts. Function
    words are no asides.

    M-step: ``share`` is in proportion to the expected counts plus the pseudo-counts
    ``ASIDE_PSEUDO_COUNTS * expected``.

    ``share``     float64 [1 + relations], of null by itself and of asides of each relation;
                  learned.
    ``p_chance``  float64 [relations], the share of each relation among pairs of content words of an
                  abstract and of another abstract's document (``count_word_pairs``). In its own
                  document the relations that indicate links would have too large a share.
    ``wordnet``, ``paraphrases``  where these are, as in ``Relation``.
    ``prior``     float64 [1 + relations], the shares that the prior expects: those of the model
                  that training started from, which little text would otherwise unlearn in one
                  iteration. ``None``: in proportion to one for null and ``p_chance`` for the
                  relations.
    """

    share: Annotated[np.ndarray, open_shares("R+1")]
    p_chance: Annotated[np.ndarray, positive("R")]
    wordnet: str | None
    paraphrases: str | None
    prior: Annotated[np.ndarray | None, model_part.optional(open_shares("R+1"))] = None
    name = "asides"
    Settings = AsidesSettings
    requires = Relation
    makes_links = True
    common: ClassVar = {"used": amounts("R+1")}

    @classmethod
    def initial(cls, corpus: Corpus, settings: RelationSettings) -> Asides:
        start = cls._of_corpus(corpus, settings)
        # One iteration on little text could not tell links from chance. At the mode of the prior,
        # asides hardly change the factor of null.
        return replace(start, share=start.expected) if corpus.is_warm_start else start

    @classmethod
    def _of_corpus(cls, corpus: Corpus, settings: RelationSettings) -> Asides:
        size = ASIDE_RELATION_COUNTS[settings.paraphrases != WITHOUT_RESOURCE]
        counts = count_word_pairs(corpus.batches, settings.wordnet, settings.paraphrases)
        content = counts.chance[kinds.CONTENT_PAIRS].sum(axis=0)
        # Half a pair is added, so that no relation that the corpus lacks is impossible.
        p_chance = (content[1:][:size] + 0.5) / (content.sum() + size)
        share = _shares(INITIAL_RATIO * p_chance, MOST_INITIAL_ASIDES)
        return cls(share, p_chance, settings.wordnet, settings.paraphrases)

    def warm_start(self, corpus: Corpus, settings: RelationSettings) -> Asides:
        """Start from the trained shares, which the prior then expects.

        Where the other model had no list of paraphrases, start as without it.
        """
        if len(self.p_chance) < ASIDE_RELATION_COUNTS[settings.paraphrases != WITHOUT_RESOURCE]:
            return self._of_corpus(corpus, settings)
        return replace(super().warm_start(corpus, settings), prior=self.share)

    def features(self, batch: Batch) -> AsideFeatures:
        has_list = len(self.p_chance) == ASIDE_RELATION_COUNTS[-1]
        listed = self.paraphrases if has_list else WITHOUT_RESOURCE
        words = related_words.related_words(batch, self.wordnet, listed)
        return _aside_features(batch, words)

    def _terms(self, features: AsideFeatures) -> np.ndarray:
        """Return float64 [C], the term of each pair in the factor of its abstract word."""
        ratio = self.share[1:] / self.p_chance
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
        asides = np.bincount(features.relation, weights=posteriors, minlength=len(self.p_chance))
        alone = (null / self.probabilities(features))[features.content].sum() * self.share[0]
        return {"used": np.concatenate([[alone], asides])}

    def null_words(self, counts: Counts) -> float:
        """Return minus the expected asides: words of null that are linked."""
        return -float(counts["used"][1:].sum())

    @property
    def expected(self) -> np.ndarray:
        """Return float64 [1 + relations], the shares that the prior expects."""
        return _shares(self.p_chance, MOST_PRIOR_ASIDES) if self.prior is None else self.prior

    def m_step(self, counts: Counts) -> Asides:
        total = counts["used"] + ASIDE_PSEUDO_COUNTS * self.expected
        return replace(self, share=total / total.sum())

    def log_prior(self) -> float:
        return self.log_likelihood({"used": ASIDE_PSEUDO_COUNTS * self.expected})

    def log_likelihood(self, counts: Counts) -> float:
        return float(counts["used"] @ np.log(self.share))
