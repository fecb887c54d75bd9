"""Sums over all walks of a document at once: jumps as paths over its constituents.

``jump_models.walks`` has the equation, ``jump_models.steps`` the words: a walk is one departure,
then exits of steps. There is exactly one walk from each boundary e to each position j. So p(j | e)
is the product of the probabilities of its arcs, and the best walk is also the best jump.

    landed(j) = sum over e of leaving(e) p(j | e)

is computed in one pass over the steps, in their order: each step adds up the mass of the walks that
reach it, and divides it among its exits. The backward pass is the adjoint of this sum. It visits
the steps in the opposite order:

    adjoint(step) = sum over its exits of weight(exit) adjoint(where it leads)
    count(exit)   = flow(step) weight(exit) adjoint(where the exit leads)

A step of several words takes a few operations a word. A walk that reaches a word has entered the
word's parent (``INSIDE``) or not (``OUTSIDE``). The mass at a word is the mass at the word before,
times the probability of stepping over that word.

The adjoint of a quantity q is d/dq of the sum over j of landed(j) targets(j). The caller gives the
targets: the beta of each position.

Letters: n document words, S steps, K sources, k a source, x a boundary.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from jump_models.kernel_arrays import EXITS, IN, INTO, LEAVE, OUT, OVER, STOP
from semihmm.inference.lattice_kernels import plus

OUTSIDE, INSIDE = 0, 1
"""The sides of mass at a constituent: it has not entered the parent, or it has."""
BOUNDARY, WORD_COUNT, STEP_AFTER = 0, 1, 2
"""The columns of ``place``."""


class Traversal(NamedTuple):
    """The walks of one pair in one direction. Arrays are float64 but for ``place``.

    The axis of the sources has two entries. If K is 1, the second source has no mass.

    ``place``    int32 [S, 3], as in ``steps.Steps``.
    ``sign``     1 forward, -1 backward.
    ``weight``   [S, EXITS, source], the probabilities of the exits; ``weight_adjoint``
                 [S, EXITS, source], their expected counts, divided by the probabilities.
    ``leaving``  [2, n + 1], the mass that departs from each boundary in this direction;
                 ``leaving_adjoint`` [2, n + 1], its adjoint.
    ``flow``     [S + 1, side, source], the mass that comes to the first word of each step, by
                 ``OUTSIDE`` and ``INSIDE``; in the last row all walks are over.
                 ``flow_adjoint`` [S + 1, side, source], its adjoint.
    ``passing``  [side, source, n + 1], the mass that comes to each word of a step of words.
    """

    place: np.ndarray
    sign: int
    weight: np.ndarray
    weight_adjoint: np.ndarray
    leaving: np.ndarray
    leaving_adjoint: np.ndarray
    flow: np.ndarray
    flow_adjoint: np.ndarray
    passing: np.ndarray


@inner
def set_exit_weights(traversal, event, events):
    """Give each exit the probability of its event.

    ``event`` int32 [S, EXITS] is the event of each exit, ``events`` float64 [K, V] has their
    probabilities.
    """
    for s in range(len(event)):
        for exit_arc in range(EXITS):
            for k in range(len(events)):
                traversal.weight[s, exit_arc, k] = events[k, event[s, exit_arc]]


@inner
def _last_boundary(traversal, values):
    """Return the boundary at which all walks are over: n forward, 0 backward.

    ``values`` [n + 1] is any array over the boundaries: its length tells n.
    """
    return len(values) - 1 if traversal.sign > 0 else 0


@inner
def _boundary_after(traversal, s, values):
    """Return the boundary after the first word of a step, or after the whole constituent.

    ``values`` [n + 1] is any array over the boundaries: its length tells n.
    """
    x, after = traversal.place[s, BOUNDARY], traversal.place[s, STEP_AFTER]
    if traversal.place[s, WORD_COUNT] > 0:
        return x + traversal.sign
    return (
        traversal.place[after, BOUNDARY]
        if after < len(traversal.place)
        else _last_boundary(traversal, values)
    )


@inner
def fill_scales(traversal, scales):
    """Fill ``scales`` [n + 1], which keep the mass of long walks from underflow; forward only.

    The scale of a boundary is the logarithm of the weight of the walk to it from the beginning of
    the document, over whole constituents. Boundaries within one have the scale of its beginning.
    """
    # From one top constituent to the next, never into one:
    # scales[after] = scales[before] + log p(step over the constituent between).
    s, steps = 0, len(traversal.place)
    scales[0] = 0.0
    while s < steps:
        over = max(traversal.weight[s, OUT + OVER, 0], traversal.weight[s, OUT + OVER, 1])
        x, words = traversal.place[s, BOUNDARY], traversal.place[s, WORD_COUNT]
        after = x + words if words > 0 else _boundary_after(traversal, s, scales)
        for inside in range(x + 1, after):
            scales[inside] = scales[inside - 1] + (np.log(over) if words > 0 else 0.0)
        scales[after] = scales[after - 1] + np.log(over)
        s = s + 1 if words > 0 else traversal.place[s, STEP_AFTER]


@inner
def scale_exits(traversal, scales):
    """Multiply the weights of exits that go from x to y by exp(scales[x] - scales[y]).

    So no product of a long walk underflows.
    """
    for s in range(len(traversal.place)):
        # Only exits that step over something move. Others stay at their boundary.
        log_factor = (
            scales[traversal.place[s, BOUNDARY]] - scales[_boundary_after(traversal, s, scales)]
        )
        factor = np.exp(log_factor)
        for origin in (LEAVE, OUT, IN):
            for k in range(2):
                traversal.weight[s, origin + OVER, k] *= factor


@inner
def count_events(traversal, event, counts):
    """Add to ``counts`` [K, V] the expected number of each event."""
    weight, adjoint = traversal.weight, traversal.weight_adjoint
    # count(exit) = weight(exit) adjoint(exit). Exits with the same event add up.
    for s in range(len(event)):
        for exit_arc in range(EXITS):
            for k in range(len(counts)):
                counts[k, event[s, exit_arc]] += adjoint[s, exit_arc, k] * weight[s, exit_arc, k]


@inner
def _clear_flow(traversal):
    # Several steps may lead to the same one: they add their mass, so it starts from 0.
    for s in range(len(traversal.flow)):
        for k in range(2):
            traversal.flow[s, OUTSIDE, k] = traversal.flow[s, INSIDE, k] = 0.0


@inner
def _flow_along_words(semiring, traversal, s, landed):
    """Let the mass flow along the words of one step, and add to ``landed`` what stops there.

    For each source, with the weights of the exits:

        landed(x)  += weight[OUT + STOP] out(x) + weight[IN + STOP] in(x)
        out(next x) = weight[LEAVE + OVER] leaving(x) + weight[OUT + OVER] out(x)
        in(next x)  = weight[IN + OVER] in(x)
    """
    first, sign = traversal.place[s, BOUNDARY], traversal.sign
    weight, flow = traversal.weight[s], traversal.flow
    leaving, passing = traversal.leaving, traversal.passing
    # Both sources at once, in registers: this loop takes most of the time of walks.
    out_0, out_1 = flow[s, OUTSIDE, 0], flow[s, OUTSIDE, 1]
    in_0, in_1 = flow[s, INSIDE, 0], flow[s, INSIDE, 1]
    leave_0, leave_1 = weight[LEAVE + OVER, 0], weight[LEAVE + OVER, 1]
    over_0, over_1 = weight[OUT + OVER, 0], weight[OUT + OVER, 1]
    stop_0, stop_1 = weight[OUT + STOP, 0], weight[OUT + STOP, 1]
    in_over_0, in_over_1 = weight[IN + OVER, 0], weight[IN + OVER, 1]
    in_stop_0, in_stop_1 = weight[IN + STOP, 0], weight[IN + STOP, 1]
    for word in range(traversal.place[s, WORD_COUNT]):
        # Words have no children: a walk stops at one or steps over it.
        # An unsigned index: numba then omits the check for negative indices.
        x = np.uint64(first + sign * word)
        passing[OUTSIDE, 0, x], passing[OUTSIDE, 1, x] = out_0, out_1
        passing[INSIDE, 0, x], passing[INSIDE, 1, x] = in_0, in_1
        from_outside = plus(semiring, stop_0 * out_0, stop_1 * out_1)
        from_inside = plus(semiring, in_stop_0 * in_0, in_stop_1 * in_1)
        landed[x] = plus(semiring, landed[x], plus(semiring, from_outside, from_inside))
        out_0 = plus(semiring, leave_0 * leaving[0, x], over_0 * out_0)
        out_1 = plus(semiring, leave_1 * leaving[1, x], over_1 * out_1)
        in_0 *= in_over_0
        in_1 *= in_over_1
    # The next step may have mass already, from other steps that lead to it.
    after = flow[s + 1]
    after[OUTSIDE, 0] = plus(semiring, after[OUTSIDE, 0], out_0)
    after[OUTSIDE, 1] = plus(semiring, after[OUTSIDE, 1], out_1)
    after[INSIDE, 0] = plus(semiring, after[INSIDE, 0], in_0)
    after[INSIDE, 1] = plus(semiring, after[INSIDE, 1], in_1)


@inner
def flow_ahead(semiring, traversal, landed):
    """Let the mass that leaves the boundaries flow along the steps, and add it to ``landed``.

    The sums are those of the semiring: in Viterbi only the most probable walk goes on.
    """
    place, flow, leaving = traversal.place, traversal.flow, traversal.leaving
    _clear_flow(traversal)
    for s in range(len(place)):
        if place[s, WORD_COUNT] > 0:
            _flow_along_words(semiring, traversal, s, landed)
            continue
        x, after, weight = place[s, BOUNDARY], place[s, STEP_AFTER], traversal.weight[s]
        for k in range(2):
            leaves, out, inside = leaving[k, x], flow[s, OUTSIDE, k], flow[s, INSIDE, k]
            # A walk that leaves a boundary does not stop there: ``STAY`` was decided before.
            stop = plus(semiring, weight[OUT + STOP, k] * out, weight[IN + STOP, k] * inside)
            over = plus(semiring, weight[LEAVE + OVER, k] * leaves, weight[OUT + OVER, k] * out)
            into = plus(semiring, weight[LEAVE + INTO, k] * leaves, weight[OUT + INTO, k] * out)
            into = plus(semiring, into, weight[IN + INTO, k] * inside)
            inside_over = weight[IN + OVER, k] * inside
            landed[x] = plus(semiring, landed[x], stop)
            flow[after, OUTSIDE, k] = plus(semiring, flow[after, OUTSIDE, k], over)
            flow[after, INSIDE, k] = plus(semiring, flow[after, INSIDE, k], inside_over)
            flow[s + 1, INSIDE, k] = plus(semiring, flow[s + 1, INSIDE, k], into)
    # The mass that is left after the last step lands at the end, or at the beginning.
    end, over = _last_boundary(traversal, landed), flow[-1, OUTSIDE]
    landed[end] = plus(semiring, landed[end], plus(semiring, over[0], over[1]))


@inner
def _back_along_words(traversal, s, k, targets):
    """Go back along the words of one step, for one source: adjoints of words and of exits."""
    first, sign = traversal.place[s, BOUNDARY], traversal.sign
    weight, weight_adjoint, flow_adjoint = (
        traversal.weight[s],
        traversal.weight_adjoint[s],
        traversal.flow_adjoint,
    )
    leave, over, stop = weight[LEAVE + OVER, k], weight[OUT + OVER, k], weight[OUT + STOP, k]
    in_over, in_stop = weight[IN + OVER, k], weight[IN + STOP, k]
    leaving, leaving_adjoint = traversal.leaving[k], traversal.leaving_adjoint[k]
    from_outside, from_inside = traversal.passing[OUTSIDE, k], traversal.passing[INSIDE, k]
    # The adjoints of the mass that comes to the next word, and sums of the exits' adjoints.
    out, inside = flow_adjoint[s + 1, OUTSIDE, k], flow_adjoint[s + 1, INSIDE, k]
    left, out_over, out_stop = 0.0, 0.0, 0.0
    inside_over, inside_stop = 0.0, 0.0
    for word in range(traversal.place[s, WORD_COUNT] - 1, -1, -1):
        x = np.uint64(first + sign * word)
        # Each line is the adjoint of a line of ``_flow_along_words``, which goes the other way.
        target = targets[x]
        leaving_adjoint[x] += leave * out
        left += leaving[x] * out
        out_over += from_outside[x] * out
        out_stop += from_outside[x] * target
        inside_over += from_inside[x] * inside
        inside_stop += from_inside[x] * target
        out = stop * target + over * out
        inside = in_stop * target + in_over * inside
    weight_adjoint[LEAVE + OVER, k] += left
    weight_adjoint[OUT + OVER, k] += out_over
    weight_adjoint[OUT + STOP, k] += out_stop
    weight_adjoint[IN + OVER, k] += inside_over
    weight_adjoint[IN + STOP, k] += inside_stop
    flow_adjoint[s, OUTSIDE, k], flow_adjoint[s, INSIDE, k] = out, inside


@inner
def _back_over_constituent(traversal, s, k, targets):
    """Go back over or into a constituent with children, for one source."""
    x, after = traversal.place[s, BOUNDARY], traversal.place[s, STEP_AFTER]
    weight, weight_adjoint, flow_adjoint = (
        traversal.weight[s],
        traversal.weight_adjoint[s],
        traversal.flow_adjoint,
    )
    target, into = targets[x], flow_adjoint[s + 1, INSIDE, k]
    leaves = traversal.leaving[k, x]
    weight_adjoint[LEAVE + OVER, k] += leaves * flow_adjoint[after, OUTSIDE, k]
    weight_adjoint[LEAVE + INTO, k] += leaves * into
    over = weight[LEAVE + OVER, k] * flow_adjoint[after, OUTSIDE, k]
    traversal.leaving_adjoint[k, x] += over + weight[LEAVE + INTO, k] * into
    for side in range(2):
        # Walks from outside of the parent and walks from inside have exits of their own.
        mass, beyond = traversal.flow[s, side, k], flow_adjoint[after, side, k]
        origin = OUT if side == OUTSIDE else IN
        # The adjoint of an exit: the mass that comes to it, times the adjoint of its target.
        weight_adjoint[origin + STOP, k] += mass * target
        weight_adjoint[origin + OVER, k] += mass * beyond
        weight_adjoint[origin + INTO, k] += mass * into
        back = weight[origin + STOP, k] * target + weight[origin + OVER, k] * beyond
        flow_adjoint[s, side, k] = back + weight[origin + INTO, k] * into


@inner
def flow_back(traversal, targets):
    """Let the targets [n + 1] flow back to ``leaving_adjoint``, and add the adjoints of the exits.

    It reads the ``flow`` and ``passing`` of the last ``flow_ahead``.
    """
    for k in range(2):
        for x in range(len(targets)):
            traversal.leaving_adjoint[k, x] = 0.0
        # All walks are over at the end of the document, or backward at its beginning.
        traversal.flow_adjoint[-1, OUTSIDE, k] = targets[_last_boundary(traversal, targets)]
        traversal.flow_adjoint[-1, INSIDE, k] = 0.0
    for s in range(len(traversal.place) - 1, -1, -1):
        for k in range(2):
            if traversal.place[s, WORD_COUNT] > 0:
                _back_along_words(traversal, s, k, targets)
            else:
                _back_over_constituent(traversal, s, k, targets)
