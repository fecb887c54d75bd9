"""Checks the citations of an abstract: whether a sentence has its sources in what it cites.

The document is several passages. A sentence with "[2]" whose sources are all in passage 3 cites
the wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

from corpus_tools.pairs.pair import Pair

CITATION = regex.compile(r"[\[\u3010]([^\[\]\u3010\u3011\n]{1,80})[\]\u3011]")
"""Brackets that may hold citations."""

LEADING_CITATIONS = regex.compile(rf"\s*(?:{CITATION.pattern}[\s,;]*)++")

CITED_NUMBER = regex.compile(r"[\^#]?(?:\p{L}+\.?\s*)?#?(\p{Nd}{1,3})(?:\u2020.*)?")
"""A number of a passage, as in "2", "^2", "Source 2" and "2†source"."""

CITED_RANGE = regex.compile(r"(\p{Nd}{1,3})\s*[-\u2013]\s*(\p{Nd}{1,3})")

LEAST_FOUND = 0.35
"""The least probability that some sentence of a passage is a source of an abstract sentence.

Chosen on sentences joined from two CNN highlights, whose articles are among four passages: both
passages were found in 93 % (77 of 83), 82 % where only single sentences count; on others 95 and
86 %. Passages that are none of a sentence of one highlight: 3.6 and 1.2 %, on others 1.1 and .6 %.
"""


class Citations(NamedTuple):
    """The citations of a sentence of an abstract.

    ``cites``     the names of the passages that it cites.
    ``found_in``  the names of the passages in which its sources are, the best first.
    ``problem``   why the citations are wrong; empty if they are not.
    """

    cites: tuple[str, ...]
    found_in: tuple[str, ...]
    problem: str


def passages_of_sentences(pair: Pair) -> list[str]:
    """Return the name of the passage of each document sentence; "" without passages."""
    characters = pair.document.characters
    spans = pairwise(pair.document.boundaries)
    if not pair.passages or characters is None:
        return [""] * (len(pair.document.boundaries) - 1)
    return [pair.passages[characters[start].string] if start < end else "" for start, end in spans]


def passages_of_sources(names: Sequence[str], shares: Iterable[tuple[int, float]]) -> list[str]:
    """Return the passages in which an abstract sentence has sources, the likeliest first.

    ``names``   the passage of each document sentence.
    ``shares``  document sentences, and how likely each is a source; they are independent.
    """
    missed: dict[str, float] = {}
    for number, share in shares:
        missed[names[number]] = missed.get(names[number], 1.0) * (1.0 - share)
    likely = [name for name, chance in missed.items() if 1.0 - chance >= LEAST_FOUND]
    return sorted(likely, key=missed.__getitem__)


def citations_of(pair: Pair, found: Sequence[Sequence[str]]) -> list[Citations]:
    """Return the citations of each sentence of an abstract whose document has passages.

    ``found``  the passages in which each abstract sentence has sources, the best first.

    Where some of them are cited, or there are none, nothing is wrong.
    """
    cited = _cited_passages(pair)
    return [_judged(pair, *of_sentence) for of_sentence in zip(cited, found, strict=True)]


def _judged(pair: Pair, cites: Sequence[str], found_in: Sequence[str]) -> Citations:
    unknown = [name for name in cites if name not in pair.passages]
    problem = ""
    if unknown:
        last = len(pair.passages)
        problem = f"cites {', '.join(unknown)}, but there are only {last} passages"
    elif cites and found_in and not {*cites} & {*found_in}:
        problem = f"cites {', '.join(cites)}, found in {', '.join(found_in)}"
    return Citations(tuple(cites), tuple(found_in), problem)


def _cited_passages(pair: Pair) -> list[list[str]]:
    """Return the passages that each sentence of an abstract cites.

    Citations after a full stop belong to the sentence before it, though a splitter may have put
    them at the beginning of the next one.
    """
    cited: list[list[str]] = []
    for start, end in pairwise(pair.abstract.boundaries):
        text = pair.abstract.passage(start, end).text
        leading = LEADING_CITATIONS.match(text)
        first = leading.end() if leading and cited else 0
        before = _distinct(_names(pair, text[:first]))
        if before:
            cited[-1] = _distinct([*cited[-1], *before])
        cited.append(_distinct(_names(pair, text[first:])))
    return cited


def _distinct(names: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(names)]


def _names(pair: Pair, text: str) -> Iterator[str]:
    """Yield the names of the passages that a text cites, or numbers where there is no passage."""
    for brackets in CITATION.finditer(text):
        parts = [part.strip() for part in regex.split("[,;]", brackets[1])]
        found = [_name(pair, part) for part in parts]
        if all(found):
            yield from (name for names in found for name in names)


def _name(pair: Pair, part: str) -> list[str]:
    """Return the passages of a part of a citation; none if it is no citation."""
    if part in pair.passages:
        return [part]
    if found := CITED_RANGE.fullmatch(part):
        first, last = map(int, found.groups())
        return [_numbered(pair, number) for number in range(first, last + 1)]
    number = CITED_NUMBER.fullmatch(part)
    return [_numbered(pair, int(number[1]))] if number else []


def _numbered(pair: Pair, number: int) -> str:
    """Return the name of a passage by its number; passages with other names count from 1."""
    name = str(number)
    has_numbers = any(map(str.isdecimal, pair.passages))
    if name in pair.passages or has_numbers or not 1 <= number <= len(pair.passages):
        return name
    return pair.passages[number - 1]
