"""Compares the annotations of several people, so that an adjudicator can decide the differences.

People agree on a word of the abstract if all link it to the same words of the document, and mark
the same links as sure, or if all mark it as unaligned. Their phrases may differ. The adjudicator
decides the other words (the paper's section 2.1 has no such step). A difference is a set of
abstract words that must be decided together, since a phrase of some person joins them. A phrase
with the same words on both sides, which are linked one by one, is cut between agreed and differing
words.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Self

from corpus_tools.alignments.alignment import linked_words, links_by_word, runs
from corpus_tools.pairs.pair import Pair
from semihmm.applications.annotate.annotation import (
    LONGEST_NOTE,
    Annotation,
    Mark,
    Origins,
    Phrases,
    Spans,
    words_of,
)

AGREED = "agreed"
"""The origin of a link that all people have."""


@dataclass(frozen=True)
class Opinions:
    """The annotations of a pair by several people who have decided it.

    ``people``       the annotations by the name of the person.
    ``differences``  the abstract words of each difference, sorted.
    ``origins``      the people who made each link and each null mark.
    """

    people: Mapping[str, Annotation]
    differences: list[list[int]]
    origins: Origins

    @classmethod
    def from_annotations(cls, pair: Pair, people: Mapping[str, Annotation]) -> Self:
        """Compare the annotations of two people or more."""
        length = len(pair.abstract)
        links = [
            links_by_word(length, **annotation.hand_links(pair)) for annotation in people.values()
        ]
        differing = {
            word for word, of_people in enumerate(zip(*links, strict=True)) if len({*of_people}) > 1
        }
        people = {name: _cut(annotation, pair, differing) for name, annotation in people.items()}
        phrases = (
            words_of(link.abstract) for of_people in people.values() for link in of_people.links
        )
        groups = _joined([*phrases, *([word] for word in differing)])
        differences = sorted(sorted(group) for group in groups if group & differing)
        return cls(people, differences, _origins(people, differing.union(*differences)))

    def agreement(self) -> Annotation:
        """Return the annotation with which adjudication begins: everything but the differences.

        It has the phrases of the first person, and the notes of all. A pair without differences is
        decided.
        """
        first = next(iter(self.people.values()))
        open_words = {word for group in self.differences for word in group}
        agreed = (link for link in first.links if open_words.isdisjoint(words_of(link.abstract)))
        notes = (
            f"{name}: {annotation.note}"
            for name, annotation in self.people.items()
            if annotation.note
        )
        return Annotation(
            first.abstract_words,
            {link: first.links[link] for link in agreed},
            first.null - open_words,
            note="\n".join(notes)[:LONGEST_NOTE],
            decided=not open_words,
            origins=self.origins,
        )

    def open_differences(self, annotation: Annotation) -> int:
        """Return the number of differences with open words."""
        open_words = set(annotation.open_words())
        return sum(not open_words.isdisjoint(words) for words in self.differences)


def _cut(annotation: Annotation, pair: Pair, differing: AbstractSet[int]) -> Annotation:
    """Cut phrases whose words are linked one by one, between agreed words and differing words.

    The word links stay the same, and differences become smaller.
    """
    links: dict[Phrases, bool] = {}
    for phrases, sure in annotation.links.items():
        document, abstract = words_of(phrases.document), words_of(phrases.abstract)
        linked = linked_words(document, abstract, pair.document.tokens, pair.abstract.tokens)
        pieces = [phrases]
        # As many links as words on each side: the words are linked one by one.
        if len(linked) == len(abstract) == len(document):
            pieces_of_kind = groupby(linked, lambda link: link[1] in differing)
            sides = (zip(*run, strict=True) for _, run in pieces_of_kind)
            pieces = [Phrases(_spans_of(words), _spans_of(others)) for others, words in sides]
        for piece in pieces:
            links[piece] = links.get(piece, False) or sure
    return replace(annotation, links=links)


def _spans_of(words: Iterable[int]) -> Spans:
    return tuple((run[0], run[-1] + 1) for run in runs(words))


def _joined(groups: Iterable[Iterable[int]]) -> list[set[int]]:
    """Join groups that have a word in common."""
    joined: list[set[int]] = []
    for group in map(set, groups):
        touched = [other for other in joined if other & group]
        joined = [other for other in joined if other.isdisjoint(group)]
        joined.append(group.union(*touched))
    return joined


def _origins(people: Mapping[str, Annotation], differing: AbstractSet[int]) -> Origins:
    """Return the people who made each link and each null mark.

    ``differing``  the words of all differences. People agree on the links of other words, even if
                   their phrases differ.
    """
    origins: dict[Mark, str] = {}
    for name, annotation in people.items():
        marks: list[Mark] = [*annotation.links.items(), *annotation.null]
        for mark in marks:
            origins[mark] = f"{origins[mark]}, {name}" if mark in origins else name
    everybody = ", ".join(people)
    for mark, names in origins.items():
        words = [mark] if isinstance(mark, int) else words_of(mark[0].abstract)
        if names == everybody or differing.isdisjoint(words):
            origins[mark] = AGREED
    return origins


@dataclass(frozen=True)
class Adjudication:
    """The opinions about all pairs that at least two people have decided.

    ``people``    the names of all people; none if there is nothing to adjudicate.
    ``opinions``  the opinions by the id of the pair.
    """

    people: tuple[str, ...] = ()
    opinions: Mapping[str, Opinions] = field(default_factory=dict)

    @classmethod
    def from_annotations(
        cls, pairs: Sequence[Pair], people: Mapping[str, Mapping[str, Annotation]]
    ) -> Self:
        """Compare the annotations of all pairs, given by the name of the person and the id."""
        opinions = {}
        for pair in pairs:
            decided = {
                name: annotations[pair.id]
                for name, annotations in people.items()
                if pair.id in annotations and annotations[pair.id].decided
            }
            if len(decided) > 1:
                opinions[pair.id] = Opinions.from_annotations(pair, decided)
        return cls(tuple(people), opinions)

    def begun(self, pair: Pair, annotation: Annotation) -> Annotation:
        """Return the annotation that the adjudicator begins with: the agreement if it is blank."""
        opinions = self.opinions.get(pair.id)
        if opinions is None:
            return annotation
        if annotation.is_blank():
            return opinions.agreement()
        return replace(annotation, origins=opinions.origins)


NO_ADJUDICATION = Adjudication()
