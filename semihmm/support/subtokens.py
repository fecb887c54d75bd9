"""Cuts the tokens of texts into the same words, however they were tokenized."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import regex

from corpus_tools.texts.forms import Cache, normal_form
from corpus_tools.texts.text import Text

_LETTERS = r"\p{L}[\p{L}\p{M}]*+"
_SUBTOKEN = regex.compile(
    rf"""\p{{Nd}}+(?:[.,]\p{{Nd}}+)*          # 1,300.50
    |\p{{L}}(?:\.\p{{L}})+\b\.?               # U.S.
    |{_LETTERS}(?=n['\u2019]t\b)|n['\u2019]t\b          # ca n't
    |['\u2019]s\b|{_LETTERS}|\S""",
    regex.VERBOSE,
)
"""Tokens are cut into subtokens: "26-year-old" has five, "£1.5m" three."""
_DASHES = dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{MINUS SIGN}", "-")
_THOUSANDS = regex.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@dataclass(frozen=True)
class Subtokens:
    """The n subtokens of a text in S sentences.

    ``words``   in lower case, without the points of "U.S." and the commas of "1,300".
    ``shown``   as they are written.
    ``tokens``  int64 [n], the token of the text in which each stands.
    ``bounds``  int64 [S + 1], the first subtoken of each sentence, and n.
    """

    words: tuple[str, ...]
    shown: tuple[str, ...]
    tokens: np.ndarray
    bounds: np.ndarray

    @classmethod
    def of_text(cls, text: Text, tokens: Sequence[str] | None = None) -> Subtokens:
        """Cut a text into its subtokens.

        ``tokens``  what counts of each token, which may be nothing; by default all of it.
        """
        counted = text.tokens if tokens is None else tokens
        parts = [_PARTS_OF[token] if token else [] for token in counted]
        places = np.repeat(np.arange(len(parts)), [*map(len, parts)])
        shown = tuple(chain.from_iterable(parts))
        words = tuple(map(_WORD_OF.__getitem__, shown))
        return cls(words, shown, places, np.searchsorted(places, np.array(text.boundaries)))

    def spans(self) -> Iterator[tuple[int, int]]:
        """Give the subtokens ``[start, end)`` of each sentence."""
        return pairwise(self.bounds.tolist())

    def token_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the tokens of the subtokens ``[start, end)``."""
        return int(self.tokens[start]), int(self.tokens[end - 1]) + 1

    def of_tokens(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return the subtokens of the tokens ``[start, end)``."""
        start, end = np.searchsorted(self.tokens, span).tolist()
        return start, end


def _word(shown: str) -> str:
    word = normal_form(_DASHES.get(shown, shown))
    if _THOUSANDS.fullmatch(word):
        return word.replace(",", "")
    return word.replace(".", "") if len(word) > 1 and word[0].isalpha() else word


def _parts(token: str) -> list[str]:
    return _SUBTOKEN.findall(token) or [token]


_WORD_OF = Cache(_word)
_PARTS_OF = Cache(_parts)


def words_of(string: str) -> tuple[str, ...]:
    """Return the words of the subtokens of a string."""
    return tuple(_WORD_OF[part] for part in _parts(string))
