"""Phrases as numbers: every phrase of up to a given length that a corpus has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ABSENT = -1


def _singles(words: np.ndarray, size: int) -> np.ndarray:
    """The phrases of one word: its own number; ABSENT for an unknown word."""
    return np.where(words < size, words, ABSENT).astype(np.int64)


def _extend(
    heads: np.ndarray, words: np.ndarray, length: int, offsets: np.ndarray, size: int
) -> np.ndarray:
    """Keys of the phrases one word longer than ``heads``; ABSENT where the pair ends before, or a part is unknown."""
    keys = np.full(len(words), ABSENT, dtype=np.int64)
    pair_end = np.repeat(offsets[1:], np.diff(offsets))
    start = np.flatnonzero(np.arange(len(words)) + length <= pair_end)
    tail = words[start + length - 1]
    known = (heads[start] != ABSENT) & (tail < size)
    keys[start[known]] = heads[start[known]] * size + tail[known]
    return keys


@dataclass(frozen=True)
class Phrases:
    """The phrases of one side, numbered by length and then by words: words first, with their vocabulary numbers.

    ``size``    the training vocabulary's size V: words with numbers from V on are unknown.
    ``levels``  for each length from 2 on the sorted int64 keys of its phrases: (number among the phrases one word
                shorter) * V + last word.
    """

    size: int
    levels: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, texts: list[tuple[np.ndarray, np.ndarray]], size: int, longest: int) -> Phrases:
        """All phrases of up to ``longest`` words in texts: (word numbers, pair offsets)."""
        heads, levels = [_singles(words, size) for words, _ in texts], []
        for length in range(2, longest + 1):
            keys = [
                _extend(h, words, length, offsets, size)
                for h, (words, offsets) in zip(heads, texts, strict=True)
            ]
            level = np.unique(np.concatenate(keys))
            levels.append(level[level != ABSENT])
            heads = [np.where(k == ABSENT, ABSENT, np.searchsorted(levels[-1], k)) for k in keys]
        return cls(size, tuple(levels))

    def __len__(self) -> int:
        return self.size + sum(map(len, self.levels))

    @property
    def first(self) -> np.ndarray:
        """int64 [longest + 1]: where the numbers of each length begin, and their end."""
        return np.cumsum([0, self.size, *map(len, self.levels)])

    def lengths(self) -> np.ndarray:
        """int64 [phrases]: words in each phrase."""
        return np.repeat(np.arange(1, len(self.first)), np.diff(self.first))

    def number(self, words: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """int64 [longest, tokens]: the number of the phrase of each length that starts at each token, or ABSENT."""
        rows = [_singles(words, self.size)]
        for length, level in enumerate(self.levels, start=2):
            keys = _extend(rows[-1], words, length, offsets, self.size)
            place = np.searchsorted(level, keys)
            found = (keys != ABSENT) & (place < len(level))
            found[found] = level[place[found]] == keys[found]
            rows.append(np.where(found, place, ABSENT))
        numbers = np.stack(rows)
        return np.where(numbers == ABSENT, ABSENT, numbers + self.first[:-1, None])
