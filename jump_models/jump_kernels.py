"""The jumps of a batch as the lattice sees them: one representation for every jump model.

p(j | k, e) is the probability of a jump from boundary e (0..n), where the last phrase ended, to
position j, where the next one starts, or to n, the document's end. k is the source: what the
previous abstract word came from. It is a sum of components, each with its share:

- tables of weights for bucketed distances (``bucket_kernels``),
- networks that mass flows through (``network_kernels``).

A model alone is one component whose share is exactly 1, a mixture has those of both models. Either
kind may be missing. All are of one type, so that numba compiles the lattice once for all of them.

Letters: n document words, P pairs, K sources (one; or two, after a phrase and after null), W tables
of B buckets, R networks of up to V events and N nodes in all, C = W + R components.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import inner
from jump_models import bucket_kernels as buckets
from jump_models import network_kernels as network
from jump_models.kernel_arrays import BUCKETS

POSITIONS, END = 0, 1
"""The two tables of a component: of jumps to positions, and of the jump to the document's end."""


class Ways(NamedTuple):
    """The jumps of one pair, with room to work in, and what was counted. Arrays are float64.

    ``shares``, ``tables``, ``head``  as in ``Jumps``.
    ``nodes``    int64 [R, 3]: where the nodes of each network begin and end in ``head``, and where
                 their exits begin in ``exits``.
    ``pyramid``  see ``bucket_kernels``.
    ``rows``     [W, 2, K, n + 1]: the sum of the weights of all targets, or 1 where p is not
                 renormalized, and what left each boundary, divided by it.
    ``jumps``    [W, 2, K, B], expected counts divided by the weights.
    ``exits``    [2, 3 N, 2]: the weights of the exits, and their expected counts divided by these.
    ``flow``     [2, N + n + 1, 2]: what flows forward through a network, and what flows back.
    ``room``     [2, K, n + 1].
    ``used``     [C, K] as in ``JumpCounts``.
    """

    shares: np.ndarray
    tables: np.ndarray
    head: np.ndarray
    nodes: np.ndarray
    pyramid: np.ndarray
    rows: np.ndarray
    jumps: np.ndarray
    exits: np.ndarray
    flow: np.ndarray
    room: np.ndarray
    used: np.ndarray


WEIGHT, USED = 0, 1
"""The two rows of ``Ways.exits``."""
AHEAD, BACK = 0, 1
"""The two rows of ``Ways.flow``."""
NORMALISER, LEAVING = 0, 1
"""The two rows of ``Ways.rows``."""


@inner
def _nodes_of(jumps, pair):
    """Return ``Ways.nodes``, N, and the most nodes that one network has."""
    nodes = np.empty((len(jumps.offsets), np.int64(3)), np.int64)
    size, most = 0, 0
    for r in range(len(nodes)):
        nodes[r, 0], nodes[r, 1] = jumps.offsets[r, pair], jumps.offsets[r, pair + 1]
        own, nodes[r, 2] = nodes[r, 1] - nodes[r, 0], 3 * size
        size, most = size + own, max(most, own)
    return nodes, size, most


@inner
def ways_of(jumps, pair, n):
    """Return the jumps of one pair of the batch, whose document has n words."""
    shares, tables = jumps.shares, jumps.tables
    sources = shares.shape[1]
    nodes, size, most = _nodes_of(jumps, pair)
    # numba would compile np.zeros again for each shape that has a Python number in it.
    two = np.int64(2)
    ways = Ways(
        shares, tables, jumps.head, nodes, buckets.new_pyramid(n if len(tables) else 0),
        np.zeros((len(tables), two, sources, n + 1)), np.zeros(tables.shape),
        np.zeros((two, 3 * size, two)), np.zeros((two, most + n + 1, two)),
        np.zeros((two, sources, n + 1)), np.zeros(shares.shape),
    )  # fmt: skip
    for w in range(len(tables)):
        out = ways.rows[w, NORMALISER]
        if jumps.renormalized[w]:
            buckets.fill_normaliser(tables[w, POSITIONS], tables[w, END], ways.pyramid, out)
        else:
            buckets.set_all(out, 1.0)
    for r in range(len(nodes)):
        _, weight, _ = _network(ways, r)
        network.weigh(jumps.event[nodes[r, 0] : nodes[r, 1]], jumps.events[r], weight)
    return ways


@inner
def _network(ways, r):
    """Return the heads of one network, and the weights and the counts of its exits."""
    head, first = ways.head[ways.nodes[r, 0] : ways.nodes[r, 1]], ways.nodes[r, 2]
    last = first + 3 * len(head)
    return head, ways.exits[WEIGHT, first:last], ways.exits[USED, first:last]


@inner
def land(ways, sources, out):
    """Make the forward step: ``out[j] += sum over k, e of sources[k, e] p(j | k, e)``.

    ``sources`` float64 [K, n + 1]; ``out`` float64 [n].
    """
    tables, departing = len(ways.tables), ways.room[0]
    value = ways.flow[AHEAD]
    for w in range(tables):
        buckets.depart(sources, ways.shares[w], 1.0, ways.rows[w, NORMALISER], departing)
        for k in range(len(sources)):
            buckets.land_by_bucket(
                ways.tables[w, POSITIONS, k], departing[k], ways.pyramid, out, False
            )
    for r in range(len(ways.nodes)):
        head, weight, _ = _network(ways, r)
        network.pour(sources, ways.shares[tables + r], 1.0, value)
        network.flow(head, weight, value)
        for j in range(len(out)):
            out[j] += value[len(head) + j, 0] + value[len(head) + j, 1]


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
            head, exits, used = _network(ways, c - tables)
            value, adjoint = ways.flow[AHEAD], ways.flow[BACK]
            network.pour(sources, ways.shares[c], weight, value)
            network.flow(head, exits, value)
            network.aim(len(head), targets, adjoint)
            network.flow_back_and_count(head, exits, value, adjoint, used)
            network.gather(adjoint, by)
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
def _add_share(ways, c, by, out):
    """Add the share of one component of ``by`` [K, n + 1]; the first one sets ``out``."""
    for k in range(len(out)):
        for e in range(out.shape[1]):
            before = out[k, e] if c else 0.0
            out[k, e] = before + ways.shares[c, k] * by[k, e]


@inner
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
    target = np.zeros(n + 1)
    target[j] = 1.0
    for r in range(len(ways.nodes)):
        head, weight, _ = _network(ways, r)
        network.aim(len(head), target, ways.flow[BACK])
        network.flow_back(head, weight, ways.flow[BACK])
        network.gather(ways.flow[BACK], by)
        _add_share(ways, tables + r, by, out)


@inner
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
        head, weight, _ = _network(ways, 0)
        value = ways.flow[AHEAD]
        network.pour(sources, ways.shares[0], 1.0, value)
        network.flow_best(head, weight, value)
        for j in range(len(out)):
            out[j] = max(out[j], value[len(head) + j, 0], value[len(head) + j, 1])


@inner
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
    for r in range(len(ways.nodes)):
        event = jumps.event[ways.nodes[r, 0] : ways.nodes[r, 1]]
        head, weight, used = _network(ways, r)
        network.count_events(head, event, weight, used, counts.events[r])
    for c in range(len(ways.used)):
        for k in range(ways.used.shape[1]):
            counts.used[c, k] += ways.used[c, k]
