"""Leaves out links of single punctuation marks that mean nothing.

A mark is the commonest of words: a model without a parser finds one wherever it lands. Annotators
link a mark with the same mark only, and across sentences only where its neighbours go there too.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from corpus_tools.alignments.alignment import PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.tokenizers import normal_form

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
