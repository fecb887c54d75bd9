"""The fitted decoder: links by how likely people would mark them, learned from hand alignments."""

from dataclasses import dataclass, field

import numpy as np

from corpus_tools.model_parts.encoding import Batch
from semihmm.model.decoders.decoder import Decoder, PhraseSpan
from semihmm.model.decoders.link_features import link_features
from semihmm.model.decoders.segmentation import ThresholdSettings, candidates_of, segment
from semihmm.model.link_posteriors import LinkPosteriors, link_posteriors
from semihmm.model.link_weights import LinkWeights, shipped_weights
from semihmm.model.semi_hmm import Encoded, SemiHmm

FITTED_THRESHOLD = 0.4
"""The threshold of the decoder: a link needs a higher probability.

Chosen on rte2/dev and edinburgh/train, with weights of both by cross-validation over pairs, on the
points of the CNN articles, and on the sample's four languages. From .38 to .46 SoftF on the first
two differs by .002, and the points fall by .011.
"""


@dataclass(frozen=True)
class Fitted(Decoder):
    """Choose the phrases of greatest total gain: the sum over their word links of (p - threshold).

    p is the fitted probability of a link: the logistic function of a weighted sum of its features
    (``semihmm.model.decoders.link_features``). The weights are those of the model, or else the
    shipped ones. They were fitted on links of people, unlike the parameters of the model.
    """

    settings: ThresholdSettings = field(default_factory=ThresholdSettings)
    name = "fitted"
    Settings = ThresholdSettings

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the chosen phrases; the probability of a phrase is the mean of its word links'."""
        links = link_posteriors(model, encoded)
        fitted = fitted_probabilities(links, encoded.batch, weights_of(model))
        fitted_links = links._replace(probability=fitted)
        candidates = candidates_of(
            fitted_links, fitted, self.settings.threshold_or(FITTED_THRESHOLD)
        )
        return segment(candidates, len(encoded.batch.abstract))


def weights_of(model: SemiHmm) -> LinkWeights:
    """Return the weights of a model, or the shipped ones if it has none."""
    return model.link_weights or shipped_weights()


def fitted_probabilities(links: LinkPosteriors, batch: Batch, weights: LinkWeights) -> np.ndarray:
    """Return float64 [L], the fitted probability of each link; 0 for links below the bound."""
    features = link_features(links, batch, weights)
    probabilities = np.zeros(len(links.probability))
    probabilities[features.rows] = weights.probabilities(features.values)
    return probabilities
