"""Turns the decoded phrases of a batch into the alignments of its units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.encoding.batch import Batch
from corpus_tools.pairs.pair import Pair
from semihmm.batches.units import AlignmentUnit, to_original
from semihmm.decoders.decoder import Phrase
from semihmm.decoding.stray_punctuation import without_stray_punctuation


def alignments_of(
    phrases: Sequence[tuple[Phrase, float]],
    units: Sequence[AlignmentUnit],
    batch: Batch,
    stray_punctuation: bool,
) -> Iterator[Alignment]:
    """Give each unit its alignment, with offsets into the original texts.

    ``stray_punctuation``  whether links of single punctuation marks stay wherever they lead.

    The null words are those of the unit. A phrase over document words that did not stand together
    in the original is given as its word links.
    """
    starts = np.array([phrase[0] for phrase, _ in phrases], dtype=np.int64)
    bounds = np.searchsorted(starts, batch.abstract_offsets)
    for index, unit in enumerate(units):
        begin = int(batch.abstract_offsets[index]), int(batch.document_offsets[index])
        own = [_link(*phrase, begin) for phrase in phrases[bounds[index] : bounds[index + 1]]]
        if not stray_punctuation:
            own = without_stray_punctuation(own, unit.pair)
        links = list(chain.from_iterable(to_original(link, unit) for link in own))
        links = _join_runs(links, unit.original)
        covered = {t for link in links for t in range(*link.abstract)}
        null = tuple(t for t in unit.abstract_range if t not in covered)
        yield Alignment(unit.original.id, tuple(links), null)


def _link(phrase: Phrase, probability: float, begin: tuple[int, int]) -> PhraseLink:
    """Make a phrase link with offsets that count from where the unit begins."""
    a_start, a_end, d_start, d_end = phrase
    a, d = begin
    # Sums of rounded numbers may end a hair above one.
    certain = min(float(probability), 1.0)
    return PhraseLink((a_start - a, a_end - a), (d_start - d, d_end - d), certain)


def _join_runs(links: Sequence[PhraseLink], pair: Pair) -> list[PhraseLink]:
    """Join neighbours whose words are identical into one phrase.

    It has the least of their probabilities.
    """
    joined: list[PhraseLink] = []
    for link in links:
        last = joined[-1] if joined else None
        if last and _follows(link, last) and _identical(last, pair) and _identical(link, pair):
            abstract = (last.abstract[0], link.abstract[1])
            document = (last.document[0], link.document[1])
            probability = min(last.probability, link.probability)
            joined[-1] = PhraseLink(abstract, document, probability)
        else:
            joined.append(link)
    return joined


def _follows(link: PhraseLink, last: PhraseLink) -> bool:
    """Tell whether the link begins where the last one ends, on both sides."""
    return last.abstract[1] == link.abstract[0] and last.document[1] == link.document[0]


def _identical(link: PhraseLink, pair: Pair) -> bool:
    """Tell whether both sides have the same words, case aside."""
    abstract = pair.abstract.tokens[slice(*link.abstract)]
    document = pair.document.tokens[slice(*link.document)]
    return [word.lower() for word in abstract] == [word.lower() for word in document]
