"""A pair with its alignment, for readers who want the words and not the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.readable import readable
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Passage


class AlignedPhrase(NamedTuple):
    """A phrase of the abstract and the phrase of the document that it is aligned to.

    ``probability``  the posterior of the link.
    """

    abstract: Passage
    document: Passage
    probability: float


@dataclass(frozen=True)
class AlignedPair:
    """A pair with its alignment. ``print`` shows the phrases in a table."""

    pair: Pair
    alignment: Alignment

    @property
    def phrases(self) -> list[AlignedPhrase]:
        """Return the aligned phrases with their texts, in the order of the abstract."""
        return [
            AlignedPhrase(
                self.pair.abstract.passage(*link.abstract),
                self.pair.document.passage(*link.document),
                link.probability,
            )
            for link in self.alignment.phrases
        ]

    @property
    def null(self) -> list[Passage]:
        """Return the words of the abstract that are aligned to nothing."""
        return [self.pair.abstract.passage(a, a + 1) for a in self.alignment.null]

    def __str__(self) -> str:
        return readable(self.pair, self.alignment)
