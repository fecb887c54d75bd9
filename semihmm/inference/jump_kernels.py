"""The jumps of a batch as the lattice sees them: one representation for every jump model.

p(j | k, e) is the probability of a jump from boundary e (0..n), where the last phrase ended, to
position j, where the next one starts, or to n, the document's end. k is the source: what the
previous abstract word came from. It is a sum of components, each with its share:

- tables of weights for bucketed distances (``bucket_kernels``),
- walks over the constituents of the document (``walk_kernels``).

A model alone is one component whose share is exactly 1, a mixture has those of both models. Either
kind may be missing. All are of one type, so that numba compiles the lattice once for all of them.

Letters: n document words, P pairs, K sources (one; or two, after a phrase and after null), W tables
of B buckets, R walks of up to V events and S steps in all, C = W + R components.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from jump_models import kernel_arrays as arrays
from semihmm.inference import bucket_kernels as buckets
from semihmm.inference import walk_kernels as walks
from semihmm.inference.arithmetic_kernels import MAX_PRODUCT, SUM_PRODUCT, plus

POSITIONS, END = 0, 1
"""The two tables of a component: of jumps to positions, and of the jump to the document's end."""


class Transitions(NamedTuple):
    """The jumps of one pair: their probabilities, room to compute in, and expected counts.

    A table gives a jump by its distance. A walk gives it as a path of arcs: one departure from the
    boundary e, then exits of steps (``jump_models.steps`` has these words). Arrays are float64.

    As in ``Jumps``: ``shares``, ``tables``, ``own_end``, ``place``.

    Of tables:

    ``pyramid``  window sums (``bucket_kernels``).
    ``rows``     [W, 2, K, n + 1], by boundary: ``NORMALISER``, the sum of the weights of all
                 targets, or 1 where p is not renormalized; ``LEAVING``, the expected jumps from
                 there, divided by it.
    ``jumps``    [W, 2, K, B], the expected jumps of each bucket, divided by its weight.

    Of walks:

    ``steps``    int64 [R, 2, 3], by direction: where the steps of each walk begin and end in
                 ``place``, and where their exits begin in ``exits``.
    ``departures``  [2, 4 R, K, n + 1]: ``WEIGHT``, the probabilities of the four departures of each
                 walk (stay, forward, backward, to the end); ``USED``, their expected counts,
                 divided by these.
    ``exits``    [2, S, EXITS, 2]: the same of the exits of each step, by source.
    ``leaving``  [2, 2, n + 1], by direction and source: the mass that departs from each boundary.
    ``met``      [2, 2, n + 1]: what that mass meets, its adjoint.
    ``landed``   [n + 1], the mass that arrives at each target.
    ``flow``     [2, S + 1, 2, 2], the mass that comes to each step, and its adjoint; ``passed``
                 [2, 2, n + 1], the mass that comes to each word (``walk_kernels.Traversal``).

    Of mixtures:

    ``used``     [C, K], the expected jumps of each component.
    ``matrix``   [K, n + 1, n], all jumps to positions, in the max-product semiring: the largest of
                 sums is not the sum of the largest. Otherwise [K, 0, 0].

    ``room``     [2, K, n + 1], for intermediate results.
    ``tilt``     [n + 1], the logarithm of the scale of each boundary, mostly 0. A walk over a
                 thousand sentences has a probability that no double holds. So the mass at a
                 boundary is kept divided by a scale: the probability of the walk that leads there
                 from the document's beginning, over whole sentences. The probability of a jump from
                 e to j is multiplied by exp(tilt[e] - tilt[j]) then, exit by exit. These factors
                 cancel out in every path but for exp(-tilt[n]), so all posteriors stay as they are.
    """

    shares: np.ndarray
    tables: np.ndarray
    own_end: np.ndarray
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
    room: np.ndarray
    used: np.ndarray
    matrix: np.ndarray
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
    """Return ``Transitions.steps``, S, and the most steps that one walk has in one direction."""
    steps = np.empty((len(jumps.offsets), np.int64(2), np.int64(3)), np.int64)
    size, most = 0, 0
    for r in range(len(steps)):
        for direction in range(2):
            begin = jumps.offsets[r, direction, pair]
            end = jumps.offsets[r, direction, pair + 1]
            steps[r, direction, 0], steps[r, direction, 1] = begin, end
            steps[r, direction, 2] = size
            size, most = size + end - begin, max(most, end - begin)
    return steps, size, most


@inner(makes_arrays=True)
def transitions_of(semiring, jumps, pair, n):
    """Return the jumps of one pair of the batch, whose document has n words."""
    shares, tables = jumps.shares, jumps.tables
    sources = shares.shape[1]
    steps, size, most = _steps_of(jumps, pair)
    boundaries = n + 1 if semiring == MAX_PRODUCT and len(shares) > 1 else 0
    # numba would compile np.zeros again for each shape that has a Python number in it.
    two = np.int64(2)
    transitions = Transitions(
        shares, tables, jumps.own_end, jumps.place, steps,
        buckets.new_pyramid(n if len(tables) else 0),
        np.zeros((len(tables), two, sources, n + 1)), np.zeros(tables.shape),
        np.zeros((two, DEPARTURES * len(steps), sources, n + 1)),
        np.zeros((two, size, np.int64(arrays.EXITS), two)), np.zeros((two, most + 1, two, two)),
        np.zeros((two, two, n + 1)), np.zeros((two, two, n + 1)), np.zeros((two, two, n + 1)),
        np.zeros(n + 1),
        np.zeros((two, sources, n + 1)), np.zeros(shares.shape),
        np.empty((sources, boundaries, max(boundaries - 1, 0))), np.zeros(n + 1),
    )  # fmt: skip
    # The normalisers depend on the length of the document alone: once for each pair, not each row.
    for w in range(len(tables)):
        out = transitions.rows[w, NORMALISER]
        if jumps.renormalized[w]:
            buckets.fill_normaliser(tables[w, POSITIONS], tables[w, END], transitions.pyramid, out)
        else:
            buckets.set_all(out, 1.0)
    for r in range(len(steps)):
        _weigh_departures(jumps, transitions, r)
        _weigh_exits(jumps, transitions, r)
    # Only a mixture in Viterbi has columns to fill.
    for j in range(transitions.matrix.shape[2]):
        column = transitions.room[0]
        jumps_to(transitions, j, column)
        for k in range(sources):
            for e in range(n + 1):
                transitions.matrix[k, e, j] = column[k, e]
    return transitions


@inner
def tilt(transitions, spans):
    """Scale the boundaries where walks to the document's end are too improbable without.

    No candidate, int32 [C, 4], may gain too much by it: it is a walk over all that it spans.
    """
    # Where the end has a table of its own, and in a mixture with one, no path needs a long walk.
    if len(transitions.shares) > 1 or len(transitions.steps) == 0 or transitions.own_end[0]:
        return
    scales, most = transitions.tilt, 0.0
    walks.fill_scales(_traversal(transitions, 0, 0), scales)
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
            walks.tilt_exits(_traversal(transitions, 0, direction), scales)


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
def _weigh_departures(jumps, transitions, r):
    """Set the probabilities of the departures from each boundary."""
    n, events = len(transitions.landed) - 1, np.empty(DEPARTURES, np.int64)
    for e in range(n + 1):
        _departures(n, e, jumps.own_end[r], events)
        for which in range(DEPARTURES):
            event = events[which]
            if event >= 0:
                for k in range(transitions.shares.shape[1]):
                    weight = jumps.events[r, k, event]
                    transitions.departures[WEIGHT, DEPARTURES * r + which, k, e] = weight


@inner
def _weigh_exits(jumps, transitions, r):
    """Set the probabilities of the exits of the steps."""
    for direction in range(2):
        begin, end = transitions.steps[r, direction, 0], transitions.steps[r, direction, 1]
        walks.weigh(_traversal(transitions, r, direction), jumps.event[begin:end], jumps.events[r])


@inner
def _traversal(transitions, r, direction):
    """Return the walks of one component in one direction."""
    begin, end = transitions.steps[r, direction, 0], transitions.steps[r, direction, 1]
    first, steps = transitions.steps[r, direction, 2], end - begin
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
def _distribute(semiring, transitions, r, sources, share, factor):
    """Let the mass factor * share [K] * sources [K, n + 1] depart from the boundaries.

    ``leaving`` has what goes forward and backward then, ``landed`` what stays.
    """
    departures, row = transitions.departures[WEIGHT], DEPARTURES * r
    landed = transitions.landed
    for k in range(len(sources)):
        scale, source = factor * share[k], sources[k]
        stay, forward = departures[row + arrays.STAY, k], departures[row + arrays.FORWARD, k]
        backward = departures[row + arrays.BACKWARD, k]
        ahead, back = transitions.leaving[0, k], transitions.leaving[1, k]
        # Three ways at once: what goes ahead and back waits in ``leaving`` for the walks.
        for e in range(len(source)):
            mass = scale * source[e]
            ahead[e] = mass * forward[e]
            back[e] = mass * backward[e]
            landed[e] = plus(semiring, landed[e] if k else 0.0, mass * stay[e])


@inner
def forward_step(semiring, transitions, sources, out):
    """Make the forward step: ``out[j] += sum over k, e of sources[k, e] p(j | k, e)``.

    The sums are those of the semiring: in Viterbi ``out[j]`` is raised to the largest of the terms,
    exactly. ``sources`` float64 [K, n + 1]; ``out`` float64 [n].
    """
    if transitions.matrix.shape[2]:
        _step_by_matrix(semiring, transitions.matrix, sources, out)
        return
    tables, departing = len(transitions.tables), transitions.room[0]
    landed = transitions.landed
    for w in range(tables):
        # p is weight over normaliser: the boundary divides before the buckets multiply.
        buckets.depart(
            sources, transitions.shares[w], 1.0, transitions.rows[w, NORMALISER], departing
        )
        for k in range(len(sources)):
            buckets.forward_by_bucket(
                semiring,
                transitions.tables[w, POSITIONS, k],
                departing[k],
                transitions.pyramid,
                out,
            )
    for r in range(len(transitions.steps)):
        _distribute(semiring, transitions, r, sources, transitions.shares[tables + r], 1.0)
        for direction in range(2):
            walks.flow_ahead(semiring, _traversal(transitions, r, direction), landed)
        for j in range(len(out)):
            out[j] = plus(semiring, out[j], landed[j])


@inner
def _step_by_matrix(semiring, matrix, sources, out):
    """Make the forward step with all jumps at hand, one by one."""
    for k in range(len(sources)):
        for e in range(sources.shape[1]):
            source, row = sources[k, e], matrix[k, e]
            # Few boundaries have been reached after the first words.
            if source > 0.0:
                for j in range(len(out)):
                    out[j] = plus(semiring, out[j], source * row[j])


@inner
def backward_step(transitions, targets, sources, weight, out):
    """Make the backward step: ``out[k, e] = sum over j of p(j | k, e) targets[j]``.

    Also counts: each jump ``weight * sources[k, e] * p(j | k, e) * targets[j]`` times.
    ``targets`` float64 [n + 1]; ``sources`` and ``out`` float64 [K, n + 1].
    """
    tables, components = len(transitions.tables), len(transitions.shares)
    # A model alone needs no sum of components.
    by = out if components == 1 else transitions.room[1]
    for c in range(components):
        if c < tables:
            _backward_by_table(transitions, c, targets, sources, weight, by)
        else:
            _backward_by_walk(transitions, c - tables, targets, sources, weight, by)
        if components > 1:
            _add_share(transitions, c, by, out)
            for k in range(len(out)):
                for e in range(out.shape[1]):
                    mass = weight * (transitions.shares[c, k] * sources[k, e])
                    transitions.used[c, k] += mass * by[k, e]


@inner
def _backward_by_table(transitions, w, targets, sources, weight, out):
    """Make the backward step of one table."""
    n, departing = len(targets) - 1, transitions.room[0]
    normaliser, leaving = transitions.rows[w, NORMALISER], transitions.rows[w, LEAVING]
    # The counts of a bucket are made from what leaves, already divided by its normaliser.
    buckets.depart(sources, transitions.shares[w], weight, normaliser, departing)
    buckets.set_all(out, 0.0)
    buckets.backward_by_bucket(
        transitions.tables[w, POSITIONS], targets[:n], departing, transitions.pyramid, out,
        transitions.jumps[w, POSITIONS],
    )  # fmt: skip
    if targets[n] > 0.0:
        buckets.backward_to_end(
            transitions.tables[w, END], targets[n], departing, out, transitions.jumps[w, END]
        )
    for k in range(len(out)):
        for e in range(n + 1):
            out[k, e] = out[k, e] / normaliser[k, e] if normaliser[k, e] > 0.0 else 0.0
            # The M-step divides by it: how often the boundary was left, over its normaliser.
            leaving[k, e] += departing[k, e] * out[k, e]


@inner
def _backward_by_walk(transitions, r, targets, sources, weight, out):
    """Make the backward step of one walk."""
    n, share = len(targets) - 1, transitions.shares[len(transitions.tables) + r]
    # Counts of exits need what flows forward as well, in the same weights.
    _distribute(SUM_PRODUCT, transitions, r, sources, share, weight)
    for direction in range(2):
        traversal = _traversal(transitions, r, direction)
        walks.flow_ahead(SUM_PRODUCT, traversal, transitions.landed)
        walks.flow_back(traversal, targets)
    departures, used = transitions.departures[WEIGHT], transitions.departures[USED]
    row, end = DEPARTURES * r, targets[n]
    for k in range(len(out)):
        scale, source, to = weight * share[k], sources[k], out[k]
        ahead, back = transitions.met[0, k], transitions.met[1, k]
        stay, stays = departures[row + arrays.STAY, k], used[row + arrays.STAY, k]
        forward, forwards = departures[row + arrays.FORWARD, k], used[row + arrays.FORWARD, k]
        backward, backwards = departures[row + arrays.BACKWARD, k], used[row + arrays.BACKWARD, k]
        for e in range(n + 1):
            mass = scale * source[e]
            to[e] = stay[e] * targets[e] + (forward[e] * ahead[e] + backward[e] * back[e])
            stays[e] += mass * targets[e]
            forwards[e] += mass * ahead[e]
            backwards[e] += mass * back[e]
        # After the last word alone: before it nothing is at the end.
        if end > 0.0:
            to_end, ends = departures[row + TO_END, k], used[row + TO_END, k]
            for e in range(n + 1):
                to[e] += to_end[e] * end
                ends[e] += scale * source[e] * end


@inner
def _add_share(transitions, c, by, out):
    """Add the share of one component of ``by`` [K, n + 1]; the first one sets ``out``."""
    for k in range(len(out)):
        for e in range(out.shape[1]):
            before = out[k, e] if c else 0.0
            out[k, e] = before + transitions.shares[c, k] * by[k, e]


@inner(makes_arrays=True)
def jumps_to(transitions, j, out):
    """Fill in all jumps to one target: ``out[k, e] = p(j | k, e)``, float64 [K, n + 1]."""
    n, by = out.shape[1] - 1, transitions.room[1]
    tables = len(transitions.tables)
    for w in range(tables):
        table = transitions.tables[w, POSITIONS if j < n else END]
        for k in range(len(out)):
            for e in range(n + 1):
                normaliser = transitions.rows[w, NORMALISER, k, e]
                own = table[k, buckets.bucket_of(j - e)]
                by[k, e] = own / normaliser if normaliser > 0.0 else 0.0
        _add_share(transitions, w, by, out)
    # For a walk it is the backward step of a target that stands alone, without counts.
    target, nothing = np.zeros(n + 1), np.zeros(out.shape)
    target[j] = 1.0
    for r in range(len(transitions.steps)):
        if j == n and transitions.own_end[r]:
            # No walk comes there: that jump is decided before any walk.
            to_end = transitions.departures[WEIGHT, DEPARTURES * r + TO_END]
            _add_share(transitions, tables + r, to_end, out)
        else:
            _backward_by_walk(transitions, r, target, nothing, 0.0, by)
            _add_share(transitions, tables + r, by, out)


@inner(makes_arrays=True)
def count(jumps, transitions, counts):
    """Add to the counts what was counted in one pair."""
    for w in range(len(transitions.tables)):
        for which in range(2):
            own, weights = counts.jumps[w, which], transitions.tables[w, which]
            for k in range(len(own)):
                for b in range(arrays.BUCKETS):
                    # Weights were left out of the sums: one product a bucket, not one a row.
                    own[k, b] += transitions.jumps[w, which, k, b] * weights[k, b]
        exposure = counts.exposure[w]
        buckets.add_exposure(
            transitions.rows[w, LEAVING], transitions.pyramid, exposure[POSITIONS], exposure[END]
        )
    for r in range(len(transitions.steps)):
        _count_departures(jumps, transitions, r, counts.events[r])
        _count_exits(jumps, transitions, r, counts.events[r])
    for c in range(len(transitions.used)):
        for k in range(transitions.used.shape[1]):
            counts.used[c, k] += transitions.used[c, k]


@inner(makes_arrays=True)
def _count_departures(jumps, transitions, r, counts):
    """Add to ``counts`` [K, V] the expected departures from each boundary by event."""
    n, events = len(transitions.landed) - 1, np.empty(DEPARTURES, np.int64)
    weights, uses = transitions.departures[WEIGHT], transitions.departures[USED]
    for e in range(n + 1):
        _departures(n, e, jumps.own_end[r], events)
        for which in range(DEPARTURES):
            # Boundaries in the same situation share an event: their counts add up.
            event, row = events[which], DEPARTURES * r + which
            if event >= 0:
                for k in range(len(counts)):
                    counts[k, event] += uses[row, k, e] * weights[row, k, e]


@inner
def _count_exits(jumps, transitions, r, counts):
    """Add to ``counts`` [K, V] the expected exits of the steps by event."""
    for direction in range(2):
        begin, end = transitions.steps[r, direction, 0], transitions.steps[r, direction, 1]
        walks.count_events(_traversal(transitions, r, direction), jumps.event[begin:end], counts)
