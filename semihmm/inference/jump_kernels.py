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

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import inner
from jump_models.kernel_arrays import (
    ACTIONS,
    BACKWARD,
    BUCKETS,
    EXITS,
    FIRST_OPEN,
    FORWARD,
    SECOND_OPEN,
    STAY,
)
from semihmm.inference import bucket_kernels as buckets
from semihmm.inference import walk_kernels as walks

POSITIONS, END = 0, 1
"""The two tables of a component: of jumps to positions, and of the jump to the document's end."""


class Ways(NamedTuple):
    """The jumps of one pair, with room to work in, and what was counted. Arrays are float64.

    ``shares``, ``tables``, ``own_end``, ``place``  as in ``Jumps``.
    ``steps``    int64 [R, 2, 3]: where the steps of each walk begin and end in ``place``, forward
                 and backward, and where their exits begin in ``exits``.
    ``pyramid``  see ``bucket_kernels``.
    ``rows``     [W, 2, K, n + 1]: the sum of the weights of all targets, or 1 where p is not
                 renormalized, and what left each boundary, divided by it.
    ``jumps``    [W, 2, K, B], expected counts divided by the weights.
    ``departures``  [2, 4 R, K, n + 1]: the weights of the ways to leave a boundary, four for each
                 walk, and their expected counts divided by these.
    ``exits``    [2, S, EXITS, 2]: the same of the exits of the steps.
    ``flow``     [2, S + 1, 2, 2]: room for what flows through the steps of a walk, ahead and back.
    ``passed``   [2, 2, n + 1]: more of it (``walk_kernels.Course``).
    ``leaving``  [2, 2, n + 1], ``met`` [2, 2, n + 1]: what leaves forward and backward, and what
                 it meets.
    ``landed``   [n + 1].
    ``room``     [2, K, n + 1].
    ``used``     [C, K] as in ``JumpCounts``.
    ``tilt``     [n + 1], the logarithm of the scale of each boundary (below), mostly 0.

    A walk over a thousand sentences has a probability that no double holds. So what is at a
    boundary is kept divided by its scale, which is the probability of the walk that leads there
    from the document's beginning, over whole sentences. The probability of a jump from e to j is
    multiplied by exp(tilt[e] - tilt[j]) then, exit by exit. These factors cancel out in every path
    but for exp(-tilt[n]): so all posteriors stay as they are.
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
    tilt: np.ndarray


WEIGHT, USED = 0, 1
"""The two rows of ``Ways.exits`` and of ``Ways.departures``."""
NORMALISER, LEAVING = 0, 1
"""The two rows of ``Ways.rows``."""
TO_END = 3
"""The departure to the document's end, after those that ``kernel_arrays`` names."""
DEPARTURES = 4
DEEP = -300.0
"""The logarithm of the probability of a walk over the document from which on boundaries are scaled.

The smallest double is exp(-708). What is more probable needs no scale, and keeps its digits.
"""


@inner(makes_arrays=True)
def _steps_of(jumps, pair):
    """Return ``Ways.steps``, S, and the most steps that one walk has in one direction."""
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
def ways_of(jumps, pair, n):
    """Return the jumps of one pair of the batch, whose document has n words."""
    shares, tables = jumps.shares, jumps.tables
    sources = shares.shape[1]
    steps, size, most = _steps_of(jumps, pair)
    # numba would compile np.zeros again for each shape that has a Python number in it.
    two = np.int64(2)
    ways = Ways(
        shares, tables, jumps.own_end, jumps.place, steps,
        buckets.new_pyramid(n if len(tables) else 0),
        np.zeros((len(tables), two, sources, n + 1)), np.zeros(tables.shape),
        np.zeros((two, DEPARTURES * len(steps), sources, n + 1)),
        np.zeros((two, size, np.int64(EXITS), two)), np.zeros((two, most + 1, two, two)),
        np.zeros((two, two, n + 1)), np.zeros((two, two, n + 1)), np.zeros((two, two, n + 1)),
        np.zeros(n + 1),
        np.zeros((two, sources, n + 1)), np.zeros(shares.shape), np.zeros(n + 1),
    )  # fmt: skip
    for w in range(len(tables)):
        out = ways.rows[w, NORMALISER]
        if jumps.renormalized[w]:
            buckets.fill_normaliser(tables[w, POSITIONS], tables[w, END], ways.pyramid, out)
        else:
            buckets.set_all(out, 1.0)
    for r in range(len(steps)):
        _weigh_departures(jumps, ways, r)
        _weigh_exits(jumps, ways, r)
    return ways


@inner
def tilt(ways, cells):
    """Scale the boundaries where walks to the document's end are too improbable without.

    No cell, int32 [C, 4], may gain too much by it: it is a walk over all that it spans.
    """
    # Where the end has a table of its own, and in a mixture with one, no path needs a long walk.
    if len(ways.shares) > 1 or len(ways.steps) == 0 or ways.own_end[0]:
        return
    scales, most = ways.tilt, 0.0
    walks.fill_scales(_course(ways, 0, 0), scales)
    for i in range(len(cells)):
        most = max(most, scales[cells[i, 2]] - scales[cells[i, 3]])
    share = min(1.0, -DEEP / most) if most > 0.0 else 1.0
    if scales[-1] > DEEP:
        share = 0.0
    for x in range(len(scales)):
        scales[x] *= share
    if share > 0.0:
        for direction in range(2):
            walks.tilt_exits(_course(ways, 0, direction), scales)


@inner
def _departures(n, e, own_end, events):
    """Fill ``events`` [4]: those of the ways to leave a boundary, or -1, which is never."""
    last = n - 1 if own_end else n
    group = buckets.bucket_of(n - e) if own_end else 0
    ahead, back = e < last, e > 0
    event = (BUCKETS if own_end else 1) + ACTIONS * group
    if e <= last and (ahead or back):
        event += FIRST_OPEN
    further = event + (SECOND_OPEN if ahead and back else 0)
    events[STAY] = event + STAY if e <= last else -1
    events[FORWARD] = further + FORWARD if ahead else -1
    events[BACKWARD] = further + BACKWARD if back else -1
    events[TO_END] = group if own_end else -1


@inner(makes_arrays=True)
def _weigh_departures(jumps, ways, r):
    """Set the weights of the ways to leave each boundary."""
    n, events = len(ways.landed) - 1, np.empty(DEPARTURES, np.int64)
    for e in range(n + 1):
        _departures(n, e, jumps.own_end[r], events)
        for which in range(DEPARTURES):
            event = events[which]
            if event >= 0:
                for k in range(ways.shares.shape[1]):
                    weight = jumps.events[r, k, event]
                    ways.departures[WEIGHT, DEPARTURES * r + which, k, e] = weight


@inner
def _weigh_exits(jumps, ways, r):
    """Set the weights of the exits of the steps."""
    for direction in range(2):
        begin, end = ways.steps[r, direction, 0], ways.steps[r, direction, 1]
        walks.weigh(_course(ways, r, direction), jumps.event[begin:end], jumps.events[r])


@inner
def _course(ways, r, direction):
    """Return the walks of one component in one direction."""
    begin, end = ways.steps[r, direction, 0], ways.steps[r, direction, 1]
    first, steps = ways.steps[r, direction, 2], end - begin
    return walks.Course(
        ways.place[begin:end],
        1 - 2 * direction,
        ways.exits[WEIGHT, first : first + steps],
        ways.exits[USED, first : first + steps],
        ways.leaving[direction],
        ways.met[direction],
        ways.flow[0, : steps + 1],
        ways.flow[1, : steps + 1],
        ways.passed,
    )


@inner
def _pour(ways, r, sources, share, factor):
    """Let factor * share [K] * sources [K, n + 1] leave the boundaries.

    What stays is in ``landed`` then.
    """
    departures, row = ways.departures[WEIGHT], DEPARTURES * r
    landed = ways.landed
    for k in range(len(sources)):
        scale, source = factor * share[k], sources[k]
        stay, forward = departures[row + STAY, k], departures[row + FORWARD, k]
        backward = departures[row + BACKWARD, k]
        ahead, back = ways.leaving[0, k], ways.leaving[1, k]
        for e in range(len(source)):
            mass = scale * source[e]
            ahead[e] = mass * forward[e]
            back[e] = mass * backward[e]
            landed[e] = (landed[e] if k else 0.0) + mass * stay[e]


@inner
def land(ways, sources, out):
    """Make the forward step: ``out[j] += sum over k, e of sources[k, e] p(j | k, e)``.

    ``sources`` float64 [K, n + 1]; ``out`` float64 [n].
    """
    tables, departing = len(ways.tables), ways.room[0]
    landed = ways.landed
    for w in range(tables):
        buckets.depart(sources, ways.shares[w], 1.0, ways.rows[w, NORMALISER], departing)
        for k in range(len(sources)):
            buckets.land_by_bucket(
                ways.tables[w, POSITIONS, k], departing[k], ways.pyramid, out, False
            )
    for r in range(len(ways.steps)):
        _pour(ways, r, sources, ways.shares[tables + r], 1.0)
        for direction in range(2):
            walks.flow_ahead(_course(ways, r, direction), landed)
        for j in range(len(out)):
            out[j] += landed[j]


@inner
def leave(ways, targets, sources, weight, out):
    """Make the backward step: ``out[k, e] = sum over j of p(j | k, e) targets[j]``.

    Also counts: each jump ``weight * sources[k, e] * p(j | k, e) * targets[j]`` times.
    ``targets`` float64 [n + 1]; ``sources`` and ``out`` float64 [K, n + 1].
    """
    tables, components = len(ways.tables), len(ways.shares)
    by = out if components == 1 else ways.room[1]
    for c in range(components):
        if c < tables:
            _leave_by_table(ways, c, targets, sources, weight, by)
        else:
            _leave_by_walk(ways, c - tables, targets, sources, weight, by)
        if components > 1:
            _add_share(ways, c, by, out)
            for k in range(len(out)):
                for e in range(out.shape[1]):
                    mass = weight * (ways.shares[c, k] * sources[k, e])
                    ways.used[c, k] += mass * by[k, e]


@inner
def _leave_by_table(ways, w, targets, sources, weight, out):
    """Make the backward step of one table."""
    n, departing = len(targets) - 1, ways.room[0]
    normaliser, leaving = ways.rows[w, NORMALISER], ways.rows[w, LEAVING]
    buckets.depart(sources, ways.shares[w], weight, normaliser, departing)
    buckets.set_all(out, 0.0)
    buckets.leave_by_bucket(
        ways.tables[w, POSITIONS], targets[:n], departing, ways.pyramid, out,
        ways.jumps[w, POSITIONS],
    )  # fmt: skip
    if targets[n] > 0.0:
        buckets.leave_to_end(ways.tables[w, END], targets[n], departing, out, ways.jumps[w, END])
    for k in range(len(out)):
        for e in range(n + 1):
            out[k, e] = out[k, e] / normaliser[k, e] if normaliser[k, e] > 0.0 else 0.0
            leaving[k, e] += departing[k, e] * out[k, e]


@inner
def _leave_by_walk(ways, r, targets, sources, weight, out):
    """Make the backward step of one walk."""
    n, share = len(targets) - 1, ways.shares[len(ways.tables) + r]
    _pour(ways, r, sources, share, weight)
    for direction in range(2):
        course = _course(ways, r, direction)
        walks.flow_ahead(course, ways.landed)
        walks.flow_back(course, targets)
    departures, used = ways.departures[WEIGHT], ways.departures[USED]
    row, end = DEPARTURES * r, targets[n]
    for k in range(len(out)):
        scale, source, to = weight * share[k], sources[k], out[k]
        ahead, back = ways.met[0, k], ways.met[1, k]
        stay, stays = departures[row + STAY, k], used[row + STAY, k]
        forward, forwards = departures[row + FORWARD, k], used[row + FORWARD, k]
        backward, backwards = departures[row + BACKWARD, k], used[row + BACKWARD, k]
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
def _add_share(ways, c, by, out):
    """Add the share of one component of ``by`` [K, n + 1]; the first one sets ``out``."""
    for k in range(len(out)):
        for e in range(out.shape[1]):
            before = out[k, e] if c else 0.0
            out[k, e] = before + ways.shares[c, k] * by[k, e]


@inner(makes_arrays=True)
def reach(ways, j, out):
    """Fill in all ways to one target: ``out[k, e] = p(j | k, e)``, float64 [K, n + 1]."""
    n, by = out.shape[1] - 1, ways.room[1]
    tables = len(ways.tables)
    for w in range(tables):
        table = ways.tables[w, POSITIONS if j < n else END]
        for k in range(len(out)):
            for e in range(n + 1):
                normaliser = ways.rows[w, NORMALISER, k, e]
                own = table[k, buckets.bucket_of(j - e)]
                by[k, e] = own / normaliser if normaliser > 0.0 else 0.0
        _add_share(ways, w, by, out)
    target, nothing = np.zeros(n + 1), np.zeros(out.shape)
    target[j] = 1.0
    for r in range(len(ways.steps)):
        if j == n and ways.own_end[r]:
            # No walk comes there.
            to_end = ways.departures[WEIGHT, DEPARTURES * r + TO_END]
            _add_share(ways, tables + r, to_end, out)
        else:
            _leave_by_walk(ways, r, target, nothing, 0.0, by)
            _add_share(ways, tables + r, by, out)


@inner(makes_arrays=True)
def table_of_jumps(ways):
    """Return float64 [K, n + 1, n], all jumps to positions, which ``land_best`` needs of mixtures.

    The largest of sums is not the sum of the largest. One component needs no table: it is empty.
    """
    sources, boundaries = ways.room.shape[1], ways.room.shape[2]
    if len(ways.shares) == 1:
        return np.empty((sources, 0, 0))
    table, column = np.empty((sources, boundaries, boundaries - 1)), np.empty((sources, boundaries))
    for j in range(boundaries - 1):
        reach(ways, j, column)
        for k in range(sources):
            for e in range(boundaries):
                table[k, e, j] = column[k, e]
    return table


@inner
def land_best(ways, table, sources, out):
    """Make the Viterbi step: ``out[j] = max(out[j], max over k, e of sources[k, e] p(j | k, e))``.

    The maximum is exact. ``table`` is what ``table_of_jumps`` gave; ``sources`` float64 [K, n + 1];
    ``out`` float64 [n].
    """
    if len(ways.shares) > 1:
        for k in range(len(sources)):
            for e in range(sources.shape[1]):
                source, row = sources[k, e], table[k, e]
                if source > 0.0:
                    for j in range(len(out)):
                        out[j] = max(out[j], source * row[j])
    elif len(ways.tables):
        departing = ways.room[0]
        buckets.depart(sources, ways.shares[0], 1.0, ways.rows[0, NORMALISER], departing)
        for k in range(len(sources)):
            buckets.land_by_bucket(
                ways.tables[0, POSITIONS, k], departing[k], ways.pyramid, out, True
            )
    else:
        landed = ways.landed
        _pour(ways, 0, sources, ways.shares[0], 1.0)
        for e in range(len(landed)):
            landed[e] = 0.0
        for k in range(len(sources)):
            stay = ways.departures[WEIGHT, STAY, k]
            for e in range(len(landed)):
                landed[e] = max(landed[e], sources[k, e] * stay[e])
        for direction in range(2):
            walks.flow_best(_course(ways, 0, direction), landed)
        for j in range(len(out)):
            out[j] = max(out[j], landed[j])


@inner(makes_arrays=True)
def count(jumps, ways, counts):
    """Add to the counts what was counted in one pair."""
    for w in range(len(ways.tables)):
        for which in range(2):
            own, weights = counts.jumps[w, which], ways.tables[w, which]
            for k in range(len(own)):
                for b in range(BUCKETS):
                    own[k, b] += ways.jumps[w, which, k, b] * weights[k, b]
        exposure = counts.exposure[w]
        buckets.add_exposure(
            ways.rows[w, LEAVING], ways.pyramid, exposure[POSITIONS], exposure[END]
        )
    for r in range(len(ways.steps)):
        _count_departures(jumps, ways, r, counts.events[r])
        _count_exits(jumps, ways, r, counts.events[r])
    for c in range(len(ways.used)):
        for k in range(ways.used.shape[1]):
            counts.used[c, k] += ways.used[c, k]


@inner(makes_arrays=True)
def _count_departures(jumps, ways, r, counts):
    """Add to ``counts`` [K, V] how often each boundary was left in each way."""
    n, events = len(ways.landed) - 1, np.empty(DEPARTURES, np.int64)
    weights, uses = ways.departures[WEIGHT], ways.departures[USED]
    for e in range(n + 1):
        _departures(n, e, jumps.own_end[r], events)
        for which in range(DEPARTURES):
            event, row = events[which], DEPARTURES * r + which
            if event >= 0:
                for k in range(len(counts)):
                    counts[k, event] += uses[row, k, e] * weights[row, k, e]


@inner
def _count_exits(jumps, ways, r, counts):
    """Add to ``counts`` [K, V] how often walks took each exit of the steps."""
    for direction in range(2):
        begin, end = ways.steps[r, direction, 0], ways.steps[r, direction, 1]
        walks.count_events(_course(ways, r, direction), jumps.event[begin:end], counts)
