"""Finds patterns of items in sentences.

A pattern is a regular expression in which ``<day>`` stands for an item that may be a day,
``<dot|comma>`` for one of two classes, and ORDERS for the dates of a language in figures alone.
``lexicon`` and ``numerals`` have the names of classes.
"""

from __future__ import annotations

from typing import Any

import regex

from semihmm.applications.support.pair_features import Side, stem_of
from semihmm.applications.support.quantities.items import NOTHING, SentenceItem
from semihmm.applications.support.quantities.lexicon import MARKS, Lexicon

LONGEST_HEAD = 3
"""Words after a number in which the noun is looked for that it counts. Chosen by hand."""

SMALL_COUNT = 12
"""Counts up to here may be made by the writer, of what the document names one by one."""

HEDGES = {"over": (1.0, 1.3), "under": (0.85, 1.0), "about": (0.9, 1.1)}
SMALL_HEDGES = HEDGES | {"over": (1.0, 3.0), "under": (0.3, 1.0)}
"""How far hedges reach: over 1,000 is no more than 1,300, nearly 1,000 no less than 850.

Small counts reach further: "more than two parties" may be four.
"""


class Context:
    """A sentence of a side, ``span`` in subtokens, and its items."""

    def __init__(
        self, side: Side, span: tuple[int, int], items: list[SentenceItem], lexicon: Lexicon
    ) -> None:
        self.side = side
        self.start, self.end = span
        self.lexicon = lexicon
        self.items = items
        self._function_words = lexicon.own.function_words

    def word(self, place: int) -> str:
        """Return the word of a subtoken; nothing outside the sentence."""
        return self.side.words[place] if self.start <= place < self.end else ""

    def senses_before(self, place: int) -> dict[str, object]:
        """Return the senses of the item before an item."""
        return self.items[place - 1].senses if place > 0 else {}

    def is_content(self, place: int) -> bool:
        """Tell whether a subtoken is a content word."""
        word = self.word(place)
        return (
            word.isalpha() and bool(self.side.content[place]) and word not in self._function_words
        )

    def counts(self, end: int) -> bool:
        """Tell whether a number is followed by a noun in small letters, which it counts."""
        return self.is_content(end) and self.side.shown[end].islower()

    def heads(self, end: int) -> frozenset[str]:
        """Return the stems of what a number counts: the words after it."""
        heads = []
        for place in range(end, min(end + LONGEST_HEAD, self.end)):
            if self.word(place) != "-":
                if not self.is_content(place):
                    break
                heads.append(stem_of[self.word(place)])
        return frozenset(heads)

    def hedge(self, place: int, is_count: bool) -> tuple[float, float]:
        """Return how far the hedge before an item reaches."""
        senses = self.senses_before(place)
        if senses.keys() & {"before", "one"}:
            senses = self.senses_before(place - 1)
        hedges = SMALL_HEDGES if is_count else HEDGES
        return next((reach for name, reach in hedges.items() if name in senses), (1.0, 1.0))


class Found:
    """A match of a kind in a sentence."""

    def __init__(self, match: regex.Match[str], context: Context) -> None:
        self._match = match
        self.context = context
        self.items = context.items[match.start() : match.end()]
        self.first = match.start()
        self.start: int = self.items[0].start
        # A full stop ends the sentence.
        last = self.items[-2] if MARKS.get(self.items[-1].text) == "dot" else self.items[-1]
        self.end: int = last.end

    def item(self, group: str) -> SentenceItem:
        """Return the item of a group; one without senses if there is none."""
        return self.context.items[self._match.start(group)] if self.has(group) else NOTHING

    def get(self, group: str, kind: str) -> Any:
        """Return what the item of a group is worth in a class; ``None`` without."""
        return self.item(group).senses.get(kind)

    def has(self, group: str) -> bool:
        """Tell whether a group has an item."""
        return group in self._match.re.groupindex and self._match.start(group) >= 0

    def place(self, group: str) -> int:
        """Return the place of the item of a group."""
        return self._match.start(group)
