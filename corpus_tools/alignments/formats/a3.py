"""GIZA++'s A3: three lines a pair, the document as source and the abstract as target.

    # Sentence pair (1) source length 3 target length 2 alignment score : 1
    Apple sells
    NULL ({ }) Apple ({ 1 }) sold ({ 2 }) Macs ({ })

The second line is the abstract; the third the document, each word with the abstract tokens (counted from 1)
that it is linked to. GIZA++ itself puts every abstract token in one place; here it may stand with several
document words, so that the links of phrases can be written too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from os import PathLike
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, from_word_links, word_links
from corpus_tools.alignments.formats.plain_lines import one_word, require_count
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import in_line, open_text, shown_name

HEAD = re.compile(
    r"# Sentence pair \((\d{1,9})\) source length (\d{1,9}) target length (\d{1,9}) alignment score : \S+",
    re.ASCII,
)
WORD = re.compile(r"(\S+)\s+\(\{((?:\s+\d{1,9})*)\s+\}\)(?:\s+|$)", re.ASCII)


def write(matched: Sequence[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Three lines a pair; the alignment score is 1, as there is no such number here."""
    for number, (pair, alignment) in enumerate(matched, 1):
        document, abstract = pair.document.tokens, pair.abstract.tokens
        links = word_links(alignment, document, abstract)
        unlinked = set(range(len(abstract))) - {a for _, a in links}
        places: list[list[int]] = [sorted(unlinked), *([] for _ in document)]
        for d, a in sorted(links):
            places[d + 1].append(a)
        words = (
            _word(word, place) for word, place in zip(("NULL", *document), places, strict=True)
        )
        stream.write(
            f"# Sentence pair ({number}) source length {len(document)} target length {len(abstract)} "
            f"alignment score : 1\n{' '.join(map(one_word, abstract))}\n{' '.join(words)}\n"
        )


def _word(word: str, place: Sequence[int]) -> str:
    return f"{one_word(word)} ({{ {''.join(f'{a + 1} ' for a in place)}}})"


def read(path: str | PathLike, pairs: Sequence[Pair]) -> dict[str, Alignment]:
    """Three lines a pair, in the order of the pairs; numbers of words are checked, spellings are not."""
    with open_text(path) as stream:
        lines = list(stream)
    if len(lines) % 3:
        raise BadData(f"{len(lines)} lines, expected three for each pair", shown_name(path))
    require_count(len(lines) // 3, pairs, path)
    return {pair.id: _alignment(lines, 3 * n, pair, path) for n, pair in enumerate(pairs)}


def _alignment(lines: Sequence[str], first: int, pair: Pair, path: str | PathLike) -> Alignment:
    with in_line(first + 1, path):
        _check_head(lines[first].strip(), first // 3 + 1, pair)
    with in_line(first + 2, path):
        _check_length("abstract", len(lines[first + 1].split()), len(pair.abstract), pair)
    with in_line(first + 3, path):
        null, *places = _places(lines[first + 2].strip())
        _check_length("document", len(places), len(pair.document), pair)
        _check_numbers(null, {a for place in places for a in place}, len(pair.abstract))
    links = {(d, a - 1): 1.0 for d, place in enumerate(places) for a in place}
    return from_word_links(pair.id, links, len(pair.abstract))


def _check_head(line: str, number: int, pair: Pair) -> None:
    head = HEAD.fullmatch(line)
    if not head:
        raise BadData(
            f"{line!r}: expected '# Sentence pair (n) source length l target length m alignment score : x'"
        )
    if int(head[1]) != number:
        raise BadData(
            f"sentence pair {head[1]}, expected {number}: they must be in the order of the pairs"
        )
    _check_length("document", int(head[2]), len(pair.document), pair)
    _check_length("abstract", int(head[3]), len(pair.abstract), pair)


def _check_length(side: str, found: int, expected: int, pair: Pair) -> None:
    if found != expected:
        raise BadData(
            f"{found} words in the {side}, but that of pair {pair.id!r} has {expected} tokens"
        )


def _check_numbers(null: Sequence[int], linked: AbstractSet[int], length: int) -> None:
    outside = sorted(a for a in linked | set(null) if not 1 <= a <= length)
    if outside:
        raise BadData(
            f"abstract token {outside[0]}, but the abstract has {length} tokens, counted from 1"
        )
    both = linked.intersection(null)
    if both:
        raise BadData(
            f"abstract token {min(both)} stands both with NULL and with a word of the document"
        )


def _places(line: str) -> list[list[int]]:
    """The numbers that stand with NULL and with each document word; a word may itself look like a bracket."""
    places: list[list[int]] = []
    end = 0
    while not places or end < len(line):
        word = WORD.match(line, end)
        if not word or (not places and word[1] != "NULL"):
            found = line[end : end + 40]
            raise BadData(
                f"found {found!r}, expected 'NULL ({{ numbers }}) word ({{ numbers }}) ...'"
            )
        places.append([int(number) for number in word[2].split()])
        end = word.end()
    return places
