"""Turns a text into one string, with the characters of each of its tokens."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from corpus_tools.texts.text import Text

BETWEEN = " "
"""What stands between tokens, and between strings, that were given one by one."""


class RunningText(NamedTuple):
    """A text as it was given, or its tokens with blanks between them.

    ``spans``  for each token its characters in ``string``, ``[start, end)``.
    """

    string: str
    spans: tuple[tuple[int, int], ...]


def running_text(text: Text) -> RunningText:
    """Return the text as one string."""
    if text.characters is None:
        starts = _starts(text.tokens)
        spans = (
            (start, start + len(token)) for start, token in zip(starts, text.tokens, strict=True)
        )
        return RunningText(BETWEEN.join(text.tokens), tuple(spans))
    starts = _starts(text.strings)
    spans = (
        (starts[string] + start, starts[string] + end) for string, start, end in text.characters
    )
    return RunningText(BETWEEN.join(text.strings), tuple(spans))


def _starts(strings: tuple[str, ...]) -> list[int]:
    """Return where each string begins after they are joined."""
    lengths = (len(string) + len(BETWEEN) for string in strings)
    return list(accumulate(lengths, initial=0))[: len(strings)]
