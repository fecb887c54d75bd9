"""Measures distances of synsets along the hypernyms of WordNet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

HypernymChain = tuple[str, ...]
"""A synset, its hypernym and so on up to the root. "02084071-n" is offset and part of speech."""


@dataclass(frozen=True, eq=False)
class HypernymTree:
    """A forest of n synsets of WordNet, numbered so that each comes after its hypernym.

    The number -1 is for entries that WordNet lacks, which have no distance to any synset.

    ``synsets``  the names of the synsets.
    ``parents``  int32 [n], the numbers of their hypernyms; -1 for a root.
    """

    synsets: tuple[str, ...] = ()
    parents: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    def grown(self, chains: Iterable[HypernymChain | None]) -> HypernymTree:
        """Return the tree with the synsets of ``chains`` added (``first_senses``); numbers stay."""
        new = [
            chain for chain in dict.fromkeys(filter(None, chains)) if chain[0] not in self._numbers
        ]
        if not new:
            return self
        numbers = dict(self._numbers)
        parents = self.parents.tolist()
        for chain in new:
            parent = -1
            for synset in reversed(chain):
                if synset not in numbers:
                    parents.append(parent)
                parent = numbers.setdefault(synset, len(numbers))
        return HypernymTree(tuple(numbers), np.array(parents, np.int32))

    def numbers(self, chains: Iterable[HypernymChain | None]) -> np.ndarray:
        """Return int32 [chains], the number of each first synset; -1 for ``None`` and others."""
        return np.array(
            [self._numbers.get(chain[0], -1) if chain else -1 for chain in chains], np.int32
        )

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {synset: number for number, synset in enumerate(self.synsets)}

    @cached_property
    def depths(self) -> np.ndarray:
        """Return int32 [n + 1], the number of edges up to the root; the last is for number -1."""
        depths = np.zeros(len(self.parents) + 1, np.int32)
        for synset, parent in enumerate(self.parents.tolist()):
            depths[synset] = 0 if parent < 0 else depths[parent] + 1
        return depths

    @cached_property
    def paths(self) -> np.ndarray:
        """Return int32 [n + 1, levels], the synsets from the root to each synset, then -1.

        The last row is for number -1.
        """
        paths = np.full((len(self.depths), self.depths.max() + 1), -1, np.int32)
        for synset, parent in enumerate(self.parents.tolist()):
            paths[synset] = paths[parent]
            paths[synset, self.depths[synset]] = synset
        return paths

    def distances(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the edges between synsets ``left`` and ``right``; -1 if they share no root.

        Both are synset numbers, of shapes that broadcast.
        """
        left_paths, right_paths = self.paths[left], self.paths[right]
        shared = ((left_paths == right_paths) & (left_paths >= 0)).sum(axis=-1)
        # distance = depth(left) + depth(right) - 2 depth(lowest common hypernym), which is at
        # depth shared - 1.
        return np.where(shared > 0, self.depths[left] + self.depths[right] + 2 - 2 * shared, -1)

    def histogram(self, rows: np.ndarray, vocabulary: np.ndarray) -> np.ndarray:
        """Return int64 [rows, D + 1], the number of ``vocabulary`` at each distance from each row.

        ``rows`` and ``vocabulary`` are synset numbers. ``vocabulary`` has one for each entry,
        repeated where entries share a synset. Z_d of equation 5 is
        ``histogram @ exp(-eta * arange(D + 1))``.
        """
        paths, levels = self.paths[vocabulary], self.paths.shape[1]
        # below[synset, k]: the entries k edges below the synset, or at it.
        edges = self.depths[vocabulary][:, None] - np.arange(levels)
        below = np.zeros((len(self.depths), 2 * levels - 1), np.int64)
        np.add.at(below, (paths[paths >= 0], edges[paths >= 0]), 1)
        # around[synset, k] = below[synset, k] + around[parent, k - 1] - below[synset, k - 2]:
        # entries that are not below the synset are reached through its parent, one edge further.
        # The last term removes the entries below the synset, which are around the parent, too.
        around = below.copy()
        for depth in range(1, levels):
            synsets = np.flatnonzero(self.depths == depth)
            around[synsets, 1:] += around[self.parents[synsets], :-1]
            around[synsets, 2:] -= below[synsets, :-2]
        return around[rows]
