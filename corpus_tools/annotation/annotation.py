"""The annotation of a pair as a value: phrase links, words nulled on purpose, a note; and its JSON.

Daumé III and Marcu (2005), section 2.1: annotators align words and phrases, and classify each
alignment as sure or possible. Every word of the abstract is aligned to something, if that can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeGuard

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import json_type

LONGEST_NOTE = 10_000
"""The most characters of a note, chosen by hand: some pages."""


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


def annotation_row(annotation: Annotation) -> dict[str, Any]:
    """Return an annotation as a JSON object."""
    return {
        "decided": annotation.decided,
        "links": [{**_phrases_row(link.phrases), "sure": link.sure} for link in annotation.links],
        "null": sorted(annotation.null),
        "dismissed": [_phrases_row(phrases) for phrases in sorted(annotation.dismissed)],
        "note": annotation.note,
    }


def read_annotation(row: object, pair: Pair) -> Annotation:
    """Return the annotation of a JSON object.

    Raises ``BadData`` for anything malformed, and for one that cannot be of the pair.
    """
    if not isinstance(row, dict):
        raise BadData(f"'annotation' is {json_type(row)}, expected an object")
    links = read_links(row, "links", pair)
    annotation = Annotation(
        len(pair.abstract),
        tuple(sorted(links)),
        frozenset(read_words(row, "null", pair)),
        frozenset(read_phrases(row, "dismissed", pair)),
        read_note(row, "note"),
        read_truth(row, "decided"),
    )
    if len({link.phrases for link in links}) < len(links):
        raise BadData("two 'links' are of the same phrases")
    if not annotation.null.isdisjoint(abstract_words_of(link.phrases for link in links)):
        raise BadData("a word stands both in 'null' and in 'links'")
    if annotation.decided and annotation.open_words():
        raise BadData(f"it is decided, but abstract word {annotation.open_words()[0]} is open")
    return annotation


def read_links(row: Mapping[str, Any], key: str, pair: Pair) -> list[SureOrPossible]:
    """Return the links of a field. Raises ``BadData`` for what is none, or none of the pair."""
    objects = _objects(row, key)
    return [SureOrPossible(_phrases(one, pair), read_truth(one, "sure")) for one in objects]


def read_phrases(row: Mapping[str, Any], key: str, pair: Pair) -> list[Phrases]:
    """Return the phrases of a field. Raises ``BadData`` for what is none, or none of the pair."""
    return [_phrases(one, pair) for one in _objects(row, key)]


def read_words(row: Mapping[str, Any], key: str, pair: Pair) -> list[int]:
    """Return the abstract words of a field. Raises ``BadData`` for what is none of the pair."""
    words = row.get(key)
    if isinstance(words, list) and all(map(_is_count, words)):
        if all(word < len(pair.abstract) for word in words):
            return words
        raise BadData(f"{key!r} has words beyond the {len(pair.abstract)} of the abstract")
    raise BadData(f"{key!r} is not a list of word positions")


def read_note(row: Mapping[str, Any], key: str) -> str:
    """Return a note. Raises ``BadData`` for what is no text, or too long."""
    note = row.get(key)
    if not isinstance(note, str):
        raise BadData(f"{key!r} is {json_type(note)}, expected a string")
    if len(note) > LONGEST_NOTE:
        raise BadData(f"the note has more than {LONGEST_NOTE:,} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in note):
        raise BadData("the note has half a surrogate pair, which is no character")
    return note


def read_truth(row: Mapping[str, Any], key: str) -> bool:
    """Return a truth value. Raises ``BadData`` for anything else."""
    value = row.get(key)
    if not isinstance(value, bool):
        raise BadData(f"{key!r} is {json_type(value)}, expected true or false")
    return value


def _phrases_row(phrases: Phrases) -> dict[str, list[int]]:
    return {"abstract": list(phrases.abstract), "document": list(phrases.document)}


def _objects(row: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    objects = row.get(key)
    if isinstance(objects, list) and all(isinstance(one, dict) for one in objects):
        return objects
    raise BadData(f"{key!r} is not a list of objects {{'abstract', 'document'}}")


def _phrases(row: Mapping[str, Any], pair: Pair) -> Phrases:
    return Phrases(
        _span(row, "abstract", len(pair.abstract)), _span(row, "document", len(pair.document))
    )


def _span(row: Mapping[str, Any], side: str, length: int) -> Span:
    span = row.get(side)
    if isinstance(span, list) and len(span) == 2:
        start, end = span
        if _is_count(start) and _is_count(end) and start < end <= length:
            return start, end
    raise BadData(
        f"{side!r} of a link is {span!r}, expected [start, end] with 0 <= start < end <= {length}"
    )


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
