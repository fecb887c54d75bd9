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

The events of a network, in order, with E classes of boundary (by ``buckets_of`` the way to the end
where the end is a question of its own; else one class):

- [E]: the jump to the end;
- [E, 2, 2, 3]: how a jump leaves: whether the direction was open, whether staying was, and what it
  did (``STAY``, ``FORWARD``, ``BACKWARD``);
- [2, L, 2, 2, 3]: by direction and label of the constituent ahead: whether stepping over or
  entering was open, whether stopping was, and what the walk did (``STOP``, ``OVER``, ``INTO``);
- two more: nothing, whose weight is one, and never, whose weight is zero: the event of exits that a
  node does not have.

Letters: P pairs, n document words, N of all pairs, C constituents of all pairs (unary chains are
one, with the highest label), L labels, R brackets, v a constituent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.arrays import numbers_within
from jump_models.kernel_arrays import BUCKETS, buckets_of

STAY, FORWARD, BACKWARD = range(3)
END = STAY
"""The exit to the end: in the second node of a boundary, where the first has the exit to stay."""
STOP, OVER, INTO = range(3)
FIRST_OPEN, SECOND_OPEN = 3, 6
"""Added to an action: the decision before it (stay or move; stop or go on) was open, the one after
it (direction; over or into) was."""
ACTIONS = 12
"""Events of a boundary class or of a label: three actions by whether each decision was open."""
NONE = -1


class Brackets(NamedTuple):
    """The trees of a batch.

    ``label``, ``start``, ``end``  int32 [R], the brackets of each document in pre-order, counted
                                   from its first word.
    ``offsets``                    int64 [P + 1], where each document's brackets begin.
    ``word``                       the label of words without a bracket.
    """

    label: np.ndarray
    start: np.ndarray
    end: np.ndarray
    offsets: np.ndarray
    word: int


class Networks(NamedTuple):
    """The networks of a batch without their weights.

    The arrays are those of ``jump_kernels.Jumps``.
    """

    head: np.ndarray
    event: np.ndarray
    offsets: np.ndarray


class _Spans(NamedTuple):
    """The constituents of a batch, int64 [C] each, in pre-order, words included.

    ``pair`` is whose document each is of; ``start`` and ``end`` count over the batch.
    """

    label: np.ndarray
    start: np.ndarray
    end: np.ndarray
    pair: np.ndarray


def _pre_order(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the order by start, and of several from the longest; equal ones stay in theirs."""
    return np.argsort(start * (end.max() + 1) - end, kind="stable")


def _spans(brackets: Brackets, document_offsets: np.ndarray) -> _Spans:
    """List the constituents: the brackets, and the words that have none."""
    pair = np.repeat(np.arange(len(brackets.offsets) - 1), np.diff(brackets.offsets))
    start, end = (document_offsets[pair] + side for side in (brackets.start, brackets.end))
    bare = np.ones(document_offsets[-1], dtype=bool)
    bare[start[end - start == 1]] = False
    words = np.flatnonzero(bare)
    label = np.append(brackets.label, np.full(len(words), brackets.word))
    start, end = np.append(start, words), np.append(end, words + 1)
    order = _pre_order(start, end)
    label = label[order]
    start, end = start[order], end[order]
    # Brackets without words are none. The highest of a unary chain comes first.
    chained = (np.diff(start, prepend=-1) == 0) & (np.diff(end, prepend=-1) == 0)
    kept = np.flatnonzero((end > start) & ~chained)
    pair = np.searchsorted(document_offsets, start[kept], side="right") - 1
    return _Spans(label[kept].astype(np.int64), start[kept], end[kept], pair)


def _mirrored(spans: _Spans, document_offsets: np.ndarray) -> _Spans:
    """Return the constituents as a backward walk meets them, in documents read backward."""
    ends = (document_offsets[:-1] + document_offsets[1:])[spans.pair]
    start, end = ends - spans.end, ends - spans.start
    order = _pre_order(start, end)
    return _Spans(spans.label[order], start[order], end[order], spans.pair[order])


def _parents(spans: _Spans) -> np.ndarray:
    """Return int64 [C], the constituent that each is a child of, or ``NONE``."""
    above = np.arange(len(spans.start)) - 1
    # The last entry, which ``NONE`` leads to, is around all others.
    end = np.append(spans.end, np.iinfo(np.int64).max)
    # What has ended before v, and what that is said to be in, is not the parent: a guess further up
    # takes its place, twice as far in each round.
    while (ended := np.flatnonzero(end[above] <= spans.start)).size:
        above[ended] = above[above[ended]]
    return above


class _Tree(NamedTuple):
    """How the constituents stand to each other, in the order of a walk: [C] each.

    ``is_first``   bool, the first child of its parent; sentences are no children.
    ``has_next``   bool, whether a sibling comes after it.
    ``has_child``  bool.
    ``after``      int64, what a walk meets after it: a sibling, or a parent's; or ``NONE``.
    ``is_choice``  bool [C, 2], whether there is something to decide before it: for walks that have
                   not entered its parent, and for those that have. There is not before a first
                   child outside its parent, and before a word that is a first or a last child
                   inside it.
    """

    is_first: np.ndarray
    has_next: np.ndarray
    has_child: np.ndarray
    after: np.ndarray
    is_choice: np.ndarray

    @classmethod
    def of(cls, spans: _Spans) -> _Tree:
        """Find children and siblings."""
        above = _parents(spans)
        is_child = above != NONE
        is_first = is_child & (above == np.arange(len(above)) - 1)
        has_child = np.append(is_first[1:], False)
        after = np.searchsorted(spans.start, spans.end)
        # The last entry stands for what is after all documents.
        after[np.append(spans.pair, NONE)[after] != spans.pair] = NONE
        has_next = (after != NONE) & (above[after] == above)
        inside = is_child & (has_child | (~is_first & has_next))
        return cls(is_first, has_next, has_child, after, np.stack([~is_first, inside], axis=1))


class _Nodes(NamedTuple):
    """The nodes of a batch, and what they are numbered by.

    ``head``       int64 [nodes, 3], where the exits lead, in the order of a decision's actions.
    ``event``      uint32 [nodes, 3, 3], their events.
    ``offsets``    int64 [P + 1], where the nodes of each pair begin. The targets follow them.
    ``documents``  int64 [P + 1], where its document begins.
    ``nothing``    the event that is none.
    """

    head: np.ndarray
    event: np.ndarray
    offsets: np.ndarray
    documents: np.ndarray
    nothing: int

    @classmethod
    def of(cls, offsets: np.ndarray, documents: np.ndarray, nothing: int) -> _Nodes:
        """Make nodes that have no exits: each leads back to the node, and never."""
        head = np.arange(offsets[-1])[:, None].repeat(3, axis=1)
        event = np.full((len(head), 3, 3), nothing, dtype=np.uint32)
        event[:, :, 0] = nothing + 1
        return cls(head, event, offsets, documents, nothing)

    def put(
        self, action: int, node: np.ndarray, to: np.ndarray, *events: np.ndarray | None
    ) -> None:
        """Set one exit of each node, unless the node or where it leads is ``NONE``.

        Its events are int64, in the order of the nodes, or ``None`` for nothing.
        """
        some = np.flatnonzero((node != NONE) & (to != NONE))
        self.head[node[some], action] = to[some]
        for place, event in enumerate(events):
            if event is not None:
                self.event[node[some], action, place] = event[some]

    def decide(
        self,
        node: np.ndarray,
        ways: tuple[np.ndarray, np.ndarray, np.ndarray],
        event: np.ndarray,
        before: np.ndarray | None,
        first_word: np.ndarray,
    ) -> None:
        """Set the exits of the nodes before constituents.

        ``ways``        where the walk comes to if it stops, steps over or enters; or ``NONE``.
        ``event``       the first of each decision's events.
        ``before``      an event that comes before each, if any.
        ``first_word``  the event of stepping over the first child of what is entered, if that is a
                        word: there is no choice.
        """
        stop, over, into = ways
        goes_on = (over != NONE) | (into != NONE)
        event = event + FIRST_OPEN * ((stop != NONE) & goes_on)
        further = event + SECOND_OPEN * ((over != NONE) & (into != NONE))
        self.put(STOP, node, stop, event + STOP, before)
        self.put(OVER, node, over, further + OVER, before)
        self.put(INTO, node, into, further + INTO, before, first_word)

    def depart(self, own_end: bool) -> tuple[np.ndarray, np.ndarray]:
        """Set the exits to stay and to the end. Return the events of leaving forward and backward.

        They are int64 [N + P], by boundary, ``NONE`` where no walk leaves in the direction.
        """
        boundaries = np.diff(self.documents) + 1
        e = numbers_within(boundaries)
        of_pairs = boundaries - 1, self.offsets[:-1], self.offsets[1:]
        words, node, targets = (np.repeat(of_pair, boundaries) for of_pair in of_pairs)
        group, groups = np.zeros_like(e), 1
        if own_end:
            group, groups = buckets_of(words - e), BUCKETS
            self.put(END, node + words + 1 + e, targets + words, group)
        last = words - own_end
        moves = (e < last).astype(np.int64) + (e > 0)
        event = groups + group * ACTIONS + FIRST_OPEN * ((e <= last) & (moves > 0))
        self.put(STAY, node + e, np.where(e <= last, targets + e, NONE), event + STAY)
        event += SECOND_OPEN * (moves == 2)
        return np.where(e < last, event + FORWARD, NONE), np.where(e > 0, event + BACKWARD, NONE)

    def walk(
        self,
        spans: _Spans,
        tree: _Tree,
        departures: np.ndarray,
        events: int,
        backward: bool,
        closed: bool,
    ) -> None:
        """Set the exits of all walks in one direction.

        ``departures``  the events of leaving the boundaries in this direction.
        ``events``      the first of the direction's events.
        ``closed``      whether no walk may come to the last boundary.
        """
        pair = spans.pair
        first, n = self.documents[pair], np.diff(self.documents)[pair]
        near, far = spans.start - first, spans.end - first
        if backward:
            near, far = n - near, n - far
        here, there = self.offsets[pair + 1] + near, self.offsets[pair + 1] + far
        # Forward and backward nodes alternate, so that the processor can work on both at once.
        counted = np.cumsum(tree.is_choice).reshape(-1, 2) - 1
        number = 2 * ((first + n + pair + 1)[:, None] + counted) + backward
        outside, inside = np.where(tree.is_choice, number, NONE).T
        # A walk inside a parent stops before its last word.
        go_on = np.where(inside != NONE, inside, here)
        event = events + spans.label * ACTIONS
        # The first child is the next constituent.
        child_has_child = np.roll(tree.has_child, -1)
        into = np.where(child_has_child, np.roll(inside, -1), go_on[np.roll(tree.after, -1)])
        into = np.where(tree.has_child, into, NONE)
        first_word = np.where(child_has_child, self.nothing, np.roll(event, -1) + OVER)
        past = np.where(tree.after == NONE, NONE if closed else there, outside[tree.after])
        self.decide(outside, (here, past, into), event, None, first_word)
        stop = np.where(tree.is_first, NONE, here)
        over = np.where(tree.has_next, go_on[tree.after], NONE)
        self.decide(inside, (stop, over, into), event, None, first_word)
        # At the boundary that a walk leaves it does not stop before the largest constituent ahead.
        departure = departures[first + pair + near]
        leaves = (np.diff(spans.start, prepend=-1) > 0) & (departure != NONE)
        entry = self.offsets[pair] + near + backward * (n + 1)
        entry = np.where(leaves, entry, NONE)
        self.decide(entry, (np.full_like(pair, NONE), past, into), event, departure, first_word)


def networks(
    brackets: Brackets, document_offsets: np.ndarray, labels: int, own_end: bool
) -> Networks:
    """Lay out the networks of a batch.

    ``labels``   is L.
    ``own_end``  whether the jump to the document's end is a question of its own.
    """
    spans = _spans(brackets, document_offsets)
    mirrored = _mirrored(spans, document_offsets)
    tree = _Tree.of(spans)
    pairs = np.arange(len(document_offsets))
    # Two nodes for each boundary, and those of both directions, which are as many.
    choices = np.append(0, np.cumsum(tree.is_choice.sum(axis=1)))
    before = choices[np.searchsorted(spans.pair, pairs)]
    offsets = 2 * (document_offsets + pairs + before)
    forward_events = (BUCKETS if own_end else 1) * (1 + ACTIONS)
    backward_events = forward_events + labels * ACTIONS
    nodes = _Nodes.of(offsets, document_offsets, backward_events + labels * ACTIONS)
    forward, backward = nodes.depart(own_end)
    nodes.walk(spans, tree, forward, forward_events, False, own_end)
    nodes.walk(mirrored, _Tree.of(mirrored), backward, backward_events, True, False)
    head = nodes.head - np.repeat(offsets[:-1], np.diff(offsets))[:, None]
    return Networks(head.astype(np.uint32), nodes.event, offsets)
