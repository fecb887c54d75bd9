"""Keeps the pairs of a corpus that is gone through more than once, most of them on disk."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from typing import Any, Self

from corpus_tools.pairs.chosen_extracts import ChosenExtracts, Extract, ExtractChoice
from corpus_tools.pairs.pair import Pair, Source
from corpus_tools.storage.scratch_rows import ScratchRows
from corpus_tools.texts.brackets import Bracket, Tree
from corpus_tools.texts.text import Text

IN_MEMORY_WORDS = 100_000
"""Pairs are kept as they are until they have so many words, and then on disk.

As objects, tokenized raw text takes some 200 bytes a word: 20 MB. On disk a word takes 15 bytes,
and 0.15 microseconds to write and to read, where tokenizing takes 2. Set by hand.
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
            self._on_disk.add(marshal.dumps(_row(pair)))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in order, equal to those that were added."""
        yield from self._in_memory
        for row in self._on_disk:
            yield _pair(marshal.loads(row))


def _row(pair: Pair) -> tuple[Any, ...]:
    """Return the pair as built-in types alone, which ``marshal`` writes fastest.

    Nobody else reads them: the file has no name, and goes with the process.
    """
    trees = pair.trees
    return (
        pair.id,
        _text_row(pair.document),
        _text_row(pair.abstract),
        pair.sure,
        pair.possible,
        pair.tokenizer,
        None if trees is None else tuple(map(_tree_row, trees)),
        None if pair.source is None else tuple(pair.source),
        _extracts_row(pair.extracts),
    )


def _pair(row: tuple[Any, ...]) -> Pair:
    identity, document, abstract, sure, possible, tokenizer, trees, source, extracts = row
    return Pair(
        identity,
        Text(*document),
        Text(*abstract),
        sure,
        possible,
        tokenizer,
        None if trees is None else tuple(map(_tree, trees)),
        source and Source(*source),
        _extracts(extracts),
    )


def _text_row(text: Text) -> tuple[Any, ...]:
    return text.tokens, text.boundaries, text.strings


def _extracts_row(chosen: ChosenExtracts | None) -> tuple[Any, ...] | None:
    if chosen is None:
        return None
    return tuple(chosen.choice), tuple(map(tuple, chosen.extracts))


def _extracts(row: tuple[Any, ...] | None) -> ChosenExtracts | None:
    if row is None:
        return None
    choice, extracts = row
    return ChosenExtracts(ExtractChoice(*choice), tuple(map(Extract._make, extracts)))


def _tree_row(tree: Tree | None) -> list[tuple[Any, ...]] | None:
    return None if tree is None else list(map(tuple, tree))


def _tree(brackets: Iterable[tuple[Any, ...]] | None) -> Tree | None:
    return None if brackets is None else [Bracket(*bracket) for bracket in brackets]
