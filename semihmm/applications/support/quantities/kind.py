"""What a kind of mentions is: a pattern of items, what it means, and examples.

A pattern is a regular expression in which ``<day>`` stands for an item that may be a day, and
``<dot|comma>`` for one of two classes. ``classes`` in ``lexicon`` and ``digits`` give the names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import regex

from semihmm.applications.support.quantities.context import Context
from semihmm.applications.support.quantities.items import NOTHING, SentenceItem
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.mentions import Mention

_NEW_LETTERS = map(chr, count(0xE000))
_ALPHABET: dict[frozenset[str], str] = {frozenset(): "w"}
"""Items of the same classes have the same letter."""


def letter_of(item: SentenceItem) -> str:
    """Return the letter of the classes of an item."""
    classes = frozenset(item.senses)
    if classes not in _ALPHABET:
        _ALPHABET[classes] = next(_NEW_LETTERS)
    return _ALPHABET[classes]


class Kind(NamedTuple):
    """A kind of mentions.

    ``pattern``   the pattern in a language.
    ``read``      makes a mention of what was found, or nothing.
    ``examples``  a language, a text, and the normal forms of what it says.
    """

    pattern: Callable[[Lexicon], str]
    read: Callable[[Found], Mention | None]
    examples: tuple[tuple[str, str, str], ...]

    def match(self, text: str, place: int, lexicon: Lexicon) -> regex.Match[str] | None:
        """Match the letters of items at a place."""
        return _compiled(self.pattern, lexicon, len(_ALPHABET)).match(text, place)


@lru_cache(maxsize=1 << 12)
def _compiled(pattern: Callable[[Lexicon], str], lexicon: Lexicon, _: int) -> regex.Pattern[str]:
    def letters(found: regex.Match[str]) -> str:
        wanted = {*found[1].split("|")}
        own = [one for classes, one in _ALPHABET.items() if wanted & classes]
        return f"[{''.join(own)}]" if own else "(?!)"

    spelled = regex.sub(r"\s", "", pattern(lexicon))
    return regex.compile(regex.sub(r"(?<!\(\?)(?<!\(\?P)<([^<>!]+)>", letters, spelled))


class Found:
    """A match of a kind in a sentence."""

    def __init__(self, match: regex.Match[str], context: Context) -> None:
        self._match = match
        self.context = context
        self.items = context.items[match.start() : match.end()]
        self.first = match.start()
        self.start: int = self.items[0].start
        # A full stop ends the sentence.
        last = self.items[-2] if self.items[-1].text == "." else self.items[-1]
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
