"""Whether one system is really better than another: the paired bootstrap test (Koehn 2004; Efron and Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.matching import match
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.soft_scores import figures, pair_statistics, resampled
from corpus_tools.texts.ignore_list import read_ignore_list

SOFT_F = 2
ROUNDING = 1e-12
"""Equal figures, computed from other counts, may differ in their last digits."""


def against_best(
    pairs: Sequence[Pair],
    systems: Mapping[str, Mapping[str, Alignment]],
    view: str = "all_words",
    ignore: str = "default",
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, float]:
    """The p-value of every system but the best: that the best, by SoftF, is not better than it.

    ``systems``  alignments by name and id.
    ``view``     which words count (``scoring.VIEWS``); which system is the best depends on it.

    All systems are scored on the same resamples of the pairs. p = (1 + b) / (1 + resamples), where b counts the resamples on
    which the best is not better; one-sided. Raises ``BadData`` as ``scoring.score`` does.
    """
    ignored = read_ignore_list(ignore)
    drawn = resampled(len(pairs), resamples, seed)
    soft_f, on_resamples = {}, {}
    for name, alignments in systems.items():
        matched = match(pairs, alignments)
        counts = np.array([pair_statistics(*both, ignored)[view] for both in matched])
        soft_f[name] = figures(counts.sum(axis=0), empty=0.0)[SOFT_F]
        on_resamples[name] = figures(drawn @ counts, empty=0.0)[:, SOFT_F]
    best = max(soft_f, key=soft_f.__getitem__)
    winning = on_resamples.pop(best)
    not_better = {
        name: (winning <= values + ROUNDING).sum() for name, values in on_resamples.items()
    }
    return {name: float((1 + count) / (1 + resamples)) for name, count in not_better.items()}
