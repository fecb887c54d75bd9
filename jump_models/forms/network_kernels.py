"""The form of jumps that flow through a small network, one for each document.

A network is a weighted graph without cycles. Mass enters at the boundaries e, flows from node to
node, always to one of a higher number, and leaves at the last n + 1 nodes, the targets: the
positions j and the document's end. A boundary has two nodes, e and n + 1 + e, that share its exits.
p(j | e) is the sum over the paths from e to j of the products of their weights. There is exactly
one path from each e to each j that can be reached from it, so that the best path through a network
is also the best jump. What leaves a boundary sums to one: so does p(. | e).

A node has up to three exits. Each says to which node it leads and which events it stands for. A
model has one weight for each event, and the exit's weight is their product. Forward is a sum over
the exits in the order of the nodes, backward its adjoint in the opposite order, and the expected
count of an event is the sum over its exits of value(node) * weight * adjoint(where it leads). An
exit that a node does not have leads back to the node itself with a weight of zero, so that no exit
has to be checked for.

Letters: n document words, V events, N nodes before the targets, P pairs, K sources, i an exit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms import form_kernels
from jump_models.forms.form_kernels import implements


class Network(NamedTuple):
    """The form.

    ``weights``  float64 [K, V]. The last two are constants: one, and zero.
    ``head``     uint32 [N, 3], the node to which each exit leads, counted from the pair's first.
    ``event``    uint32 [N, 3, 3], the events of each exit: up to three, filled up with the event
                 whose weight is one.
    ``offsets``  int64 [P + 1], where the nodes of each pair start.
    """

    weights: np.ndarray
    head: np.ndarray
    event: np.ndarray
    offsets: np.ndarray


class NetworkCounts(NamedTuple):
    """``events`` float64 [K, V]: how often each event is expected; 0 for the two constants."""

    events: np.ndarray


class NetworkWork(NamedTuple):
    """The workspace: float64 by exit or node, and by source.

    ``weight``   [3, N, 2], by exit, the product of its events' weights.
    ``used``     [3, N, 2], expected counts over the weights.
    ``value``    [N + n + 1, 2], what flows forward; ``adjoint`` [N + n + 1, 2], what flows back.

    Both sources flow at once, because most of the time goes into finding the nodes. Where K is 1,
    nothing flows in the second column. Few nodes have a third exit, so what is of those stands by
    itself: all others are smaller than the processor's first cache for most documents.
    """

    weight: np.ndarray
    used: np.ndarray
    value: np.ndarray
    adjoint: np.ndarray


@compiled
def _pour(sources, factor, value):
    """Set the boundaries to the sources [K, n + 1] times ``factor``, all other nodes to 0."""
    value[:] = 0.0
    for k in range(len(sources)):
        for e in range(sources.shape[1]):
            value[e, k] = value[sources.shape[1] + e, k] = factor * sources[k, e]


@compiled
def _aim(targets, adjoint):
    """Set the positions and the end to the targets [n + 1]. The flow overwrites all others."""
    first = len(adjoint) - len(targets)
    for j in range(len(targets)):
        adjoint[first + j, :] = targets[j]


@compiled
def _gather(adjoint, out):
    """Fill ``out`` [K, n + 1] with what came back to the boundaries."""
    for k in range(len(out)):
        for e in range(out.shape[1]):
            out[k, e] = adjoint[e, k] + adjoint[out.shape[1] + e, k]


@compiled
def _send(weight, node, to, one, other, value):
    """Send what is at a node through one exit."""
    # Both are computed before either is stored: the compiler then adds them at once.
    first = value[to, 0] + weight[node, 0] * one
    second = value[to, 1] + weight[node, 1] * other
    value[to, 0], value[to, 1] = first, second


@compiled
def _flow(head, weight, value):
    """Let what is at the boundaries flow forward."""
    first, second = weight[0], weight[1]
    third = weight[2]
    for node in range(len(head)):
        one, other = value[node, 0], value[node, 1]
        _send(first, node, head[node, 0], one, other, value)
        _send(second, node, head[node, 1], one, other, value)
        if head[node, 2] != node:
            _send(third, node, head[node, 2], one, other, value)


@compiled
def _flow_best(head, weight, value):
    """Do the same with the largest in place of the sum."""
    for node in range(len(head)):
        for i in range(3):
            for k in range(2):
                to = head[node, i]
                value[to, k] = max(value[to, k], weight[i, node, k] * value[node, k])


@compiled
def _flow_back(head, weight, adjoint):
    """Let what is at the targets flow backward."""
    for node in range(len(head) - 1, -1, -1):
        one, other = 0.0, 0.0
        for i in range(3):
            to = head[node, i]
            one += weight[i, node, 0] * adjoint[to, 0]
            other += weight[i, node, 1] * adjoint[to, 1]
        adjoint[node, 0], adjoint[node, 1] = one, other


@compiled
def _pass(used, node, here, there, one, other):
    """Count what passes one exit: what is ``here`` and ``there``, times what it comes to."""
    first = used[node, 0] + here * one
    second = used[node, 1] + there * other
    used[node, 0], used[node, 1] = first, second


@compiled
def _flow_back_and_count(head, weight, value, adjoint, used):
    """Do the same, and count what passes each exit."""
    for node in range(len(head) - 1, -1, -1):
        here, there = value[node, 0], value[node, 1]
        near, far = head[node, 0], head[node, 1]
        last = head[node, 2]
        one = weight[0, node, 0] * adjoint[near, 0] + weight[1, node, 0] * adjoint[far, 0]
        other = weight[0, node, 1] * adjoint[near, 1] + weight[1, node, 1] * adjoint[far, 1]
        _pass(used[0], node, here, there, adjoint[near, 0], adjoint[near, 1])
        _pass(used[1], node, here, there, adjoint[far, 0], adjoint[far, 1])
        if last != node:
            one += weight[2, node, 0] * adjoint[last, 0]
            other += weight[2, node, 1] * adjoint[last, 1]
            _pass(used[2], node, here, there, adjoint[last, 0], adjoint[last, 1])
        adjoint[node, 0], adjoint[node, 1] = one, other


@implements(form_kernels.source_count, Network)
def _network_source_count(form):
    return len(form.weights)


@implements(form_kernels.of_pair, Network)
def _network_of_pair(form, pair):
    first, last = form.offsets[pair], form.offsets[pair + 1]
    return Network(form.weights, form.head[first:last], form.event[first:last], form.offsets[:2])


@implements(form_kernels.new_workspace, Network)
def _network_new_workspace(form, n):
    size, nodes = len(form.head), len(form.head) + n + 1
    weight = np.zeros((3, size, 2))
    for k in range(len(form.weights)):
        table = form.weights[k]
        for node in range(size):
            for i in range(3):
                events = form.event[node, i]
                weight[i, node, k] = table[events[0]] * table[events[1]] * table[events[2]]
    return NetworkWork(weight, np.zeros((3, size, 2)), np.zeros((nodes, 2)), np.zeros((nodes, 2)))


@implements(form_kernels.land, Network)
def _network_land(form, work, sources, out):
    _pour(sources, 1.0, work.value)
    _flow(form.head, work.weight, work.value)
    for j in range(len(out)):
        out[j] += work.value[len(form.head) + j, 0] + work.value[len(form.head) + j, 1]


@implements(form_kernels.new_best_workspace, Network)
def _network_new_best_workspace(form, work, n):
    return work


@implements(form_kernels.land_best, Network)
def _network_land_best(form, best_work, sources, out):
    value = best_work.value
    _pour(sources, 1.0, value)
    _flow_best(form.head, best_work.weight, value)
    for j in range(len(out)):
        out[j] = max(out[j], value[len(form.head) + j, 0], value[len(form.head) + j, 1])


@implements(form_kernels.leave, Network)
def _network_leave(form, work, targets, sources, weight, out):
    _pour(sources, weight, work.value)
    _flow(form.head, work.weight, work.value)
    _aim(targets, work.adjoint)
    _flow_back_and_count(form.head, work.weight, work.value, work.adjoint, work.used)
    _gather(work.adjoint, out)


@implements(form_kernels.reach, Network)
def _network_reach(form, work, j, out):
    target = np.zeros(out.shape[1])
    target[j] = 1.0
    _aim(target, work.adjoint)
    _flow_back(form.head, work.weight, work.adjoint)
    _gather(work.adjoint, out)


@implements(form_kernels.new_counts, Network)
def _network_new_counts(form):
    return NetworkCounts(np.zeros(form.weights.shape))


@implements(form_kernels.count, Network)
def _network_count(form, work, counts):
    events, constants = counts.events, form.weights.shape[1] - 2
    for node in range(len(form.head)):
        for i in range(3):
            if form.head[node, i] == node:
                continue
            for event in form.event[node, i]:
                if event < constants:
                    for k in range(len(events)):
                        events[k, event] += work.used[i, node, k] * work.weight[i, node, k]
