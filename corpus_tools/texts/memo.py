"""Keeps the values of a function of strings, up to so many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")

MOST = 1 << 16
"""So many values are kept: those of the distinct words of some hundred articles, in some 10 MB.

By Zipf's law a word that is not among the last so many distinct ones is rare. News of a million
words forget them once: with twice as many nothing is faster. Set by hand.
"""


class Memo(dict[str, Value], Generic[Value]):
    """The values of a function by its argument: ``memo[argument]`` computes one that is missing.

    A value that is known costs one look-up in a dictionary, without a line of Python, so that
    ``map(memo.__getitem__, words)`` is fast. When ``most`` are known, all are forgotten: memory
    does not grow with the corpus.
    """

    def __init__(self, function: Callable[[str], Value], most: int = MOST) -> None:
        super().__init__()
        self._function = function
        self._most = most

    def __missing__(self, argument: str) -> Value:
        value = self._function(argument)
        if len(self) >= self._most:
            self.clear()
        self[argument] = value
        return value
