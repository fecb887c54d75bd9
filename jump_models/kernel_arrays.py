"""The arrays and constants of the jump kernels. Importing this file does not load numba.

Jumps are of one type for every jump model, so that numba compiles the lattice once for all of them.
Kernels are compiled anew when this file changes (``corpus_tools.base.compiled_kernels``): the
constants become part of them.

Letters: P pairs, K sources (one; or two, after a phrase and after null), B buckets of distances, V
events and S steps of walks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

EXACT_DISTANCES = 8
"""Distances of at most this size, backward and forward, have a bucket of their own.

It must be a power of two: the first octave of far distances starts there.
"""

DISTANCE_OCTAVES = 18
"""The number of octaves of far distances: 8 * 2**18 is two million words, the longest document."""


def _layout() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the level, nearest and farthest distance of each bucket.

    Buckets of one distance come first, then the others outward, forward before backward. The width
    of a bucket is 2 ** level.
    """
    level = [0] * (2 * EXACT_DISTANCES + 1)
    nearest = list(range(-EXACT_DISTANCES, EXACT_DISTANCES + 1))
    farthest = list(nearest)
    for half in range(2 * DISTANCE_OCTAVES):
        width_level = half // 2 + EXACT_DISTANCES.bit_length() - 2
        low = (EXACT_DISTANCES << (half // 2)) + (half % 2 << width_level)
        high = low + (1 << width_level)
        level += [width_level, width_level]
        nearest += [low + 1, -low - 1]
        farthest += [high, -high]
    return np.array(level), np.array(nearest), np.array(farthest)


BUCKET_LEVELS, NEAREST, FARTHEST = _layout()
BUCKETS = len(BUCKET_LEVELS)
WIDTHS = np.abs(FARTHEST - NEAREST) + 1
LOWEST_DISTANCES = np.minimum(NEAREST, FARTHEST)
"""The smallest (most backward) distance of each bucket."""
HIGHEST_DISTANCES = np.maximum(NEAREST, FARTHEST)


# The arcs of walks. ``steps`` explains the words.

STAY, FORWARD, BACKWARD = range(3)
"""The departures of a walk, except for the departure to the document's end."""
STOP, OVER, INTO = range(3)
"""The exits: the walk ends before the constituent, steps over it, or enters it."""
FIRST_DECISION_OPEN, SECOND_DECISION_OPEN = 3, 6
"""Added to the number of an arc if its first decision (to stay; to stop) had two possible outcomes,
and if its second decision (the direction; over or into) had."""
EVENTS_PER_LABEL = 12
"""Events of a boundary class or a label: three arcs, times whether each of two decisions is open.

The number of an event is arc + ``FIRST_DECISION_OPEN`` + ``SECOND_DECISION_OPEN``."""
LEAVE, OUT, IN = 0, 3, 6
"""The origin of a walk that takes an exit of a constituent: it departs there, it comes from outside
of the parent, or from inside. The number of an exit is an origin plus ``STOP``, ``OVER`` or
``INTO``."""
EXITS = 9
"""The number of exits of a constituent."""


def buckets_of(distances: np.ndarray) -> np.ndarray:
    """Return the buckets of many distances, int64."""
    ascending = np.argsort(LOWEST_DISTANCES)
    place = np.searchsorted(LOWEST_DISTANCES[ascending], distances, side="right") - 1
    return ascending[place]


class Jumps(NamedTuple):
    """The jumps of a batch, by distance or by walk. The arrays of the other kind are empty.

    ``tables``   float64 [2, K, B], the weights of the buckets: for jumps to positions, and for the
                 jump to the document's end. p(j | k, e) is the weight of the bucket of j - e. For
                 walks [2, K, 0].
    ``renormalized``  whether p is that weight divided by the sum of the weights of all targets.
    ``events``   float64 [K, V], the probabilities of the walks' events; the last one is 0.
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
        """Return jumps that depend on the distance alone, from weights float64 [K, B]."""
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
        """Return counts of 0 in the shapes of the jumps."""
        counted = jumps.tables, jumps.tables, jumps.events
        return cls(*(np.zeros(weights.shape) for weights in counted))
