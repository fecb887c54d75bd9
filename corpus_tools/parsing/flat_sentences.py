"""The provider ``none``: every sentence flat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.brackets import Tree, flat


@dataclass(frozen=True)
class Flat:
    """No parser at all."""

    name: ClassVar[str] = "none"

    def documents(
        self, pairs: Iterable[Pair], processes: int = 1, cache: str | PathLike | None = None
    ) -> Iterator[list[Tree | None]]:
        """As ``Provider.documents``; there is nothing to do for several processes or to cache."""
        for pair in pairs:
            yield [flat(len(sentence)) for sentence in pair.document.sentences()]
