"""Writes labels for extractive summarizers: the document tokens and sentences that are used."""

from __future__ import annotations

import json
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple, TextIO

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import content_tokens, read_ignore_list


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


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one JSON object a pair: its id, and 0 or 1 for each document token and sentence.

    The fields are ``id``, ``document_tokens`` and ``document_sentences``: the labels of
    ``selection_labels`` with the default ignore list.
    """
    ignored = read_ignore_list()
    for pair, alignment in matched:
        tokens, sentences = selection_labels(pair, alignment, ignored)
        row = {"id": pair.id, "document_tokens": tokens, "document_sentences": sentences}
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")
