"""From trees to networks (``network_kernels``): a jump as a walk over a document's constituents.

From the boundary e where the last phrase ended, a jump

- goes to the document's end at once, where the end is a question of its own (``own_end``);
- else stays: the next phrase starts at e;
- else walks, forward or backward. At each boundary that it comes to there is a constituent ahead:
  the largest that starts there and that the walk has not entered. The walk stops before it (the
  next phrase starts here), steps over it, or enters it: then its first child is ahead, which is
  stepped over or entered in turn.

In plain Python: ``semihmm.reference.departure`` and ``semihmm.reference.walk``.

There is exactly one walk for each pair of e and j. It passes over the maximal constituents of the
span between them (the shortest sequence of nodes, Daumé III and Marcu 2005, section 4.1.3). So it
takes at least one step, cannot stop right after it entered a constituent, and cannot step over the
last child of a constituent that it entered (it would have stepped over the whole). What is not
possible is not chosen from: a decision with one way out is certain. A forward walk that comes to
the end of the document ends there; where the end is a question of its own it never steps over the
last word. A backward walk that comes to the first word stops there.

Each sentence is a tree, and sentences stand in a row. Backward everything is mirrored.

The events of a network, in order, with E classes of boundary (by ``bucket_of`` the way to the end
where the end is a question of its own; else one class):

- [E]: the jump to the end;
- [E, 2, 2, 3]: how a jump leaves: whether the direction was open, whether staying was, and what it
  did (``STAY``, ``FORWARD``, ``BACKWARD``);
- [2, L, 2, 2, 3]: by direction and label of the constituent ahead: whether stepping over or
  entering was open, whether stopping was, and what the walk did (``STOP``, ``OVER``, ``INTO``);
- two more: nothing, whose weight is one, and never, whose weight is zero: the event of exits that a
  node does not have.

Letters: n document words, C constituents (unary chains are one, with the highest label), L labels,
R brackets, v a constituent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner
from jump_models.forms.bucket_kernels import BUCKETS, bucket_of

STAY, FORWARD, BACKWARD = range(3)
END = STAY
"""The exit to the end: in the second node of a boundary, where the first has the exit to stay."""
STOP, OVER, INTO = range(3)
FIRST_OPEN, SECOND_OPEN = 3, 6
"""Added to an action: the decision before it (stay or move; stop or go on) was open, the one after
it (direction; over or into) was."""
ACTIONS = 12
"""Events of a boundary class or of a label: three actions by whether each decision was open."""


LABEL, NEAR, FAR, PARENT, FIRST, NEXT = np.arange(6)
"""The rows of a tree (``Direction.tree``). Python's numbers would be compiled one by one."""


class Exits(NamedTuple):
    """The exits of one network (``network_kernels.Network``), in the order of a decision's actions.

    ``head`` uint32 [nodes, 3], where each exit leads; ``event`` uint32 [nodes, 3, 3], its events.
    """

    head: np.ndarray
    event: np.ndarray


class Direction(NamedTuple):
    """What the walks in one direction have to themselves.

    ``tree``        int64 [6, C], the constituents as a walk in this direction meets them: parents
                    before children, near ones before far ones. Its rows are the label, the near
                    and the far boundary, and, -1 for none, the parent, the first child and the next
                    sibling (sentences are siblings).
    ``top``         int64 [n + 1], the largest constituent ahead at each boundary, or -1.
    ``numbers``     int64 [2, C], the node before each constituent, see ``_numbers``.
    ``departures``  int64 [n + 1], the event of leaving each boundary in this direction, or -1.
    ``entry``       the node where walks leave boundary e is ``entry + e``.
    ``limit``       the last boundary in this direction.
    ``barred``      the boundary where no walk may come, or -1.
    ``base``        the first of the direction's events.
    """

    tree: np.ndarray
    top: np.ndarray
    numbers: np.ndarray
    departures: np.ndarray
    entry: int
    limit: int
    barred: int
    base: int


@inner
def _filled(size, value):
    """Return int64 [size]. numba takes long over each np.full and np.zeros, and over this once."""
    numbers = np.empty(size, np.int64)
    for i in range(size):
        numbers[i] = value
    return numbers


@inner
def _filled_rows(size):
    """Return int64 [2, size], -1 each."""
    return _filled(2 * size, -1).reshape((2, size))


@inner
def _nodes(size):
    """Return room for constituents, see ``constituents``."""
    return np.empty((np.int64(4), size), np.int64)


@inner
def _add_node(nodes, count, label, start, end, parent):
    """Add a constituent to the ``count`` that there are. Return how many there are then."""
    nodes[0, count], nodes[1, count] = label, start
    nodes[2, count], nodes[3, count] = end, parent
    return count + 1


@inner
def _close(nodes, count, stack, depth, until, cursor, word):
    """Close the open constituents that end by ``until``.

    ``stack`` holds the ``depth`` open constituents, ``cursor`` is the first word that is not yet in
    a constituent. Words before ``until`` that have no bracket become constituents. Return the new
    count, depth and cursor.
    """
    while depth > 0 and nodes[2, stack[depth - 1]] <= until:
        depth -= 1
        node = stack[depth]
        for token in range(cursor, nodes[2, node]):
            if nodes[2, node] - nodes[1, node] > 1:
                count = _add_node(nodes, count, word, token, token + 1, node)
        cursor = nodes[2, node]
    for token in range(cursor, until):
        parent = stack[depth - 1] if depth else -1
        count = _add_node(nodes, count, word, token, token + 1, parent)
    return count, depth, until


@inner
def constituents(label, start, end, n, word):
    """Return the constituents of a document in pre-order, words included.

    ``label``, ``start``, ``end`` int32: its brackets in pre-order. ``word`` is the label of words
    without a bracket. Return int64 [4, C]: label, start, end and parent of each constituent.
    """
    nodes = _nodes(len(label) + n)
    stack = _filled(len(label), -1)
    count = depth = cursor = np.int64(0)
    for i in range(len(label)):
        count, depth, cursor = _close(nodes, count, stack, depth, np.int64(start[i]), cursor, word)
        above = stack[depth - 1] if depth else -1
        if above < 0 or nodes[1, above] != start[i] or nodes[2, above] != end[i]:
            stack[depth] = count
            count = _add_node(nodes, count, label[i], start[i], end[i], above)
            depth += 1
    count, depth, cursor = _close(nodes, count, stack, depth, n, cursor, word)
    used = _nodes(count)
    for row in range(4):
        for v in range(count):
            used[row, v] = nodes[row, v]
    return used


@inner
def mirrored(nodes):
    """Return the constituents in the order in which a backward walk meets them.

    The last comes first, parents before children.
    """
    count = nodes.shape[1]
    # Of each constituent: how many it is with all that is in it; how many its later siblings are;
    # how many its children are that were seen so far (the last entry stands for no parent).
    size, later = _filled(count, -1), _filled(count, -1)
    inside = _filled(count + 1, 0)
    for v in range(count - 1, -1, -1):
        size[v] = 1 + inside[v]
        later[v] = inside[nodes[3, v]]
        inside[nodes[3, v]] += size[v]
    out, number = _nodes(count), _filled(count + 1, -1)
    for v in range(count):
        parent = number[nodes[3, v]]
        number[v] = parent + 1 + later[v]
        for row in range(3):
            out[row, number[v]] = nodes[row, v]
        out[3, number[v]] = parent
    return out


@inner
def tree_of(nodes, near, far, n):
    """Return the tree that a walk meets, and the largest constituent ahead at each boundary.

    ``near`` and ``far`` are the rows of ``nodes`` with the boundaries.
    """
    count = nodes.shape[1]
    tree = _filled(6 * count, -1).reshape((np.int64(6), count))
    latest, top = _filled(count + 1, -1), _filled(n + 1, -1)
    for v in range(count):
        parent = nodes[3, v]
        tree[LABEL, v], tree[PARENT, v] = nodes[0, v], parent
        tree[NEAR, v], tree[FAR, v] = nodes[near, v], nodes[far, v]
        if latest[parent] >= 0:
            tree[NEXT, latest[parent]] = v
        elif parent >= 0:
            tree[FIRST, parent] = v
        latest[parent] = v
        if top[nodes[near, v]] < 0:
            top[nodes[near, v]] = v
    return tree, top


@inner
def _exit(exits, node, action, head, event, before):
    """Set one exit: its event, and the event ``before`` it, which may be nothing."""
    exits.head[node, action] = head
    exits.event[node, action, 0], exits.event[node, action, 1] = event, before


@inner
def _depart(exits, e, last, targets, event, nothing, departures):
    """Set the exit to stay at boundary e, and the events of leaving it forward and backward.

    ``last`` is the last boundary where a phrase may start, ``event`` the first of the boundary's
    events, and ``departures`` int64 [2, n + 1].
    """
    moves = int(e < last) + int(e > 0)
    event += FIRST_OPEN if e <= last and moves else 0
    direction_open = SECOND_OPEN if moves == 2 else 0
    if e <= last:
        _exit(exits, e, STAY, targets + e, event + STAY, nothing)
    if e < last:
        departures[0, e] = event + FORWARD + direction_open
    if e > 0:
        departures[1, e] = event + BACKWARD + direction_open


@inner
def _decide(exits, node, before, stop, over, into, first_word, base):
    """Set the exits of a node before a constituent.

    ``stop``, ``over`` and ``into`` are the nodes where the walk comes to, or -1 if it cannot.
    ``before`` is an event that comes before the decision, ``base`` the first of the decision's
    events, and ``first_word`` the event of stepping over the constituent's first child, if that is
    a word: there is no choice.
    """
    choice = SECOND_OPEN if over >= 0 and into >= 0 else 0
    event = base + (FIRST_OPEN if stop >= 0 and (over >= 0 or into >= 0) else 0)
    if stop >= 0:
        _exit(exits, node, STOP, stop, event + STOP, before)
    if over >= 0:
        _exit(exits, node, OVER, over, event + OVER + choice, before)
    if into >= 0:
        _exit(exits, node, INTO, into, event + INTO + choice, before)
        exits.event[node, INTO, 2] = first_word


@inner
def _numbers(tree, first_number):
    """Return the nodes before each constituent, int64 [2, C], and the next free number.

    Row 0 is for walks that have not entered its parent, row 1 for those that have. There is no node
    (-1) where there is no choice: before a first child outside its parent, and before a word that
    is a first or a last child inside it. Forward and backward nodes alternate, so that the
    processor can work on both at once.
    """
    numbers, number = _filled_rows(tree.shape[1]), first_number
    for v in range(tree.shape[1]):
        parent = tree[PARENT, v]
        is_first = parent >= 0 and tree[FIRST, parent] == v
        if not is_first:
            numbers[0, v] = number
            number += 2
        if parent >= 0 and (tree[FIRST, v] >= 0 or (not is_first and tree[NEXT, v] >= 0)):
            numbers[1, v] = number
            number += 2
    return numbers, number


@inner
def _go_on(tree, numbers, v, targets):
    """Return where a walk inside the parent of v comes to, before v, which is not the first child.

    A last word stops it.
    """
    return numbers[1, v] if numbers[1, v] >= 0 else targets + tree[NEAR, v]


@inner
def _enter(tree, numbers, v, targets, base, nothing):
    """Return where a walk that enters v comes to, or -1, and the event of stepping over a word.

    The word is the first child; if that is no word, the event is nothing.
    """
    first = tree[FIRST, v]
    if first < 0:
        return -1, nothing
    if tree[FIRST, first] >= 0:
        return numbers[1, first], nothing
    over_word = base + tree[LABEL, first] * ACTIONS + OVER
    return _go_on(tree, numbers, tree[NEXT, first], targets), over_word


@inner
def _after(tree):
    """Return for each constituent what a walk meets after it, or -1: a sibling, or a parent's."""
    after = tree[NEXT].copy()
    for v in range(len(after)):
        if after[v] < 0 and tree[PARENT, v] >= 0:
            after[v] = after[tree[PARENT, v]]
    return after


@inner
def _walk(exits, direction, targets, nothing):
    """Set the exits of all walks in one direction; the node of target j is ``targets + j``."""
    tree, numbers = direction.tree, direction.numbers
    entry, departures = direction.entry, direction.departures
    after = _after(tree)
    for v in range(len(after)):
        into, first_word = _enter(tree, numbers, v, targets, direction.base, nothing)
        over = targets + direction.limit if after[v] < 0 else numbers[0, after[v]]
        if tree[FAR, v] == direction.barred:
            over = -1
        event, here = direction.base + tree[LABEL, v] * ACTIONS, tree[NEAR, v]
        if direction.top[here] == v and departures[here] >= 0:
            _decide(exits, entry + here, departures[here], -1, over, into, first_word, event)
        if numbers[0, v] >= 0:
            _decide(exits, numbers[0, v], nothing, targets + here, over, into, first_word, event)
        if numbers[1, v] >= 0:
            stop = targets + here if tree[FIRST, tree[PARENT, v]] != v else -1
            over = _go_on(tree, numbers, tree[NEXT, v], targets) if tree[NEXT, v] >= 0 else -1
            _decide(exits, numbers[1, v], nothing, stop, over, into, first_word, event)


@inner
def _network(exits, nodes, n, labels, own_end):
    """Lay out the network of one document of n words. Return its number of nodes before targets."""
    groups = BUCKETS if own_end else 1
    walks = groups * (1 + ACTIONS)
    nothing = walks + 2 * labels * ACTIONS
    # np.int64: numba would compile the functions below again for each constant.
    start, end = np.int64(1), np.int64(2)
    none = np.int64(-1)
    ahead, ahead_top = tree_of(nodes, start, end, n)
    behind, behind_top = tree_of(mirrored(nodes), end, start, n)
    ahead_numbers, targets = _numbers(ahead, 2 * (n + 1))
    behind_numbers, targets = _numbers(behind, 2 * (n + 1) + 1)
    targets -= 1
    for node in range(targets):
        for action in range(3):
            _exit(exits, node, action, node, nothing + 1, nothing)
            exits.event[node, action, 2] = nothing
    departures, last = _filled_rows(n + 1), n - 1 if own_end else n
    for e in range(n + 1):
        group = bucket_of(n - e) if own_end else 0
        _depart(exits, e, last, targets, groups + group * ACTIONS, nothing, departures)
        if own_end:
            _exit(exits, n + 1 + e, END, targets + n, group, nothing)
    barred = n if own_end else none
    forward = Direction(
        ahead, ahead_top, ahead_numbers, departures[0], np.int64(0), n, barred, walks
    )
    _walk(exits, forward, targets, nothing)
    base = walks + labels * ACTIONS
    backward = Direction(
        behind, behind_top, behind_numbers, departures[1], n + 1, np.int64(0), none, base
    )
    _walk(exits, backward, targets, nothing)
    return targets


@compiled
def _fill_networks(trees, document_offsets, labels, word, own_end, exits, node_offsets):
    """Do what ``networks`` says, which has made room for the result."""
    label, start, end, offsets = trees
    head, event = exits
    for pair in range(len(document_offsets) - 1):
        n = document_offsets[pair + 1] - document_offsets[pair]
        first, last = offsets[pair], offsets[pair + 1]
        done = node_offsets[pair]
        nodes = constituents(label[first:last], start[first:last], end[first:last], n, word)
        own = Exits(head[done:], event[done:])
        node_offsets[pair + 1] = done + _network(own, nodes, n, labels, own_end)


def networks(
    trees: tuple[np.ndarray, ...],
    document_offsets: np.ndarray,
    labels: int,
    word: int,
    own_end: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the networks of a batch: head, event and offsets of ``network_kernels.Network``.

    ``trees``: label, start, end int32 [R], the documents' brackets in pre-order, those of pair p
    from the fourth's ``offsets[p]`` on and counted from its first word; ``labels`` is L, ``word``
    the label of words without a bracket; ``own_end``, whether the jump to the document's end is a
    question of its own.
    """
    pairs, words = len(document_offsets) - 1, document_offsets[-1]
    # Two nodes for each boundary, and up to two for each constituent in each direction.
    room = 2 * (words + pairs) + 4 * (len(trees[0]) + words)
    head, event = np.empty((room, 3), np.uint32), np.empty((room, 3, 3), np.uint32)
    node_offsets = np.zeros(pairs + 1, np.int64)
    _fill_networks(trees, document_offsets, labels, word, own_end, (head, event), node_offsets)
    used = node_offsets[-1]
    return head[:used].copy(), event[:used].copy(), node_offsets
