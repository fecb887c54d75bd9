"""The twin of each jump model, spelled out without windows, networks and recursion.

A twin is a function ``probability(source, e, j)`` from a boundary e to a position j; j = n is the
document's end.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from jump_models.forms.bucket_kernels import HIGHEST, LOWEST, bucket_of
from jump_models.gaussian import LEAST_DENSITY
from jump_models.mixture import JumpMixture
from jump_models.syntax import OTHER, WORD
from tests.naive.lattice import window_probability


def twin(model, n, brackets=()):
    """Return the twin of a model for a document of n words.

    ``brackets`` are (label, start, end) over its tokens, in pre-order.
    """
    if isinstance(model, JumpMixture):
        first, second = twin(model.first, n, brackets), twin(model.second, n, brackets)

        def mixed(source, e, j):
            share = model.share[min(source, len(model.share) - 1)]
            return share * first(source, e, j) + (1 - share) * second(source, e, j)

        return mixed
    if model.name not in TWINS:
        raise LookupError(
            f"the jump model {model.name!r} has no twin: write one from its definition, "
            "and add it to TWINS in tests/naive/jumps.py"
        )
    return TWINS[model.name](model, n, brackets)


def uniform(model, n, brackets):
    return lambda source, e, j: 1 / (n + 1)


def _renormalised(weight, n):
    """Return p(j | e) from weights of all targets."""

    def probability(source, e, j):
        total = math.fsum(weight(source, e, target) for target in range(n + 1))
        return weight(source, e, j) / total if total else 0.0

    return probability


def relative(model, n, brackets):
    return window_probability(model, n)


def gaussian(model, n, brackets):
    def weight(source, e, j):
        k, b = min(source, len(model.mean) - 1), bucket_of(j - e)
        if j == n and model.own_end:
            return float(model.end_weights[k, b])
        bell = NormalDist(float(model.mean[k]), float(model.deviation[k]))
        distances = range(int(LOWEST[b]), int(HIGHEST[b]) + 1)
        mass = math.fsum(bell.cdf(d + 0.5) - bell.cdf(d - 0.5) for d in distances)
        return float(model.scale[k]) * (mass / len(distances) + LEAST_DENSITY)

    return _renormalised(weight, n)


def _departure(model, k, n, e, j):
    """Return the probability of how a jump leaves e: to the end, staying, forward or backward.

    A decision between fewer than two possible ways has probability 1.
    """
    own_end = model.end.shape[1] > 0
    leave = 1.0
    if own_end:
        end = float(model.end[k, bucket_of(n - e)])
        if j == n:
            return end
        leave = 1.0 - end
    last = n - 1 if own_end else n
    ways = {"stay": e <= last, "forward": e < last, "backward": e > 0}
    way = "stay" if j == e else "forward" if j > e else "backward"
    moves = ways["forward"] + ways["backward"]
    if ways["stay"] and moves:
        leave *= float(model.stay[k]) if way == "stay" else 1.0 - float(model.stay[k])
    if way != "stay" and moves == 2:
        leave *= float(model.forward[k]) if way == "forward" else 1.0 - float(model.forward[k])
    return leave


def laplace(model, n, brackets):
    """Return the twin with a geometric distribution in each direction.

    The ends get the rest of the mass.
    """
    own_end = model.end.shape[1] > 0

    def probability(source, e, j):
        k = min(source, len(model.stay) - 1)
        p = _departure(model, k, n, e, j)
        if j == e or (j == n and own_end):
            return p
        stop = float(model.stop[k, 0 if j > e else 1, 0])
        limit = (n - 1 if own_end else n) if j > e else 0
        return p * (1 - stop) ** (abs(j - e) - 1) * (1.0 if j == limit else stop)

    return probability


def spans(brackets, n):
    """Return {(start, end): label of the highest constituent}, words included."""
    labels = {}
    for label, start, end in brackets:
        labels.setdefault((start, end), label)
    for token in range(n):
        labels.setdefault((token, token + 1), WORD)
    return labels


def maximal(constituents, start, end):
    """List the largest constituents within a span, left to right: they partition it."""
    inside = [span for span in constituents if start <= span[0] and span[1] <= end]
    return sorted(
        (a, b)
        for a, b in inside
        if not any((x, y) != (a, b) and x <= a and b <= y for x, y in inside)
    )


def right_to_left(brackets, n):
    """Return the brackets of the document read from right to left.

    Constituents with equal spans keep their order.
    """
    return sorted(
        ((label, n - end, n - start) for label, start, end in brackets), key=lambda b: (b[1], -b[2])
    )


def syntax(model, n, brackets):
    """Return the twin that lists the constituents of the span jumped over.

    Before each of them it asks what else the walk could have done.
    """
    documents = [brackets, right_to_left(brackets, n)]
    own_end = model.end.shape[1] > 0

    def probability(source, e, j):
        k = min(source, len(model.stay) - 1)
        p = _departure(model, k, n, e, j)
        if j == e or (j == n and own_end):
            return p
        direction = 0 if j > e else 1
        start, end = (e, j) if j > e else (n - e, n - j)
        constituents = spans(documents[direction], n)
        return p * _walk(model, k, direction, constituents, n, start, end)

    return probability


def _walk(model, k, direction, constituents, n, start, end):
    """Return the probability of a forward walk from ``start`` to ``end`` over the constituents."""
    closed = model.end.shape[1] > 0 and direction == 0
    labels = [label if label in model.labels else OTHER for label in constituents.values()]
    numbers = map(model.labels.index, labels)
    number = dict(zip(constituents, numbers, strict=True))

    def parent(span):
        above = [s for s in constituents if s != span and s[0] <= span[0] and span[1] <= s[1]]
        return min(above, key=lambda s: s[1] - s[0], default=None)

    def can_step_over(span):
        above = parent(span)
        entered = above is not None and above[0] >= start
        return not (entered and above[1] == span[1]) and not (closed and span[1] == n)

    def can_enter(span):
        return span[1] - span[0] > 1

    def ahead(boundary):
        return max((s for s in constituents if s[0] == boundary), key=lambda s: s[1])

    p = 1.0
    for step in maximal(constituents, start, end):
        span = ahead(step[0])
        if step[0] > start:
            p *= 1.0 - model.stop[k, direction, number[span]]
        while True:
            over = float(model.over[k, direction, number[span]])
            if can_step_over(span) and can_enter(span):
                p *= over if span == step else 1.0 - over
            if span == step:
                break
            smaller = (s for s in constituents if s[0] == step[0] and s[1] < span[1])
            span = max(smaller, key=lambda s: s[1])
    if end < n and (can_step_over(ahead(end)) or can_enter(ahead(end))):
        p *= float(model.stop[k, direction, number[ahead(end)]])
    return p


TWINS = {
    "relative": relative,
    "uniform": uniform,
    "gaussian": gaussian,
    "laplace": laplace,
    "sentences": syntax,
    "syntax": syntax,
}
"""The twin of each jump model of the registry."""
