"""One side of a pair: its tokens, its sentences and the original strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple


class Characters(NamedTuple):
    """The characters of a token: ``strings[string][start:end]`` is the token."""

    string: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """A document or an abstract of n tokens in S sentences.

    ``tokens``      n strings.
    ``boundaries``  S + 1 token positions, ascending from 0 to n: sentence s is
                    ``tokens[boundaries[s]:boundaries[s + 1]]``.
    ``strings``     the original strings as they were given; empty where the input was lists of
                    tokens.
    ``characters``  n spans in ``strings``; ``None`` where the input was lists of tokens.
    """

    tokens: tuple[str, ...]
    boundaries: tuple[int, ...] = (0,)
    strings: tuple[str, ...] = ()
    characters: tuple[Characters, ...] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    @classmethod
    def from_sentences(cls, sentences: Sequence[Sequence[str]]) -> Text:
        """Make a text from sentences that are lists of tokens."""
        boundaries = [0]
        for sentence in sentences:
            boundaries.append(boundaries[-1] + len(sentence))
        return cls(tuple(token for sentence in sentences for token in sentence), tuple(boundaries))

    def sentences(self) -> list[tuple[str, ...]]:
        """Return the sentences, each a tuple of tokens."""
        return [self.tokens[start:end] for start, end in pairwise(self.boundaries)]
