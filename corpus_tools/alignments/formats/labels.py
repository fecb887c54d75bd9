"""Writes labels for extractive summarizers: the document tokens and sentences that are used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import content_tokens, read_ignore_list


def write(matched: Sequence[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one JSON object a pair: its id, and 0 or 1 for each document token and sentence.

    The fields are ``id``, ``document_tokens`` and ``document_sentences``. A token is used if it is
    linked. A sentence is used if one of its tokens outside the default ignore list is linked: a
    link of "the" or of a full stop alone does not count.
    """
    ignored = read_ignore_list()
    for pair, alignment in matched:
        used = {d for d, _ in word_links(alignment, pair.document.tokens, pair.abstract.tokens)}
        content = used & content_tokens(pair.document.tokens, ignored)
        sentences = [
            any(d in content for d in range(*span)) for span in pairwise(pair.document.boundaries)
        ]
        row = {
            "id": pair.id,
            "document_tokens": [int(d in used) for d in range(len(pair.document))],
            "document_sentences": [int(sentence) for sentence in sentences],
        }
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")
