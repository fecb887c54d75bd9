"""Word aligners of sentence pairs, with either side as the source (section 5.1.1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.pairs.pair import Pair, WordLink, can_be_aligned
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form
from semihmm.baselines.system import Run, System

SIDES = ("document", "abstract")
IDENTITY = "+identity"

Sentences = list[list[str]]
Links = list[WordLink] | None
"""Word links ``(source, target)`` of a sentence pair; ``None`` if the aligner cannot take it."""


class WordAligner(ABC):
    """Aligns each word of a target sentence to one word of a source sentence or to none.

    ``name``  the family of the systems that the aligner makes.
    """

    name: str

    @abstractmethod
    def missing(self) -> str | None:
        """Return why the aligner cannot run on this machine; ``None`` if it can."""

    @abstractmethod
    def links(self, source: Sentences, target: Sentences) -> list[Links]:
        """Train on sentence pairs, none of them empty, and align them."""


@dataclass(frozen=True)
class Directed(System):
    """A word aligner with one side as the source.

    ``source``  ``document`` or ``abstract``.
    ``seeded``  whether each word that occurs on both sides of the corpus is also trained on as a
                pair of this word alone (section 5.1.1).
    """

    aligner: WordAligner
    source: str
    seeded: bool = False

    @property
    def name(self) -> str:
        """Return the family, the source, and whether it is seeded."""
        return f"{self.aligner.name}:{self.source}{IDENTITY if self.seeded else ''}"

    def missing(self) -> str | None:
        return self.aligner.missing()

    def run(self, pairs: Sequence[Pair]) -> Run:
        usable = [pair for pair in pairs if can_be_aligned(pair)]
        documents = [_normal_forms(pair.document) for pair in usable]
        abstracts = [_normal_forms(pair.abstract) for pair in usable]
        seeds = [[word] for word in shared_words(documents, abstracts)] if self.seeded else []
        every = self._word_links(documents + seeds, abstracts + seeds)[: len(usable)]
        by_id = {pair.id: links for pair, links in zip(usable, every, strict=True)}
        alignments = [alignment_of(pair, by_id.get(pair.id)) for pair in pairs]
        return Run(alignments, list(by_id.values()).count(None))

    def _word_links(self, documents: Sentences, abstracts: Sentences) -> list[Links]:
        """Return links ``(document, abstract)``, whatever the source."""
        if self.source == "document":
            return self.aligner.links(documents, abstracts)
        reversed_links = self.aligner.links(abstracts, documents)
        return [links and [(d, a) for a, d in links] for links in reversed_links]


def _normal_forms(text: Text) -> list[str]:
    return [normal_form(token) for token in text.tokens]


def shared_words(documents: Sentences, abstracts: Sentences) -> list[str]:
    """Return the words that occur on both sides of a corpus, in order."""
    in_documents = {word for sentence in documents for word in sentence}
    in_abstracts = {word for sentence in abstracts for word in sentence}
    return sorted(in_documents & in_abstracts)


def alignment_of(pair: Pair, links: Links) -> Alignment:
    """Return the alignment by word links ``(document, abstract)``; ``None`` aligns nothing."""
    certain = {(int(d), int(a)): 1.0 for d, a in links or ()}
    return from_word_links(pair.id, certain, len(pair.abstract))
