"""Aligns pairs with a trained model.

Pairs are cut into alignment units, which are aligned in batches. Alignments are made of the phrases
of a batch, in three passes over the phrases of each unit:

1. ``without_stray_punctuation`` leaves out links of marks that people would not link.
2. ``in_original`` converts offsets of an extract to those of the whole texts.
3. ``joined_runs`` joins neighbouring phrases that copy neighbouring words.

The alignments of the units of a pair are then joined.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Sized
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np

from corpus_tools.alignments.alignment import (
    Alignment,
    PhraseLink,
    pair_digests,
    phrase_word_links,
    unaligned_tokens,
)
from corpus_tools.base.errors import NOT_FROM_A_PAIR, BadPair
from corpus_tools.base.parallel import in_order
from corpus_tools.base.progress import counted
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import normal_form
from semihmm.model.decoders import DECODERS
from semihmm.model.decoders.decoder import PhraseSpan
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import Settings
from semihmm.model.units import (
    PROBE_PAIR,
    AlignmentUnit,
    Outcome,
    batch_of,
    batched_units,
    by_pair,
    cut_pairs,
    result_or_error,
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

    def decode(units: list[AlignmentUnit]) -> list[tuple[PhraseLink, ...]]:
        batch = batch_of(units, model.vocabulary)
        phrases = decoder.decode(model, model.encode(batch))
        return [*links_of_units(phrases, units, batch, settings.stray_punctuation)]

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
                result_or_error(lambda one: decode([one])[0], unit, unit.original.id, probe)
                for unit in undecided
            ]
        decoded = iter(outcomes)
        return [(unit, next(decoded) if unit.outcome is None else unit.outcome) for unit in units]

    total = len(pairs) if isinstance(pairs, Sized) else None
    batches = batched_units(cut_pairs(with_bar_of_extracts(pairs, settings), settings))
    aligned = by_pair(chain.from_iterable(in_order(outcomes_of, batches, workers)))
    for pair, outcomes in counted(aligned, "aligning", total):
        # If a unit failed, its pair has failed.
        if bad := [one for one in outcomes if isinstance(one, BadPair)]:
            if not skip:
                raise pair.located(bad[0])
            yield pair, None
            continue
        links = tuple(link for one in outcomes if not isinstance(one, BadPair) for link in one)
        null = unaligned_tokens(links, len(pair.abstract))
        yield pair, Alignment(pair.id, links, null, pair_digests(pair), by)


def links_of_units(
    phrases: Sequence[tuple[PhraseSpan, float]],
    units: Sequence[AlignmentUnit],
    batch: Batch,
    stray_punctuation: bool,
) -> Iterator[tuple[PhraseLink, ...]]:
    """Yield the links of each unit, with offsets into the original texts.

    ``stray_punctuation``  whether all links of single punctuation marks are kept.
    """
    spans = np.array([span for span, _ in phrases], dtype=np.int64).reshape(-1, 4)
    bounds = np.searchsorted(spans[:, 0], batch.abstract_offsets)
    begins = np.stack([batch.abstract_offsets, batch.document_offsets], axis=1)[:-1]
    # From offsets of the batch to those of the unit.
    spans -= np.repeat(np.repeat(begins, np.diff(bounds), axis=0), 2, axis=1)
    all_links = [
        # Rounding may take a sum of probabilities slightly above one.
        PhraseLink((a, a_end), (d, d_end), min(float(probability), 1.0))
        for (a, a_end, d, d_end), (_, probability) in zip(spans.tolist(), phrases, strict=True)
    ]
    for unit, (first, end) in zip(units, pairwise(bounds.tolist()), strict=True):
        links = all_links[first:end]
        if not stray_punctuation:
            links = without_stray_punctuation(links, unit.pair)
        yield tuple(joined_runs(in_original(links, unit), unit.original))


# Stray punctuation. Marks are so frequent that a model without a parser links them anywhere.
# Annotators link a mark with an equal mark in the document sentence of its neighbours. Other links
# of single marks are stray, and are left out.

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
    are_marks = [_is_single_mark(link, pair) for link in links]
    word_links = [link for link, is_mark in zip(links, are_marks, strict=True) if not is_mark]
    return [
        link
        for link, is_mark in zip(links, are_marks, strict=True)
        if not is_mark or _fits_neighbours(link, word_links, pair)
    ]


def _is_single_mark(link: PhraseLink, pair: Pair) -> bool:
    (a, a_end), (d, d_end), _ = link
    if a_end - a > 1 or d_end - d > 1:
        return False
    return is_punctuation(pair.abstract.tokens[a]) or is_punctuation(pair.document.tokens[d])


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
    sentence = bisect_right(pair.abstract.boundaries, a)
    # Neighbours in other abstract sentences do not count.
    neighbours = [
        end for word, end in ends if bisect_right(pair.abstract.boundaries, word) == sentence
    ]
    return len({bisect_right(pair.document.boundaries, end) for end in (d, *neighbours)}) == 1


# Offsets of the original


def in_original(links: Sequence[PhraseLink], unit: AlignmentUnit) -> list[PhraseLink]:
    """Return phrase links of a unit with offsets into the original texts.

    An extract leaves sentences out. If the document words of a link are not consecutive in the
    original, the link is replaced by its word links.
    """
    positions = unit.positions.tolist()
    if unit.begin == 0 and positions[-1] == len(positions) - 1:
        return [*links]
    return [own for link in links for own in _to_original(link, unit, positions)]


def _to_original(
    link: PhraseLink, unit: AlignmentUnit, positions: list[int]
) -> Iterator[PhraseLink]:
    start, end = link.document
    begin = unit.begin
    # Offsets in the original: begin + t for abstract word t, positions[j] for document word j.
    first, last = positions[start], positions[end - 1]
    # The words are consecutive in the original if the last is as far from the first as here.
    if last - first == end - 1 - start:
        abstract = link.abstract[0] + begin, link.abstract[1] + begin
        yield PhraseLink(abstract, (first, last + 1), link.probability)
        return
    # A phrase over the gap would claim words that the model has not seen.
    words = phrase_word_links(link, unit.pair.document.tokens, unit.pair.abstract.tokens)
    for a, d in sorted((a + begin, positions[d]) for d, a in words):
        yield PhraseLink((a, a + 1), (d, d + 1), link.probability)


# Runs of copied words


def joined_runs(links: Sequence[PhraseLink], pair: Pair) -> list[PhraseLink]:
    """Join neighbouring phrases of identical words, case aside.

    The joined phrase has the smallest of their probabilities.
    """
    joined: list[PhraseLink] = []
    is_copy = False
    for link in links:
        was_copy, is_copy = is_copy, _is_copy(link, pair)
        last = joined[-1] if joined else link
        # The link begins on both sides where the one before it ends.
        meets = (last.abstract[1], last.document[1]) == (link.abstract[0], link.document[0])
        if was_copy and is_copy and meets:
            joined.pop()
            link = PhraseLink(
                (last.abstract[0], link.abstract[1]),
                (last.document[0], link.document[1]),
                min(last.probability, link.probability),
            )
        joined.append(link)
    return joined


def _is_copy(link: PhraseLink, pair: Pair) -> bool:
    """Tell whether both phrases have the same words, case aside."""
    abstract = pair.abstract.tokens[slice(*link.abstract)]
    document = pair.document.tokens[slice(*link.document)]
    return abstract == document or [*map(str.lower, abstract)] == [*map(str.lower, document)]
