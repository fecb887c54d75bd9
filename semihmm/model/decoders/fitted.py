"""The fitted decoder: links by how likely people would mark them, learned from hand alignments.

The features of a link come from the posteriors of one forward-backward and from the words
themselves. None depends on how long the texts are, so that weights that were fitted on sentences
hold for documents.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from corpus_tools.base.arrays import without_repeats
from corpus_tools.languages.language import ENGLISH
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.text_arrays import Vocabulary
from corpus_tools.texts.forms import BY_ITSELF, MOST_CACHED
from rewrite_models.concepts import letters_of
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
from semihmm.model.link_weights import LINK_FEATURES, LINK_REACH, NEAR, LinkWeights, shipped_weights
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
    (``link_features``). The weights are those of the model, or else the
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


# The features of links

LEAST_POSTERIOR = 0.01
"""Links need a higher posterior to be candidates of the decoder.

Of the sure links of rte2/dev and edinburgh/train, .92 and .91 have one. With .001 it is .95 of
both, but no figure of docs/research/results.md is better, and there are three times as many links.
"""

LEAST_ELSEWHERE = 0.1
"""The same for other languages than English, to which the weights were fitted.

Where a model links nearly all words of its corpus, as on Korean pairs, the weights make links even
between texts that have nothing to do with each other (docs/research/general-model.md).
"""

LEAST_ODDS = 1e-4
"""Probabilities are bounded by this and one minus this before log-odds are computed."""


class LinkFeatures(NamedTuple):
    """The candidate links of a batch with their features.

    ``rows``    int64 [C], the indices of the candidates among the links of the batch.
    ``values``  float64 [C, K], a column for each of ``semihmm.model.link_weights.LINK_FEATURES``.
    """

    rows: np.ndarray
    values: np.ndarray


class _Places(NamedTuple):
    """Where the candidates are.

    ``abstract``, ``document``  int64 [C], their words.
    ``claims``  float64 [N], as in ``LinkPosteriors``.
    ``near``    for each step (i, j) in ``STEPS`` the candidates (a, d), int64, whose neighbour
                (a + i, d + j) is a candidate too; and these neighbours.
    """

    abstract: np.ndarray
    document: np.ndarray
    claims: np.ndarray
    near: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]


STEPS = [
    (i, j)
    for i in range(-LINK_REACH, LINK_REACH + 1)
    for j in range(-LINK_REACH, LINK_REACH + 1)
    if (i, j) != (0, 0)
]
"""The steps from a link to its neighbourhood: how many words after either word a neighbour is."""


def link_features(links: LinkPosteriors, batch: Batch, weights: LinkWeights) -> LinkFeatures:
    """Compute the features of all links with a posterior above ``LEAST_POSTERIOR``.

    Other languages than English have ``LEAST_ELSEWHERE``.

    ``weights``  gives the first answers.
    """
    least = LEAST_POSTERIOR if batch.vocabulary.code == ENGLISH else LEAST_ELSEWHERE
    rows = np.flatnonzero(links.probability > least)
    if not len(rows):
        return LinkFeatures(rows, np.zeros((0, len(LINK_FEATURES))))
    abstract, document = links.abstract[rows].astype(np.int64), links.document[rows]
    unit = np.searchsorted(batch.abstract_offsets, abstract, side="right") - 1
    near = _neighbours(abstract, document, unit)
    places = _Places(abstract, document, links.claims, near)
    null = np.add.reduceat(links.null, batch.abstract_offsets[:-1])
    first = [
        np.ones(len(rows)),
        *_evidence(places, links.probability[rows]),
        *_of_words(abstract, document, batch),
        links.claims[document],
        links.null[abstract],
        (null / np.diff(batch.abstract_offsets))[unit],
    ]
    answers = weights.first_answers(np.stack(first, axis=1))
    return LinkFeatures(rows, np.stack([*first, *_evidence(places, answers)], axis=1))


def _neighbours(
    abstract: np.ndarray, document: np.ndarray, unit: np.ndarray
) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
    """Return ``_Places.near`` of links, sorted by abstract word, then by document word."""
    # The number of a link. Abstract words of units are set apart, so that no link has neighbours in
    # another unit.
    document = document + LINK_REACH
    width = int(document.max()) + 1
    keys = (abstract + LINK_REACH * unit) * width + document
    near = {}
    for i, j in STEPS:
        # A neighbour has a greater number if the step is positive. Then the link is its neighbour
        # by the opposite step.
        if (i, j) > (0, 0):
            neighbour_keys = keys + (i * width + j)
            place = np.minimum(np.searchsorted(keys, neighbour_keys), len(keys) - 1)
            link = np.flatnonzero(keys[place] == neighbour_keys)
            near[i, j] = link, place[link]
            near[-i, -j] = place[link], link
    return near


def log_odds(probability: np.ndarray) -> np.ndarray:
    """Return the log-odds to base 10 of probabilities, bounded by ``LEAST_ODDS``."""
    bounded = np.clip(probability, LEAST_ODDS, 1.0 - LEAST_ODDS)
    odds: np.ndarray = np.log10(bounded / (1.0 - bounded))
    return odds


def _evidence(places: _Places, probability: np.ndarray) -> list[np.ndarray]:
    """Return the columns of ``EVIDENCE`` for probabilities of the candidates."""
    rivals, around = _rivals(places, probability), _around(places, probability)
    return [log_odds(probability), probability, *rivals, *around]


def _rivals(places: _Places, probability: np.ndarray) -> list[np.ndarray]:
    """Return the columns about the other candidates of either word."""
    link_log_odds = log_odds(probability)
    bounded = np.minimum(probability, MOST_POSTERIOR)
    odds = bounded / (1.0 - bounded)
    sums, greatest, shares = [], [], []
    for word, claims in ((places.abstract, None), (places.document, places.claims)):
        linked = np.bincount(word, probability)[word]
        sums.append(linked - probability)
        greatest.append(_greatest_other(word, probability))
        # The words of one phrase do not compete for a word that the phrase claims once.
        claimed = 1.0 if claims is None else claims[word] / linked
        rivals = np.bincount(word, odds)[word] * claimed - odds
        shares.append(log_odds(odds / (odds + np.maximum(1.0, rivals))))
    leads = [link_log_odds - log_odds(rival) for rival in greatest]
    return [*sums, *greatest, *leads, *shares]


def _greatest_other(groups: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return float64 [C], the greatest value of the others in the same group; 0 without others."""
    greatest, second = np.zeros((2, int(groups.max()) + 1))
    np.maximum.at(greatest, groups, values)
    is_greatest = values == greatest[groups]
    np.maximum.at(second, groups[~is_greatest], values[~is_greatest])
    # Where two have the greatest value, each is the greatest other of the other one.
    is_shared = np.bincount(groups, is_greatest) > 1
    second[is_shared] = greatest[is_shared]
    return np.where(is_greatest, second[groups], greatest[groups])


def _around(places: _Places, probability: np.ndarray) -> list[np.ndarray]:
    """Return the columns about the links of words near both words."""
    columns, total = {}, np.zeros(len(probability))
    for step in STEPS:
        link, neighbour = places.near[step]
        total[link] += probability[neighbour]
        if max(map(abs, step)) < LINK_REACH:
            column = columns[step] = np.zeros(len(probability))
            column[link] = probability[neighbour]
    before = np.max([columns[i, j] for i in (-2, -1) for j in (-2, -1)], axis=0)
    after = np.max([columns[i, j] for i in (1, 2) for j in (1, 2)], axis=0)
    return [*(columns[step] for step in NEAR), before, after, total, np.log10(total + 0.05)]


def _of_words(abstract: np.ndarray, document: np.ndarray, batch: Batch) -> list[np.ndarray]:
    """Return the columns about the forms of both words."""
    vocabulary = batch.vocabulary
    words, others = batch.abstract[abstract], batch.document[document]
    numbers = without_repeats(np.append(words, others))
    kinds = np.array([_kinds(vocabulary.forms[n], vocabulary.code) for n in numbers.tolist()])
    left, right = (kinds[np.searchsorted(numbers, own)].T for own in (words, others))
    equal = (words == others).astype(np.float64)
    stems = (vocabulary.stem_of[words] == vocabulary.stem_of[others]).astype(np.float64)
    names = [np.zeros(len(words))] * 2
    if batch.capitals is not None:
        names = [
            batch.capitals.abstract[abstract] == BY_ITSELF,
            batch.capitals.document[document] == BY_ITSELF,
        ]
    return [
        *(equal, stems, left[0], right[0], left[0] * right[0], equal * left[0]),
        *(left[1], right[1], left[2], right[2], *names),
        _shared_letters(words, others, vocabulary),
    ]


@lru_cache(maxsize=MOST_CACHED)
def _kinds(form: str, code: str) -> tuple[float, ...]:
    """Tell of a form whether it is a function word, whether a mark, and whether it has digits."""
    is_mark, has_digit = not letters_of(form), bool(re.search(r"\d", form))
    return float(is_function_word(form, code)), float(is_mark), float(has_digit)


def _shared_letters(words: np.ndarray, others: np.ndarray, vocabulary: Vocabulary) -> np.ndarray:
    """Return float64 [C], the share of the characters of both words that they have in common."""
    pairs, place = np.unique(words.astype(np.int64) * len(vocabulary) + others, return_inverse=True)
    forms = vocabulary.forms
    left, right = np.divmod(pairs, len(vocabulary))
    shares = [
        _share_of_letters(forms[one], forms[other])
        for one, other in zip(left.tolist(), right.tolist(), strict=True)
    ]
    return np.array(shares)[place]


@lru_cache(maxsize=MOST_CACHED)
def _share_of_letters(one: str, other: str) -> float:
    """Return twice the number of common characters, by the number of characters of both."""
    if one == other:
        return 1.0
    shared = Counter(one) & Counter(other)
    return 2.0 * shared.total() / (len(one) + len(other))
