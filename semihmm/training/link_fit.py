"""Fits the weights of the decoder ``fitted`` to hand alignments: a regression with a prior.

``fitted_to`` does so in a training, which has checked the hand alignments before it began.

Sure links are examples, pairs of words that are neither sure nor possible are counterexamples, and
possible links are left out, since annotators need not agree on them. The weights are the mode of

    sum over examples of log p(example | weights)  -  strength / 2 * |weights - prior|^2

so that with few hand alignments they stay near the prior, as with the pseudo-counts of a trained
model.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.pair import Pair, place_of
from semihmm.model.expectations import candidate_links
from semihmm.model.link_weights import (
    LINK_FEATURES,
    LinkWeights,
    array_of,
    probabilities_of,
    shipped_weights,
)
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import Settings

LEAST_GRADIENT = 1e-6
"""The fit ends when no derivative of the objective is greater. The objective has one mode."""


class LinkExamples(NamedTuple):
    """Links whose label is known from hand alignments.

    ``features``  float64 [E, K], a column for each of ``link_weights.LINK_FEATURES``.
    ``linked``    float64 [E], 1 for sure links and 0 for word pairs that are no links.
    ``pairs``     the number of pairs that they are from.
    """

    features: np.ndarray
    linked: np.ndarray
    pairs: int

    @classmethod
    def joined(cls, several: Iterable["LinkExamples"]) -> "LinkExamples":
        """Join examples."""
        features, linked, pairs = zip(*several, strict=True)
        return cls(np.concatenate(features), np.concatenate(linked), sum(pairs))


def link_examples(
    model: SemiHmm, settings: Settings, pairs: Iterable[Pair], workers: int
) -> LinkExamples:
    """Return the candidate links of pairs with hand alignments, without the possible ones.

    Raises ``BadData`` for a pair without hand alignment.
    """
    nothing = LinkExamples(np.zeros((0, len(LINK_FEATURES))), np.zeros(0), 0)
    examples = [nothing]
    for pair, links in candidate_links(model, settings, pairs, workers):
        sure = links.are_among(pair.sure_links())
        known = sure | ~links.are_among(pair.possible or ())
        examples.append(LinkExamples(links.features[known], sure[known].astype(float), 1))
    return LinkExamples.joined(examples)


def fitted_weights(examples: LinkExamples, prior: np.ndarray, strength: float) -> np.ndarray:
    """Return float64 [K], the mode of the weights (above).

    ``prior``     float64 [K], the weights to which they are drawn.
    ``strength``  how strongly: the precision of the Gaussian prior of each weight.

    Raises ``BadData`` if there is no link, or nothing but links.
    """
    features, linked, _ = examples
    if not len(linked) or linked.min() == linked.max():
        kind = "no sure link" if not linked.any() else "nothing but sure links"
        raise BadData(f"there is {kind} among the candidates of the hand alignments to learn from")
    # Imported here, since aligning does not need it.
    from scipy.optimize import minimize

    sign = 1.0 - 2.0 * linked

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores, away = features @ weights, weights - prior
        value = np.logaddexp(0.0, sign * scores).sum() + strength / 2 * (away @ away)
        return float(value), features.T @ (probabilities_of(scores) - linked) + strength * away

    def hessian(weights: np.ndarray) -> np.ndarray:
        probability = probabilities_of(features @ weights)
        spread = features * (probability * (1.0 - probability))[:, None]
        second: np.ndarray = spread.T @ features + strength * np.eye(len(weights))
        return second

    options = {"gtol": LEAST_GRADIENT}
    found = minimize(loss, prior, jac=True, hess=hessian, method="trust-exact", options=options)
    weights: np.ndarray = found.x
    return weights


def fit_link_weights(
    examples: LinkExamples, prior: LinkWeights, strength: float, origin: str
) -> LinkWeights:
    """Fit weights that are drawn to those of ``prior``; ``origin`` names the hand alignments.

    The first answers stay those of ``prior``, from which the features of the examples come.
    """
    array = fitted_weights(examples, array_of(prior.weights), strength)
    provenance = {"hand alignments": origin, "pairs": examples.pairs, "links": len(examples.linked)}
    return LinkWeights(prior.first, named_weights(array), provenance)


def named_weights(array: np.ndarray) -> dict[str, float]:
    """Return weights by the names of their features, rounded.

    The digits that are kept do not depend on the order of sums.

    ``array``  float64 [K], in the order of ``LINK_FEATURES``, all or the first.
    """
    names = [*LINK_FEATURES][: len(array)]
    return {name: float(f"{own:.4g}") for name, own in zip(names, array.tolist(), strict=True)}


# In a training

PULL = 10.0
"""The strength of the pull to the shipped weights (``fitted_weights``).

Chosen of 1, 3, 10 and 30 on rte2/dev and edinburgh/train (docs/research/general-model.md).
"""


def decided_pairs(gold: Iterable[Pair]) -> list[Pair]:
    """Return the pairs with hand alignments: others are undecided. Raises ``BadData`` without any.

    Checked before training, so that no time is lost.
    """
    pairs = [*gold]
    decided = [pair for pair in pairs if pair.sure is not None]
    if not decided:
        for pair in pairs:
            pair.sure_links()  # raises the error that names the pair
        raise BadData("there is no pair with a hand alignment")
    if not any(pair.sure for pair in decided):
        problem = "no hand alignment has a sure link, so there is nothing to fit the decoder to"
        raise BadData(problem, *place_of(decided[0].source))
    return decided


def with_same_texts(pairs: Iterable[Pair], gold: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the pairs. Raises ``BadData`` for a pair whose hand alignment is of other texts."""
    gold_by_id = {pair.id: pair for pair in gold}
    for pair in pairs:
        own = gold_by_id.get(pair.id)
        if own is not None and any(
            one.tokens != other.tokens
            for one, other in ((pair.document, own.document), (pair.abstract, own.abstract))
        ):
            problem = f"pair {pair.id!r}: its hand alignment is of other texts"
            if pair.source is not None:
                problem += f" than those in {pair.source}"
            raise BadData(problem, *place_of(own.source))
        yield pair


def fitted_to(
    model: SemiHmm, settings: Settings, gold: Sequence[Pair], workers: int
) -> LinkWeights:
    """Fit weights to hand alignments under a model, drawn to the shipped weights.

    Raises ``BadData`` if they teach nothing.
    """
    prior = shipped_weights()
    examples = link_examples(replace(model, link_weights=prior), settings, gold, workers)
    return fit_link_weights(examples, prior, PULL, "own")
