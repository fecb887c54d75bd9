"""Writes labels for extractive summarizers: the document tokens and sentences that are used."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.checks import selection_labels
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import read_ignore_list


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one JSON object a pair: its id, and 0 or 1 for each document token and sentence.

    The fields are ``id``, ``document_tokens`` and ``document_sentences``: the labels of
    ``selection_labels`` with the default ignore list.
    """
    ignored = read_ignore_list()
    for pair, alignment in matched:
        labels = selection_labels(pair, alignment, ignored)
        row = {
            "id": pair.id,
            "document_tokens": labels.tokens,
            "document_sentences": labels.sentences,
        }
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")
