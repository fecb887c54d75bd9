"""The twin of each jump model, without windows and steps: ``semihmm.reference`` where it has it.

A twin is a function ``probability(source, e, j)`` from a boundary e to a position j; j = n is the
document's end.
"""

import itertools
import math

from jump_models.walks import OTHER_LABEL
from semihmm import reference
from semihmm.inference.bucket_kernels import bucket_of
from tests.naive.lattice import HIGHEST, LOWEST


def twin(model, n, brackets=()):
    """Return the twin of a model for a document of n words.

    ``brackets`` are (label, start, end) over its tokens, in pre-order.
    """
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


def window_probability(jump, n):
    """Return p(j | e) from the two tables of weights by bucket."""

    def weight(source, e, j):
        k = min(source, jump.tables.shape[1] - 1)
        return float(jump.tables[int(j == n), k, bucket_of(j - e)])

    return _renormalised(weight, n) if jump.renormalized else weight


def relative(model, n, brackets):
    return window_probability(model.probabilities(None), n)


def gaussian(model, n, brackets):
    reach = range(-int(model.reach), int(model.reach) + 1)
    parameters = zip(model.mean.tolist(), model.deviation.tolist(), strict=True)
    densities = [reference.gaussian(mu, sigma, reach) for mu, sigma in parameters]

    def weight(source, e, j):
        k, b = min(source, len(model.mean) - 1), bucket_of(j - e)
        if j == n and model.own_end:
            return float(model.end_weights[k, b])
        distances = range(LOWEST[b], HIGHEST[b] + 1)
        mass = math.fsum(densities[k].get(d, 0.0) for d in distances)
        return float(model.scale[k]) * (mass / len(distances) + 1e-100)

    return _renormalised(weight, n) if model.renormalized else weight


def _by_decision(model, k):
    """Return the probability of yes by decision, as the reference calls it."""
    by_label = {("stay",): model.stay[k], ("forward",): model.forward[k]}
    for column, label in enumerate(getattr(model, "labels", (reference.WORD,))):
        for way, direction in enumerate("fb"):
            by_label["stop", direction, label] = model.stop[k, way, column]
            by_label["over", direction, label] = model.over[k, way, column]
    return by_label


def log_walk(model, n, brackets):
    """Return log p(j | e) of a walk whose end is a target like others, however improbable."""

    def log_probability(source, e, j):
        by_decision = _by_decision(model, min(source, len(model.stay) - 1))
        walk = reference.walk(e, j, n, brackets) if j != e else ()
        decided = itertools.chain(reference.departure(e, j, n), walk)
        return sum(math.log(reference.jump_syn((one,), by_decision)) for one in decided)

    return log_probability


def laplace(model, n, brackets):
    """Return the walk over a document without brackets."""
    return syntax(model, n, ())


def syntax(model, n, brackets):
    """Return the walk of section 4.1.3 over the labels that the model knows."""
    own_end = model.end.shape[1] > 0
    known = [(label if label in model.labels else OTHER_LABEL, *span) for label, *span in brackets]

    def probability(source, e, j):
        k = min(source, len(model.stay) - 1)
        end = float(model.end[k, bucket_of(n - e)]) if own_end else 0.0
        if own_end and j == n:
            return end
        walk = reference.walk(e, j, n, known, own_end) if j != e else ()
        decided = itertools.chain(reference.departure(e, j, n, own_end), walk)
        return (1.0 - end) * reference.jump_syn(decided, _by_decision(model, k))

    return probability


TWINS = {
    "relative": relative,
    "uniform": uniform,
    "gaussian": gaussian,
    "laplace": laplace,
    "sentences": syntax,
    "syntax": syntax,
}
"""The twin of each jump model of the registry."""
