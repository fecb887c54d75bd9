"""Reads and writes the format of the word alignment shared tasks (HLT-NAACL 2003, WPT 2005).

Each line is a word link: ``sentence document_token abstract_token [S|P] [confidence]``, everything
counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO

from corpus_tools.alignments.alignment import Alignment, from_word_links, phrase_word_links
from corpus_tools.alignments.checks import Numbered
from corpus_tools.alignments.formats.plain_lines import checked_link
from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import StrPath, in_line, open_text, shown_name

LINE = re.compile(
    r"(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})(?:\s+[SP])?(?:\s+(\d*\.?\d+(?:[eE][+-]?\d+)?))?", re.ASCII
)


class _Row(NamedTuple):
    sentence: int
    document: int
    abstract: int
    confidence: float


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write the word links: all of them sure, with their probabilities.

    A word link of several phrase links has the highest of their probabilities.
    """
    for number, (pair, alignment) in enumerate(matched, 1):
        links: dict[WordLink, float] = {}
        for phrase in alignment.phrases:
            for link in phrase_word_links(phrase, pair.document.tokens, pair.abstract.tokens):
                links[link] = max(links.get(link, 0.0), phrase.probability)
        stream.writelines(
            f"{number} {d + 1} {a + 1} S {probability:.6g}\n"
            for (d, a), probability in sorted(links.items())
        )


def read(path: StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read word links; sentence n is the n-th pair.

    S and P links alike are links, with the confidence as probability, or 1.0 without confidence.
    Token 0 stands for the null word: such a line links nothing. A pair without lines has no links.
    """
    links: list[dict[WordLink, float]] = [{} for _ in pairs]
    with open_text(path) as stream:
        lines = list(stream)
    if not lines:
        raise BadData("the file is empty, expected one word link a line", shown_name(path))
    for number, line in enumerate(lines, 1):
        with in_line(number, path):
            _add(_row(line), links, pairs)
    for pair, own in zip(pairs, links, strict=True):
        yield None, from_word_links(pair.id, own, len(pair.abstract))


def _row(line: str) -> _Row:
    parts = LINE.fullmatch(line.strip())
    confidence = float(parts[4] or 1.0) if parts else 1.0
    if not parts or confidence > 1:
        raise BadData(
            f"{line.strip()!r}: "
            "expected 'sentence document_token abstract_token [S|P] [confidence]', "
            "the numbers counted from 1, the confidence from 0 to 1"
        )
    return _Row(int(parts[1]), int(parts[2]), int(parts[3]), confidence)


def _add(row: _Row, links: Sequence[dict[WordLink, float]], pairs: Sequence[Pair]) -> None:
    if not 1 <= row.sentence <= len(pairs):
        expected = f"expected one of {number_of(len(pairs), 'pair')}, counted from 1"
        raise BadData(f"sentence {row.sentence}, {expected}")
    if row.document and row.abstract:
        link = checked_link(row.document - 1, row.abstract - 1, pairs[row.sentence - 1])
        own = links[row.sentence - 1]
        own[link] = max(own.get(link, 0.0), row.confidence)
