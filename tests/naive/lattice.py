"""The oracle: every path through a tiny lattice, listed one by one, straight from the generative story.

``probability(kind, e, j)`` is p(j | e, kind) of a jump model, j = n the document's end; each jump model has its own twin.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from jump_models.forms.bucket_kernels import BUCKETS, bucket_of
from jump_models.forms.window_kernels import Windows
from semihmm.inference.lattice_kernels import Lattice

PHRASE, NULL = 0, 1
Probability = Callable[[int, int, int], float]


class Path(NamedTuple):
    probability: float
    phrases: tuple  # (a_start, a_end, d_start, d_end) of each phrase
    nulls: tuple  # abstract words from null
    events: tuple  # ("null", kind) | ("jump", kind, e, j), j = n for the end


class Expected(NamedTuple):
    """What the paths say together; ``jumps`` is {(kind, e, j): expected jumps}."""

    log_total: float
    best: Path
    phrases: Counter
    nulls: np.ndarray
    null_jumps: np.ndarray
    jumps: Counter


def emissions(lattice):
    """{(a_start, a_end, d_start, d_end): probability}: cells of the same phrase pair add up, and the base score comes on top."""
    m, longest, (_, widest, n) = (
        len(lattice.null),
        len(lattice.base_abstract),
        lattice.base_document.shape,
    )
    table = Counter()
    for cell in range(len(lattice.emission)):
        key = tuple(
            int(a[cell]) for a in (lattice.a_start, lattice.a_end, lattice.d_start, lattice.d_end)
        )
        table[key] += float(lattice.emission[cell])
    for x, y in itertools.product(range(1, longest + 1), range(1, widest + 1)):
        for t, j in itertools.product(range(m - x + 1), range(n - y + 1)):
            table[t, t + x, j, j + y] += base_score_of(lattice, t, t + x, j, j + y)
    return table


def base_score_of(lattice, a, a_end, d, d_end):
    """The base score's part of the emission of a phrase pair."""
    x, y = a_end - a, d_end - d
    if x > len(lattice.base_abstract) or y > lattice.base_document.shape[1]:
        return 0.0
    sort = lattice.base_class[x - 1, a]
    return float(lattice.base_abstract[x - 1, a] * lattice.base_document[sort, y - 1, d])


def window_probability(jump, n: int) -> Probability:
    """p(j | e) from ``weights`` and ``end_weights`` by bucket, with the sum over all targets in the denominator."""

    def weight(k, e, target):
        table = jump.end_weights if target == n else jump.weights
        return float(table[k, bucket_of(target - e)])

    def probability(kind, e, j):
        k = min(kind, len(jump.weights) - 1)
        total = math.fsum(weight(k, e, target) for target in range(n + 1))
        return weight(k, e, j) / total if total else 0.0

    return probability


def paths(lattice, probability: Probability) -> list[Path]:
    """All paths with positive probability."""
    m, n = len(lattice.null), lattice.base_document.shape[2]
    table = emissions(lattice)

    def walk(t, kind, e, p, phrases, nulls, events):
        if p == 0.0:
            return
        stay = float(lattice.null_jump[kind])
        if t == m:
            end = (1 - stay) * probability(kind, e, n)
            if end > 0.0:
                yield Path(p * end, phrases, nulls, (*events, ("jump", kind, e, n)))
            return
        from_null = p * stay * float(lattice.null[t])
        yield from walk(t + 1, NULL, e, from_null, phrases, (*nulls, t), (*events, ("null", kind)))
        for phrase, emission in table.items():
            a, a_end, d, d_end = phrase
            if a == t:
                step = (1 - stay) * probability(kind, e, d) * emission
                yield from walk(
                    a_end,
                    PHRASE,
                    d_end,
                    p * step,
                    (*phrases, phrase),
                    nulls,
                    (*events, ("jump", kind, e, d)),
                )

    return list(walk(0, PHRASE, 0, 1.0, (), (), ()))


def expect(lattice, probability: Probability) -> Expected | None:
    """Totals, best path and expected counts over all paths; ``None`` where there is no path."""
    found = paths(lattice, probability)
    if not found:
        return None
    total = math.fsum(path.probability for path in found)
    phrases, jumps = Counter(), Counter()
    nulls, null_jumps = np.zeros(len(lattice.null)), np.zeros(2)
    for path in found:
        share = path.probability / total
        for phrase in path.phrases:
            phrases[phrase] += share
        for t in path.nulls:
            nulls[t] += share
        for name, *where in path.events:
            if name == "null":
                null_jumps[where[0]] += share
            else:
                jumps[tuple(where)] += share
    return Expected(
        math.log(total), max(found, key=lambda p: p.probability), phrases, nulls, null_jumps, jumps
    )


def random_cells(rng, m: int, n: int, count: int) -> np.ndarray:
    """Different phrase pairs int32 [C, 4], in the order of the kernels: a_end, a_start, d_start, d_end."""
    cells = set()
    for _ in range(count):
        a, d = rng.integers(0, m), rng.integers(0, n)
        cells.add(
            (int(rng.integers(a + 1, m + 1)), int(a), int(d), int(rng.integers(d + 1, n + 1)))
        )
    return np.array(sorted(cells), dtype=np.int32).reshape(-1, 4)


def make_lattice(
    null, cells, emission, base_abstract, base_document, null_jump, base_class=None
) -> Lattice:
    """A lattice from cells as ``random_cells`` gives them; without sorts, abstract phrases of a length are of one sort."""
    a_end, a_start, d_start, d_end = (np.ascontiguousarray(column) for column in cells.T)
    if base_class is None:
        base_class = np.repeat(
            np.arange(len(base_abstract), dtype=np.int32)[:, None], base_abstract.shape[1], axis=1
        )
    return Lattice(
        null,
        a_start,
        a_end,
        d_start,
        d_end,
        emission,
        base_abstract,
        base_class,
        base_document,
        null_jump,
    )


def random_lattice(
    rng, m: int, n: int, cells: int, base_score: bool, impossible: float = 0.2, tiniest: int = 60
) -> Lattice:
    """A lattice in which a share of all scores is 0 and emissions span ``tiniest`` orders of magnitude."""

    def scores(shape):
        return rng.random(shape) * (rng.random(shape) >= impossible)

    x, y, sorts = (
        (rng.integers(1, 3), rng.integers(1, 3), rng.integers(1, 4)) if base_score else (0, 0, 0)
    )
    where = random_cells(rng, m, n, cells)
    emission = scores(len(where)) * 10.0 ** -rng.integers(0, tiniest + 1, len(where))
    sort = rng.integers(0, max(sorts, 1), (x, m)).astype(np.int32)
    return make_lattice(
        scores(m), where, emission, scores((x, m)), scores((sorts, y, n)), rng.random(2), sort
    )


def random_windows(rng, kinds: int, impossible: float = 0.0) -> Windows:
    """Jump weights of which a share is 0; every boundary keeps a jump to the end."""
    shape = (kinds, BUCKETS)
    return Windows(rng.random(shape) * (rng.random(shape) >= impossible), rng.random(shape) + 0.01)
