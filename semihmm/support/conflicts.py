"""Finds what an abstract says otherwise than its document: conflicts, each with both spans.

Precision comes before recall. What the document says nothing about is no conflict, and neither is
what another of its sentences confirms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.text import Text
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.support.atoms import Sentence, sentences_of
from semihmm.support.contrasts import Contrasts
from semihmm.support.names import Found, Names, Part
from semihmm.support.quantities import Quantity, quantities

KINDS = ("number", "name", "negation", "antonym", "roles")

TOP = 5
"""Sources that an abstract sentence is compared with. Chosen by hand."""
LINKED = 0.2
"""The least probability of a link that says what stands in a word's place.

On development data all seven places that were linked to another place were wrong, most of these
links below 0.5.
"""
WINDOW = 10
"""Words on each side of a number that count as what it is about. Chosen by hand."""
SHARED = 2
"""Words that what two numbers are about shares at least, the unit among them.

One is enough for scores and ages. Chosen by hand: without it, numbers of other things count. On
development data as many of the numbers were wrong, but the document said nothing about them.
"""
OF_AGES = {"year", "old", "age"}
"""Words that all ages share, which say nothing."""
AGES = 2.0
"""How many times as old one may be as another who is meant instead. Chosen by hand."""

Sources = Sequence[Sequence[tuple[int, float]]]
"""Of each abstract sentence: document sentences with their shares, the best first."""


class Conflict(NamedTuple):
    """A part of the abstract that contradicts the document.

    ``kind``                  one of ``KINDS``.
    ``abstract``, ``document``  token spans ``[start, end)``; the document's is what it has instead.
    ``text``                  both in words: "3-1: the document has 4-1".
    """

    kind: str
    abstract: tuple[int, int]
    document: tuple[int, int]
    text: str


class Link(NamedTuple):
    """The most probable document word of an abstract word, ``None`` for none."""

    document: int | None
    probability: float


def find_conflicts(
    document: Text,
    abstract: Text,
    sources: Sources,
    links: Sequence[Link],
    wordnet: WordNetReader | None,
) -> list[Conflict]:
    """Return the conflicts of an abstract, in its order; each token is in one of them.

    ``sources``  for each abstract sentence the document sentences that it may be from, with their
                 shares, best first.
    ``links``    for each abstract token.
    ``wordnet``  ``None`` finds numbers only: the other kinds need it.
    """
    pair = _Pair(document, abstract, sources, links)
    found = [("number", *row) for row in pair.numbers()]
    found += () if wordnet is None else pair.others(wordnet)
    if not found:
        return []
    said, read = running_text(abstract), running_text(document)
    conflicts: list[Conflict] = []
    taken: set[int] = set()
    for kind, sentence, (start, end, part) in found:
        ours = sentence.span(start, end)
        theirs = pair.document[part.sentence].span(part.start, part.end)
        if taken.isdisjoint(range(*ours)):
            taken.update(range(*ours))
            texts = said.words(*ours), read.words(*theirs)
            conflicts.append(Conflict(kind, ours, theirs, "{}: the document has {}".format(*texts)))
    return sorted(conflicts, key=lambda conflict: conflict.abstract)


class _Pair:
    """The sentences of both sides as atoms, and what each of the abstract's is compared with."""

    def __init__(
        self, document: Text, abstract: Text, sources: Sources, links: Sequence[Link]
    ) -> None:
        self.document = sentences_of(document)
        self.abstract = sentences_of(abstract)
        self.sources = [[number for number, _ in ranked[:TOP]] for ranked in sources]
        self._links = links
        self._atoms: dict[int, tuple[int, int]] = {}
        for number, sentence in enumerate(self.document):
            for i, token in enumerate(sentence.at):
                self._atoms.setdefault(token, (number, i))

    def linked(self, sentence: Sentence) -> dict[int, tuple[int, int]]:
        """Return the atom of the document to which each atom is linked, if it is."""
        partners = ((i, self._links[token]) for i, token in enumerate(sentence.at))
        return {
            i: self._atoms[link.document]
            for i, link in partners
            if link.document is not None and link.probability >= LINKED
        }

    def numbers(self) -> Iterator[tuple[Sentence, Found]]:
        """Give the numbers that the document does not have, where it has others of their unit."""
        document = [
            (number, quantity)
            for number, sentence in enumerate(self.document)
            for quantity in quantities(sentence)
        ]
        for sentence, sources in zip(self.abstract, self.sources, strict=True):
            in_sources = [row for row in document if row[0] in sources]
            for ours in quantities(sentence):
                others = [row for row in in_sources if ours.units & row[1].units]
                if any(ours.agrees(theirs) for _, theirs in document if ours.units & theirs.units):
                    continue
                if any(ours.agrees(theirs) for _, theirs in in_sources) or _is_sum(ours, others):
                    continue
                near = [self._shared(sentence, ours, *row) for row in others]
                if near and max(near) >= (1 if ours.units & {"score", "age"} else SHARED):
                    number, theirs = others[near.index(max(near))]
                    part = Part(number, theirs.start, theirs.end)
                    yield sentence, (ours.start, ours.end, part)

    def _shared(self, sentence: Sentence, ours: Quantity, number: int, theirs: Quantity) -> int:
        """Return how many words the surroundings of two numbers share, their units among them."""
        if "age" in ours.units and not 1 / AGES <= theirs.low / max(ours.low, 1) <= AGES:
            return 0
        words = sentence.near(ours.start, ours.end, WINDOW)
        words &= self.document[number].near(theirs.start, theirs.end, WINDOW)
        return len(words - OF_AGES if "age" in ours.units else words)

    def others(self, wordnet: WordNetReader) -> Iterator[tuple[str, Sentence, Found]]:
        """Give the conflicts of the kinds that need WordNet, the surest kinds first."""
        names = Names(self.document, wordnet)
        contrasts = Contrasts(self.document, wordnet)
        cased = any(s.is_capital(i) for s in self.abstract for i in range(len(s.words)))
        for sentence, sources in zip(self.abstract, self.sources, strict=True):
            linked = self.linked(sentence)
            own = names.in_abstract(sentence, cased)
            kinds = {
                "name": chain(
                    names.mixed(sentence, own),
                    names.misspelled(sentence, own),
                    names.moved(sentence, own, linked),
                ),
                "roles": names.swapped(sentence, own, sources),
                "negation": contrasts.negations(sentence, sources, linked),
                "antonym": contrasts.antonyms(sentence, sources),
            }
            for kind, found in kinds.items():
                yield from ((kind, sentence, one) for one in found)


def _is_sum(ours: Quantity, others: Sequence[tuple[int, Quantity]]) -> bool:
    """Tell whether a number is the sum of others of its unit in the sources."""
    parts = [theirs.low for _, theirs in others]
    return ours.low in {sum(parts), *(a + b for a, b in combinations(parts, 2))}
