"""The oracle of the kernels: Figure 5 as ``semihmm.reference`` has it, over a tiny lattice.

``paths`` is the oracle of the reference: it lists every path, as the generative story defines it.

``probability(source, e, j)`` is p(j | e, source) of a jump model; j = n is the document's end. The
twins of the jump models are such functions (``tests.naive.jumps``).
"""

import functools
import itertools
import math
from collections import Counter, defaultdict
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from semihmm import reference
from semihmm.inference.lattice_arrays import Lattice

# The buckets of jump distances: -8 to 8 one each, then halves of octaves of far distances

_widths = [width for octave in range(18) for width in (4 << octave, 4 << octave)]
_ends = [*accumulate(_widths, initial=8)]
_far = [(end - width + 1, end) for end, width in zip(_ends[1:], _widths, strict=True)]
SPANS = np.array(
    [
        *((near, near) for near in range(-8, 9)),
        *(span for low, high in _far for span in ((low, high), (-high, -low))),
    ]
)
"""The lowest and the highest distance of each bucket."""

LOWEST, HIGHEST = SPANS.T
WIDTHS = HIGHEST - LOWEST + 1
BUCKETS = len(SPANS)


# The lattice

PHRASE, NULL = 0, 1


class Path(NamedTuple):
    probability: float
    phrases: tuple  # (a_start, a_end, d_start, d_end) of each phrase


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

    Candidates of the same phrase pair add up, and the background emission is added to them.
    """
    m, n = len(lattice.null), lattice.background_document.shape[1]
    table = Counter()
    for span, emission in zip(lattice.spans.tolist(), lattice.emission, strict=True):
        table[tuple(span)] += float(emission)
    for t, j in itertools.product(range(m), range(n)):
        if len(lattice.background_document):
            table[t, t + 1, j, j + 1] += background_of(lattice, t, t + 1, j, j + 1)
    return table


def background_of(lattice, a, a_end, d, d_end):
    """Return the background emission's part of the emission of a phrase pair."""
    document = lattice.background_document
    if not len(document) or (a_end - a, d_end - d) != (1, 1):
        return 0.0
    return float(lattice.background_abstract[a] * document[lattice.background_class[a], d])


def paths(lattice, probability) -> list[Path]:
    """List all paths with positive probability."""
    m, n = len(lattice.null), lattice.background_document.shape[1]
    table = emissions(lattice)

    def walk(t, source, e, p, phrases):
        if p == 0.0:
            return
        stay = float(lattice.null_jump[source])
        if t == m:
            end = (1 - stay) * probability(source, e, n)
            if end > 0.0:
                yield Path(p * end, phrases)
            return
        from_null, jumps = p * stay * float(lattice.null[t]), p * (1 - stay)
        yield from walk(t + 1, NULL, e, from_null, phrases)
        for phrase, emission in table.items():
            a, a_end, d, d_end = phrase
            if a == t:
                step = jumps * probability(source, e, d) * emission
                yield from walk(a_end, PHRASE, d_end, step, (*phrases, phrase))

    return list(walk(0, PHRASE, 0, 1.0, ()))


def matrices(lattice, probability):
    """Return the states of a lattice, and their transitions and emissions (Table 2, Figure 5)."""
    of = reference.states(lattice.background_document.shape[1])
    table = emissions(lattice)
    sources = np.array([NULL if state.kind == "null" else PHRASE for state in of])
    a = np.zeros((len(of), len(of)))
    for source, null in enumerate(lattice.null_jump):
        jump = functools.cache(functools.partial(probability, source))
        of_source = reference.transitions(of, jump, null, lambda words: 1.0)
        a[sources == source] = of_source[sources == source]
    b = reference.emissions(of, lattice.null, lambda s, d: table.get((*s, *d), 0.0))
    return of, a, b


def expect(lattice, probability) -> Expected | None:
    """Return totals, best path and expected counts over all paths; ``None`` without any path."""
    of, a, b = matrices(lattice, probability)
    total = reference.alpha(a, b)[-1, -1]
    if total == 0.0:
        return None
    phrases: dict[tuple[int, ...], float] = defaultdict(float)
    jumps: dict[tuple[int, ...], float] = defaultdict(float)
    nulls, null_jumps = np.zeros(len(lattice.null)), np.zeros(2)
    taus = reference.tau(a, b)
    for t, t_end, x, y in np.argwhere(taus > 0.0).tolist():
        expected = taus[t, t_end, x, y]
        before, state = of[x], of[y]
        source = NULL if before.kind == "null" else PHRASE
        if state.kind == "null":
            nulls[t] += expected
            null_jumps[source] += expected
            continue
        jumps[source, before.e, state.i] += expected
        if state.kind == "phrase":
            phrases[t, t_end, state.i, state.e] += expected
    probability_of_best, path = reference.zeta(a, b)
    emitted = [(t, t_end, of[y]) for t, t_end, y in path]
    best = Path(
        probability_of_best,
        tuple((t, t_end, at.i, at.e) for t, t_end, at in emitted if at.kind == "phrase"),
    )
    return Expected(math.log(total), best, phrases, nulls, null_jumps, jumps)


def random_lattice(rng, m, n, spans, background, impossible=0.2, tiniest=60):
    """Make a lattice in which the share ``impossible`` of all scores is 0.

    Emissions span ``tiniest`` orders of magnitude. Candidates go by a_end, as kernels want them.
    """

    def scores(shape):
        return rng.random(shape) * (rng.random(shape) >= impossible)

    number = rng.integers(1, 4) if background else 0
    drawn = set()
    for _ in range(spans):
        a, d = rng.integers(0, m), rng.integers(0, n)
        drawn.add((rng.integers(a + 1, m + 1), a, d, rng.integers(d + 1, n + 1)))
    where = np.array([(a, a_end, *rest) for a_end, a, *rest in sorted(drawn)], dtype=np.int32)
    emission = scores(len(where)) * 10.0 ** -rng.integers(0, tiniest + 1, len(where))
    classes = rng.integers(0, max(number, 1), m).astype(np.int32)
    null, abstract, document = scores(m), scores(m), scores((number, n))
    return Lattice(null, where, emission, abstract, classes, document, rng.random(2))
