"""Defines what a parser is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar

from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.registry import Plugin
from corpus_tools.texts.brackets import Tree, flat


@dataclass(frozen=True)
class Parser(Plugin, ABC):
    """Gives the trees of documents.

    Subclasses are frozen dataclasses. They hold no models: ``source`` is where the model or the
    trees are, for parsers that take one. ``package`` is what a parser needs beside the core
    dependencies, by the name that pip and ``import`` share. The extra that is called like the
    parser installs it.
    """

    package: ClassVar[str | None] = None
    takes_source: ClassVar[bool] = False

    source: str | None = None

    @abstractmethod
    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: str | PathLike[str] | None = None
    ) -> Iterator[list[Tree | None]]:
        """Yield the trees of each pair's document, one a sentence; ``None`` where parsing failed.

        ``processes`` share the work. The file ``cache`` keeps the trees for the next time. Parsers
        that have no work to share or to keep ignore them. A parser may read all pairs before it
        yields the first document.
        """


@dataclass(frozen=True)
class Flat(Parser):
    """Gives each token as a child of the root."""

    name: ClassVar[str] = "none"

    def document_trees(
        self, pairs: Iterable[Pair], processes: int = 1, cache: str | PathLike[str] | None = None
    ) -> Iterator[list[Tree | None]]:
        for pair in pairs:
            yield [flat(len(sentence)) for sentence in pair.document.sentences()]
