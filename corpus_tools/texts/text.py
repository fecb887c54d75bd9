"""One side of a pair: its tokens, its sentences and the original strings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple


class Characters(NamedTuple):
    """The characters of a token: ``strings[string][start:end]`` is the token."""

    string: int
    start: int
    end: int


class Passage(NamedTuple):
    """Successive tokens of a text, as in the original strings.

    ``text``        the characters from the first token to the last. Parts of several strings, and
                    tokens of a text that was given as tokens, are joined by blanks.
    ``characters``  the part of each string; empty if the text was given as tokens.
    """

    text: str
    characters: tuple[Characters, ...]


@dataclass(frozen=True)
class Text:
    """A document or an abstract of n tokens in S sentences.

    ``tokens``      n strings.
    ``boundaries``  S + 1 token positions, ascending from 0 to n: sentence s is
                    ``tokens[boundaries[s]:boundaries[s + 1]]``.
    ``strings``     the original strings; empty if the text was given as lists of tokens. The tokens
                    are slices of the strings, in order, with all characters but white space.
    ``is_split``    whether each string was split into sentences, as one raw string, a passage and
                    a turn are.
    """

    tokens: tuple[str, ...]
    boundaries: tuple[int, ...]
    strings: tuple[str, ...] = ()
    # Texts with the same sentences are equal.
    is_split: bool = field(default=False, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.tokens)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave the characters out of pickles: a copy computes them again."""
        parts = (self.tokens, self.boundaries, self.strings, self.is_split)
        return _with_interned_tokens, parts

    @cached_property
    def characters(self) -> tuple[Characters, ...] | None:
        """Return the tokens' n spans in ``strings``; ``None`` for a text given as lists of tokens.

        They are computed at their first use, since few texts need them.
        """
        if not self.strings and len(self.boundaries) > 1:
            return None
        spans = []
        number = end = 0
        for token in self.tokens:
            # There is only white space between two tokens, so the next match is the token.
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
        return self.strings[0] if self.is_split and len(self.strings) == 1 else [*self.strings]

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
        """Return the token spans ``[start, end)`` at which the text has some words.

        White space is ignored, so the tokenizer does not matter. Upper and lower case differ.
        """
        letters = "".join(words.split())
        spans = []
        for start in range(len(self.tokens) if letters else 0):
            end, rest = start, letters
            while rest and end < len(self.tokens) and rest.startswith(self.tokens[end]):
                rest = rest[len(self.tokens[end]) :]
                end += 1
            if not rest:
                spans.append((start, end))
        return spans

    def sentences(self) -> list[tuple[str, ...]]:
        """Return the sentences, each a tuple of tokens."""
        return [self.tokens[start:end] for start, end in pairwise(self.boundaries)]


def _with_interned_tokens(
    tokens: tuple[str, ...], boundaries: tuple[int, ...], strings: tuple[str, ...], is_split: bool
) -> Text:
    """Return the text of a pickle. Texts share equal tokens: most tokens are in other texts too."""
    # Tokens of NumPy are a subclass of ``str``, which cannot be interned.
    return Text(tuple(map(sys.intern, map(str, tokens))), boundaries, strings, is_split)
