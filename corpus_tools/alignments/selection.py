"""Labels for extractive summarizers: the document tokens and sentences that are used."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.pairs.pair import Pair
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
