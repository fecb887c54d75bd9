"""The word network of several people's compressions (Hori et al. 2003, sections 3.4 and 3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from corpus_tools.measures.nearest_path_kernels import nearest_path

UNKNOWN = -1
"""The position of a summary word that is not a word of the source, or not in its order."""


@dataclass(frozen=True)
class Target:
    """The word sequence of a network that is nearest to a summary.

    ``positions``  of its words in the source.
    ``errors``     the substitutions, insertions and deletions between it and the summary.
    ``weight``     the geometric mean, over its connections of two words, of the share of the
                   subjects who made the connection; 1 for a single word (the product of eq. 7).
    """

    positions: tuple[int, ...]
    errors: int
    weight: float

    @property
    def accuracy(self) -> float:
        """The word accuracy of the summary against this target (eq. 2): SumACCY."""
        words = len(self.positions)
        return (words - self.errors) / words


class WordNetwork:
    """All word sequences made of connections that some subject made, begin and end included.

    ``subjects``  how many subjects there are.
    ``begins``    how many began with a word, by its position.
    ``ends``      how many ended with a word.
    ``made``      how many made a connection, by the positions of its two words.
    """

    def __init__(self, compressions: Sequence[Sequence[int]]) -> None:
        """Merge compressions: increasing positions of the chosen words, at least one each."""
        self.subjects = len(compressions)
        self.begins = Counter(positions[0] for positions in compressions)
        self.ends = Counter(positions[-1] for positions in compressions)
        self.made = Counter(both for positions in compressions for both in pairwise(positions))
        self._positions = sorted({word for positions in compressions for word in positions})
        self._nodes = {word: node for node, word in enumerate(self._positions, start=1)}
        self._starts, self._before, self._weights = self._arrays()

    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the arcs as ``nearest_path`` wants them."""
        end = len(self._positions) + 1
        into: list[list[tuple[int, float]]] = [[] for _ in range(end + 1)]
        for word in self.begins:
            into[self._nodes[word]].append((0, 0.0))
        for (word, after), subjects in sorted(self.made.items()):
            weight = float(np.log(subjects / self.subjects))
            into[self._nodes[after]].append((self._nodes[word], weight))
        for word in sorted(self.ends):
            into[end].append((self._nodes[word], 0.0))
        starts = np.cumsum([0, *map(len, into)])
        arcs = [arc for node in into for arc in node]
        before = np.array([node for node, _ in arcs], dtype=np.int64)
        return starts, before, np.array([weight for _, weight in arcs])

    def nearest(self, positions: Sequence[int]) -> Target:
        """Return the target of a summary: fewest errors, then longest, then heaviest.

        ``positions``  of the summary's words in the source, or ``UNKNOWN``.
        """
        summary = np.array([self._nodes.get(word, UNKNOWN) for word in positions], dtype=np.int64)
        errors, path = nearest_path(self._starts, self._before, self._weights, summary)
        target = tuple(self._positions[node - 1] for node in path)
        shares = [self.made[both] / self.subjects for both in pairwise(target)]
        weight = float(np.exp(np.mean(np.log(shares)))) if shares else 1.0
        return Target(target, int(errors), weight)
