"""The jumps of a batch as the lattice sees them: one representation for every jump model.

p(j | k, e) is the probability of a jump from boundary e (0..n), where the last phrase ended, to
position j, where the next one starts, or to n, the document's end. k is the source: what the
previous abstract word came from. A jump model gives this probability in one of two ways:

- by tables of weights for bucketed distances (``bucket_kernels``): w_b / Z_e;
- by walks over the constituents of the document (``walk_kernels``): the product of the arcs.

The arrays of the other way are empty. Both have one type, so that numba compiles the lattice once
for all jump models.

Letters: n document words, P pairs, K sources (one; or two, after a phrase and after null), B
buckets of distances, V events of walks and S steps of those of a pair.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from jump_models import kernel_arrays as arrays
from semihmm.inference import bucket_kernels as buckets
from semihmm.inference import walk_kernels as walks
from semihmm.inference.lattice_kernels import SUM_PRODUCT, plus

POSITION_TABLE, END_TABLE = 0, 1
"""The two tables: of jumps to positions, and of the jump to the document's end."""


class Transitions(NamedTuple):
    """The jumps of one pair: their probabilities, scratch arrays, and expected counts.

    A table gives a jump by its distance. A walk gives it as a path of arcs: one departure from the
    boundary e, then exits of steps (``jump_models.steps`` has these words). Arrays are float64.

    The adjoint of x is d/dx of the expected number of jumps, sum over j of landed[j] targets[j]. So
    a probability times its adjoint is an expected count.

    ``tables``, ``own_end``, ``place``  as in ``Jumps``.
    ``by_walk``  whether the jumps are walks.

    Jumps by tables use:

    ``pyramid``  window sums (``bucket_kernels``).
    ``rows``     [2, K, n + 1], by boundary: ``NORMALISER_ROW``, the sum of the weights of all
                 targets, or 1 where p is not renormalized; ``LEAVING_ROW``, the expected jumps from
                 there, divided by it.
    ``jumps``    [2, K, B], the expected jumps of each bucket, divided by its weight.
    ``departing``  [K, n + 1], the mass that leaves each boundary.

    Jumps by walks use:

    ``steps``    int64 [2, 3], by direction: where the steps begin and end in ``place``, and where
                 their exits begin in ``exits``.
    ``departures``  [2, 4, K, n + 1]: ``PROBABILITY_ROW``, the probabilities of the four departures
                 (stay, forward, backward, to the end); ``ADJOINT_ROW``, their adjoints.
    ``exits``    [2, S, EXITS, 2]: the same for the exits of each step, by source.
    ``leaving``  [2, 2, n + 1], by direction and source: the mass that departs from each boundary;
                 ``leaving_adjoint`` [2, 2, n + 1], its adjoint.
    ``landed``   [n + 1], the mass that arrives at each target.
    ``flow``     [2, S + 1, 2, 2], the mass that comes to each step, and its adjoint.
    ``passing``  [2, 2, n + 1], the mass that comes to each word (``walk_kernels.Traversal``).
    ``log_scales``  [n + 1], the logarithm of the scale of each boundary, mostly 0. A walk over a
                 thousand sentences has a probability that no double holds. So the mass at a
                 boundary is kept divided by a scale: the probability of the walk that leads there
                 from the document's beginning, over whole sentences. The probability of a jump from
                 e to j is then multiplied by exp(log_scales[e] - log_scales[j]), exit by exit.
                 These factors cancel out in every path but for exp(-log_scales[n]), so all
                 posteriors stay as they are.
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
    passing: np.ndarray
    leaving: np.ndarray
    leaving_adjoint: np.ndarray
    landed: np.ndarray
    departing: np.ndarray
    log_scales: np.ndarray


PROBABILITY_ROW, ADJOINT_ROW = 0, 1
"""The two rows of ``Transitions.exits`` and ``Transitions.departures``."""
NORMALISER_ROW, LEAVING_ROW = 0, 1
"""The two rows of ``Transitions.rows``."""
END_DEPARTURE = 3
"""The departure to the document's end, after the three that ``kernel_arrays`` names."""
DEPARTURES = 4
MIN_LOG_WALK_PROBABILITY = -300.0
"""Boundaries are scaled where the walk over the document has a smaller logarithm.

The smallest double is exp(-708). A more probable walk needs no scale, and keeps its digits.
"""


@inner(makes_arrays=True)
def _steps_of(jumps, u):
    """Return ``Transitions.steps``, S, and the most steps in one direction."""
    steps = np.zeros((np.int64(2), np.int64(3)), np.int64)
    size, most = 0, 0
    # Tables have no steps.
    for direction in range(len(jumps.offsets)):
        begin, end = jumps.offsets[direction, u], jumps.offsets[direction, u + 1]
        steps[direction, 0], steps[direction, 1], steps[direction, 2] = begin, end, size
        size, most = size + end - begin, max(most, end - begin)
    return steps, size, most


@inner(makes_arrays=True)
def transitions_of(jumps, u, n):
    """Return the jumps of fusion u of the batch, whose document has n words."""
    tables, by_walk = jumps.tables, len(jumps.offsets) > 0
    sources = tables.shape[1]
    steps, size, most = _steps_of(jumps, u)
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
    # The normaliser and the arcs depend on the document alone: once for a pair, not for each row.
    if by_walk:
        _weigh_departures(jumps, transitions)
        _weigh_exits(jumps, transitions)
    elif jumps.renormalized:
        normaliser = transitions.rows[NORMALISER_ROW]
        buckets.fill_normaliser(
            tables[POSITION_TABLE], tables[END_TABLE], transitions.pyramid, normaliser
        )
    else:
        buckets.set_all(transitions.rows[NORMALISER_ROW], 1.0)
    return transitions


@inner
def scale_boundaries(transitions, spans):
    """Scale the boundaries if a walk over the whole document would underflow.

    The scales multiply the emissions of the candidates ``spans``, int32 [C, 4], which must not
    overflow.
    """
    # If the jump to the end is a decision of its own, no path needs a long walk.
    if not transitions.by_walk or transitions.own_end:
        return
    scales, most = transitions.log_scales, 0.0
    walks.fill_scales(_traversal(transitions, 0), scales)
    for i in range(len(spans)):
        most = max(most, scales[spans[i, 2]] - scales[spans[i, 3]])
    # exp(log_scales[d_start] - log_scales[d_end]) multiplies the emission of a candidate. If one
    # of these factors exceeds exp(300), all logarithms are multiplied by the same share.
    share = min(1.0, -MIN_LOG_WALK_PROBABILITY / max(most, 1.0))
    if scales[-1] > MIN_LOG_WALK_PROBABILITY:
        share = 0.0
    for x in range(len(scales)):
        scales[x] *= share
    if share > 0.0:
        for direction in range(2):
            walks.scale_exits(_traversal(transitions, direction), scales)


@inner
def _departures(n, e, own_end, never, events):
    """Fill ``events`` [4], the event of each departure from a boundary.

    ``never``  the event of departures that are impossible; its probability is 0.
    """
    # Where the jump to the end is a decision of its own, no walk may come to the end.
    last = n - 1 if own_end else n
    group = buckets.bucket_of(n - e) if own_end else 0
    ahead, back = e < last, e > 0
    # Events are numbered as ``jump_models.steps`` lists them: first the [E] jumps to the end, then
    # [E, 2, 2, 3] by class of boundary, and by whether direction and staying are open here.
    event = (arrays.BUCKETS if own_end else 1) + arrays.EVENTS_PER_LABEL * group
    if e <= last and (ahead or back):
        event += arrays.FIRST_DECISION_OPEN
    further = event + (arrays.SECOND_DECISION_OPEN if ahead and back else 0)
    events[arrays.STAY] = event + arrays.STAY if e <= last else never
    events[arrays.FORWARD] = further + arrays.FORWARD if ahead else never
    events[arrays.BACKWARD] = further + arrays.BACKWARD if back else never
    events[END_DEPARTURE] = group if own_end else never


@inner(makes_arrays=True)
def _weigh_departures(jumps, transitions):
    """Set the probabilities of the departures from each boundary."""
    n, events = len(transitions.landed) - 1, np.empty(DEPARTURES, np.int64)
    probability = transitions.departures[PROBABILITY_ROW]
    for e in range(n + 1):
        _departures(n, e, jumps.own_end, jumps.events.shape[1] - 1, events)
        for departure in range(DEPARTURES):
            for k in range(len(jumps.events)):
                probability[departure, k, e] = jumps.events[k, events[departure]]


@inner
def _weigh_exits(jumps, transitions):
    """Set the probabilities of the exits of the steps."""
    for direction in range(2):
        begin, end = transitions.steps[direction, 0], transitions.steps[direction, 1]
        walks.set_exit_weights(
            _traversal(transitions, direction), jumps.event[begin:end], jumps.events
        )


@inner
def _traversal(transitions, direction):
    """Return the walks in one direction."""
    # The steps of all pairs lie in ``place``, those of this pair alone in ``exits``.
    begin, end = transitions.steps[direction, 0], transitions.steps[direction, 1]
    first, steps = transitions.steps[direction, 2], end - begin
    return walks.Traversal(
        transitions.place[begin:end],
        1 - 2 * direction,
        transitions.exits[PROBABILITY_ROW, first : first + steps],
        transitions.exits[ADJOINT_ROW, first : first + steps],
        transitions.leaving[direction],
        transitions.leaving_adjoint[direction],
        transitions.flow[0, : steps + 1],
        transitions.flow[1, : steps + 1],
        transitions.passing,
    )


@inner
def _distribute(semiring, transitions, sources, factor):
    """Let the mass factor * sources [K, n + 1] depart from the boundaries.

    Afterwards ``leaving`` is the mass that goes forward and backward, ``landed`` the mass that
    stays.
    """
    departures, landed = transitions.departures[PROBABILITY_ROW], transitions.landed
    for k in range(len(sources)):
        source = sources[k]
        stay, forward = departures[arrays.STAY, k], departures[arrays.FORWARD, k]
        backward = departures[arrays.BACKWARD, k]
        ahead, back = transitions.leaving[0, k], transitions.leaving[1, k]
        # Three departures at once: the walks then take the mass that waits in ``leaving``.
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
    weights, departing = transitions.tables[POSITION_TABLE], transitions.departing
    # p(j | k, e) = w_b / Z_e: each boundary divides by its Z_e, then the buckets multiply by w_b.
    buckets.depart(sources, 1.0, transitions.rows[NORMALISER_ROW], departing)
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
    normaliser, leaving = transitions.rows[NORMALISER_ROW], transitions.rows[LEAVING_ROW]
    # departing[k, e] = weight * sources[k, e] / Z_e. Then out[k, e] = sum over j of w_b targets[j],
    # and the jumps of bucket b, divided by w_b, are the sum of departing[k, e] * targets[j].
    buckets.depart(sources, weight, normaliser, departing)
    buckets.set_all(out, 0.0)
    buckets.backward_by_bucket(
        transitions.tables[POSITION_TABLE], targets[:n], departing, transitions.pyramid, out,
        transitions.jumps[POSITION_TABLE],
    )  # fmt: skip
    if targets[n] > 0.0:
        buckets.backward_to_end(
            transitions.tables[END_TABLE], targets[n], departing, out, transitions.jumps[END_TABLE]
        )
    for k in range(len(out)):
        for e in range(n + 1):
            out[k, e] = out[k, e] / normaliser[k, e] if normaliser[k, e] > 0.0 else 0.0
            # The exposure of the M-step: the expected jumps from e, divided by Z_e.
            leaving[k, e] += departing[k, e] * out[k, e]


@inner
def _backward_by_walk(transitions, targets, sources, weight, out):
    """Make the backward step by the walks."""
    n = len(targets) - 1
    # The adjoint of an exit is the mass that comes to it times the adjoint of where it leads. So
    # the mass flows ahead first, and then the targets flow back.
    _distribute(SUM_PRODUCT, transitions, sources, weight)
    for direction in range(2):
        traversal = _traversal(transitions, direction)
        walks.flow_ahead(SUM_PRODUCT, traversal, transitions.landed)
        walks.flow_back(traversal, targets)
    probability = transitions.departures[PROBABILITY_ROW]
    adjoint = transitions.departures[ADJOINT_ROW]
    end = targets[n]
    for k in range(len(out)):
        source, step = sources[k], out[k]
        ahead, back = transitions.leaving_adjoint[0, k], transitions.leaving_adjoint[1, k]
        stay, stay_adjoint = probability[arrays.STAY, k], adjoint[arrays.STAY, k]
        forward, forward_adjoint = probability[arrays.FORWARD, k], adjoint[arrays.FORWARD, k]
        backward, backward_adjoint = probability[arrays.BACKWARD, k], adjoint[arrays.BACKWARD, k]
        for e in range(n + 1):
            mass = weight * source[e]
            step[e] = stay[e] * targets[e] + (forward[e] * ahead[e] + backward[e] * back[e])
            stay_adjoint[e] += mass * targets[e]
            forward_adjoint[e] += mass * ahead[e]
            backward_adjoint[e] += mass * back[e]
        # Only after the last abstract word is there anything at the document's end.
        if end > 0.0:
            to_end, end_adjoint = probability[END_DEPARTURE, k], adjoint[END_DEPARTURE, k]
            for e in range(n + 1):
                step[e] += to_end[e] * end
                end_adjoint[e] += weight * source[e] * end


@inner(makes_arrays=True)
def jumps_to(transitions, j, out):
    """Fill in all jumps to one target: ``out[k, e] = p(j | k, e)``, float64 [K, n + 1]."""
    n = out.shape[1] - 1
    if transitions.by_walk:
        # The backward step of a single target, without counts.
        target, nothing = np.zeros(n + 1), np.zeros(out.shape)
        target[j] = 1.0
        _backward_by_walk(transitions, target, nothing, 0.0, out)
        return
    table = transitions.tables[POSITION_TABLE if j < n else END_TABLE]
    normaliser = transitions.rows[NORMALISER_ROW]
    for k in range(len(out)):
        for e in range(n + 1):
            # p(j | k, e) = w_b / Z_e, where bucket b has the distance j - e.
            weight, total = table[k, buckets.bucket_of(j - e)], normaliser[k, e]
            out[k, e] = weight / total if total > 0.0 else 0.0


@inner(makes_arrays=True)
def count_jumps(jumps, transitions, counts):
    """Add the expected counts of one pair to those of the batch."""
    if transitions.by_walk:
        _count_departures(jumps, transitions, counts.events)
        _count_exits(jumps, transitions, counts.events)
        return
    for table in range(2):
        jumps_by_bucket, weights = counts.jumps[table], transitions.tables[table]
        for k in range(len(weights)):
            for b in range(arrays.BUCKETS):
                # Weights were left out of the sums: one product a bucket, not one a row.
                jumps_by_bucket[k, b] += transitions.jumps[table, k, b] * weights[k, b]
    exposure = counts.exposure
    buckets.add_exposure(
        transitions.rows[LEAVING_ROW],
        transitions.pyramid,
        exposure[POSITION_TABLE],
        exposure[END_TABLE],
    )


@inner(makes_arrays=True)
def _count_departures(jumps, transitions, counts):
    """Add to ``counts`` [K, V] the expected departures from each boundary by event."""
    n, events = len(transitions.landed) - 1, np.empty(DEPARTURES, np.int64)
    probability = transitions.departures[PROBABILITY_ROW]
    adjoint = transitions.departures[ADJOINT_ROW]
    for e in range(n + 1):
        _departures(n, e, jumps.own_end, counts.shape[1] - 1, events)
        for departure in range(DEPARTURES):
            # Boundaries of one class share an event: their counts add up.
            for k in range(len(counts)):
                expected = adjoint[departure, k, e] * probability[departure, k, e]
                counts[k, events[departure]] += expected


@inner
def _count_exits(jumps, transitions, counts):
    """Add to ``counts`` [K, V] the expected exits of the steps by event."""
    for direction in range(2):
        begin, end = transitions.steps[direction, 0], transitions.steps[direction, 1]
        walks.count_events(_traversal(transitions, direction), jumps.event[begin:end], counts)
