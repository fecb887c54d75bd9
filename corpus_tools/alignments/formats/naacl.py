"""Reads and writes the format of the word alignment shared tasks (HLT-NAACL 2003, WPT 2005).

Each line is a word link: ``sentence document_token abstract_token [S|P] [confidence]``, everything
counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from corpus_tools.alignments.alignment import (
    Alignment,
    Numbered,
    from_word_links,
    phrase_word_links,
)
from corpus_tools.alignments.matching import check
from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import StrPath, in_line, numbered_lines, shown_name

LINE = re.compile(
    r"(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})(?:\s+[SP])?(?:\s+(\d*\.?\d+(?:[eE][+-]?\d+)?))?", re.ASCII
)

Links = dict[WordLink, float]
"""The word links of a pair with their probabilities."""


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write the word links: all of them sure, with their probabilities.

    A word link of several phrase links has the highest of their probabilities.
    """
    for number, (pair, alignment) in enumerate(matched, 1):
        links: Links = {}
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
    links: list[Links] = [{} for _ in pairs]
    number = 0
    for number, line in numbered_lines(path):
        with in_line(number, path):
            _add(line.strip(), links, pairs)
    if number == 0:
        raise BadData("the file is empty, expected one word link a line", shown_name(path))
    for pair, own in zip(pairs, links, strict=True):
        yield None, from_word_links(pair.id, own, len(pair.abstract))


def _add(line: str, links: Sequence[Links], pairs: Sequence[Pair]) -> None:
    """Add the link of a line to those of its pair."""
    parts = LINE.fullmatch(line)
    confidence = float(parts[4] or 1.0) if parts else 1.0
    if not parts or confidence > 1:
        raise BadData(
            f"{line!r}: expected 'sentence document_token abstract_token [S|P] [confidence]', "
            "the numbers counted from 1, the confidence from 0 to 1"
        )
    sentence, document, abstract = (int(parts[group]) for group in (1, 2, 3))
    if not 1 <= sentence <= len(pairs):
        expected = f"expected one of {number_of(len(pairs), 'pair')}, counted from 1"
        raise BadData(f"sentence {sentence}, {expected}")
    if document and abstract:
        pair, own = pairs[sentence - 1], links[sentence - 1]
        link = document - 1, abstract - 1
        # Here the line is known; that of the whole alignment is not.
        check(from_word_links(pair.id, [link], 0), pair)
        own[link] = max(own.get(link, 0.0), confidence)
