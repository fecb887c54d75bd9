"""Finds the path of a word network that is nearest to a summary (Hori et al. 2003, section 3.4)."""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled

BEFORE_ALL = -1
"""What stands before the first word of a path."""


@compiled
def word_errors(target, summary):
    """Return the fewest substitutions, insertions and deletions between two sequences of words."""
    row = np.arange(len(summary) + 1)
    for word in target:
        diagonal = row[0]
        row[0] += 1
        for i in range(1, len(summary) + 1):
            unlike = diagonal + (word != summary[i - 1])
            diagonal = row[i]
            row[i] = min(unlike, row[i] + 1, row[i - 1] + 1)
    return row[-1]


@compiled
def better(one, other):
    """Whether a path beats another: fewer errors, else more words, else heavier."""
    if one[0] != other[0]:
        return one[0] < other[0]
    if one[1] != other[1]:
        return one[1] > other[1]
    return one[2] > other[2]


@compiled
def best_way_in(column, starts, before, weights, node):
    """Return the best path that leads to a node, without the node itself, and its last node.

    ``column``  float64 [nodes, 3]: errors, words and weight of the best path that ends at a node.
    """
    best = (np.inf, 0.0, 0.0)
    last = BEFORE_ALL
    for arc in range(starts[node], starts[node + 1]):
        path = column[before[arc]]
        found = (path[0], path[1], path[2] + weights[arc])
        if better(found, best):
            best, last = found, before[arc]
    return best, last


@compiled
def nearest_path(starts, before, weights, summary):
    """Return the errors of the nearest path, and its nodes: int64 [words of the path].

    ``starts``   int64 [nodes + 1]: where the arcs that lead to a node start in the next two arrays.
    ``before``   int64 [arcs]: the node that an arc comes from, which has a lower number.
    ``weights``  float64 [arcs]: what the arc adds to the weight of a path.
    ``summary``  int64 [words]: the node of each word, or -1 for a word that is not in the network.

    Node 0 is the beginning, the last node the end; both stand for no word. The nearest path has
    the fewest errors, among those the most words, among those the greatest weight.
    """
    nodes, words = len(starts) - 1, len(summary)
    # By summary words that are read and by node: errors, words and weight of the best path.
    paths = np.zeros((words + 1, nodes, 3))
    # The cell that the best path comes from.
    origin = np.full((words + 1, nodes, 2), BEFORE_ALL)
    for i in range(words + 1):
        paths[i, 0, 0] = i
        for node in range(1, nodes - 1):
            # The path has a word more, which the summary lacks.
            way, last = best_way_in(paths[i], starts, before, weights, node)
            best = (way[0] + 1, way[1] + 1, way[2])
            source = (i, last)
            if i:
                way, last = best_way_in(paths[i - 1], starts, before, weights, node)
                same = (way[0] + (summary[i - 1] != node), way[1] + 1, way[2])
                if better(same, best):
                    best, source = same, (i - 1, last)
                # The summary has a word more.
                path = paths[i - 1, node]
                more = (path[0] + 1, path[1], path[2])
                if better(more, best):
                    best, source = more, (i - 1, node)
            paths[i, node] = best
            origin[i, node] = source
    way, last = best_way_in(paths[words], starts, before, weights, nodes - 1)
    return int(way[0]), trace(origin, words, last)


@compiled
def trace(origin, i, node):
    """Return the nodes of the path that ends at a cell, from the first word on."""
    backwards = []
    while node > 0:
        previous_i, previous = origin[i, node]
        if previous != node:
            backwards.append(node)
        i, node = previous_i, previous
    return np.array(backwards[::-1], dtype=np.int64)
