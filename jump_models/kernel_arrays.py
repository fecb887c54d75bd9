"""What kernels of jumps take, give back and are compiled with. Importing it does not load numba.

Jumps are of one type for every jump model, so that numba compiles the lattice once for all of them.
Kernels are compiled anew when this file changes (``corpus_tools.base.compiled_kernels``): the
constants become part of them.

Letters: P pairs, K sources (one; or two, after a phrase and after null), B buckets of distances, V
events and S steps of walks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

EXACT = 8
"""Distances of at most this size, backward and forward, have a bucket of their own.

It must be a power of two: the first octave of far distances starts there.
"""

OCTAVES = 18
"""Octaves of far distances: 8 * 2**18 is two million words, the longest document."""


def _layout() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the level, nearest and farthest distance of each bucket.

    The exact ones come first, then the others outward, forward before backward.
    """
    level = [0] * (2 * EXACT + 1)
    nearest = list(range(-EXACT, EXACT + 1))
    farthest = list(nearest)
    for half in range(2 * OCTAVES):
        width_level = half // 2 + EXACT.bit_length() - 2
        low = (EXACT << (half // 2)) + (half % 2 << width_level)
        high = low + (1 << width_level)
        level += [width_level, width_level]
        nearest += [low + 1, -low - 1]
        farthest += [high, -high]
    return np.array(level), np.array(nearest), np.array(farthest)


LEVEL, NEAREST, FARTHEST = _layout()
BUCKETS = len(LEVEL)
WIDTHS = np.abs(FARTHEST - NEAREST) + 1
LOWEST = np.minimum(NEAREST, FARTHEST)
"""The smallest (most backward) distance of each bucket."""
HIGHEST = np.maximum(NEAREST, FARTHEST)


STAY, FORWARD, BACKWARD = range(3)
"""The departures of a walk, but for that to the document's end (``steps`` has these words)."""
STOP, OVER, INTO = range(3)
"""What an exit does: the walk ends before the constituent, steps over it, or enters it."""
FIRST_OPEN, SECOND_OPEN = 3, 6
"""Added to one of these three: its first decision (to stay; to stop) had two possible ways, its
second one (the direction; over or into) had."""
ACTIONS = 12
"""Events of a boundary class or of a label: three by whether each of two decisions was open."""
LEAVE, OUT, IN = 0, 3, 6
"""The exits of a constituent for walks that depart from there, that come from outside of its
parent, and from inside: ``STOP``, ``OVER`` or ``INTO`` is added."""
EXITS = 9


def buckets_of(distances: np.ndarray) -> np.ndarray:
    """Return the buckets of many distances, int64."""
    ascending = np.argsort(LOWEST)
    place = np.searchsorted(LOWEST[ascending], distances, side="right") - 1
    return ascending[place]


class Jumps(NamedTuple):
    """The jumps of a batch, by distance or by walk. The arrays of the other kind are empty.

    ``tables``   float64 [2, K, B]: p(j | k, e) is the weight of the bucket of j - e. The second is
                 of the jump to the document's end. For walks [2, K, 0].
    ``renormalized``  whether p is that weight over those of all targets.
    ``events``   float64 [K, V], the probabilities of the walks' events; that of the last is 0.
    ``own_end``  whether the walks' jump to the document's end is a decision of its own.
    ``place``    int32 [S, 3] and ``event`` int32 [S, EXITS], the steps of the walks and the events
                 of their exits (``jump_models.steps``).
    ``offsets``  int64 [2, P + 1], where the steps of each pair start in them, forward and backward.
                 Without walks [0, 0].
    """

    tables: np.ndarray
    renormalized: bool
    events: np.ndarray
    own_end: bool
    place: np.ndarray
    event: np.ndarray
    offsets: np.ndarray

    @classmethod
    def by_distance(
        cls, weights: np.ndarray, end_weights: np.ndarray, renormalized: bool = True
    ) -> Jumps:
        """Return jumps of which only the distance counts, from weights float64 [K, B]."""
        return cls(
            tables=np.stack([weights, end_weights]),
            renormalized=renormalized,
            events=np.zeros((len(weights), 0)),
            own_end=False,
            place=np.zeros((0, 3), np.int32),
            event=np.zeros((0, EXITS), np.int32),
            offsets=np.zeros((0, 0), np.int64),
        )

    @classmethod
    def by_walk(
        cls,
        events: np.ndarray,
        own_end: bool,
        place: np.ndarray,
        event: np.ndarray,
        offsets: np.ndarray,
    ) -> Jumps:
        """Return jumps by walks, from their events' weights float64 [K, V]."""
        tables = np.zeros((2, len(events), 0))
        return cls(tables, False, events, own_end, place, event, offsets)


class JumpCounts(NamedTuple):
    """Expected counts of jumps, float64.

    ``jumps``     [2, K, B], by table and bucket.
    ``exposure``  [2, K, B], for each bucket the sum over the expected jumps of (targets in the
                  bucket, seen from where the jump began) / normaliser. Times the weight of the
                  bucket it is the number of jumps that the weight predicts, as with the exposure
                  of a Poisson rate. The M-step of a renormalised model divides by it
                  (``distances.estimate``).
    ``events``    [K, V], how often each event of a walk is expected.
    """

    jumps: np.ndarray
    exposure: np.ndarray
    events: np.ndarray

    @classmethod
    def zeros(cls, jumps: Jumps) -> JumpCounts:
        """Return the counts of jumps of which none was counted yet."""
        counted = jumps.tables, jumps.tables, jumps.events
        return cls(*(np.zeros(weights.shape) for weights in counted))
