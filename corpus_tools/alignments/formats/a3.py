"""Reads and writes GIZA++'s A3: three lines a pair, the document as source, the abstract as target.

    # Sentence pair (1) source length 3 target length 2 alignment score : 1
    Apple sells
    NULL ({ }) Apple ({ 1 }) sold ({ 2 }) Macs ({ })

The second line is the abstract; the third the document, each word with the abstract tokens (counted
from 1) that it is linked to. GIZA++ itself writes every abstract token once. Here it may stand with
several document words, so that the links of phrases can be written too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, Numbered, from_word_links, word_links
from corpus_tools.alignments.matching import require_count
from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import StrPath, in_line, numbered_lines, shown_name
from corpus_tools.texts.tokenizers import one_word

HEAD = re.compile(
    r"# Sentence pair \((\d{1,9})\) source length (\d{1,9}) target length (\d{1,9}) "
    r"alignment score : \S+",
    re.ASCII,
)
WORD = re.compile(r"(\S+)\s+\(\{((?:\s+\d{1,9})*)\s+\}\)(?:\s+|$)", re.ASCII)


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write three lines a pair. The alignment score is 1: alignments have no such number here."""
    for number, (pair, alignment) in enumerate(matched, 1):
        document, abstract = pair.document.tokens, pair.abstract.tokens
        links = word_links(alignment, document, abstract)
        unlinked = set(range(len(abstract))) - {a for _, a in links}
        # The abstract tokens of NULL, then those of each document word.
        linked: list[list[int]] = [sorted(unlinked), *([] for _ in document)]
        for d, a in sorted(links):
            linked[d + 1].append(a)
        words = map(_word, ("NULL", *document), linked)
        lengths = f"source length {len(document)} target length {len(abstract)}"
        stream.write(f"# Sentence pair ({number}) {lengths} alignment score : 1\n")
        stream.write(" ".join(map(one_word, abstract)) + "\n")
        stream.write(" ".join(words) + "\n")


def _word(word: str, linked: Sequence[int]) -> str:
    return f"{one_word(word)} ({{ {''.join(f'{a + 1} ' for a in linked)}}})"


def read(path: StrPath, pairs: Sequence[Pair]) -> Iterator[Numbered]:
    """Read three lines a pair, in the order of the pairs.

    The numbers of words are checked, their spellings are not.
    """
    lines = [line.strip() for _, line in numbered_lines(path)]
    if len(lines) % 3:
        raise BadData(
            f"{number_of(len(lines), 'line')}, expected three for each pair", shown_name(path)
        )
    require_count(len(lines) // 3, pairs, path)
    for n, pair in enumerate(pairs):
        first = 3 * n
        with in_line(first + 1, path):
            _check_head(lines[first], n + 1, pair)
        with in_line(first + 2, path):
            _check_length("abstract", len(lines[first + 1].split()), pair)
        with in_line(first + 3, path):
            links = _links(lines[first + 2], pair)
        yield first + 1, from_word_links(pair.id, links, len(pair.abstract))


def _check_head(line: str, number: int, pair: Pair) -> None:
    head = HEAD.fullmatch(line)
    if not head:
        raise BadData(
            f"{line!r}: "
            "expected '# Sentence pair (n) source length l target length m alignment score : x'"
        )
    if int(head[1]) != number:
        raise BadData(
            f"sentence pair {head[1]}, expected {number}: they must be in the order of the pairs"
        )
    _check_length("document", int(head[2]), pair)
    _check_length("abstract", int(head[3]), pair)


def _check_length(side: str, words: int, pair: Pair) -> None:
    expected = len(pair.document if side == "document" else pair.abstract)
    if words != expected:
        raise BadData(
            f"{number_of(words, 'word')} in the {side}, "
            f"but that of pair {pair.id!r} has {number_of(expected, 'token')}"
        )


def _links(line: str, pair: Pair) -> list[WordLink]:
    """Return the links of a third line. Raises ``BadData`` for one that is not of the pair."""
    null, *linked = _numbers(line)
    _check_length("document", len(linked), pair)
    with_words = {a for numbers in linked for a in numbers}
    with_both = with_words.intersection(null)
    length = len(pair.abstract)
    for a in sorted(with_words.union(null)):
        if not 1 <= a <= length:
            raise BadData(
                f"abstract token {a}, "
                f"but the abstract has {number_of(length, 'token')}, counted from 1"
            )
        if a in with_both:
            raise BadData(
                f"abstract token {a} stands both with NULL and with a word of the document"
            )
    return [(d, a - 1) for d, numbers in enumerate(linked) for a in numbers]


def _numbers(line: str) -> list[list[int]]:
    """Return the numbers that stand with NULL and with each document word.

    A word may itself look like a bracket.
    """
    words = WORD.findall(line)
    rest = WORD.sub("", line)
    if rest or not words or words[0][0] != "NULL":
        found = (rest or line)[:40]
        raise BadData(f"found {found!r}, expected 'NULL ({{ numbers }}) word ({{ numbers }}) ...'")
    return [[int(number) for number in numbers.split()] for _, numbers in words]
