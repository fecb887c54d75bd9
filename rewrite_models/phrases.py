"""Numbers the phrases of a corpus, up to a given length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corpus_tools.plugins.declared_arrays import require

ABSENT = -1
"""The number of a phrase that the corpus does not have."""


def _singles(words: np.ndarray, size: int) -> np.ndarray:
    """Return int64 [tokens], the phrase of each single word: its own number, ABSENT if unknown."""
    return np.where(words < size, words, ABSENT).astype(np.int64)


def _extend(
    heads: np.ndarray, words: np.ndarray, length: int, offsets: np.ndarray, size: int
) -> np.ndarray:
    """Return int64 [tokens], the keys of the phrases that are one word longer than ``heads``.

    ABSENT where the text ends before, or a part is unknown. Keys are those of ``Phrases.levels``.
    """
    keys = np.full(len(words), ABSENT, dtype=np.int64)
    pair_end = np.repeat(offsets[1:], np.diff(offsets))
    start = np.flatnonzero(np.arange(len(words)) + length <= pair_end)
    tail = words[start + length - 1]
    known = (heads[start] != ABSENT) & (tail < size)
    keys[start[known]] = heads[start[known]] * size + tail[known]
    return keys


@dataclass(frozen=True)
class Phrases:
    """The phrases of one side, numbered by length and then by words.

    Single words come first, with their numbers in the vocabulary.

    ``size``    the size V of the training vocabulary: words with numbers from V on are unknown.
    ``levels``  for each length from 2 on, the sorted int64 keys of its phrases: (number among the
                phrases that are one word shorter) * V + last word.
    """

    size: int
    levels: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, texts: list[tuple[np.ndarray, np.ndarray]], size: int, longest: int) -> Phrases:
        """Collect all phrases of up to ``longest`` words in texts: (word numbers, pair offsets)."""
        heads = [_singles(words, size) for words, _ in texts]
        levels: list[np.ndarray] = []
        for length in range(2, longest + 1):
            keys = [
                _extend(head, words, length, offsets, size)
                for head, (words, offsets) in zip(heads, texts, strict=True)
            ]
            level = np.unique(np.concatenate(keys))
            levels.append(level[level != ABSENT])
            heads = [
                np.where(key == ABSENT, ABSENT, np.searchsorted(levels[-1], key)) for key in keys
            ]
        return cls(size, tuple(levels))

    @classmethod
    def from_levels(cls, size: int, levels: tuple[np.ndarray, ...], side: str) -> Phrases:
        """Make the phrases from the levels of a file. Raises ``BadArray`` for other keys."""
        shorter = size
        for length, level in enumerate(levels, start=2):
            below = not len(level) or bool(level[-1] < shorter * size)
            ascending = bool((np.diff(level) > 0).all())
            require(
                ascending and below,
                f"{side}.{length}",
                "has unsorted keys, or keys of no phrase",
            )
            shorter = len(level)
        return cls(size, levels)

    def __len__(self) -> int:
        return self.size + sum(map(len, self.levels))

    @property
    def first(self) -> np.ndarray:
        """Return int64 [longest + 1], the first number of each length, and their end."""
        return np.cumsum([0, self.size, *map(len, self.levels)])

    def lengths(self) -> np.ndarray:
        """Return int64 [phrases], the words in each phrase."""
        return np.repeat(np.arange(1, len(self.first)), np.diff(self.first))

    def number(self, words: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return int64 [longest, tokens], the phrase of each length that starts at each token.

        ABSENT where there is no such phrase.
        """
        rows = [_singles(words, self.size)]
        for length, level in enumerate(self.levels, start=2):
            keys = _extend(rows[-1], words, length, offsets, self.size)
            index = np.searchsorted(level, keys)
            known = (keys != ABSENT) & (index < len(level))
            known[known] = level[index[known]] == keys[known]
            rows.append(np.where(known, index, ABSENT))
        numbers = np.stack(rows)
        return np.where(numbers == ABSENT, ABSENT, numbers + self.first[:-1, None])
