"""The oracle: every path through a tiny lattice, listed one by one, straight from the generative story."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import NamedTuple

from jump_models.window_kernels import bucket_of

PHRASE, NULL = 0, 1


class Path(NamedTuple):
    probability: float
    phrases: tuple  # (a_start, a_end, d_start, d_end) of each phrase
    nulls: tuple  # abstract words from null
    events: tuple  # ("null", kind) | ("jump", kind, e, j) | ("end", kind, e)


def emissions(lattice):
    """{(a_start, a_end, d_start, d_end): probability}: cells of the same phrase pair add up, and the floor comes on top."""
    m, (longest, widest, n) = len(lattice.null), lattice.floor_document.shape
    table = Counter()
    for cell in range(len(lattice.emission)):
        key = tuple(int(a[cell]) for a in (lattice.a_start, lattice.a_end, lattice.d_start, lattice.d_end))
        table[key] += float(lattice.emission[cell])
    for x, y in itertools.product(range(1, longest + 1), range(1, widest + 1)):
        for t, j in itertools.product(range(m - x + 1), range(n - y + 1)):
            floor = lattice.floor_abstract[x - 1, t] * lattice.floor_document[x - 1, y - 1, j]
            table[t, t + x, j, j + y] += float(floor)
    return table


def jump_probability(jump, kind, e, j, n):
    """p(j | e) with the sum over all targets in the denominator; j = n is the end."""
    k = min(kind, len(jump.weights) - 1)

    def weight(target):
        table = jump.end_weights if target == n else jump.weights
        return float(table[k, bucket_of(target - e)])

    total = sum(weight(target) for target in range(n + 1))
    return weight(j) / total if total else 0.0


def paths(lattice, jump):
    """All paths with positive probability."""
    m, n = len(lattice.null), lattice.floor_document.shape[2]
    table = emissions(lattice)

    def walk(t, kind, e, probability, phrases, nulls, events):
        if probability == 0.0:
            return
        stay = float(lattice.null_jump[kind])
        if t == m:
            end = (1 - stay) * jump_probability(jump, kind, e, n, n)
            if end > 0.0:
                yield Path(probability * end, phrases, nulls, (*events, ("end", kind, e)))
            return
        yield from walk(
            t + 1, NULL, e, probability * stay * float(lattice.null[t]), phrases, (*nulls, t), (*events, ("null", kind))
        )
        for (a, a_end, d, d_end), emission in table.items():
            if a == t:
                step = (1 - stay) * jump_probability(jump, kind, e, d, n) * emission
                event = (*events, ("jump", kind, e, d))
                yield from walk(a_end, PHRASE, d_end, probability * step, (*phrases, (a, a_end, d, d_end)), nulls, event)

    return list(walk(0, PHRASE, 0, 1.0, (), (), ()))


def total(found):
    return math.fsum(path.probability for path in found)
