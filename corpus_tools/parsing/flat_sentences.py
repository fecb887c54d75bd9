"""Defines the parser ``none``: every sentence is flat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar

from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing.parser import Parser
from corpus_tools.texts.brackets import Tree, flat


@dataclass(frozen=True)
class Flat(Parser):
    """Gives each token as a child of the root."""

    name: ClassVar[str] = "none"

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: str | PathLike[str] | None = None
    ) -> Iterator[list[Tree | None]]:
        for pair in pairs:
            yield [flat(len(sentence)) for sentence in pair.document.sentences()]
