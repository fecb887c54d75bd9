"""Splits the posterior of a word link over the rewrite models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.progress import bar
from semihmm.batches.units import AlignmentUnit
from semihmm.decoders.link_posteriors import (
    BASE_SCORE_THRESHOLD,
    WordLinks,
    are_alike,
    in_words,
)
from semihmm.decoding.align import encoded_units
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings

LinkComponents = dict[WordLink, np.ndarray]
"""float64 [R] by word link: p(the two words are linked, and component r rewrote them)."""


def component_names(model: SemiHmm) -> tuple[str, ...]:
    """Return the names of the model's rewrite models, and of what links words of null."""
    linking = [name for name, factor in model.null_factors.items() if factor.makes_links]
    return (*(component.name for component in model.rewrite.components), *linking)


def component_links(
    model: SemiHmm, settings: Settings, pairs: Sequence[Pair]
) -> tuple[tuple[str, ...], dict[str, LinkComponents]]:
    """Split the posterior of every word link over the rewrite models and null's links.

    Gives ``component_names``, R of them, and for each pair's id its links that
    have any evidence, with offsets into the original texts.
    """
    names = component_names(model)
    links: dict[str, LinkComponents] = {pair.id: {} for pair in pairs}
    with bar("rewrite models", len(pairs)) as shown:
        for units, encoded in encoded_units(model, settings, pairs):
            for component, own in enumerate(_by_component(model, encoded)):
                for a, d, posterior in zip(*(column.tolist() for column in own), strict=True):
                    pair, link = _in_original(a, d, units, encoded)
                    links[pair].setdefault(link, np.zeros(len(names)))[component] += posterior
            shown.update(sum(unit.last for unit in units))
    return names, links


def _by_component(model: SemiHmm, encoded: Encoded) -> Iterator[WordLinks]:
    """Give the word links of each name of ``component_names``."""
    cells = encoded.cells.cells
    posteriors = model.posteriors(encoded, BASE_SCORE_THRESHOLD)
    gamma = model.gamma(encoded, posteriors)
    parts: Any = zip(
        model.rewrite.components, posteriors.scores, encoded.cells.indices, strict=True
    )
    for component, scores, rows in parts:
        own = cells[rows]
        own_posteriors = scores * gamma[rows]
        if component.has_base_score:
            own = np.concatenate([own, posteriors.base_cells])
            own_posteriors = np.concatenate([own_posteriors, posteriors.base_posteriors])
        yield in_words(own, own_posteriors, are_alike(encoded.batch, own))
    for name, factor in model.null_factors.items():
        if factor.makes_links:
            links = factor.links(encoded.evidence[name], posteriors.counts.null)
            yield in_words(links.cells, links.posteriors, are_alike(encoded.batch, links.cells))


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
