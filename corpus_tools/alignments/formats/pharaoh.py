"""Reads and writes Pharaoh's ``i-j``, the output of fast_align, eflomal and many others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, from_word_links, word_links
from corpus_tools.alignments.checks import Numbered
from corpus_tools.alignments.formats.plain_lines import checked_link, require_count
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import StrPath, in_line, open_text


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one line a pair: ``d-a`` for each word link, document token first, counted from 0."""
    for pair, alignment in matched:
        links = sorted(word_links(alignment, pair.document.tokens, pair.abstract.tokens))
        stream.write(" ".join(f"{d}-{a}" for d, a in links) + "\n")


def read(path: StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read one line a pair, an empty one where nothing is linked.

    All probabilities are 1.0.
    """
    with open_text(path) as stream:
        lines = list(stream)
    require_count(len(lines), pairs, path)
    for number, (line, pair) in enumerate(zip(lines, pairs, strict=True), 1):
        with in_line(number, path):
            links = {_link(item, pair): 1.0 for item in line.split()}
        yield number, from_word_links(pair.id, links, len(pair.abstract))


def _link(item: str, pair: Pair) -> WordLink:
    if not re.fullmatch(r"[0-9]{1,9}-[0-9]{1,9}", item):
        raise BadData(
            f"{item!r} is no link: expected i-j, a document and an abstract token, counted from 0"
        )
    d, a = item.split("-")
    return checked_link(int(d), int(a), pair)
