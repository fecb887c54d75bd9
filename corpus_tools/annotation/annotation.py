"""The annotation of a pair as a value: phrase links, words nulled on purpose, a note.

Daumé III and Marcu (2005), section 2.1: annotators align words and phrases, and classify each
alignment as sure or possible. Every word of the abstract is aligned to something, if that can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from corpus_tools.alignments.alignment import PhraseLink, phrase_word_links
from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair, WordLink


@dataclass(frozen=True)
class History:
    """The annotations of a pair, one after another.

    ``annotations``  the first one is that of the beginning, which cannot be undone.
    ``index``        that of the current one. Those behind it were undone.
    ``steps``        how many steps were made, undoing included: it tells whether somebody has seen
                     the current annotation.
    """

    annotations: tuple[Annotation, ...]
    index: int = 0
    steps: int = 0

    @property
    def current(self) -> Annotation:
        """Return the annotation that holds."""
        return self.annotations[self.index]

    @property
    def can_undo(self) -> bool:
        """Tell whether there is an earlier annotation."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Tell whether an annotation was undone."""
        return self.index + 1 < len(self.annotations)

    def done(self, annotation: Annotation) -> History:
        """Return the history with a new annotation. What was undone is gone."""
        kept = self.annotations[: self.index + 1]
        return History((*kept, annotation), self.index + 1, self.steps + 1)

    def undone(self) -> History:
        """Return the history one step back. Raises ``BadUsage`` at the beginning."""
        if not self.can_undo:
            raise BadUsage("there is nothing to undo")
        return replace(self, index=self.index - 1, steps=self.steps + 1)

    def redone(self) -> History:
        """Return the history with what was undone last. Raises ``BadUsage`` if nothing was."""
        if not self.can_redo:
            raise BadUsage("there is nothing to redo")
        return replace(self, index=self.index + 1, steps=self.steps + 1)


Span = tuple[int, int]
"""The tokens ``[start, end)`` of a side."""


class Phrases(NamedTuple):
    """A phrase of the abstract and one of the document."""

    abstract: Span
    document: Span


class SureOrPossible(NamedTuple):
    """A phrase link that an annotator made: sure, or only possible."""

    phrases: Phrases
    sure: bool


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator said of a pair.

    ``abstract_words``  how many words there are to align.
    ``links``           sorted; no two of the same phrases.
    ``null``            abstract words that are aligned to nothing on purpose; none is linked.
    ``dismissed``       suggestions that are not shown any more.
    ``decided``         whether the annotator is done. Then every abstract word is linked or null.
    """

    abstract_words: int
    links: tuple[SureOrPossible, ...] = ()
    null: frozenset[int] = frozenset()
    dismissed: frozenset[Phrases] = frozenset()
    note: str = ""
    decided: bool = False

    def open_words(self) -> list[int]:
        """Return the abstract words that are neither linked nor null."""
        known = self.null | abstract_words_of(link.phrases for link in self.links)
        return [word for word in range(self.abstract_words) if word not in known]

    def is_blank(self) -> bool:
        """Tell whether nothing was said yet."""
        return self == Annotation(self.abstract_words)

    def with_links(self, links: Iterable[SureOrPossible]) -> Annotation:
        """Return the annotation with more links, or with other words for the same phrases.

        Their words are null no more, and suggestions of the same phrases are dismissed no more.
        """
        more = {link.phrases: link for link in links}
        kept = (link for link in self.links if link.phrases not in more)
        return replace(
            self,
            links=tuple(sorted([*kept, *more.values()])),
            null=self.null - abstract_words_of(more),
            dismissed=self.dismissed - more.keys(),
        )._reopened()

    def without(self, phrases: Collection[Phrases], words: Collection[int]) -> Annotation:
        """Return the annotation without the links of some phrases and the nulls of some words."""
        links = tuple(link for link in self.links if link.phrases not in phrases)
        return replace(self, links=links, null=self.null.difference(words))._reopened()

    def with_null(self, words: Collection[int]) -> Annotation:
        """Return the annotation with words that are null. Links that hold any of them go."""
        links = tuple(
            link for link in self.links if abstract_words_of([link.phrases]).isdisjoint(words)
        )
        return replace(self, links=links, null=self.null.union(words))._reopened()

    def with_dismissed(self, phrases: Iterable[Phrases]) -> Annotation:
        """Return the annotation with suggestions that are not shown any more."""
        return replace(self, dismissed=self.dismissed.union(phrases))

    def _reopened(self) -> Annotation:
        """Return an annotation that is decided no more if it has open words."""
        return replace(self, decided=self.decided and not self.open_words())


def abstract_words_of(phrases: Iterable[Phrases]) -> set[int]:
    """Return the abstract words of some phrases."""
    return {word for one in phrases for word in range(*one.abstract)}


class HandLinks(NamedTuple):
    """The word links of a hand alignment. ``possible`` are those beyond ``sure``."""

    sure: frozenset[WordLink]
    possible: frozenset[WordLink]


def hand_links(annotation: Annotation, pair: Pair) -> HandLinks:
    """Return the word links of an annotation, as the program makes them of all phrase links.

    The same tokens on both sides are linked one by one, others all with all
    (``corpus_tools.alignments.alignment.word_links``).
    """
    sure: set[WordLink] = set()
    possible: set[WordLink] = set()
    for link in annotation.links:
        phrase = PhraseLink(*link.phrases, probability=1.0)
        words = phrase_word_links(phrase, pair.document.tokens, pair.abstract.tokens)
        (sure if link.sure else possible).update(words)
    return HandLinks(frozenset(sure), frozenset(possible - sure))
