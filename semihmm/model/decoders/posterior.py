"""Posterior decoding: links by their posteriors, which compete for document words."""

from dataclasses import dataclass, field

import numpy as np

from corpus_tools.model_parts.encoding import Batch
from rewrite_models.kinds import is_function_word
from semihmm.model.decoders.decoder import (
    MOST_POSTERIOR,
    Decoder,
    PhraseSpan,
    ThresholdSettings,
    candidates_of,
    segment,
)
from semihmm.model.link_posteriors import LinkPosteriors, link_posteriors
from semihmm.model.semi_hmm import Encoded, SemiHmm

FUNCTION_WORD_ODDS = 0.5
"""The factor of the odds of links with a function word.

The model trusts such links too much, above all if much of an abstract has no source. The factor was
chosen on the development corpora, together with the threshold.
"""

POSTERIOR_THRESHOLD = 0.35
"""The threshold of the decoder: a link needs a higher posterior. Chosen on the development data.

The odds of links of function words are multiplied by ``FUNCTION_WORD_ODDS`` first.
"""


@dataclass(frozen=True)
class Posterior(Decoder):
    """Choose the phrases of greatest total gain: the sum over their word links of (p - threshold).

    A phrase may be a single word. The threshold .5 minimizes the expected error; a lower threshold
    has more recall. In the model any number of abstract phrases may rewrite one document word,
    while people link words one to one. So p is not the posterior of a link, but its share among the
    links that compete for a document word (``_shares``).
    """

    settings: ThresholdSettings = field(default_factory=ThresholdSettings)
    name = "posterior"
    Settings = ThresholdSettings

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the chosen phrases; the probability of a phrase is the mean of its word links'."""
        return self.chosen(link_posteriors(model, encoded), encoded.batch)

    def chosen(self, links: LinkPosteriors, batch: Batch) -> list[tuple[PhraseSpan, float]]:
        """Return the phrases that are chosen among the links of a batch, as ``decode`` does."""
        shares = _shares(links, _have_function_words(links, batch))
        candidates = candidates_of(links, shares, self.settings.threshold_or(POSTERIOR_THRESHOLD))
        return segment(candidates, len(batch.abstract))


def _have_function_words(links: LinkPosteriors, batch: Batch) -> np.ndarray:
    """Tell which links have a function word: bool [L]."""
    forms, code = batch.vocabulary.forms, batch.vocabulary.code
    words = np.append(batch.abstract, batch.document)
    numbers, place = np.unique(words, return_inverse=True)
    function = [is_function_word(forms[number], code) for number in numbers.tolist()]
    has = np.array(function, dtype=bool)[place]
    return has[links.abstract] | has[len(batch.abstract) + links.document]


def _shares(links: LinkPosteriors, function: np.ndarray) -> np.ndarray:
    """Return float64 [L], the posteriors of links that compete for one rewrite of a document word.

        odds_l  = p_l / (1 - p_l), times ``FUNCTION_WORD_ODDS`` for a function word
        share_l = odds_l / (odds_l + max(1, the sum of the odds of its rivals))

    The 1 stands for null. The rivals of a link are the other links of its document word.

    ``function``  bool [L], which links have a function word.
    """
    posterior = np.minimum(links.probability, MOST_POSTERIOR)
    odds = posterior / (1.0 - posterior) * np.where(function, FUNCTION_WORD_ODDS, 1.0)
    words = len(links.claims)
    # The words of one abstract phrase are no rivals of each other: together they claim a document
    # word once. claims / linked is the expected number of claims for each expected word link.
    linked = np.bincount(links.document, links.probability, words)
    claims = links.claims / np.where(linked > 0.0, linked, 1.0)
    rivals = (np.bincount(links.document, odds, words) * claims)[links.document] - odds
    return odds / (odds + np.maximum(1.0, rivals))
