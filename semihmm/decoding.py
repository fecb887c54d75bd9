"""Aligns pairs with a trained model; computes the model's posteriors, likelihood and jumps.

Pairs are cut into alignment units, which are aligned in batches. The alignments of the units of a
pair are then joined, with offsets into the original texts.
"""

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink, pair_digests
from corpus_tools.alignments.statistics import Jump, JumpKind
from corpus_tools.base.arrays import sum_counts, sums_over
from corpus_tools.base.errors import NOT_FROM_A_PAIR, BadData, BadPair
from corpus_tools.base.parallel import in_order
from corpus_tools.base.progress import counted
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Counts
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.forms import normal_form
from jump_models.jump_model import Skipped
from semihmm.model import link_posteriors
from semihmm.model.decoders.decoder import PhraseSpan
from semihmm.model.decoders.fitted import weights_of
from semihmm.model.decoders.registry import DECODERS
from semihmm.model.encoded_units import candidate_links, encoded_units, results_by_batch
from semihmm.model.link_posteriors import are_alike, in_words
from semihmm.model.memory import largest_lattice, reserved
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.model.settings import Settings
from semihmm.model.units import (
    PROBE_PAIR,
    AlignmentUnit,
    Outcome,
    batch_of,
    batched_units,
    cut_pairs,
    result_or_error,
    to_original,
    units_for,
    with_bar_of_extracts,
)


def aligned_pairs(
    model: SemiHmm,
    settings: Settings,
    pairs: Iterable[Pair],
    workers: int,
    by: str,
    skip: bool = False,
) -> Iterator[tuple[Pair, Alignment | None]]:
    """Yield the pairs in order with their alignments, one batch after another.

    Pairs are read once, a few batches before they are aligned.

    ``by``    the maker that each alignment names (``Aligner.made_by``).
    ``skip``  whether a pair on which the model fails is yielded with ``None``. Otherwise it raises
              ``BadPair``, after all pairs before it.
    """
    plugin = DECODERS[settings.decoder]
    decoder = plugin(settings.plugin_settings(plugin))

    def decode(units: list[AlignmentUnit]) -> list[Alignment]:
        batch = batch_of(units, model.vocabulary)
        phrases = decoder.decode(model, model.encode(batch))
        return [*alignments_of(phrases, units, batch, settings.stray_punctuation)]

    def decode_alone(unit: AlignmentUnit) -> Alignment:
        return decode([unit])[0]

    def probe() -> AlignmentUnit:
        return next(units_for([PROBE_PAIR], settings))

    def outcomes_of(units: list[AlignmentUnit]) -> list[tuple[AlignmentUnit, Outcome]]:
        """Decode the units of a batch together or, if that fails, one by one."""
        undecided = [unit for unit in units if unit.outcome is None]
        outcomes: Iterable[Outcome]
        try:
            outcomes = decode(undecided) if undecided else []
        except NOT_FROM_A_PAIR:
            raise
        except Exception:
            # The other units of the batch still get their alignments.
            outcomes = [
                result_or_error(decode_alone, unit, unit.original.id, probe) for unit in undecided
            ]
        decoded = iter(outcomes)
        return [(unit, unit.outcome or next(decoded)) for unit in units]

    total = len(pairs) if isinstance(pairs, Sized) else None
    batches = batched_units(cut_pairs(with_bar_of_extracts(pairs, settings), settings))
    aligned = _merged(chain.from_iterable(in_order(outcomes_of, batches, workers)))
    for pair, outcome in counted(aligned, "aligning", total):
        if isinstance(outcome, Alignment):
            yield pair, replace(outcome, digests=pair_digests(pair), by=by)
        elif skip:
            yield pair, None
        else:
            raise pair.located(outcome)


def _merged(aligned: Iterable[tuple[AlignmentUnit, Outcome]]) -> Iterator[tuple[Pair, Outcome]]:
    """Join the alignments of the units of each pair. If a unit failed, its pair has failed."""
    outcomes: list[Outcome] = []
    for unit, outcome in aligned:
        outcomes.append(outcome)
        # The units of a pair follow each other, so all outcomes are of this pair.
        if unit.last:
            bad = [one for one in outcomes if isinstance(one, BadPair)]
            good = [one for one in outcomes if isinstance(one, Alignment)]
            phrases = tuple(link for one in good for link in one.phrases)
            null = tuple(word for one in good for word in one.null)
            yield unit.original, bad[0] if bad else Alignment(unit.original.id, phrases, null)
            outcomes.clear()


# The alignments of units


def alignments_of(
    phrases: Sequence[tuple[PhraseSpan, float]],
    units: Sequence[AlignmentUnit],
    batch: Batch,
    stray_punctuation: bool,
) -> Iterator[Alignment]:
    """Yield the alignment of each unit, with offsets into the original texts.

    ``stray_punctuation``  whether all links of single punctuation marks are kept.

    An extract leaves sentences out. A phrase whose document words were apart in the original is
    split into its word links.
    """
    spans = np.array([span for span, _ in phrases], dtype=np.int64).reshape(-1, 4)
    bounds = np.searchsorted(spans[:, 0], batch.abstract_offsets)
    begins = np.stack([batch.abstract_offsets, batch.document_offsets], axis=1)[:-1]
    # From offsets of the batch to those of the unit.
    spans -= np.repeat(np.repeat(begins, np.diff(bounds), axis=0), 2, axis=1)
    links = [
        # Rounding may take a sum of probabilities slightly above one.
        PhraseLink((a, a_end), (d, d_end), min(float(probability), 1.0))
        for (a, a_end, d, d_end), (_, probability) in zip(spans.tolist(), phrases, strict=True)
    ]
    for unit, (first, end) in zip(units, pairwise(bounds.tolist()), strict=True):
        own = links[first:end]
        if not stray_punctuation:
            own = without_stray_punctuation(own, unit.pair)
        own = _join_runs(chain.from_iterable(to_original(link, unit) for link in own), unit)
        covered = {t for link in own for t in range(*link.abstract)}
        null = tuple(t for t in unit.abstract_range if t not in covered)
        yield Alignment(unit.original.id, tuple(own), null)


def _join_runs(links: Iterable[PhraseLink], unit: AlignmentUnit) -> list[PhraseLink]:
    """Join neighbouring phrases of identical words, case aside.

    The joined phrase has the smallest of their probabilities.
    """
    joined: list[PhraseLink] = []
    # The ends of the link before this one on both sides, if its words were identical.
    ends: tuple[int, int] | None = None
    for link in links:
        abstract = unit.original.abstract.tokens[slice(*link.abstract)]
        document = unit.original.document.tokens[slice(*link.document)]
        is_identical = [*map(str.lower, abstract)] == [*map(str.lower, document)]
        if is_identical and ends == (link.abstract[0], link.document[0]):
            last = joined.pop()
            link = PhraseLink(
                (last.abstract[0], link.abstract[1]),
                (last.document[0], link.document[1]),
                min(last.probability, link.probability),
            )
        joined.append(link)
        ends = (link.abstract[1], link.document[1]) if is_identical else None
    return joined


# Punctuation marks are so frequent that a model without a parser links them anywhere. Annotators
# link a mark with an equal mark in the document sentence of its neighbours. Other links of single
# marks are stray, and are left out.

WORD_MARKS = "%&"
"""Marks that are read as words ("percent", "and"), as currency signs are."""


@lru_cache(maxsize=1 << 16)
def is_punctuation(token: str) -> bool:
    """Tell whether a token is nothing but punctuation marks."""
    return not any(
        letter.isalnum() or letter in WORD_MARKS or unicodedata.category(letter) == "Sc"
        for letter in token
    )


def without_stray_punctuation(links: Sequence[PhraseLink], pair: Pair) -> list[PhraseLink]:
    """Return the links without stray links of single punctuation marks.

    ``links``  all links of the pair, sorted by abstract offset.

    The link of a mark is kept if it links two equal marks, and if its neighbours in the abstract
    sentence lead to the same document sentence: the link before it ends there, and the link after
    it begins there.
    """
    others = [link for link in links if not _is_single_mark(link, pair)]
    known = set(others)
    return [link for link in links if link in known or _fits_neighbours(link, others, pair)]


def _is_single_mark(link: PhraseLink, pair: Pair) -> bool:
    abstract = pair.abstract.tokens[slice(*link.abstract)]
    document = pair.document.tokens[slice(*link.document)]
    is_single = len(abstract) == len(document) == 1
    return is_single and any(map(is_punctuation, abstract + document))


def _fits_neighbours(link: PhraseLink, others: Sequence[PhraseLink], pair: Pair) -> bool:
    """Tell whether a mark is linked to an equal mark in the document sentence of its neighbours."""
    a, d = link.abstract[0], link.document[0]
    if normal_form(pair.abstract.tokens[a]) != normal_form(pair.document.tokens[d]):
        return False
    following = bisect_right(others, link)
    before = others[max(following - 1, 0) : following]
    after = others[following : following + 1]
    ends = [(other.abstract[1] - 1, other.document[1] - 1) for other in before]
    ends += [(other.abstract[0], other.document[0]) for other in after]
    own = bisect_right(pair.abstract.boundaries, a)
    # Neighbours in other abstract sentences do not count.
    near = [end for word, end in ends if bisect_right(pair.abstract.boundaries, word) == own]
    return len({bisect_right(pair.document.boundaries, end) for end in (d, *near)}) == 1


# Posteriors and jumps of a model


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
        phrases = link_posteriors.phrase_posteriors(model, encoded)
        batch_links = link_posteriors.links_of(phrases, len(encoded.batch.document))
        shared = phrases.in_shares()
        abstract = np.concatenate([unit.abstract_range for unit in units])
        document = np.concatenate([unit.positions for unit in units])
        rows = document[batch_links.document]
        links[rows, abstract[batch_links.abstract]] = batch_links.probability
        np.add.at(shares, (document[shared.document], abstract[shared.abstract]), shared.posterior)
        null[abstract] = batch_links.null
    return Posteriors(links, null, shares)


class FittedLinks(NamedTuple):
    """The links of a pair that the decoder ``fitted`` chooses from, with their probabilities.

    ``document``, ``abstract``  int64 [C], offsets over the original texts.
    ``probability``             float64 [C], the fitted probability that people would link them.
    """

    document: np.ndarray
    abstract: np.ndarray
    probability: np.ndarray


def fitted_links(
    model: SemiHmm, settings: Settings, pairs: Iterable[Pair], workers: int
) -> Iterator[tuple[Pair, FittedLinks]]:
    """Yield the pairs with words on both sides, in order, with the fitted links of each.

    All other links have a posterior of at most ``link_features.LEAST_POSTERIOR``.
    """
    weights = weights_of(model)
    for pair, links in candidate_links(model, settings, pairs, workers):
        probability = weights.probabilities(links.features)
        yield pair, FittedLinks(links.document, links.abstract, probability)


def log_likelihood(
    model: SemiHmm, settings: Settings, pairs: Iterable[Pair], workers: int
) -> float:
    """Compute the log-likelihood of the abstracts given their documents, in nats.

    Pairs with an empty side are left out.
    """

    def of_batch(units: Sequence[AlignmentUnit], encoded: Encoded) -> float:
        return float(model.posteriors(encoded).log_likelihoods.sum())

    shown = counted(pairs, "likelihood")
    return float(sum(results_by_batch(of_batch, model, settings, shown, workers)))


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
    shown = counted(pairs, "rewrite models")
    for units, encoded in encoded_units(model, settings, shown):
        abstract = [(unit.original.id, a) for unit in units for a in unit.abstract_range]
        document = [d for unit in units for d in unit.positions.tolist()]
        for component, own in enumerate(_by_component(model, encoded)):
            for a, d, posterior in zip(*(column.tolist() for column in own), strict=True):
                pair, word = abstract[a]
                link = document[d], word
                links[pair].setdefault(link, np.zeros(len(names)))[component] += posterior
    return names, links


def _by_component(model: SemiHmm, encoded: Encoded) -> Iterator[link_posteriors.WordLinks]:
    """Yield the word links of each component, in the order of ``component_names``."""
    spans = encoded.candidates.spans
    posteriors = model.posteriors(encoded, link_posteriors.BACKGROUND_THRESHOLD)
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
    shown = counted(pairs, "expected jumps")
    distances: Counter[Jump] = Counter()
    of_batches = []
    count = partial(_count_jumps, model)
    for own, jump_counts in results_by_batch(count, model, settings, shown, workers):
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
    taken = sums_over(start, steps, posteriors[alike], len(positions) - 1)
    middle = int(positions.max())
    inside = np.bincount(middle + np.diff(positions), taken, 2 * middle + 1)
    distances: Counter[Jump] = Counter()
    for kind, row in zip(JumpKind, (*between, inside), strict=True):
        for index in np.flatnonzero(row).tolist():
            distances[Jump(index - middle, kind)] += row[index]
    return distances, model.jump.expected_statistics(encoded.jump, counts.jump)
