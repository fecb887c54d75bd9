"""The rivals that align the words of sentence pairs, with either side as the source (section 5.1.1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.tokenizers import normal_form
from semihmm.baselines.system import Run, System
from semihmm.batches.units import can_be_aligned

SIDES = ("document", "abstract")
IDENTITY = "+identity"

Sentences = list[list[str]]
Links = list[WordLink] | None
"""Word links ``(source, target)`` of a sentence pair; ``None`` if the rival cannot take it."""


class WordAligner(ABC):
    """A rival that aligns the words of a target sentence to those of a source sentence, each target word to one or none."""

    name: str

    @abstractmethod
    def missing(self) -> str | None:
        """See ``System.missing``."""

    @abstractmethod
    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        """Train on sentence pairs, none of them empty, and align them."""


@dataclass(frozen=True)
class Directed(System):
    """A word aligner with one side as the source, the ``document`` or the ``abstract``.

    ``seeded``: for each word that occurs on both sides of the corpus a pair of this word alone is added to what it trains on
    (section 5.1.1).
    """

    aligner: WordAligner
    source: str
    seeded: bool = False

    @property
    def name(self) -> str:
        return f"{self.aligner.name}:{self.source}{IDENTITY * self.seeded}"

    def missing(self) -> str | None:
        return self.aligner.missing()

    def run(self, pairs: Sequence[Pair]) -> Run:
        usable = [pair for pair in pairs if can_be_aligned(pair)]
        sides = [
            [[normal_form(token) for token in getattr(pair, side).tokens] for pair in usable]
            for side in SIDES
        ]
        seeds = [[word] for word in shared_words(*sides)] if self.seeded else []
        texts = [side + seeds for side in sides]
        if self.source == "document":
            found = self.aligner.links(*texts)
        else:
            found = [
                links and [(d, a) for a, d in links]
                for links in self.aligner.links(*reversed(texts))
            ]
        by_pair = dict(zip((pair.id for pair in usable), found, strict=False))
        return Run(
            [alignment_of(pair, by_pair.get(pair.id)) for pair in pairs],
            list(by_pair.values()).count(None),
        )


def shared_words(documents: Sentences, abstracts: Sentences) -> list[str]:
    """The words that occur on both sides of a corpus, in order."""
    known, other = (
        {word for sentence in side for word in sentence} for side in (documents, abstracts)
    )
    return sorted(known & other)


def alignment_of(pair: Pair, links: Links) -> Alignment:
    """The alignment of a pair by word links ``(document, abstract)``; ``None`` aligns nothing."""
    return from_word_links(
        pair.id, {(int(d), int(a)): 1.0 for d, a in links or ()}, len(pair.abstract)
    )
