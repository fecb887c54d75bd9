"""Jumps that flow through a small network, one for each document.

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

What is of one exit of each node stands together: ``weight`` and ``used``, the expected counts over
the weights, are float64 [3 N, 2]. ``value``, what flows forward, and ``adjoint``, what flows back,
are float64 [N + n + 1, 2] or have more rows. The second axis is the source. Both flow at once,
because most of the time goes into finding the nodes. Where K is 1, nothing flows in the second
column. Few nodes have a third exit, so what is of those stands by itself: all others are smaller
than the processor's first cache for most documents.

``head`` uint32 [N, 3] is the node to which each exit leads, counted from the pair's first;
``event`` uint32 [N, 3, 3] has the events of each exit, filled up with the one whose weight is one.

Letters: n document words, V events, N nodes before the targets, K sources, i an exit.
"""

from __future__ import annotations

from corpus_tools.compiled_kernels import inner


@inner
def pour(sources, share, factor, value):
    """Set the boundaries to factor * share [K] * sources [K, n + 1], all other nodes to 0."""
    for node in range(len(value)):
        value[node, 0] = value[node, 1] = 0.0
    boundaries = sources.shape[1]
    for k in range(len(sources)):
        for e in range(boundaries):
            mass = factor * (share[k] * sources[k, e])
            value[e, k] = value[boundaries + e, k] = mass


@inner
def aim(nodes, targets, adjoint):
    """Set the positions and the end to the targets [n + 1]. The flow overwrites all others."""
    for j in range(len(targets)):
        adjoint[nodes + j, 0] = adjoint[nodes + j, 1] = targets[j]


@inner
def gather(adjoint, out):
    """Fill ``out`` [K, n + 1] with what came back to the boundaries."""
    for k in range(len(out)):
        for e in range(out.shape[1]):
            out[k, e] = adjoint[e, k] + adjoint[out.shape[1] + e, k]


@inner
def weigh(event, events, weight):
    """Set the weights of the exits from those of the events, float64 [K, V]."""
    nodes = len(event)
    for k in range(len(events)):
        table = events[k]
        for node in range(nodes):
            for i in range(3):
                own = event[node, i]
                weight[i * nodes + node, k] = table[own[0]] * table[own[1]] * table[own[2]]


@inner
def _send(weight, node, to, one, other, value):
    """Send what is at a node through one exit."""
    # Both are computed before either is stored: the compiler then adds them at once.
    first = value[to, 0] + weight[node, 0] * one
    second = value[to, 1] + weight[node, 1] * other
    value[to, 0], value[to, 1] = first, second


@inner
def flow(head, weight, value):
    """Let what is at the boundaries flow forward."""
    nodes = len(head)
    first, second = weight[:nodes], weight[nodes : 2 * nodes]
    third = weight[2 * nodes :]
    for node in range(nodes):
        one, other = value[node, 0], value[node, 1]
        _send(first, node, head[node, 0], one, other, value)
        _send(second, node, head[node, 1], one, other, value)
        if head[node, 2] != node:
            _send(third, node, head[node, 2], one, other, value)


@inner
def flow_best(head, weight, value):
    """Do the same with the largest in place of the sum."""
    for node in range(len(head)):
        for i in range(3):
            for k in range(2):
                to, mass = head[node, i], weight[i * len(head) + node, k] * value[node, k]
                value[to, k] = max(value[to, k], mass)


@inner
def flow_back(head, weight, adjoint):
    """Let what is at the targets flow backward."""
    nodes = len(head)
    for node in range(nodes - 1, -1, -1):
        one, other = 0.0, 0.0
        for i in range(3):
            to, exit_ = head[node, i], i * nodes + node
            one += weight[exit_, 0] * adjoint[to, 0]
            other += weight[exit_, 1] * adjoint[to, 1]
        adjoint[node, 0], adjoint[node, 1] = one, other


@inner
def _pass(used, node, here, there, one, other):
    """Count what passes one exit: what is ``here`` and ``there``, times what it comes to."""
    first = used[node, 0] + here * one
    second = used[node, 1] + there * other
    used[node, 0], used[node, 1] = first, second


@inner
def flow_back_and_count(head, weight, value, adjoint, used):
    """Do the same, and count what passes each exit."""
    nodes = len(head)
    first, passed = weight[:nodes], used[:nodes]
    second, over = weight[nodes : 2 * nodes], used[nodes : 2 * nodes]
    third, into = weight[2 * nodes :], used[2 * nodes :]
    for node in range(nodes - 1, -1, -1):
        here, there = value[node, 0], value[node, 1]
        near, far = head[node, 0], head[node, 1]
        last = head[node, 2]
        one = first[node, 0] * adjoint[near, 0] + second[node, 0] * adjoint[far, 0]
        other = first[node, 1] * adjoint[near, 1] + second[node, 1] * adjoint[far, 1]
        _pass(passed, node, here, there, adjoint[near, 0], adjoint[near, 1])
        _pass(over, node, here, there, adjoint[far, 0], adjoint[far, 1])
        if last != node:
            one += third[node, 0] * adjoint[last, 0]
            other += third[node, 1] * adjoint[last, 1]
            _pass(into, node, here, there, adjoint[last, 0], adjoint[last, 1])
        adjoint[node, 0], adjoint[node, 1] = one, other


@inner
def count_events(head, event, weight, used, counts):
    """Add to ``counts`` [K, V] how often each event happened."""
    nodes = len(head)
    for node in range(nodes):
        for i in range(3):
            if head[node, i] != node:
                row = i * nodes + node
                for k in range(len(counts)):
                    passed = used[row, k] * weight[row, k]
                    for which in range(3):
                        counts[k, event[node, i, which]] += passed
