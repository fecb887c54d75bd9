"""The features of links, and the weights by which the decoder ``fitted`` makes them probabilities.

The shipped weights come with the program, for all models. They were fitted on hand alignments by
``scripts/fit_link_weights.py`` (docs/research/general-model.md). A model that was trained with hand
alignments has weights of its own.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

SHIPPED_WEIGHTS = Path(__file__).parents[1] / "general_model" / "link_weights.json"
"""The file of the weights that come with the program."""

LINK_REACH = 3
"""How many words before and after a link its neighbourhood has, on both sides."""

NEAR = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)] + [(-2, -2), (2, 2)]
"""The neighbours of a link with a column each: how many words after either word they are."""

EVIDENCE = (
    *("log-odds", "probability"),
    *("other links of abstract word", "other links of document word"),
    *("rival of abstract word", "rival of document word"),
    *("lead in abstract", "lead in document", "share in abstract", "share in document"),
    *(f"neighbour {i:+d} {j:+d}" for i, j in NEAR),
    *("before", "after", "neighbourhood", "any neighbourhood"),
)
"""The columns that probabilities p of the candidates give a link.

``log-odds``               the logarithm of p / (1 - p), to base 10.
``probability``            p.
``other links of ...``     the sum of the p of the other candidates of the word.
``rival of ...``           the greatest p of the other candidates of the word.
``lead in ...``            the log-odds of the link less those of the rival of the word.
``share in ...``           the log-odds against null or all rivals of the word.
``neighbour +1 -1``        p of the link of the words 1 after the abstract word and 1 before the
                           document word.
``before``, ``after``      the greatest p of the links of the two words before, or after, both.
``neighbourhood``          the sum of the p of the links up to ``LINK_REACH`` words away.
``any neighbourhood``      the logarithm of this sum and .05, to base 10.
"""

FIRST_FEATURES = (
    "constant",
    *(f"posterior: {name}" for name in EVIDENCE),
    *("equal words", "equal stems"),
    *("function word of abstract", "function word of document"),
    *("two function words", "equal function words"),
    *("mark of abstract", "mark of document", "digits of abstract", "digits of document"),
    *("name of abstract", "name of document", "shared letters"),
    *("claims", "null", "null of abstract"),
)
"""The features from which the first answers are computed.

``constant``               1.
``posterior: ...``         the evidence of the posteriors.
``equal ...``              1 if both words have the same normal form, or the same stem, else 0; of
                           function words, if both are function words and have the same form.
``function word of ...``   1 if the word is a function word or a mark, else 0.
``two function words``     1 if both are, else 0.
``mark of ...``            1 if the word has no letter or digit, else 0.
``digits of ...``          1 if the word has a digit, else 0.
``name of ...``            1 if the word has a capital letter that its place does not explain, else
                           0.
``shared letters``         the share of the characters of both words that they have in common.
``claims``                 the expected number of abstract phrases that are rewrites of the document
                           word.
``null``                   the posterior that the abstract word comes from null.
``null of abstract``       the mean of this over all words of the abstract.
"""

LINK_FEATURES = (*FIRST_FEATURES, *(f"first answer: {name}" for name in EVIDENCE))
"""All features by name, in the order of the columns.

With the first answers of its neighbours, a link knows how likely these are with all that is known.
"""

LARGEST_SCORE = 35.0
"""Scores are bounded by this: the probability of a greater one is 1 to the last digit."""


@dataclass(frozen=True)
class LinkWeights:
    """A weight for each feature of a link.

    ``first``       the weights of the first answers by the name of the feature: ``FIRST_FEATURES``.
    ``weights``     the weights by the name of the feature, all of ``LINK_FEATURES``.
    ``provenance``  the hand alignments that they were fitted on, as plain JSON.

    Raises ``ValueError`` for other features, and for weights that are no finite numbers.
    """

    first: Mapping[str, float]
    weights: Mapping[str, float]
    provenance: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Check the weights."""
        for own, features in ((self.first, FIRST_FEATURES), (self.weights, LINK_FEATURES)):
            if other := own.keys() ^ {*features}:
                raise ValueError(
                    f"the weights of links have other features: {', '.join(sorted(other))}"
                )
            for name, weight in own.items():
                if type(weight) not in {int, float} or not math.isfinite(weight):
                    raise ValueError(f"the weight {name!r} of links is {weight!r}, not a number")

    @classmethod
    def of_zeros(cls) -> LinkWeights:
        """Return weights of 0, from which the shipped weights were fitted."""
        return cls(dict.fromkeys(FIRST_FEATURES, 0.0), dict.fromkeys(LINK_FEATURES, 0.0), {})

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> LinkWeights:
        """Make the weights of ``as_json``. Raises the errors of wrong types and values."""
        return cls(dict(fields["first"]), dict(fields["weights"]), dict(fields["fitted_on"]))

    def as_json(self) -> dict[str, Any]:
        """Return the weights as plain JSON."""
        own = {"first": dict(self.first), "weights": dict(self.weights)}
        return {"fitted_on": dict(self.provenance), **own}

    @property
    def name(self) -> str:
        """Return the name of the weights in alignments: the first digits of their hash."""
        content = json.dumps([dict(self.first), dict(self.weights)], sort_keys=True).encode()
        return f"links {hashlib.sha256(content).hexdigest()[:8]}"

    def first_answers(self, values: np.ndarray) -> np.ndarray:
        """Return float64 [C], the first answers: probabilities without those of other links.

        ``values``  float64 [C, K1], the ``FIRST_FEATURES`` of links.
        """
        return probabilities_of(_scores(values, array_of(self.first)))

    def probabilities(self, values: np.ndarray) -> np.ndarray:
        """Return float64 [C], the probability that people would link each pair of words.

        ``values``  float64 [C, K], all features of links.
        """
        return probabilities_of(_scores(values, array_of(self.weights)))


def _scores(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return float64 [C], the weighted sums of rows.

    The digits of a row do not depend on the other rows, as they would in a product of matrices.
    """
    scores: np.ndarray = (values * weights).sum(axis=1)
    return scores


def array_of(weights: Mapping[str, float]) -> np.ndarray:
    """Return weights in the order of the features: float64 [K]."""
    names = LINK_FEATURES if len(weights) == len(LINK_FEATURES) else FIRST_FEATURES
    return np.array([weights[name] for name in names], dtype=np.float64)


def probabilities_of(scores: np.ndarray) -> np.ndarray:
    """Return the logistic function of scores."""
    bounded = np.clip(scores, -LARGEST_SCORE, LARGEST_SCORE)
    probabilities: np.ndarray = 1.0 / (1.0 + np.exp(-bounded))
    return probabilities


@cache
def shipped_weights() -> LinkWeights:
    """Read the weights that come with the program."""
    return LinkWeights.from_json(json.loads(SHIPPED_WEIGHTS.read_bytes()))
