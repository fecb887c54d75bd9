"""Says which rewrite model a word link comes from: its posterior, split over the components of the mixture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from corpus_tools.pairs.pair import WordLink
from semihmm.batches.units import AlignmentUnit
from semihmm.decoders.link_posteriors import (
    BASE_SCORE_THRESHOLD,
    WordLinks,
    are_alike,
    in_words,
)
from semihmm.model.semi_hmm import Encoded, SemiHmm

LinkComponents = dict[WordLink, np.ndarray]
"""float64 [R] by word link: p(the two words are linked, and component r of the mixture rewrote them)."""


def component_links(
    model: SemiHmm, units: Sequence[AlignmentUnit], encoded: Encoded
) -> Iterator[tuple[str, WordLink, np.ndarray]]:
    """List the word links of a batch that have any evidence, with the posterior of each component.

    Gives the id of the original pair, the link with offsets into its texts, and float64 [R].
    """
    components = len(model.rewrite.components)
    links: dict[tuple[int, int], np.ndarray] = {}
    for index, own in enumerate(_by_component(model, encoded)):
        rows = zip(*(column.tolist() for column in own), strict=True)
        for a, d, posterior in rows:
            links.setdefault((a, d), np.zeros(components))[index] += posterior
    for (a, d), posteriors in links.items():
        yield *_in_original(a, d, units, encoded), posteriors


def _by_component(model: SemiHmm, encoded: Encoded) -> Iterator[WordLinks]:
    """Give the word links of each component."""
    cells = encoded.cells.cells
    posteriors = model.posteriors(encoded, BASE_SCORE_THRESHOLD)
    gamma = model.gamma(encoded, posteriors)
    parts: Any = zip(
        model.rewrite.components, posteriors.scores, encoded.cells.places, strict=True
    )
    for component, scores, rows in parts:
        own = cells[rows]
        own_posteriors = scores * gamma[rows]
        if component.has_base_score:
            own = np.concatenate([own, posteriors.base_cells])
            own_posteriors = np.concatenate([own_posteriors, posteriors.base_posteriors])
        yield in_words(own, own_posteriors, are_alike(encoded.batch, own))


def _in_original(
    a: int, d: int, units: Sequence[AlignmentUnit], encoded: Encoded
) -> tuple[str, WordLink]:
    """Return the pair's id and the link with offsets into its original texts."""
    batch = encoded.batch
    index = int(np.searchsorted(batch.abstract_offsets, a, side="right")) - 1
    unit = units[index]
    abstract = unit.abstract_range[int(a - batch.abstract_offsets[index])]
    document = int(unit.positions[d - batch.document_offsets[index]])
    return unit.original.id, (document, abstract)
