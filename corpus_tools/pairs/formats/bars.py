"""Reads ``document ||| abstract``, a pair a line, as fast_align and others do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from corpus_tools.errors import BadData
from corpus_tools.pairs.formats.pairs_file import PairsFile
from corpus_tools.texts.sentences import split_sentences

BARS = re.compile(r"(?<!\S)\|\|\|(?!\S)")
"""What stands between the sides: a token of its own."""


def recognizes(file: PairsFile) -> bool:
    """Tell whether each of the first lines is two texts with bars between them."""
    return bool(file.head) and all(len(BARS.findall(line)) == 1 for line in file.head)


def records(file: PairsFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the pairs, both sides as sentences of tokens.

    Tokens are what stands between white space, so that they have the numbers that word aligners
    give them. Raises ``BadData`` for a line without bars, and for one with more of them.
    """
    for number, line in file.lines():
        sides = BARS.split(line)
        if len(sides) != 2:
            problem = f"{len(sides) - 1} times ' ||| ', expected 'document ||| abstract'"
            raise BadData(problem, file.name, number)
        document, abstract = map(tokenized_sentences, sides)
        yield number, {"document": document, "abstract": abstract}


def tokenized_sentences(text: str) -> list[list[str]]:
    """Return the sentences of a tokenized text. Sentences do not end within tokens."""
    ends = {end for _, end in split_sentences(text)}
    sentences: list[list[str]] = [[]]
    for token in re.finditer(r"\S+", text):
        sentences[-1].append(token.group())
        if token.end() in ends:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]
