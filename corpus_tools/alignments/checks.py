"""Checks alignments that were read, whatever the format of their file was."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple, TypeVar

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath, in_line
from corpus_tools.texts.ignore_list import content_tokens


class SelectionLabels(NamedTuple):
    """What the abstract used of a document of n tokens in S sentences.

    ``tokens``     n times 1 for a token that is linked, and 0 for another.
    ``sentences``  S times 1 for a sentence of which a token outside the ignore list is linked, and
                   0 for another: a link of "the" or of a full stop alone does not count.
    """

    tokens: list[int]
    sentences: list[int]


def selection_labels(
    pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> SelectionLabels:
    """Return the labels of a pair. ``ignored`` is an ignore list (``read_ignore_list``)."""
    document = pair.document
    used = {d for d, _ in word_links(alignment, document.tokens, pair.abstract.tokens)}
    content = used & content_tokens(document.tokens, ignored)
    sentences = [any(d in content for d in range(*span)) for span in pairwise(document.boundaries)]
    return SelectionLabels(
        [int(d in used) for d in range(len(document))], list(map(int, sentences))
    )


T = TypeVar("T")

Numbered = tuple[int | None, Alignment]
"""An alignment with the line on which it begins, ``None`` if its lines may stand apart."""


def by_id(alignments: Iterable[Numbered], path: StrPath) -> dict[str, Alignment]:
    """Return the alignments of a file by id, in their order.

    Raises ``BadData`` with file and line for an alignment that contradicts itself and for a
    repeated id.
    """
    known: dict[str, Alignment] = {}
    for line, alignment in alignments:
        with in_line(line, path):
            _check(alignment)
            if alignment.id in known:
                raise BadData(
                    f"the id {alignment.id!r} was used on an earlier line: every id must be unique"
                )
        known[alignment.id] = alignment
    return known


def _check(alignment: Alignment) -> None:
    """Raise ``BadData`` for phrases or null tokens that stand twice, and for tokens in both."""
    phrase = _first_repeated((phrase.abstract, phrase.document) for phrase in alignment.phrases)
    if phrase is not None:
        abstract, document = map(list, phrase)
        raise BadData(f"the phrase of abstract {abstract} and document {document} stands twice")
    token = _first_repeated(alignment.null)
    if token is not None:
        raise BadData(f"abstract token {token} stands twice in 'null'")
    # Not by the sets of all tokens: a span may be as long as the file claims.
    null = sorted(alignment.null)
    for start, end in (phrase.abstract for phrase in alignment.phrases):
        first = bisect_left(null, start)
        if first < len(null) and null[first] < end:
            raise BadData(f"abstract token {null[first]} stands both in 'null' and in a phrase")


def _first_repeated(items: Iterable[T]) -> T | None:
    seen: set[T] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None
