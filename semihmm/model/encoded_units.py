"""Encodes the units of pairs in batches, and lists the links that the fitted decoder may choose."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from corpus_tools.base.parallel import in_order
from corpus_tools.pairs.pair import Pair, WordLink
from semihmm.model.decoders.fitted import weights_of
from semihmm.model.decoders.link_features import link_features
from semihmm.model.link_posteriors import link_posteriors
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.model.settings import Settings
from semihmm.model.units import AlignmentUnit, batch_of, batched_units, units_for

Result = TypeVar("Result")


def results_by_batch(
    work: Callable[[list[AlignmentUnit], Encoded], Result],
    model: SemiHmm,
    settings: Settings,
    pairs: Iterable[Pair],
    workers: int,
) -> Iterator[Result]:
    """Call ``work`` on each batch of the pairs in parallel threads; yield its results in order."""

    def of_batch(units: list[AlignmentUnit]) -> Result:
        return work(units, model.encode(batch_of(units, model.vocabulary)))

    return in_order(of_batch, batched_units(units_for(pairs, settings)), workers)


def encoded_units(
    model: SemiHmm, settings: Settings, pairs: Iterable[Pair]
) -> Iterator[tuple[list[AlignmentUnit], Encoded]]:
    """Yield the units of the pairs in batches, each with the features of the model."""
    return results_by_batch(lambda units, encoded: (units, encoded), model, settings, pairs, 1)


class CandidateLinks(NamedTuple):
    """The links of a pair that the decoder ``fitted`` chooses from, C of them.

    ``document``, ``abstract``  int64 [C], offsets over the original texts.
    ``features``                float64 [C, K], a column for each of ``link_weights.LINK_FEATURES``.
    """

    document: np.ndarray
    abstract: np.ndarray
    features: np.ndarray

    def are_among(self, links: Iterable[WordLink]) -> np.ndarray:
        """Tell which candidates are among word links: bool [C]."""
        wanted = set(links)
        pairs = zip(self.document.tolist(), self.abstract.tolist(), strict=True)
        return np.array([link in wanted for link in pairs], dtype=bool)


def candidate_links(
    model: SemiHmm, settings: Settings, pairs: Iterable[Pair], workers: int
) -> Iterator[tuple[Pair, CandidateLinks]]:
    """Yield the pairs that a model aligns, in order, with their candidate links.

    Raises ``BadPair`` for a pair that takes too much memory.
    """

    weights = weights_of(model)

    def of_batch(
        units: list[AlignmentUnit], encoded: Encoded
    ) -> list[tuple[AlignmentUnit, CandidateLinks]]:
        batch, links = encoded.batch, link_posteriors(model, encoded)
        rows, values = link_features(links, batch, weights)
        document = np.concatenate([unit.positions for unit in units])[links.document[rows]]
        abstract = np.concatenate([unit.abstract_range for unit in units])[links.abstract[rows]]
        ends = np.searchsorted(links.abstract[rows], batch.abstract_offsets[1:-1])
        parts = zip(*(np.split(own, ends) for own in (document, abstract, values)), strict=True)
        return [(unit, CandidateLinks(*part)) for unit, part in zip(units, parts, strict=True)]

    of_pair = []
    for of_units in results_by_batch(of_batch, model, settings, pairs, workers):
        for unit, own in of_units:
            of_pair.append(own)
            # The units of a pair follow each other, and may be in two batches.
            if unit.last:
                yield (
                    unit.original,
                    CandidateLinks(*map(np.concatenate, zip(*of_pair, strict=True))),
                )
                of_pair.clear()
