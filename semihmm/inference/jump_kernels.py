"""The jumps of a batch as the lattice sees them: one representation for every jump model.

p(j | k, e) is the probability of a jump from boundary e (0..n), where the last phrase ended, to
position j, where the next one starts, or to n, the document's end. k is the source: what the
previous abstract word came from. It is given by one of two:

- tables of weights for bucketed distances (``bucket_kernels``),
- walks over the constituents of the document (``walk_kernels``).

The arrays of the other are empty. All are of one type, so that numba compiles the lattice once for
all jump models.

Letters: n document words, P pairs, K sources (one; or two, after a phrase and after null), B
buckets of distances, V events of walks and S steps of those of a pair.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from jump_models import kernel_arrays as arrays
from semihmm.inference import bucket_kernels as buckets
from semihmm.inference import walk_kernels as walks
from semihmm.inference.arithmetic_kernels import SUM_PRODUCT, plus

POSITIONS, END = 0, 1
"""The two tables: of jumps to positions, and of the jump to the document's end."""


class Transitions(NamedTuple):
    """The jumps of one pair: their probabilities, room to compute in, and expected counts.

    A table gives a jump by its distance. A walk gives it as a path of arcs: one departure from the
    boundary e, then exits of steps (``jump_models.steps`` has these words). Arrays are float64.

    As in ``Jumps``: ``tables``, ``own_end``, ``place``.

    ``by_walk``  whether the jumps are walks.

    Of tables:

    ``pyramid``  window sums (``bucket_kernels``).
    ``rows``     [2, K, n + 1], by boundary: ``NORMALISER``, the sum of the weights of all
                 targets, or 1 where p is not renormalized; ``LEAVING``, the expected jumps from
                 there, divided by it.
    ``jumps``    [2, K, B], the expected jumps of each bucket, divided by its weight.

    Of walks:

    ``steps``    int64 [2, 3], by direction: where the steps begin and end in ``place``, and where
                 their exits begin in ``exits``.
    ``departures``  [2, 4, K, n + 1]: ``WEIGHT``, the probabilities of the four departures (stay,
                 forward, backward, to the end); ``USED``, their expected counts, divided by these.
    ``exits``    [2, S, EXITS, 2]: the same of the exits of each step, by source.
    ``leaving``  [2, 2, n + 1], by direction and source: the mass that departs from each boundary.
    ``met``      [2, 2, n + 1]: what that mass meets, its adjoint.
    ``landed``   [n + 1], the mass that arrives at each target.
    ``flow``     [2, S + 1, 2, 2], the mass that comes to each step, and its adjoint; ``passed``
                 [2, 2, n + 1], the mass that comes to each word (``walk_kernels.Traversal``).

    ``departing``  [K, n + 1], what leaves each boundary by a table.
    ``tilt``     [n + 1], the logarithm of the scale of each boundary, mostly 0. A walk over a
                 thousand sentences has a probability that no double holds. So the mass at a
                 boundary is kept divided by a scale: the probability of the walk that leads there
                 from the document's beginning, over whole sentences. The probability of a jump from
                 e to j is multiplied by exp(tilt[e] - tilt[j]) then, exit by exit. These factors
                 cancel out in every path but for exp(-tilt[n]), so all posteriors stay as they are.
    """

    by_walk: bool
    tables: np.ndarray
    own_end: bool
    place: np.ndarray
    steps: np.ndarray
    pyramid: np.ndarray
    rows: np.ndarray
    jumps: np.ndarray
    departures: np.ndarray
    exits: np.ndarray
    flow: np.ndarray
    passed: np.ndarray
    leaving: np.ndarray
    met: np.ndarray
    landed: np.ndarray
    departing: np.ndarray
    tilt: np.ndarray


WEIGHT, USED = 0, 1
"""The two rows of ``Transitions.exits`` and of ``Transitions.departures``."""
NORMALISER, LEAVING = 0, 1
"""The two rows of ``Transitions.rows``."""
TO_END = 3
"""The departure to the document's end, after the three that ``kernel_arrays`` names."""
DEPARTURES = 4
DEEP = -300.0
"""The logarithm of the probability of a walk over the document from which on boundaries are scaled.

The smallest double is exp(-708). What is more probable needs no scale, and keeps its digits.
"""


@inner(makes_arrays=True)
def _steps_of(jumps, pair):
    """Return ``Transitions.steps``, S, and the most steps in one direction."""
    steps = np.zeros((np.int64(2), np.int64(3)), np.int64)
    size, most = 0, 0
    # Tables have no steps.
    for direction in range(len(jumps.offsets)):
        begin, end = jumps.offsets[direction, pair], jumps.offsets[direction, pair + 1]
        steps[direction, 0], steps[direction, 1], steps[direction, 2] = begin, end, size
        size, most = size + end - begin, max(most, end - begin)
    return steps, size, most


@inner(makes_arrays=True)
def transitions_of(semiring, jumps, pair, n):
    """Return the jumps of one pair of the batch, whose document has n words."""
    tables, by_walk = jumps.tables, len(jumps.offsets) > 0
    sources = tables.shape[1]
    steps, size, most = _steps_of(jumps, pair)
    # numba would compile np.zeros again for each shape that has a Python number in it.
    two = np.int64(2)
    transitions = Transitions(
        by_walk, tables, jumps.own_end, jumps.place, steps,
        buckets.new_pyramid(0 if by_walk else n),
        np.zeros((two, sources, 0 if by_walk else n + 1)), np.zeros(tables.shape),
        np.zeros((two, np.int64(DEPARTURES), sources, n + 1 if by_walk else 0)),
        np.zeros((two, size, np.int64(arrays.EXITS), two)), np.zeros((two, most + 1, two, two)),
        np.zeros((two, two, n + 1)), np.zeros((two, two, n + 1)), np.zeros((two, two, n + 1)),
        np.zeros(n + 1), np.zeros((sources, n + 1)), np.zeros(n + 1),
    )  # fmt: skip
    # What depends on the document alone is computed once for each pair, not for each row.
    if by_walk:
        _weigh_departures(jumps, transitions)
        _weigh_exits(jumps, transitions)
    elif jumps.renormalized:
        normaliser = transitions.rows[NORMALISER]
        buckets.fill_normaliser(tables[POSITIONS], tables[END], transitions.pyramid, normaliser)
    else:
        buckets.set_all(transitions.rows[NORMALISER], 1.0)
    return transitions


@inner
def tilt(transitions, spans):
    """Scale the boundaries where walks to the document's end are too improbable without.

    No candidate, int32 [C, 4], may gain too much by it: it is a walk over all that it spans.
    """
    # Where the end is a decision of its own, no path needs a long walk.
    if not transitions.by_walk or transitions.own_end:
        return
    scales, most = transitions.tilt, 0.0
    walks.fill_scales(_traversal(transitions, 0), scales)
    for i in range(len(spans)):
        most = max(most, scales[spans[i, 2]] - scales[spans[i, 3]])
    # A candidate is multiplied by the tilt over its span: exp(-DEEP) is the most that it may gain.
    share = min(1.0, -DEEP / most) if most > 0.0 else 1.0
    if scales[-1] > DEEP:
        share = 0.0
    for x in range(len(scales)):
        scales[x] *= share
    if share > 0.0:
        for direction in range(2):
            walks.tilt_exits(_traversal(transitions, direction), scales)


@inner
def _departures(n, e, own_end, events):
    """Fill ``events`` [4]: those of the departures from a boundary, or -1, which is never."""
    # With a decision of its own the end is no place that a walk may come to.
    last = n - 1 if own_end else n
    group = buckets.bucket_of(n - e) if own_end else 0
    ahead, back = e < last, e > 0
    # The number of the event, in the order of ``Jumps.events``: by what may be decided here.
    event = (arrays.BUCKETS if own_end else 1) + arrays.ACTIONS * group
    if e <= last and (ahead or back):
        event += arrays.FIRST_OPEN
    further = event + (arrays.SECOND_OPEN if ahead and back else 0)
    events[arrays.STAY] = event + arrays.STAY if e <= last else -1
    events[arrays.FORWARD] = further + arrays.FORWARD if ahead else -1
    events[arrays.BACKWARD] = further + arrays.BACKWARD if back else -1
    events[TO_END] = group if own_end else -1


@inner(makes_arrays=True)
def _weigh_departures(jumps, transitions):
    """Set the probabilities of the departures from each boundary."""
    n, events = len(transitions.landed) - 1, np.empty(DEPARTURES, np.int64)
    for e in range(n + 1):
        _departures(n, e, jumps.own_end, events)
        for which in range(DEPARTURES):
            event = events[which]
            if event >= 0:
                for k in range(len(jumps.events)):
                    transitions.departures[WEIGHT, which, k, e] = jumps.events[k, event]


@inner
def _weigh_exits(jumps, transitions):
    """Set the probabilities of the exits of the steps."""
    for direction in range(2):
        begin, end = transitions.steps[direction, 0], transitions.steps[direction, 1]
        walks.weigh(_traversal(transitions, direction), jumps.event[begin:end], jumps.events)


@inner
def _traversal(transitions, direction):
    """Return the walks in one direction."""
    begin, end = transitions.steps[direction, 0], transitions.steps[direction, 1]
    first, steps = transitions.steps[direction, 2], end - begin
    return walks.Traversal(
        transitions.place[begin:end],
        1 - 2 * direction,
        transitions.exits[WEIGHT, first : first + steps],
        transitions.exits[USED, first : first + steps],
        transitions.leaving[direction],
        transitions.met[direction],
        transitions.flow[0, : steps + 1],
        transitions.flow[1, : steps + 1],
        transitions.passed,
    )


@inner
def _distribute(semiring, transitions, sources, factor):
    """Let the mass factor * sources [K, n + 1] depart from the boundaries.

    ``leaving`` has what goes forward and backward then, ``landed`` what stays.
    """
    departures, landed = transitions.departures[WEIGHT], transitions.landed
    for k in range(len(sources)):
        source = sources[k]
        stay, forward = departures[arrays.STAY, k], departures[arrays.FORWARD, k]
        backward = departures[arrays.BACKWARD, k]
        ahead, back = transitions.leaving[0, k], transitions.leaving[1, k]
        # Three ways at once: what goes ahead and back waits in ``leaving`` for the walks.
        for e in range(len(source)):
            mass = factor * source[e]
            ahead[e] = mass * forward[e]
            back[e] = mass * backward[e]
            landed[e] = plus(semiring, landed[e] if k else 0.0, mass * stay[e])


@inner
def forward_step(semiring, transitions, sources, out):
    """Make the forward step: ``out[j] += sum over k, e of sources[k, e] p(j | k, e)``.

    The sums are those of the semiring: in Viterbi ``out[j]`` is raised to the largest of the terms,
    exactly. ``sources`` float64 [K, n + 1]; ``out`` float64 [n].
    """
    if transitions.by_walk:
        landed = transitions.landed
        _distribute(semiring, transitions, sources, 1.0)
        for direction in range(2):
            walks.flow_ahead(semiring, _traversal(transitions, direction), landed)
        for j in range(len(out)):
            out[j] = plus(semiring, out[j], landed[j])
        return
    weights, departing = transitions.tables[POSITIONS], transitions.departing
    # p is weight over normaliser: the boundary divides before the buckets multiply.
    buckets.depart(sources, 1.0, transitions.rows[NORMALISER], departing)
    for k in range(len(sources)):
        buckets.forward_by_bucket(semiring, weights[k], departing[k], transitions.pyramid, out)


@inner
def backward_step(transitions, targets, sources, weight, out):
    """Make the backward step: ``out[k, e] = sum over j of p(j | k, e) targets[j]``.

    Also counts: each jump ``weight * sources[k, e] * p(j | k, e) * targets[j]`` times.
    ``targets`` float64 [n + 1]; ``sources`` and ``out`` float64 [K, n + 1].
    """
    if transitions.by_walk:
        _backward_by_walk(transitions, targets, sources, weight, out)
    else:
        _backward_by_table(transitions, targets, sources, weight, out)


@inner
def _backward_by_table(transitions, targets, sources, weight, out):
    """Make the backward step by the tables."""
    n, departing = len(targets) - 1, transitions.departing
    normaliser, leaving = transitions.rows[NORMALISER], transitions.rows[LEAVING]
    # The counts of a bucket are made from what leaves, already divided by its normaliser.
    buckets.depart(sources, weight, normaliser, departing)
    buckets.set_all(out, 0.0)
    buckets.backward_by_bucket(
        transitions.tables[POSITIONS], targets[:n], departing, transitions.pyramid, out,
        transitions.jumps[POSITIONS],
    )  # fmt: skip
    if targets[n] > 0.0:
        buckets.backward_to_end(
            transitions.tables[END], targets[n], departing, out, transitions.jumps[END]
        )
    for k in range(len(out)):
        for e in range(n + 1):
            out[k, e] = out[k, e] / normaliser[k, e] if normaliser[k, e] > 0.0 else 0.0
            # The M-step divides by it: how often the boundary was left, over its normaliser.
            leaving[k, e] += departing[k, e] * out[k, e]


@inner
def _backward_by_walk(transitions, targets, sources, weight, out):
    """Make the backward step by the walks."""
    n = len(targets) - 1
    # Counts of exits need what flows forward as well, in the same weights.
    _distribute(SUM_PRODUCT, transitions, sources, weight)
    for direction in range(2):
        traversal = _traversal(transitions, direction)
        walks.flow_ahead(SUM_PRODUCT, traversal, transitions.landed)
        walks.flow_back(traversal, targets)
    departures, used = transitions.departures[WEIGHT], transitions.departures[USED]
    end = targets[n]
    for k in range(len(out)):
        source, to = sources[k], out[k]
        ahead, back = transitions.met[0, k], transitions.met[1, k]
        stay, stays = departures[arrays.STAY, k], used[arrays.STAY, k]
        forward, forwards = departures[arrays.FORWARD, k], used[arrays.FORWARD, k]
        backward, backwards = departures[arrays.BACKWARD, k], used[arrays.BACKWARD, k]
        for e in range(n + 1):
            mass = weight * source[e]
            to[e] = stay[e] * targets[e] + (forward[e] * ahead[e] + backward[e] * back[e])
            stays[e] += mass * targets[e]
            forwards[e] += mass * ahead[e]
            backwards[e] += mass * back[e]
        # After the last word alone: before it nothing is at the end.
        if end > 0.0:
            to_end, ends = departures[TO_END, k], used[TO_END, k]
            for e in range(n + 1):
                to[e] += to_end[e] * end
                ends[e] += weight * source[e] * end


@inner(makes_arrays=True)
def jumps_to(transitions, j, out):
    """Fill in all jumps to one target: ``out[k, e] = p(j | k, e)``, float64 [K, n + 1]."""
    n = out.shape[1] - 1
    if transitions.by_walk:
        # The backward step of a target that stands alone, without counts.
        target, nothing = np.zeros(n + 1), np.zeros(out.shape)
        target[j] = 1.0
        _backward_by_walk(transitions, target, nothing, 0.0, out)
        return
    table, normaliser = (
        transitions.tables[POSITIONS if j < n else END],
        transitions.rows[NORMALISER],
    )
    for k in range(len(out)):
        for e in range(n + 1):
            own, total = table[k, buckets.bucket_of(j - e)], normaliser[k, e]
            out[k, e] = own / total if total > 0.0 else 0.0


@inner(makes_arrays=True)
def count(jumps, transitions, counts):
    """Add to the counts what was counted in one pair."""
    if transitions.by_walk:
        _count_departures(jumps, transitions, counts.events)
        _count_exits(jumps, transitions, counts.events)
        return
    for which in range(2):
        own, weights = counts.jumps[which], transitions.tables[which]
        for k in range(len(own)):
            for b in range(arrays.BUCKETS):
                # Weights were left out of the sums: one product a bucket, not one a row.
                own[k, b] += transitions.jumps[which, k, b] * weights[k, b]
    exposure = counts.exposure
    buckets.add_exposure(
        transitions.rows[LEAVING], transitions.pyramid, exposure[POSITIONS], exposure[END]
    )


@inner(makes_arrays=True)
def _count_departures(jumps, transitions, counts):
    """Add to ``counts`` [K, V] the expected departures from each boundary by event."""
    n, events = len(transitions.landed) - 1, np.empty(DEPARTURES, np.int64)
    weights, uses = transitions.departures[WEIGHT], transitions.departures[USED]
    for e in range(n + 1):
        _departures(n, e, jumps.own_end, events)
        for which in range(DEPARTURES):
            # Boundaries in the same situation share an event: their counts add up.
            event = events[which]
            if event >= 0:
                for k in range(len(counts)):
                    counts[k, event] += uses[which, k, e] * weights[which, k, e]


@inner
def _count_exits(jumps, transitions, counts):
    """Add to ``counts`` [K, V] the expected exits of the steps by event."""
    for direction in range(2):
        begin, end = transitions.steps[direction, 0], transitions.steps[direction, 1]
        walks.count_events(_traversal(transitions, direction), jumps.event[begin:end], counts)
