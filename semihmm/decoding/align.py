"""Aligns pairs with a trained model, and computes what the model says about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from semihmm.batches.batches import batch_of, batched_units
from semihmm.batches.units import (
    AlignmentUnit,
    can_be_aligned,
    empty_alignment,
    merge_units,
    units_for,
)
from semihmm.decoders.link_posteriors import link_posteriors
from semihmm.decoders.registry import DECODERS
from semihmm.decoding.unit_alignments import alignments_of
from semihmm.model.parallel import in_order
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings


class Posteriors(NamedTuple):
    """What a model says about a pair.

    ``links``  float64 [n, m], p(document word and abstract word are linked).
    ``null``   float64 [m], p(abstract word comes from null).
    """

    links: np.ndarray
    null: np.ndarray


def aligned_pairs(
    model: SemiHmm, settings: Settings, pairs: Sequence[Pair], workers: int
) -> Iterator[Alignment]:
    """Give the alignments in the order of the pairs, one batch after another.

    They carry the digests of the pairs.
    """
    vocabulary = model.vocabulary.grown(pairs)
    plugin = DECODERS[settings.decoder]
    decoder = plugin(settings.of(plugin))

    def decode(units: list[AlignmentUnit]) -> list[tuple[AlignmentUnit, Alignment]]:
        batch = batch_of(units, vocabulary)
        phrases = decoder.decode(model, model.encode(batch))
        return list(zip(units, alignments_of(phrases, units, batch), strict=True))

    groups = batched_units(units_for(pairs, settings))
    aligned = merge_units(chain.from_iterable(in_order(decode, groups, workers)))
    for pair in pairs:
        alignment = next(aligned) if can_be_aligned(pair) else empty_alignment(pair)
        yield alignment.made_from(pair)


def encoded_units(
    model: SemiHmm, settings: Settings, pairs: Sequence[Pair]
) -> Iterator[tuple[list[AlignmentUnit], Encoded]]:
    """Give the units of the pairs in batches, each with the evidence of the model."""
    vocabulary = model.vocabulary.grown(pairs)
    for units in batched_units(units_for(pairs, settings)):
        yield units, model.encode(batch_of(units, vocabulary))


def pair_posteriors(model: SemiHmm, settings: Settings, pair: Pair) -> Posteriors:
    """Compute the posteriors of the word links of a pair and of null.

    The links are those of the original document, not of the extract.
    """
    links = np.zeros((len(pair.document), len(pair.abstract)))
    null = np.ones(len(pair.abstract))
    for units, encoded in encoded_units(model, settings, [pair]):
        batch_links = link_posteriors(model, encoded)
        abstract = np.concatenate([unit.abstract_range for unit in units])
        document = np.concatenate([unit.positions for unit in units])
        rows = document[batch_links.document]
        links[rows, abstract[batch_links.abstract]] = batch_links.probability
        null[abstract] = batch_links.null
    return Posteriors(links, null)


def log_likelihood(
    model: SemiHmm, settings: Settings, pairs: Iterable[Pair], workers: int
) -> float:
    """Compute the log-likelihood of the abstracts given their documents, in nats.

    Pairs with an empty side count nothing.
    """
    usable = [pair for pair in pairs if can_be_aligned(pair)]
    vocabulary = model.vocabulary.grown(usable)

    def of_batch(units: list[AlignmentUnit]) -> float:
        encoded = model.encode(batch_of(units, vocabulary))
        return float(model.posteriors(encoded).counts.log_totals.sum())

    totals = in_order(of_batch, batched_units(units_for(usable, settings)), workers)
    return float(sum(totals))
