"""Labels to train extractive summarizers: the document tokens and sentences that the abstract used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import content_tokens, read_ignore_list


def write(matched: Sequence[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """One object a pair: ``id`` and the lists of 0 and 1 ``document_tokens``, ``document_sentences``.

    A token was used if it is linked. A sentence was used if one of its tokens outside the default ignore list
    is: a lone "the" or full stop does not make a sentence part of the summary.
    """
    ignored = read_ignore_list()
    for pair, alignment in matched:
        used = {d for d, _ in word_links(alignment, pair.document.tokens, pair.abstract.tokens)}
        telling = used & content_tokens(pair.document.tokens, ignored)
        sentences = [
            any(d in telling for d in range(*span)) for span in pairwise(pair.document.boundaries)
        ]
        row = {
            "id": pair.id,
            "document_tokens": [int(d in used) for d in range(len(pair.document))],
            "document_sentences": [int(sentence) for sentence in sentences],
        }
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")
