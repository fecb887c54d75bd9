"""Reads and writes Pharaoh's ``i-j``, the output of fast_align, eflomal and many others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, Numbered, from_word_links, word_links
from corpus_tools.alignments.matching import require_count
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import StrPath, in_line, numbered_lines


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one line a pair: ``d-a`` for each word link, document token first, counted from 0."""
    for pair, alignment in matched:
        links = sorted(word_links(alignment, pair.document.tokens, pair.abstract.tokens))
        stream.write(" ".join(f"{d}-{a}" for d, a in links) + "\n")


def read(path: StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read one line a pair, an empty one where nothing is linked.

    All probabilities are 1.0.
    """
    lines = list(numbered_lines(path))
    require_count(len(lines), pairs, path)
    for (number, line), pair in zip(lines, pairs, strict=True):
        with in_line(number, path):
            links = map(link_of, line.split())
            yield number, from_word_links(pair.id, links, len(pair.abstract))


def link_of(item: str) -> WordLink:
    """Return the link ``i-j``. Raises ``BadData`` for anything else."""
    link = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", item)
    if not link:
        raise BadData(
            f"{item!r} is no link: expected i-j, a document and an abstract token, counted from 0"
        )
    return int(link[1]), int(link[2])
