"""Computes what a model expects of pairs: posteriors and candidates of links, likelihoods, jumps.

All offsets are those of the original texts, not of extracts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from corpus_tools.alignments.statistics import Jump, JumpKind
from corpus_tools.base.arrays import sum_counts, sums_over
from corpus_tools.base.errors import BadData
from corpus_tools.base.parallel import in_order
from corpus_tools.base.progress import counted
from corpus_tools.model_parts.model_part import Counts
from corpus_tools.pairs.pair import Pair, WordLink
from jump_models.jump_model import Skipped
from semihmm.model.decoders.fitted import link_features, weights_of
from semihmm.model.link_posteriors import (
    BACKGROUND_THRESHOLD,
    WordLinks,
    are_alike,
    in_words,
    link_posteriors,
    links_of,
    phrase_posteriors,
)
from semihmm.model.memory import largest_lattice, reserved
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.model.settings import Settings
from semihmm.model.units import AlignmentUnit, batch_of, batched_units, by_pair, units_for

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

    results = chain.from_iterable(results_by_batch(of_batch, model, settings, pairs, workers))
    for pair, parts in by_pair(results):
        yield pair, CandidateLinks(*map(np.concatenate, zip(*parts, strict=True)))


class Posteriors(NamedTuple):
    """The posteriors of a pair under a model.

    ``links``   float64 [n, m], p(document word and abstract word are linked).
    ``null``    float64 [m], p(abstract word comes from null).
    ``shares``  float64 [n, m], as ``links``, but the posterior of a document phrase is divided
                among its words. Each column and its ``null`` add up to 1, less the word pairs
                that are no candidates and have a posterior below ``BACKGROUND_THRESHOLD``: up to
                .07 of a column, in a document of 20,000 words.
    """

    links: np.ndarray
    null: np.ndarray
    shares: np.ndarray


def pair_posteriors(model: SemiHmm, settings: Settings, pair: Pair) -> Posteriors:
    """Compute the posteriors of the word links of a pair and of null.

    The links are those of the original document, not of the extract.
    """
    links = np.zeros((len(pair.document), len(pair.abstract)))
    shares = np.zeros_like(links)
    null = np.ones(len(pair.abstract))
    # Sentences may be units of their own, in several batches: each fills its part of the tables.
    for units, encoded in encoded_units(model, settings, [pair]):
        phrases = phrase_posteriors(model, encoded)
        batch_links = links_of(phrases, len(encoded.batch.document))
        shared = phrases.in_shares()
        abstract = np.concatenate([unit.abstract_range for unit in units])
        document = np.concatenate([unit.positions for unit in units])
        rows = document[batch_links.document]
        links[rows, abstract[batch_links.abstract]] = batch_links.probability
        np.add.at(shares, (document[shared.document], abstract[shared.abstract]), shared.posterior)
        null[abstract] = batch_links.null
    return Posteriors(links, null, shares)


def log_likelihood(
    model: SemiHmm, settings: Settings, pairs: Iterable[Pair], workers: int
) -> float:
    """Compute the log-likelihood of the abstracts given their documents, in nats.

    Pairs with an empty side are left out.
    """

    def of_batch(units: Sequence[AlignmentUnit], encoded: Encoded) -> float:
        return float(model.posteriors(encoded).log_likelihoods.sum())

    bar = counted(pairs, "likelihood")
    return float(sum(results_by_batch(of_batch, model, settings, bar, workers)))


# Which rewrite model explains a link

LinkComponents = dict[WordLink, np.ndarray]
"""float64 [R] by word link: p(the two words are linked, and component r rewrote them)."""


def component_names(model: SemiHmm) -> tuple[str, ...]:
    """Return the names of the rewrite models, and of the factors of null that link words."""
    linking = [factor.name for factor in model.null if factor.makes_links]
    return (*(component.name for component in model.rewrite.components), *linking)


def component_links(
    model: SemiHmm, settings: Settings, pairs: Sequence[Pair]
) -> tuple[tuple[str, ...], dict[str, LinkComponents]]:
    """Split the posterior of every word link over the rewrite models and factors of null.

    Returns ``component_names`` and, by the id of a pair, its links of candidates and of the
    background emission. Offsets are those of the original texts.
    """
    names = component_names(model)
    links: dict[str, LinkComponents] = {pair.id: {} for pair in pairs}
    bar = counted(pairs, "rewrite models")
    for units, encoded in encoded_units(model, settings, bar):
        abstract = [(unit.original.id, a) for unit in units for a in unit.abstract_range]
        document = [d for unit in units for d in unit.positions.tolist()]
        for component, own in enumerate(_by_component(model, encoded)):
            for a, d, posterior in zip(*(column.tolist() for column in own), strict=True):
                pair, word = abstract[a]
                link = document[d], word
                links[pair].setdefault(link, np.zeros(len(names)))[component] += posterior
    return names, links


def _by_component(model: SemiHmm, encoded: Encoded) -> Iterator[WordLinks]:
    """Yield the word links of each component, in the order of ``component_names``."""
    spans = encoded.candidates.spans
    posteriors = model.posteriors(encoded, BACKGROUND_THRESHOLD)
    indices = encoded.candidates.indices
    parts = zip(model.rewrite.components, posteriors.rewrites, indices, strict=True)
    for component, own_posteriors, rows in parts:
        own = spans[rows]
        if component.has_background:
            own = np.concatenate([own, posteriors.background.spans])
            own_posteriors = np.concatenate([own_posteriors, posteriors.background.posteriors])
        yield in_words(own, own_posteriors, are_alike(encoded.batch, own))
    for factor, features in zip(model.null, encoded.null, strict=True):
        if factor.makes_links:
            links = factor.links(features, posteriors.counts.null)
            yield in_words(links.spans, links.posteriors, are_alike(encoded.batch, links.spans))


# How abstracts move through documents, and what they jump over: Daumé III and Marcu (2005),
# Figure 2


class ExpectedJumps(NamedTuple):
    """Expected counts over pairs.

    ``distances``  {jump: expected count}, measured in the original documents.
    ``skipped``    the constituents jumped over, by label, the most frequent first; empty where the
                   model has no trees.
    """

    distances: Mapping[Jump, float]
    skipped: Sequence[Skipped]


def expected_jumps(
    model: SemiHmm, settings: Settings, pairs: Sequence[Pair], workers: int
) -> ExpectedJumps:
    """Run the E-step over the pairs and count the jumps.

    Raises ``BadData`` if no pair has words on both sides.
    """
    bar = counted(pairs, "expected jumps")
    distances: Counter[Jump] = Counter()
    of_batches = []
    count = partial(_count_jumps, model)
    for own, jump_counts in results_by_batch(count, model, settings, bar, workers):
        distances.update(own)
        of_batches.append(jump_counts)
    # Summed in the order of the batches: so any number of threads has the same digits.
    counts = sum_counts(of_batches)
    if not of_batches:
        raise BadData("no jumps to expect: no pair has words in both its document and its abstract")
    return ExpectedJumps(distances, model.jump.skipped(counts))


def _count_jumps(
    model: SemiHmm, units: Sequence[AlignmentUnit], encoded: Encoded
) -> tuple[Counter[Jump], Counts]:
    """Count the jumps of a batch by distance, and as the jump model counts them."""
    from semihmm.inference.batch_kernels import expect_jumps

    spans = encoded.candidates.spans
    positions = np.concatenate([unit.positions for unit in units]).astype(np.int64)
    with reserved(largest_lattice(encoded.batch)):
        lattices, jumps, _ = model.probabilities(encoded)
        between, counts = expect_jumps(lattices, jumps, positions)
    posteriors = counts.posterior_per_emission * lattices.batch.emission
    # Phrases whose words have equal stems are read word by word: each word jumps to the next.
    alike = are_alike(encoded.batch, spans)
    start, steps = spans[alike, 2].astype(np.int64), spans[alike, 3] - spans[alike, 2] - 1
    # From each word of the batch to the next; none goes from one document to another.
    steps_taken = sums_over(start, steps, posteriors[alike], len(positions) - 1)
    middle = int(positions.max())
    inside = np.bincount(middle + np.diff(positions), steps_taken, 2 * middle + 1)
    distances: Counter[Jump] = Counter()
    for kind, row in zip(JumpKind, (*between, inside), strict=True):
        for index in np.flatnonzero(row).tolist():
            distances[Jump(index - middle, kind)] += row[index]
    return distances, model.jump.expected_statistics(encoded.jump, counts.jump)
