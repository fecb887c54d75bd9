"""The oracle: lists every path through a tiny lattice, as the generative story defines it.

``probability(source, e, j)`` is p(j | e, source) of a jump model; j = n is the document's end. The
twins of the jump models are such functions (``tests.naive.jumps``).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
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
    events: tuple  # ("null", source) | ("jump", source, e, j), j = n for the end


class Expected(NamedTuple):
    """Sums over all paths.

    ``jumps`` is {(source, e, j): expected jumps}.
    """

    log_total: float
    best: Path
    phrases: dict[tuple[int, ...], float]
    nulls: np.ndarray
    null_jumps: np.ndarray
    jumps: dict[tuple[int, ...], float]


def emissions(lattice):
    """Return {(a_start, a_end, d_start, d_end): probability}.

    Cells of the same phrase pair add up, and the base score is added to them.
    """
    m = len(lattice.null)
    longest = len(lattice.base_abstract)
    widest, n = lattice.base_document.shape[1:]
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
    """Return the base score's part of the emission of a phrase pair."""
    x, y = a_end - a, d_end - d
    if x > len(lattice.base_abstract) or y > lattice.base_document.shape[1]:
        return 0.0
    word_class = lattice.base_class[x - 1, a]
    return float(lattice.base_abstract[x - 1, a] * lattice.base_document[word_class, y - 1, d])


def window_probability(jump, n: int) -> Probability:
    """Return p(j | e) from ``weights`` and ``end_weights`` by bucket.

    The sum over all targets is the denominator.
    """

    def weight(k, e, target):
        table = jump.end_weights if target == n else jump.weights
        return float(table[k, bucket_of(target - e)])

    def probability(source, e, j):
        k = min(source, len(jump.weights) - 1)
        total = math.fsum(weight(k, e, target) for target in range(n + 1))
        return weight(k, e, j) / total if total else 0.0

    return probability


def paths(lattice, probability: Probability) -> list[Path]:
    """List all paths with positive probability."""
    m, n = len(lattice.null), lattice.base_document.shape[2]
    table = emissions(lattice)

    def walk(t, source, e, p, phrases, nulls, events):
        if p == 0.0:
            return
        stay = float(lattice.null_jump[source])
        if t == m:
            end = (1 - stay) * probability(source, e, n)
            if end > 0.0:
                yield Path(p * end, phrases, nulls, (*events, ("jump", source, e, n)))
            return
        from_null = p * stay * float(lattice.null[t])
        yield from walk(
            t + 1, NULL, e, from_null, phrases, (*nulls, t), (*events, ("null", source))
        )
        for phrase, emission in table.items():
            a, a_end, d, d_end = phrase
            if a == t:
                step = (1 - stay) * probability(source, e, d) * emission
                yield from walk(
                    a_end,
                    PHRASE,
                    d_end,
                    p * step,
                    (*phrases, phrase),
                    nulls,
                    (*events, ("jump", source, e, d)),
                )

    return list(walk(0, PHRASE, 0, 1.0, (), (), ()))


def expect(lattice, probability: Probability) -> Expected | None:
    """Return totals, best path and expected counts over all paths; ``None`` without any path."""
    listed = paths(lattice, probability)
    if not listed:
        return None
    total = math.fsum(path.probability for path in listed)
    phrases: dict[tuple[int, ...], float] = defaultdict(float)
    jumps: dict[tuple[int, ...], float] = defaultdict(float)
    nulls, null_jumps = np.zeros(len(lattice.null)), np.zeros(2)
    for path in listed:
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
    best = max(listed, key=lambda path: path.probability)
    return Expected(math.log(total), best, phrases, nulls, null_jumps, jumps)


def random_cells(rng, m: int, n: int, count: int) -> np.ndarray:
    """Return different phrase pairs, int32 [C, 4].

    The columns are a_end, a_start, d_start and d_end, by which the kernels want the rows sorted.
    """
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
    """Make a lattice from cells as ``random_cells`` gives them.

    Without ``base_class``, all abstract phrases of a length are of one class.
    """
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
    """Make a lattice in which the share ``impossible`` of all scores is 0.

    Emissions span ``tiniest`` orders of magnitude.
    """

    def scores(shape):
        return rng.random(shape) * (rng.random(shape) >= impossible)

    x = rng.integers(1, 3) if base_score else 0
    y = rng.integers(1, 3) if base_score else 0
    classes = rng.integers(1, 4) if base_score else 0
    where = random_cells(rng, m, n, cells)
    emission = scores(len(where)) * 10.0 ** -rng.integers(0, tiniest + 1, len(where))
    base_class = rng.integers(0, max(classes, 1), (x, m)).astype(np.int32)
    null = scores(m)
    base_abstract = scores((x, m))
    base_document = scores((classes, y, n))
    return make_lattice(
        null, where, emission, base_abstract, base_document, rng.random(2), base_class
    )


def random_windows(rng, sources: int, impossible: float = 0.0) -> Windows:
    """Return jump weights of which the share ``impossible`` is 0.

    Every boundary keeps a jump to the end.
    """
    shape = (sources, BUCKETS)
    return Windows(rng.random(shape) * (rng.random(shape) >= impossible), rng.random(shape) + 0.01)
