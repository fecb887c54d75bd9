"""Orders pairs by how unsure a model is of them, for annotators."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.decoding.align import Posteriors


def uncertainty(posteriors: Posteriors) -> float:
    """Return the mean entropy of the source of an abstract word, in nats; 0 without words.

    The sources are the document words and null. Links of one abstract word to several document
    words may sum to more than 1, so that they are normalised.
    """
    sources = np.vstack([posteriors.links, posteriors.null])
    totals = sources.sum(axis=0)
    if not totals.any():
        return 0.0
    shares = sources[:, totals > 0] / totals[totals > 0]
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return float(-(shares * logs).sum() / len(totals))


def most_uncertain_first(pairs: Iterable[Pair], aligner: Aligner) -> list[int]:
    """Return the indices of the pairs, those first of which the model is least sure.

    Uncertainty sampling (Settles 2009, section 3.1), by ``uncertainty``.
    """
    values = [uncertainty(aligner.posteriors(pair)) for pair in pairs]
    return sorted(range(len(values)), key=lambda index: -values[index])
