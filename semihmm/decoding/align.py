"""Aligns pairs with a trained model, and computes what the model says about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.errors import BadModel, BadPair, BadResource, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from semihmm.batches.batches import batch_of, batched_units
from semihmm.batches.units import (
    AlignmentUnit,
    can_be_aligned,
    empty_alignment,
    merge_units,
    units_for,
    with_bar_of_extracts,
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


Outcome = Alignment | BadPair | None
"""An alignment, what says why there is none, or ``None`` where none was asked for."""

Aligned = list[tuple[AlignmentUnit, Outcome]]

Refused = dict[int, BadPair]
"""The pairs that take too much memory, by their ``id``."""


def aligned_pairs(
    model: SemiHmm,
    settings: Settings,
    pairs: Sequence[Pair],
    workers: int,
    start: int = 0,
    skip: bool = False,
) -> Iterator[Alignment]:
    """Give the alignments in the order of the pairs, one batch after another.

    They carry the digests of the pairs.

    ``start``  the index of the first pair that is asked for. The batches are the same for every
               start, and so are the alignments to the last digit.
    ``skip``   whether pairs that make the model fail are left out.

    Otherwise the first of them raises ``BadPair``, after the alignments of all pairs before it.
    """
    vocabulary = model.vocabulary.grown(pairs)
    plugin = DECODERS[settings.decoder]
    decoder = plugin(settings.of(plugin))

    done = {pair.id for pair in pairs[:start]}

    def decode(units: list[AlignmentUnit]) -> Aligned:
        if all(unit.original.id in done for unit in units):
            return [(unit, None) for unit in units]
        batch = batch_of(units, vocabulary)
        phrases = decoder.decode(model, model.encode(batch))
        alignments = alignments_of(phrases, units, batch, settings.stray_punctuation)
        return list(zip(units, alignments, strict=True))

    refused: Refused = {}
    given = with_bar_of_extracts(pairs, settings)
    groups = batched_units(units_for(given, settings, partial(_note, refused)))
    decoded = in_order(partial(_without_bad_pairs, decode), groups, workers)
    aligned = _merged(chain.from_iterable(decoded))
    outcomes = counted(_with_others(pairs, aligned, refused), "aligning", len(pairs))
    for index, (pair, outcome) in enumerate(outcomes):
        if index < start:
            continue
        if isinstance(outcome, Alignment):
            yield outcome.made_from(pair)
        elif outcome is not None and not skip:
            raise pair.located(outcome)


def _note(refused: Refused, pair: Pair, error: BadPair) -> None:
    refused[id(pair)] = error


def _with_others(
    pairs: Iterable[Pair], aligned: Iterator[Outcome], refused: Refused
) -> Iterator[tuple[Pair, Outcome]]:
    """Yield all pairs with their outcomes: those that were aligned, are empty, or were refused.

    ``refused`` grows with the outcomes: it has all pairs before the one of the latest outcome.
    """
    waiting: list[Outcome] = []
    for pair in pairs:
        if not can_be_aligned(pair):
            yield pair, empty_alignment(pair)
            continue
        if not waiting:
            waiting += islice(aligned, 1)
        yield pair, refused[id(pair)] if id(pair) in refused else waiting.pop()


def _without_bad_pairs(
    decode: Callable[[list[AlignmentUnit]], Aligned], units: list[AlignmentUnit]
) -> Aligned:
    """Decode units together or, if that fails, one by one."""
    try:
        return decode(units)
    except (BadModel, BadResource, BadUsage):
        raise
    except Exception as error:
        if len(units) == 1 and isinstance(error, BadPair):
            return [(units[0], error)]
        if len(units) == 1:
            return [(units[0], BadPair.failing(units[0].original.id, error))]
        return list(chain.from_iterable(_without_bad_pairs(decode, [unit]) for unit in units))


def _merged(aligned: Iterable[tuple[AlignmentUnit, Outcome]]) -> Iterator[Outcome]:
    """Make one alignment of those of a pair's units. A pair with a bad unit is bad."""
    good = []
    others = []
    for unit, outcome in aligned:
        if isinstance(outcome, Alignment):
            good.append((unit, outcome))
        else:
            others.append(outcome)
        if unit.last:
            yield next(filter(None, others), None) if others else next(merge_units(good))
            good = []
            others = []


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

    shown = counted(usable, "likelihood")
    totals = in_order(of_batch, batched_units(units_for(shown, settings)), workers)
    return float(sum(totals))
