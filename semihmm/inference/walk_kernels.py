"""Sums over all walks of a document at once: jumps as paths over its constituents.

``jump_models.walks`` has the equation, ``jump_models.steps`` the words: a walk is one departure,
then exits of steps. There is exactly one walk from each boundary e to each position j, so p(j | e)
is the product of the probabilities of its arcs, and the best walk is also the best jump.

The sum over all e for each j goes along the steps in their order, once: each step has the mass of
all walks that come to it, and hands it on by its exits. Backward is the adjoint of this sum, in the
opposite order. The expected count of an exit is the mass that comes to it, times its probability,
times the adjoint of where it leads.

A step of several words takes a few operations a word: what comes to each word from outside of its
parent (``OUTSIDE``) and from inside (``INSIDE``) is what came to the word before, times the
probability of stepping over it.

Letters: n document words, S steps, K sources, k a source, x a boundary.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from jump_models.kernel_arrays import EXITS, IN, INTO, LEAVE, OUT, OVER, STOP
from semihmm.inference.arithmetic_kernels import plus

OUTSIDE, INSIDE = 0, 1
"""What comes to a constituent from outside of its parent, and from inside."""
BOUNDARY, WORD_COUNT, AFTER = 0, 1, 2
"""The columns of ``place``."""


class Traversal(NamedTuple):
    """The walks of one pair in one direction. Arrays are float64 but for ``place``.

    The axis of two is that of the sources. Where K is 1, nothing flows in the second.

    ``place``    int32 [S, 3], as in ``steps.Steps``.
    ``sign``     1 forward, -1 backward.
    ``weight``   [S, EXITS, 2], the probabilities of the exits; ``used`` [S, EXITS, 2], their
                 expected counts, divided by these.
    ``leaving``  [2, n + 1], the mass that departs from each boundary in this direction.
    ``met``      [2, n + 1], the adjoint of ``leaving``.
    ``flow``     [S + 1, 2, 2], the mass that comes to the first word of each step, by ``OUTSIDE``
                 and ``INSIDE``; the last is where all walks are over.
    ``adjoint``  [S + 1, 2, 2], that of ``flow``.
    ``passed``   [2, 2, n + 1], the mass that comes to each word of a step of words.
    """

    place: np.ndarray
    sign: int
    weight: np.ndarray
    used: np.ndarray
    leaving: np.ndarray
    met: np.ndarray
    flow: np.ndarray
    adjoint: np.ndarray
    passed: np.ndarray


@inner
def weigh(traversal, event, events):
    """Set the probabilities of the exits: those of their events.

    ``event`` int32 [S, EXITS] says which, ``events`` float64 [K, V] are the probabilities.
    """
    for s in range(len(event)):
        for way in range(EXITS):
            for k in range(len(events)):
                traversal.weight[s, way, k] = events[k, event[s, way]]


@inner
def _end_of(traversal, values):
    """Return the boundary at which all walks are over, of ``values`` [n + 1]."""
    return len(values) - 1 if traversal.sign > 0 else 0


@inner
def _after(traversal, s, values):
    """Return the boundary after the first word of a step, or after the whole constituent.

    ``values`` [n + 1] are those of any boundaries.
    """
    x, after = traversal.place[s, BOUNDARY], traversal.place[s, AFTER]
    if traversal.place[s, WORD_COUNT] > 0:
        return x + traversal.sign
    return (
        traversal.place[after, BOUNDARY]
        if after < len(traversal.place)
        else _end_of(traversal, values)
    )


@inner
def fill_scales(traversal, scales):
    """Fill [n + 1]: the logarithm of the weight of the walk from the beginning to each boundary.

    It goes over whole constituents. Boundaries within one have the scale of its beginning.
    """
    # From one top constituent to the next: what is inside of one is never entered.
    s, steps = 0, len(traversal.place)
    scales[0] = 0.0
    while s < steps:
        over = max(traversal.weight[s, OUT + OVER, 0], traversal.weight[s, OUT + OVER, 1])
        x, words = traversal.place[s, BOUNDARY], traversal.place[s, WORD_COUNT]
        after = x + words if words > 0 else _after(traversal, s, scales)
        for inside in range(x + 1, after):
            scales[inside] = scales[inside - 1] + (np.log(over) if words > 0 else 0.0)
        scales[after] = scales[after - 1] + np.log(over)
        s = s + 1 if words > 0 else traversal.place[s, AFTER]


@inner
def tilt_exits(traversal, scales):
    """Multiply the weights of exits that go from x to y by exp(scales[x] - scales[y])."""
    for s in range(len(traversal.place)):
        # Exits that stop, or go into a constituent, stay at their boundary.
        tilt = scales[traversal.place[s, BOUNDARY]] - scales[_after(traversal, s, scales)]
        factor = np.exp(tilt)
        for way in (LEAVE, OUT, IN):
            for k in range(2):
                traversal.weight[s, way + OVER, k] *= factor


@inner
def count_events(traversal, event, counts):
    """Add to ``counts`` [K, V] how often each event happened."""
    for s in range(len(event)):
        for way in range(EXITS):
            for k in range(len(counts)):
                counts[k, event[s, way]] += traversal.used[s, way, k] * traversal.weight[s, way, k]


@inner
def _clear_flow(traversal):
    # Several steps may lead to the same one, so mass is added to what is there.
    for s in range(len(traversal.flow)):
        for k in range(2):
            traversal.flow[s, OUTSIDE, k] = traversal.flow[s, INSIDE, k] = 0.0


@inner
def _along(semiring, traversal, s, landed):
    """Go along the words of one step."""
    first, sign = traversal.place[s, BOUNDARY], traversal.sign
    weight, flow = traversal.weight[s], traversal.flow
    leaving, passed = traversal.leaving, traversal.passed
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
        # An index without a sign: numba then does not look for those that count from the end.
        x = np.uint64(first + sign * word)
        passed[OUTSIDE, 0, x], passed[OUTSIDE, 1, x] = out_0, out_1
        passed[INSIDE, 0, x], passed[INSIDE, 1, x] = in_0, in_1
        from_outside = plus(semiring, stop_0 * out_0, stop_1 * out_1)
        from_inside = plus(semiring, in_stop_0 * in_0, in_stop_1 * in_1)
        landed[x] = plus(semiring, landed[x], plus(semiring, from_outside, from_inside))
        out_0 = plus(semiring, leave_0 * leaving[0, x], over_0 * out_0)
        out_1 = plus(semiring, leave_1 * leaving[1, x], over_1 * out_1)
        in_0 *= in_over_0
        in_1 *= in_over_1
    # Other steps may lead to the next one too.
    after = flow[s + 1]
    after[OUTSIDE, 0] = plus(semiring, after[OUTSIDE, 0], out_0)
    after[OUTSIDE, 1] = plus(semiring, after[OUTSIDE, 1], out_1)
    after[INSIDE, 0] = plus(semiring, after[INSIDE, 0], in_0)
    after[INSIDE, 1] = plus(semiring, after[INSIDE, 1], in_1)


@inner
def flow_ahead(semiring, traversal, landed):
    """Let what leaves the boundaries flow along the steps, and add to ``landed`` what arrives.

    The sums are those of the semiring: in Viterbi only the most probable walk goes on.
    """
    place, flow, leaving = traversal.place, traversal.flow, traversal.leaving
    _clear_flow(traversal)
    for s in range(len(place)):
        if place[s, WORD_COUNT] > 0:
            _along(semiring, traversal, s, landed)
            continue
        x, after, weight = place[s, BOUNDARY], place[s, AFTER], traversal.weight[s]
        for k in range(2):
            leaves, out, inside = leaving[k, x], flow[s, OUTSIDE, k], flow[s, INSIDE, k]
            # What leaves a boundary does not stop there: ``STAY`` is decided before.
            stop = plus(semiring, weight[OUT + STOP, k] * out, weight[IN + STOP, k] * inside)
            over = plus(semiring, weight[LEAVE + OVER, k] * leaves, weight[OUT + OVER, k] * out)
            into = plus(semiring, weight[LEAVE + INTO, k] * leaves, weight[OUT + INTO, k] * out)
            into = plus(semiring, into, weight[IN + INTO, k] * inside)
            inside_over = weight[IN + OVER, k] * inside
            landed[x] = plus(semiring, landed[x], stop)
            flow[after, OUTSIDE, k] = plus(semiring, flow[after, OUTSIDE, k], over)
            flow[after, INSIDE, k] = plus(semiring, flow[after, INSIDE, k], inside_over)
            flow[s + 1, INSIDE, k] = plus(semiring, flow[s + 1, INSIDE, k], into)
    end, over = _end_of(traversal, landed), flow[-1, OUTSIDE]
    landed[end] = plus(semiring, landed[end], plus(semiring, over[0], over[1]))


@inner
def _back_along(traversal, s, k, targets):
    """Go back along the words of one step, of one source, and count."""
    first, sign = traversal.place[s, BOUNDARY], traversal.sign
    weight, used, adjoint = traversal.weight[s], traversal.used[s], traversal.adjoint
    leave, over, stop = weight[LEAVE + OVER, k], weight[OUT + OVER, k], weight[OUT + STOP, k]
    in_over, in_stop = weight[IN + OVER, k], weight[IN + STOP, k]
    leaving, met = traversal.leaving[k], traversal.met[k]
    came_out, came_in = traversal.passed[OUTSIDE, k], traversal.passed[INSIDE, k]
    out, inside = adjoint[s + 1, OUTSIDE, k], adjoint[s + 1, INSIDE, k]
    left, out_over, out_stop = 0.0, 0.0, 0.0
    inside_over, inside_stop = 0.0, 0.0
    for word in range(traversal.place[s, WORD_COUNT] - 1, -1, -1):
        x = np.uint64(first + sign * word)
        # Each line is the adjoint of a line of ``_along``, in the opposite order.
        target = targets[x]
        met[x] += leave * out
        left += leaving[x] * out
        out_over += came_out[x] * out
        out_stop += came_out[x] * target
        inside_over += came_in[x] * inside
        inside_stop += came_in[x] * target
        out = stop * target + over * out
        inside = in_stop * target + in_over * inside
    used[LEAVE + OVER, k] += left
    used[OUT + OVER, k] += out_over
    used[OUT + STOP, k] += out_stop
    used[IN + OVER, k] += inside_over
    used[IN + STOP, k] += inside_stop
    adjoint[s, OUTSIDE, k], adjoint[s, INSIDE, k] = out, inside


@inner
def _back_over(traversal, s, k, targets):
    """Go back over or into a constituent with children, and count."""
    x, after = traversal.place[s, BOUNDARY], traversal.place[s, AFTER]
    weight, used, adjoint = traversal.weight[s], traversal.used[s], traversal.adjoint
    target, into = targets[x], adjoint[s + 1, INSIDE, k]
    leaves = traversal.leaving[k, x]
    used[LEAVE + OVER, k] += leaves * adjoint[after, OUTSIDE, k]
    used[LEAVE + INTO, k] += leaves * into
    over = weight[LEAVE + OVER, k] * adjoint[after, OUTSIDE, k]
    traversal.met[k, x] += over + weight[LEAVE + INTO, k] * into
    for side in range(2):
        # From outside and from inside of the parent the same exits have weights of their own.
        came, beyond = traversal.flow[s, side, k], adjoint[after, side, k]
        way = OUT if side == OUTSIDE else IN
        # What comes to an exit, times the adjoint of where it leads.
        used[way + STOP, k] += came * target
        used[way + OVER, k] += came * beyond
        used[way + INTO, k] += came * into
        back = weight[way + STOP, k] * target + weight[way + OVER, k] * beyond
        adjoint[s, side, k] = back + weight[way + INTO, k] * into


@inner
def flow_back(traversal, targets):
    """Let what is at the targets [n + 1] flow back to ``met``, and count what passes each exit.

    What ``flow_ahead`` left in ``flow`` and ``passed`` must be there.
    """
    for k in range(2):
        for x in range(len(targets)):
            traversal.met[k, x] = 0.0
        # Where all walks are over lies the end, or the beginning, of the document.
        traversal.adjoint[-1, OUTSIDE, k] = targets[_end_of(traversal, targets)]
        traversal.adjoint[-1, INSIDE, k] = 0.0
    for s in range(len(traversal.place) - 1, -1, -1):
        for k in range(2):
            if traversal.place[s, WORD_COUNT] > 0:
                _back_along(traversal, s, k, targets)
            else:
                _back_over(traversal, s, k, targets)
