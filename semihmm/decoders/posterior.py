"""The posterior decoder: the links whose posteriors exceed a threshold by the greatest sum.

It chooses word by word of the abstract, or phrase by phrase. With a threshold of one half these are
the links of least expected error, with a lower one there is more recall. The model lets any number
of abstract phrases claim a document word while its neighbours stay free, but people link one to
one. So a document word that is expected to be rewritten more than once shares one rewrite out among
those who claim it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.plugins.options import Options, option, shown
from semihmm.decoders.decoder import Decoder, Links, Phrase, link_posteriors
from semihmm.model.semi_hmm import Encoded, SemiHmm

TIE = 1e-9
"""A phrase is chosen over others that come before it if its gain is larger by more than this.

A phrase of two words has the very gain of both, where both are linked with the same word: the last
digit of a sum must not decide.
"""


def _check_threshold(name: str, value: float) -> None:
    if not 0.0 <= value < 1.0:
        raise BadUsage(f"the threshold must be in [0, 1), not {shown(value)}")


@dataclass(frozen=True)
class PosteriorSettings(Options):
    """``threshold``: what a link's posterior must exceed; chosen on the development data."""

    threshold: float = option(
        0.4,
        "posterior decoding: what a link's posterior must exceed",
        metavar="P",
        check=_check_threshold,
        after_training=True,
        encoded=False,
    )


class _Candidate(NamedTuple):
    """A phrase pair worth choosing, with its gain and its probability."""

    phrase: Phrase
    gain: float
    probability: float


@dataclass(frozen=True)
class Posterior(Decoder):
    """Choose the phrases of greatest expected gain."""

    settings: PosteriorSettings = field(default_factory=PosteriorSettings)
    name = "posterior"
    Settings = PosteriorSettings

    def decode(self, model: SemiHmm, encoded: Encoded) -> list[tuple[Phrase, float]]:
        """Return the chosen phrases; the probability of a phrase is the mean of its word links'."""
        candidates = _candidates(link_posteriors(model, encoded), self.settings.threshold)
        return _segment(candidates, len(encoded.batch.abstract))


def _candidates(links: Links, threshold: float) -> Iterator[_Candidate]:
    """List the phrases whose posterior exceeds the threshold.

    Those of one abstract end come longest first, and from the left of the document. The posterior
    of a document word is shared among all abstract phrases that claim it.
    """
    shared = links.probability / np.maximum(links.claims, 1.0)[links.document]
    width = len(links.claims)
    keys = links.abstract.astype(np.int64) * width + links.document
    for a, a_end, d, d_end in np.unique(links.phrases, axis=0).tolist():
        words = np.arange(a, a_end)[:, None] * width + np.arange(d, d_end)
        inside = np.searchsorted(keys, words.ravel())
        both = np.stack([links.probability[inside], shared[inside]], axis=1)
        probability, share = both.mean(axis=0).tolist()
        if share > threshold:
            gain = (share - threshold) * len(inside)
            yield _Candidate((a, a_end, d, d_end), gain, probability)
    # Few links exceed it, of the many that words make which both sides repeat.
    above = np.flatnonzero(shared > threshold)
    columns = (links.abstract, links.document, links.probability, shared)
    rows = zip(*(column[above].tolist() for column in columns), strict=True)
    for a, d, probability, share in rows:
        yield _Candidate((a, a + 1, d, d + 1), share - threshold, probability)


def _segment(candidates: Iterable[_Candidate], words: int) -> list[tuple[Phrase, float]]:
    """Choose the phrases that do not overlap in the abstract and have the greatest total gain."""
    ending: dict[int, list[_Candidate]] = defaultdict(list)
    for candidate in candidates:
        ending[candidate.phrase[1]].append(candidate)
    best = [0.0] * (words + 1)
    chosen: list[_Candidate | None] = [None] * (words + 1)
    for t in range(1, words + 1):
        best[t] = best[t - 1]
        for candidate in ending[t]:
            total = best[candidate.phrase[0]] + candidate.gain
            if total > best[t] + TIE:
                best[t] = total
                chosen[t] = candidate
    # Back from the last word to the first.
    phrases = []
    t = words
    while t > 0:
        taken = chosen[t]
        if taken is None:
            t -= 1
        else:
            phrases.append((taken.phrase, taken.probability))
            t = taken.phrase[0]
    return phrases[::-1]
