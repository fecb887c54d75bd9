"""One side of a pair: its tokens, its sentences and the original strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple


class Characters(NamedTuple):
    """The characters of a token: ``strings[string][start:end]`` is the token."""

    string: int
    start: int
    end: int


class Passage(NamedTuple):
    """Successive tokens of a text, as they stand in the original strings.

    ``text``        the characters from the first token to the last; parts of several strings have a
                    blank between them, and so have tokens that were given as such.
    ``characters``  the part of each string that is touched; none where the input was tokens.
    """

    text: str
    characters: tuple[Characters, ...]


@dataclass(frozen=True)
class Text:
    """A document or an abstract of n tokens in S sentences.

    ``tokens``      n strings.
    ``boundaries``  S + 1 token positions, ascending from 0 to n: sentence s is
                    ``tokens[boundaries[s]:boundaries[s + 1]]``.
    ``strings``     the original strings as they were given; empty where the input was lists of
                    tokens. The tokens are slices of them, in order, that hold all characters but
                    white space.
    """

    tokens: tuple[str, ...]
    boundaries: tuple[int, ...] = (0,)
    strings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.tokens)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a copy in another process find the characters again, if it asks for them."""
        return Text, (self.tokens, self.boundaries, self.strings)

    @cached_property
    def characters(self) -> tuple[Characters, ...] | None:
        """Return the tokens' n spans in ``strings``; ``None`` where the input was lists of tokens.

        They are found when they are first asked for. Most texts are never asked.
        """
        if not self.strings and len(self.boundaries) > 1:
            return None
        spans = []
        number = end = 0
        for token in self.tokens:
            # Between two tokens is nothing but white space, so that the next match is the token.
            while (start := self.strings[number].find(token, end)) < 0:
                number += 1
                end = 0
            end = start + len(token)
            spans.append(Characters(number, start, end))
        return tuple(spans)

    @classmethod
    def from_sentences(cls, sentences: Sequence[Sequence[str]]) -> Text:
        """Make a text from sentences that are lists of tokens."""
        boundaries = accumulate(map(len, sentences), initial=0)
        return cls(tuple(chain.from_iterable(sentences)), tuple(boundaries))

    def given(self) -> str | list[str] | list[list[str]]:
        """Return the text as it was given: one string, sentence strings, or tokens."""
        if self.characters is None:
            return [list(sentence) for sentence in self.sentences()]
        return self.strings[0] if len(self.strings) == 1 else [*self.strings]

    def passage(self, start: int, end: int) -> Passage:
        """Return the passage of the tokens ``start`` to ``end`` (exclusive)."""
        characters = self.characters
        if characters is None:
            return Passage(" ".join(self.tokens[start:end]), ())
        parts: dict[int, Characters] = {}
        for token in characters[start:end]:
            first = parts.get(token.string, token)
            parts[token.string] = first._replace(end=token.end)
        text = " ".join(self.strings[n][first:last] for n, first, last in parts.values())
        return Passage(text, tuple(parts.values()))

    def find(self, words: str) -> list[tuple[int, int]]:
        """Return the token spans ``[start, end)`` of some words; white space does not matter.

        So words are found as they stand in the text, however it is tokenized. Upper and lower case
        differ.
        """
        wanted = "".join(words.split())
        found = []
        for start in range(len(self.tokens) if wanted else 0):
            end, rest = start, wanted
            while rest and end < len(self.tokens) and rest.startswith(self.tokens[end]):
                rest = rest[len(self.tokens[end]) :]
                end += 1
            if not rest:
                found.append((start, end))
        return found

    def sentences(self) -> list[tuple[str, ...]]:
        """Return the sentences, each a tuple of tokens."""
        return [self.tokens[start:end] for start, end in pairwise(self.boundaries)]
