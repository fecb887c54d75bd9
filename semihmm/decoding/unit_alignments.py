"""Turns the decoded phrases of a batch into the alignments of its units.

Links of single punctuation marks that mean nothing are left out. A mark is the commonest of words:
a model without a parser finds one wherever it lands. Annotators link a mark with the same
mark only, and across sentences only where its neighbours go there too.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.encoding.batch import Batch
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.tokenizers import normal_form
from semihmm.batches.units import AlignmentUnit, to_original
from semihmm.decoders.decoder import Phrase

WORDS = "%&"
"""Marks that are read as words ("percent", "and"), as currency signs are."""


@lru_cache(maxsize=1 << 16)
def is_punctuation(token: str) -> bool:
    """Tell whether a token is nothing but punctuation marks."""
    return not any(
        letter.isalnum() or letter in WORDS or unicodedata.category(letter) == "Sc"
        for letter in token
    )


def without_stray_punctuation(links: Sequence[PhraseLink], pair: Pair) -> list[PhraseLink]:
    """Return the links without those of single punctuation marks that are stray.

    ``links``  those of the pair, sorted by abstract offset, with offsets into its texts.

    A link of single words one of which is punctuation stays if both are the same, and if the
    nearest links of other phrases in its abstract sentence, before and after, end and begin in the
    same document sentence.
    """
    single = [_is_single_mark(link, pair) for link in links]
    if not any(single):
        return list(links)
    before = _last_of_others(zip(single, links, strict=True))
    after = _last_of_others(zip(reversed(single), reversed(links), strict=True))[::-1]
    return [
        link
        for link, mark, last, following in zip(links, single, before, after, strict=True)
        if not mark or _stays(link, last, following, pair)
    ]


def _is_single_mark(link: PhraseLink, pair: Pair) -> bool:
    a, a_end = link.abstract
    d, d_end = link.document
    if a_end - a > 1 or d_end - d > 1:
        return False
    return is_punctuation(pair.abstract.tokens[a]) or is_punctuation(pair.document.tokens[d])


def _last_of_others(rows: Iterable[tuple[bool, PhraseLink]]) -> list[PhraseLink | None]:
    """Return for each link the last one before it that is no single mark."""
    last: PhraseLink | None = None
    others = []
    for mark, link in rows:
        others.append(last)
        if not mark:
            last = link
    return others


def _stays(
    link: PhraseLink, before: PhraseLink | None, after: PhraseLink | None, pair: Pair
) -> bool:
    a, d = link.abstract[0], link.document[0]
    if normal_form(pair.abstract.tokens[a]) != normal_form(pair.document.tokens[d]):
        return False
    own = bisect_right(pair.abstract.boundaries, a)
    ends = [d]
    if before is not None and bisect_right(pair.abstract.boundaries, before.abstract[1] - 1) == own:
        ends.append(before.document[1] - 1)
    if after is not None and bisect_right(pair.abstract.boundaries, after.abstract[0]) == own:
        ends.append(after.document[0])
    return len({bisect_right(pair.document.boundaries, end) for end in ends}) == 1


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
