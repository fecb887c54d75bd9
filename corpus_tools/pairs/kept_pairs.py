"""Keeps the pairs of a corpus that is gone through more than once, most of them on disk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Self

from corpus_tools.pairs.pair import Pair, Source
from corpus_tools.storage.scratch_rows import ScratchRows
from corpus_tools.texts.brackets import Bracket
from corpus_tools.texts.text import Characters, Text

IN_MEMORY_WORDS = 100_000
"""Pairs are kept as they are until they have so many words, and then on disk.

As objects, tokenized raw text takes some 200 bytes a word: 20 MB. On disk a word takes 25 bytes,
and 1.2 microseconds to write and to read, where tokenizing takes 6. Set by hand.
"""


class KeptPairs:
    """The pairs of a corpus, whose first ``IN_MEMORY_WORDS`` words are in memory.

    A context manager: at its end the pairs are gone. ``ids`` are those of the pairs, in order.
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._in_memory: list[Pair] = []
        self._words = 0
        self._on_disk = ScratchRows()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._on_disk.close()

    def add(self, pair: Pair) -> None:
        """Add a pair. Raises ``BadData`` if the disk is full."""
        self.ids.append(pair.id)
        if self._words < IN_MEMORY_WORDS:
            self._words += len(pair.document) + len(pair.abstract)
            self._in_memory.append(pair)
        else:
            self._on_disk.add(json.dumps(_row(pair), separators=(",", ":")).encode())

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in order, equal to those that were added."""
        yield from self._in_memory
        for row in self._on_disk:
            yield _pair(json.loads(row))


def _row(pair: Pair) -> list[Any]:
    """Return the pair as JSON."""
    return [
        pair.id,
        _text_row(pair.document),
        _text_row(pair.abstract),
        None if pair.sure is None else list(pair.sure),
        None if pair.possible is None else list(pair.possible),
        pair.tokenizer,
        pair.trees,
        pair.source,
    ]


def _pair(row: list[Any]) -> Pair:
    identity, document, abstract, sure, possible, tokenizer, trees, source = row
    return Pair(
        identity,
        _text(*document),
        _text(*abstract),
        None if sure is None else frozenset((d, a) for d, a in sure),
        None if possible is None else frozenset((d, a) for d, a in possible),
        tokenizer,
        None if trees is None else tuple(map(_tree, trees)),
        source and Source(*source),
    )


def _text_row(text: Text) -> list[Any]:
    """Return the text as JSON. Tokens that are parts of strings are their characters alone."""
    if text.characters is None:
        return [text.boundaries, text.strings, text.tokens, None]
    return [text.boundaries, text.strings, None, list(chain.from_iterable(text.characters))]


def _text(
    boundaries: list[int], strings: list[str], tokens: list[str] | None, numbers: list[int] | None
) -> Text:
    if numbers is None:
        return Text(tuple(tokens or ()), tuple(boundaries), tuple(strings))
    values = iter(numbers)
    characters = tuple(map(Characters._make, zip(values, values, values, strict=True)))
    cut = tuple(strings[string][start:end] for string, start, end in characters)
    return Text(cut, tuple(boundaries), tuple(strings), characters)


def _tree(brackets: Iterable[list[Any]] | None) -> list[Bracket] | None:
    return None if brackets is None else [Bracket(*bracket) for bracket in brackets]
