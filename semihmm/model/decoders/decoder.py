"""The base class of decoders, and the choice of phrases of word links with probabilities."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.base.arrays import ranges, without_repeats
from corpus_tools.plugins import Options, Plugin, option
from semihmm.model.link_posteriors import LinkPosteriors
from semihmm.model.semi_hmm import Encoded, SemiHmm

PhraseSpan = tuple[int, int, int, int]
"""A phrase pair: a_start, a_end, d_start, d_end, offsets over the batch."""


@dataclass(frozen=True)
class Decoder(Plugin, ABC):
    """A way to choose the phrase links of a batch.

    Subclasses are frozen dataclasses. ``settings`` are of the class ``Settings``.
    """

    settings: Any = field(default_factory=Options)

    @abstractmethod
    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[PhraseSpan, float]]:
        """Return the phrase links of a batch with their probabilities, sorted by abstract offset.

        Their abstract phrases do not overlap.
        """


# The phrases of greatest gain

MOST_POSTERIOR = 1.0 - 1e-9
"""Posteriors are at most this before odds are computed: the odds of 1 would be infinite."""

GAIN_TIE = 1e-9
"""A phrase replaces an earlier choice only if its gain is larger by more than this.

A phrase of two words that are both linked to the same word has the same gain as the two words.
Rounding errors must not decide between them.
"""


@dataclass(frozen=True)
class ThresholdSettings(Options):
    """``threshold``: a link needs a higher probability; ``None``: the decoder's own threshold."""

    threshold: float | None = option(
        None,
        "links need a higher probability than this (default: 0.4 for fitted, 0.35 for posterior)",
        kind=float,
        metavar="P",
        least=0.0,
        most=MOST_POSTERIOR,
        after_training=True,
    )

    def threshold_or(self, own: float) -> float:
        """Return the threshold, or that of the decoder if none is set."""
        return own if self.threshold is None else self.threshold


class Candidates(NamedTuple):
    """The phrase pairs of a positive gain, C of them, sorted by where they end in the abstract.

    ``phrases``      int64 [C, 4].
    ``gain``         float64 [C], the sum over their word links of (share - threshold).
    ``probability``  float64 [C], the mean posterior of their word links.
    """

    phrases: np.ndarray
    gain: np.ndarray
    probability: np.ndarray


def candidates_of(links: LinkPosteriors, shares: np.ndarray, threshold: float) -> Candidates:
    """List the phrases whose mean share exceeds the threshold, longer ones and single words.

        gain(phrase) = (mean share of its word links - threshold) * number of its word links

    They are sorted by their abstract end. Among those with the same end the longest come first,
    then those further left in the document.

    ``shares``  float64 [L], what the decoder makes of the links: fitted probabilities, or shares.
    """
    longer = without_repeats(links.phrases).astype(np.int64)
    a, d = longer[:, 0], longer[:, 2]
    heights, widths = longer[:, 1] - a, longer[:, 3] - d
    # The word links of each phrase: each abstract word with each document word. As one number, word
    # pair = abstract * width + document, they are found among the sorted links.
    rows = ranges(a, heights)
    repeated = np.repeat(widths, heights)
    width = len(links.claims)
    keys = links.abstract.astype(np.int64) * width + links.document
    words = np.repeat(rows, repeated) * width + ranges(np.repeat(d, heights), repeated)
    inside = np.searchsorted(keys, words)
    # The means over the word links of each phrase.
    sizes = heights * widths
    phrase = np.repeat(np.arange(len(longer)), sizes)
    posterior, share = (
        np.bincount(phrase, values[inside], len(longer)) / sizes
        for values in (links.probability, shares)
    )
    likely = np.flatnonzero(share > threshold)
    # Single words. Texts that repeat words have many links, but few above the threshold.
    above = np.flatnonzero(shares > threshold)
    a, d = links.abstract[above], links.document[above]
    phrases = np.concatenate([longer[likely], np.stack([a, a + 1, d, d + 1], axis=1)])
    gain = np.append((share[likely] - threshold) * sizes[likely], shares[above] - threshold)
    probability = np.append(posterior[likely], links.probability[above])
    # The sort is stable: the order within one abstract end stays.
    order = np.argsort(phrases[:, 1], kind="stable")
    return Candidates(phrases[order], gain[order], probability[order])


def segment(candidates: Candidates, words: int) -> list[tuple[PhraseSpan, float]]:
    """Choose the phrases that do not overlap in the abstract and have the greatest total gain.

        best(t) = max(best(t - 1), max over phrases from s to t of best(s) + gain(phrase))

    ``words``  the number of abstract words.
    """
    phrases, gains, _ = candidates
    best = [0.0] * (words + 1)
    chosen = [-1] * (words + 1)
    last = 0
    rows = zip(phrases[:, 0].tolist(), phrases[:, 1].tolist(), gains.tolist(), strict=True)
    for number, (start, end, gain) in enumerate(rows):
        # Between two ends there is no phrase: the best total stays.
        best[last + 1 : end + 1] = [best[last]] * (end - last)
        last = end
        total = best[start] + gain
        if total > best[end] + GAIN_TIE:
            best[end] = total
            chosen[end] = number
    # Trace the choices back from the last word to the first.
    path = []
    t = words
    while t > 0:
        number = chosen[t]
        if number < 0:
            t -= 1
        else:
            path.append(number)
            t = int(phrases[number, 0])
    path.reverse()
    return with_probabilities(phrases[path], candidates.probability[path])


def with_probabilities(
    phrases: np.ndarray, probabilities: np.ndarray
) -> list[tuple[PhraseSpan, float]]:
    """Return phrases, int32 [P, 4], as tuples with their probabilities, float64 [P]."""
    rows = [(a, a_end, d, d_end) for a, a_end, d, d_end in phrases.tolist()]
    return list(zip(rows, probabilities.tolist(), strict=True))
