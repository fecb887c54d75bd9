"""Which rewrite model a word link comes from: the posterior of the link, split over the components of the mixture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from corpus_tools.pairs.pair import Pair, WordLink
from semihmm.aligner import Aligner
from semihmm.batches.units import AlignmentUnit
from semihmm.decoding.decoders import BASE_SCORE_THRESHOLD, are_alike, in_words
from semihmm.model.semi_hmm import Encoded, SemiHmm

LinkComponents = dict[WordLink, np.ndarray]
"""float64 [R] by word link: p(the two words are linked, and component r of the mixture rewrote them)."""


def component_links(
    aligner: Aligner, pairs: Sequence[Pair]
) -> tuple[tuple[str, ...], dict[str, LinkComponents]]:
    """The names of the trained model's rewrite models, R of them, and for each pair's id its links that have any evidence.

    Offsets are those of the original documents. Raises ``BadUsage`` before training.
    """
    names = tuple(component.name for component in aligner.model.rewrite.components)
    found: dict[str, LinkComponents] = {pair.id: {} for pair in pairs}
    for group, encoded in aligner.encoded(pairs):
        for r, links in enumerate(_by_component(aligner.model, encoded)):
            _add(found, group, encoded, links, r, len(names))
    return names, found


def _by_component(
    model: SemiHmm, encoded: Encoded
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each component its word links: abstract and document offsets over the batch, and posteriors."""
    answer = model.posteriors(encoded)
    cells = encoded.cells.cells
    # gamma answers the whole emission, and the components' scores are without the length's probability.
    gamma = answer.counts.gamma * model.length.scores(cells[:, 3] - cells[:, 2])
    for component, scores, places in zip(
        model.rewrite.components, answer.scores, encoded.cells.places, strict=True
    ):
        own, posteriors = cells[places], scores * gamma[places]
        if component.has_base_score:
            more_cells, more = model.base_score_cells(encoded, BASE_SCORE_THRESHOLD)
            own, posteriors = np.concatenate([own, more_cells]), np.concatenate([posteriors, more])
        yield in_words(own, posteriors, are_alike(encoded.batch, own))


def _add(
    found: dict[str, LinkComponents],
    group: list[AlignmentUnit],
    encoded: Encoded,
    links,
    r: int,
    count: int,
) -> None:
    batch = encoded.batch
    numbers = np.searchsorted(batch.abstract_offsets, links[0], side="right") - 1
    for number, a, d, posterior in zip(
        numbers.tolist(), *(column.tolist() for column in links), strict=True
    ):
        item = group[number]
        place = item.place[int(a - batch.abstract_offsets[number])]
        link = (int(item.positions[d - batch.document_offsets[number]]), place)
        found[item.original.id].setdefault(link, np.zeros(count))[r] += posterior
