"""Lays out the constituents of a document as the steps of walks: from trees to arrays.

``walks`` has the equation of a jump. Here each jump is the path of a finite automaton over the
constituents, and these words are used for it, here and in the kernels:

- a **departure** is the first arc of the path, out of the boundary e: to the document's end where
  that is a decision of its own (``own_end``), to e itself (``STAY``), forward or backward;
- a **step** is a state of the automaton: a constituent with children, or several words in a row;
- an **exit** is an arc out of a step: ``STOP`` before it (the path ends, the next phrase starts
  here), ``OVER`` it, or ``INTO`` it, where its first child comes next;
- an **event** is a parameter that several arcs may share: tied arcs have one probability, and their
  expected counts add up.

At each boundary that a path comes to, the constituent ahead is the largest that starts there and
that the path has not entered. There is one path for each pair of e and j. It passes over the
maximal constituents of the span between them (the shortest sequence of nodes, Daumé III and Marcu
2005, section 4.1.3). A path that comes to a constituent comes in one of three ways, and the step
has exits for each (``EXITS``):

- the jump departs from there (``LEAVE``): it does not stop, since that was ``STAY``;
- it comes from outside of the constituent's parent (``OUT``): all exits are possible;
- it has entered the parent (``IN``): it does not stop before the first child, and it does not step
  over the last, since it would have stepped over the parent.

Further, a word has nothing to enter. A path forward that comes to the end of the document ends
there; where the end is a decision of its own, it never steps over the last word. A path backward
that comes to the first word ends there. A decision with one possible way has probability one.

Each sentence is a tree, and sentences are in a row. Backward everything is mirrored. Words in a
row that are children of one parent have the same exits, but for the first and the last: they are
one step, which kernels go along with a few numbers (``semihmm.inference.walk_kernels``). In plain
Python: ``semihmm.reference.departure`` and ``semihmm.reference.walk``.

The events, in order, with E classes of boundary (by ``buckets_of`` the way to the end where the end
is a decision of its own; else one class):

- [E]: the departure to the end;
- [E, 2, 2, 3]: the other departures, by whether the direction was open, whether staying was open,
  and the departure itself (``STAY``, ``FORWARD``, ``BACKWARD``);
- [2, L, 2, 2, 3]: the exits, by direction and label of the constituent ahead, by whether the choice
  between over and into was open, whether stopping was open, and the exit itself (``STOP``,
  ``OVER``, ``INTO``);
- the last event belongs to arcs that do not exist: its probability is zero.

Letters: P pairs, n document words, C constituents of all pairs (unary chains are one, with the
highest label), L labels, R brackets, S steps, v a constituent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jump_models import kernel_arrays as arrays

NO_CONSTITUENT = -1
"""The index of a parent or sibling that does not exist."""


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


class Steps(NamedTuple):
    """The steps of all walks over the documents of a batch, forward ones first, without weights.

    ``place``    int32 [S, 3]. First, the boundary before the first word, counted from the beginning
                 of the document. Second, how many words the step has; 0 for a constituent with
                 children. Third, for such a constituent, the step after it, counted from the first
                 step of the pair in this direction.
    ``event``    int32 [S, EXITS], the events of the exits.
    ``offsets``  int64 [2, P + 1], where the steps of each pair begin, forward and backward.
    """

    place: np.ndarray
    event: np.ndarray
    offsets: np.ndarray


class _Spans(NamedTuple):
    """The constituents of a batch, int64 [C] each, in pre-order, words included.

    ``pair`` is the pair of each one's document; ``start`` and ``end`` count over the batch.
    """

    label: np.ndarray
    start: np.ndarray
    end: np.ndarray
    pair: np.ndarray


def _pre_order(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the order by start, then from the longest to the shortest; equal ones keep theirs."""
    return np.argsort(start * (end.max() + 1) - end, kind="stable")


def _spans(brackets: Brackets, document_offsets: np.ndarray) -> _Spans:
    """List the constituents: the brackets, and the words that have none."""
    pair = np.repeat(np.arange(len(brackets.offsets) - 1), np.diff(brackets.offsets))
    start, end = (document_offsets[pair] + side for side in (brackets.start, brackets.end))
    # A word is bare if no bracket holds it alone: it becomes a constituent of its own.
    bare = np.ones(document_offsets[-1], dtype=bool)
    bare[start[end - start == 1]] = False
    words = np.flatnonzero(bare)
    label = np.append(brackets.label, np.full(len(words), brackets.word))
    start, end = np.append(start, words), np.append(end, words + 1)
    order = _pre_order(start, end)
    label = label[order]
    start, end = start[order], end[order]
    # Brackets without words are left out. The highest bracket of a unary chain stays: the first.
    chained = (np.diff(start, prepend=-1) == 0) & (np.diff(end, prepend=-1) == 0)
    rows = np.flatnonzero((end > start) & ~chained)
    pair = np.searchsorted(document_offsets, start[rows], side="right") - 1
    return _Spans(label[rows].astype(np.int64), start[rows], end[rows], pair)


def _mirrored(spans: _Spans, document_offsets: np.ndarray) -> _Spans:
    """Return the constituents as a backward walk meets them, in documents read backward."""
    # In a document from b to e, position x becomes b + e - x.
    ends = (document_offsets[:-1] + document_offsets[1:])[spans.pair]
    start, end = ends - spans.end, ends - spans.start
    order = _pre_order(start, end)
    return _Spans(spans.label[order], start[order], end[order], spans.pair[order])


def _parents(spans: _Spans) -> np.ndarray:
    """Return int64 [C], the constituent that each is a child of, or ``NO_CONSTITUENT``."""
    above = np.arange(len(spans.start)) - 1
    # Index -1, ``NO_CONSTITUENT``, is the last entry: it ends after all others.
    end = np.append(spans.end, np.iinfo(np.int64).max)
    # parent(v) = the last constituent before v in pre-order that ends after v starts. First guess:
    # v - 1. A guess that ended too early is replaced by its own guess (pointer doubling), so that
    # a document of n words takes about log n rounds.
    while (ended := np.flatnonzero(end[above] <= spans.start)).size:
        above[ended] = above[above[ended]]
    return above


class _Tree(NamedTuple):
    """Parents, children and siblings of the constituents, in the order of a walk: [C] each.

    ``is_child``   bool, whether it has a parent; sentences have none.
    ``is_first``   bool, whether it is the first child of its parent.
    ``has_next``   bool, whether a sibling comes after it.
    ``has_child``  bool, whether it has children.
    ``after``      int64, the constituent that a walk meets after it: a sibling of its own or of one
                   above it; or ``NO_CONSTITUENT``.
    """

    is_child: np.ndarray
    is_first: np.ndarray
    has_next: np.ndarray
    has_child: np.ndarray
    after: np.ndarray

    @classmethod
    def from_spans(cls, spans: _Spans) -> _Tree:
        """Find children and siblings."""
        above = _parents(spans)
        is_child = above != NO_CONSTITUENT
        # Pre-order: the first child follows its parent directly.
        is_first = is_child & (above == np.arange(len(above)) - 1)
        has_child = np.append(is_first[1:], False)
        # The first constituent in pre-order that starts where this one ends is the largest there.
        after = np.searchsorted(spans.start, spans.end)
        # A walk does not go on into another document; index C is after all documents.
        after[np.append(spans.pair, NO_CONSTITUENT)[after] != spans.pair] = NO_CONSTITUENT
        has_next = (after != NO_CONSTITUENT) & (above[after] == above)
        return cls(is_child, is_first, has_next, has_child, after)

    def of_steps(self, label: np.ndarray) -> np.ndarray:
        """Return int64, the constituents that steps begin with.

        A word joins the step of the word before if both are children of one parent and have the
        same exits. The first child and the last have other exits than those between them.
        """
        kind = np.stack([label, self.is_first, self.has_next, self.has_child])
        joins = (
            self.has_next[:-1] & ~self.has_child[:-1] & (kind[:, 1:] == kind[:, :-1]).all(axis=0)
        )
        return np.flatnonzero(~np.append(False, joins))

    def events(self, rows: np.ndarray, first: np.ndarray, never: int, closed: bool) -> np.ndarray:
        """Return int64 [S, EXITS], the events of the exits of some constituents, int64 [S].

        ``first``   int64 [S], the first event of the label of each.
        ``never``   the event of exits that do not exist.
        ``closed``  whether no walk may come to the document's end.
        """
        # A walk from outside meets the largest constituent at a boundary, which is no first child.
        largest, into = ~self.is_first[rows], self.has_child[rows]
        over = ~(closed & (self.after[rows] == NO_CONSTITUENT))
        # By where the walk comes from: whether it can come so, and which exits are possible then.
        # A walk that departs here does not stop: that was ``STAY``. A walk that has entered the
        # parent does not stop before the first child, and does not step over the last.
        origins = {
            arrays.LEAVE: (largest, (np.zeros_like(largest), over, into)),
            arrays.OUT: (largest, (largest, over, into)),
            arrays.IN: (self.is_child[rows], (largest, self.has_next[rows], into)),
        }
        events = np.full((len(rows), arrays.EXITS), never)
        for origin, (comes, (may_stop, may_step_over, may_enter)) in origins.items():
            # The first decision, to stop or not, is open if both are possible; the second, over or
            # into, likewise. An exit that stops takes no second decision.
            first_open = arrays.FIRST_DECISION_OPEN * (may_stop & (may_step_over | may_enter))
            both_open = first_open + arrays.SECOND_DECISION_OPEN * (may_step_over & may_enter)
            actions = (may_stop, first_open), (may_step_over, both_open), (may_enter, both_open)
            for action, (may, decisions) in enumerate(actions):
                possible = comes & may
                events[possible, origin + action] = (first + decisions + action)[possible]
        return events


def _in_direction(
    spans: _Spans, offsets: np.ndarray, first: int, never: int, closed: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the three arrays of ``Steps`` for all walks in one direction.

    Boundaries count from where the walks of this direction begin.

    ``offsets``  int64 [P + 1], where the documents begin.
    ``first``    the first of the direction's events.
    ``never``, ``closed``  as in ``_Tree.events``.
    """
    tree = _Tree.from_spans(spans)
    begins = tree.of_steps(spans.label)
    first_of_label = first + spans.label[begins] * arrays.EVENTS_PER_LABEL
    events = tree.events(begins, first_of_label, never, closed)
    pair = spans.pair[begins]
    # Steps are in the order of the pairs: where those of each pair begin.
    pair_begins = np.searchsorted(pair, np.arange(len(offsets)))
    # From the constituent after each one to the step that begins with it; after the last, the end.
    after = tree.after[begins]
    number = np.searchsorted(begins, after)
    after = np.where(after == NO_CONSTITUENT, pair_begins[pair + 1], number) - pair_begins[pair]
    # A step of words lasts until the next step begins.
    words = np.where(tree.has_child[begins], 0, np.diff(np.append(begins, len(spans.start))))
    boundary = spans.start[begins] - offsets[pair]
    return np.stack([boundary, words, after], axis=1), events, pair_begins


def steps_of(brackets: Brackets, document_offsets: np.ndarray, labels: int, own_end: bool) -> Steps:
    """Lay out the steps of all walks over the documents of a batch.

    ``labels``   L, the number of labels.
    ``own_end``  whether the jump to the document's end is a decision of its own.
    """
    spans = _spans(brackets, document_offsets)
    # Where the events of each kind begin, in the order of the list above.
    forward = (arrays.BUCKETS if own_end else 1) * (1 + arrays.EVENTS_PER_LABEL)
    backward = forward + labels * arrays.EVENTS_PER_LABEL
    never = backward + labels * arrays.EVENTS_PER_LABEL
    place, event, offsets = _in_direction(spans, document_offsets, forward, never, own_end)
    mirrored = _mirrored(spans, document_offsets)
    back, of_back, starts = _in_direction(mirrored, document_offsets, backward, never, False)
    # A backward walk counts from the end of the document: boundary x becomes n - x.
    back[:, 0] = np.repeat(np.diff(document_offsets), np.diff(starts)) - back[:, 0]
    return Steps(
        np.concatenate([place, back]).astype(np.int32),
        np.concatenate([event, of_back]).astype(np.int32),
        np.stack([offsets, starts + len(place)]),
    )
