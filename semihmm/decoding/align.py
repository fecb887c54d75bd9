"""Aligns pairs with a trained model, and computes what the model says about them.

Also which rewrite model explains a link.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import replace
from functools import partial
from itertools import chain, tee
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.errors import BadModel, BadPair, BadResource, BadUsage
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.progress import bar, counted
from semihmm.batches.units import (
    AlignmentUnit,
    batch_of,
    batched_units,
    empty_alignment,
    merge_units,
    units_for,
    with_bar_of_extracts,
)
from semihmm.decoders import DECODERS
from semihmm.decoders.decoder import (
    BASE_SCORE_THRESHOLD,
    WordLinks,
    are_alike,
    in_words,
    link_posteriors,
)
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


Outcome = Alignment | BadPair
"""An alignment, or what says why there is none."""

LinkComponents = dict[WordLink, np.ndarray]
"""float64 [R] by word link: p(the two words are linked, and component r rewrote them)."""

Aligned = list[tuple[AlignmentUnit, Outcome]]


def aligned_pairs(
    model: SemiHmm,
    settings: Settings,
    pairs: Iterable[Pair],
    workers: int,
    by: str,
    skip: bool = False,
) -> Iterator[tuple[Pair, Alignment | None]]:
    """Give the pairs in order with their alignments, one batch after another.

    They carry the digests of the pairs. The pairs are gone through once, a few batches ahead of the
    alignments.

    ``by``    what alignments say they were made by (``Aligner.made_by``).
    ``skip``  whether pairs that make the model fail come without an alignment.

    Otherwise the first of them raises ``BadPair``, after the alignments of all pairs before it.
    """
    plugin = DECODERS[settings.decoder]
    decoder = plugin(settings.of(plugin))

    def decode(units: list[AlignmentUnit]) -> Aligned:
        batch = batch_of(units, model.vocabulary)
        phrases = decoder.decode(model, model.encode(batch))
        alignments = alignments_of(phrases, units, batch, settings.stray_punctuation)
        return list(zip(units, alignments, strict=True))

    total = len(pairs) if isinstance(pairs, Sized) else None
    given, asked = tee(with_bar_of_extracts(pairs, settings))
    refused: deque[tuple[Pair, BadPair]] = deque()
    units = units_for(asked, settings, lambda pair, error: refused.append((pair, error)))
    decoded = in_order(partial(_without_bad_pairs, decode), batched_units(units), workers)
    aligned = _merged(chain.from_iterable(decoded))
    for pair, outcome in counted(_with_others(given, aligned, refused), "aligning", total):
        if isinstance(outcome, Alignment):
            yield pair, replace(outcome.made_from(pair), by=by)
        elif skip:
            yield pair, None
        else:
            raise pair.located(outcome)


def _with_others(
    pairs: Iterator[Pair],
    aligned: Iterable[tuple[Pair, Outcome]],
    refused: deque[tuple[Pair, BadPair]],
) -> Iterator[tuple[Pair, Outcome]]:
    """Yield all pairs with their outcomes: those that were aligned, are empty, or were refused.

    ``aligned``  those that were neither empty nor refused.
    ``refused``  the others that were met so far, in order.
    """

    def outcome_of_other(pair: Pair) -> Outcome:
        return refused.popleft()[1] if refused and refused[0][0] is pair else empty_alignment(pair)

    for done, outcome in aligned:
        while (pair := next(pairs)) is not done:
            yield pair, outcome_of_other(pair)
        yield done, outcome
    for pair in pairs:
        yield pair, outcome_of_other(pair)


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


def _merged(
    aligned: Iterable[tuple[AlignmentUnit, Outcome]],
) -> Iterator[tuple[Pair, Outcome]]:
    """Yield the pairs, with one alignment made of those of its units. A bad unit makes it bad."""
    good = []
    bad = []
    for unit, outcome in aligned:
        if isinstance(outcome, Alignment):
            good.append((unit, outcome))
        else:
            bad.append(outcome)
        if unit.last:
            yield unit.original, bad[0] if bad else next(merge_units(good))
            good = []
            bad = []


def encoded_units(
    model: SemiHmm, settings: Settings, pairs: Sequence[Pair]
) -> Iterator[tuple[list[AlignmentUnit], Encoded]]:
    """Give the units of the pairs in batches, each with the evidence of the model."""
    for units in batched_units(units_for(pairs, settings)):
        yield units, model.encode(batch_of(units, model.vocabulary))


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

    def of_batch(units: list[AlignmentUnit]) -> float:
        encoded = model.encode(batch_of(units, model.vocabulary))
        return float(model.posteriors(encoded).counts.log_totals.sum())

    shown = counted(pairs, "likelihood")
    totals = in_order(of_batch, batched_units(units_for(shown, settings)), workers)
    return float(sum(totals))


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
    parts = zip(model.rewrite.components, posteriors.rewrites, encoded.cells.indices, strict=True)
    for component, own_posteriors, rows in parts:
        own = cells[rows]
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
