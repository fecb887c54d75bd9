"""Computes the posterior of every abstract word of being linked to a document word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from semihmm.aligner import Aligner
from semihmm.batches.batches import batch_of, batched_units
from semihmm.batches.units import AlignmentUnit, units_for
from semihmm.model.parallel import in_order


def linked_words(aligner: Aligner, pairs: Sequence[Pair]) -> list[np.ndarray]:
    """Return p(the word is a rewrite of document words) of each abstract word of each pair.

    Each is float64 [abstract words], in the order of the pairs. It is what null leaves over: the
    posteriors of a word's links may add up to more, as a phrase links each of its words with each
    word of the other side. In a pair with an empty side no word is linked.
    """
    model = aligner.model
    # Ids of pairs may be equal, so the pairs themselves are the keys.
    linked = {id(pair): np.zeros(len(pair.abstract)) for pair in pairs}

    def of_batch(units: list[AlignmentUnit]) -> list[tuple[AlignmentUnit, np.ndarray]]:
        encoded = model.encode(batch_of(units, model.vocabulary))
        with_asides = model.posteriors(encoded).counts.null
        null = model.aside_links(encoded, with_asides).left_over(with_asides)
        ends = np.cumsum([len(unit.pair.abstract) for unit in units])
        return list(zip(units, np.split(1.0 - null, ends[:-1]), strict=True))

    groups = batched_units(units_for(counted(pairs, "covered words"), aligner.settings))
    for batch in in_order(of_batch, groups, aligner.workers):
        for unit, posteriors in batch:
            # Sums of rounded numbers may end a hair below 0.
            linked[id(unit.original)][unit.abstract_range] = np.maximum(posteriors, 0.0)
    return [linked[id(pair)] for pair in pairs]
