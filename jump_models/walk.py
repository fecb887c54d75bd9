"""Jumps as walks over the constituents of a document (``networks``).

This is what the double-exponential and the syntax-aware models share. A walk is a sequence of
decisions between two ways. Every decision is counted and has a probability of its own. So the
M-step is a relative frequency, and what leaves a boundary sums to one without renormalising. In
plain Python: ``semihmm.reference.departure``, ``semihmm.reference.walk`` and
``semihmm.reference.decided_frequencies``.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np

from corpus_tools.encoding import Batch
from corpus_tools.plugins.declared_arrays import open_shares
from corpus_tools.plugins.model_part import Counts
from jump_models.jump_model import JumpModel, JumpSettings

if TYPE_CHECKING:
    from jump_models.forms.jump_kernels import JumpCounts, Jumps

FAKE = 0.5
"""Fake counts of either way of each decision (Beta prior).

What training never saw stays possible.
"""

END = 0.01
"""The probability of going to the end before training, where ``own_end`` is set.

It is that of one target in a document of 100 words.
"""


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


class Decided(NamedTuple):
    """Probabilities or counts of two decisions in a row.

    In the first, yes ends the walk (to stay, to stop). In the second, yes is forward or over, and
    no is backward or into.
    """

    first_yes: np.ndarray
    first_no: np.ndarray
    second_yes: np.ndarray
    second_no: np.ndarray


def decided(events: np.ndarray) -> Decided:
    """Return the counts of the decisions from those of the events.

    The events have the axes [..., second open, first open, action].
    """
    first = events[..., 1, :].sum(axis=-2)
    second = events[..., 1, :, :].sum(axis=-2)
    return Decided(first[..., 0], first[..., 1] + first[..., 2], second[..., 1], second[..., 2])


def _events(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the probabilities of the events from those of the decisions.

    The axes are those of the events of ``decided``.
    """
    events = np.ones((*first.shape, 2, 2, 3))
    events[..., :, 1, 0] *= first[..., None]
    events[..., :, 1, 1:] *= 1.0 - first[..., None, None]
    events[..., 1, :, 1] *= second[..., None]
    events[..., 1, :, 2] *= 1.0 - second[..., None]
    return events


def _frequency(yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    result: np.ndarray = (yes + FAKE) / (yes + no + 2 * FAKE)
    return result


@dataclass(frozen=True)
class Walk(JumpModel[Networks]):
    """The probabilities of the decisions, by source (K).

    ``end``      float64 [K, E], to go to the document's end, by bucket of the distance to it.
                 E is 0 where the end is a target of walks like any position.
    ``stay``     float64 [K], to go on with the next word (the paper's jump of +1).
    ``forward``  float64 [K], to walk forward, if not to stay.
    ``stop``     float64 [K, 2, L], to stop before a constituent, by direction and label.
    ``over``     float64 [K, 2, L], to step over it, not into it, if not to stop.
    """

    end: Annotated[np.ndarray, open_shares("K", "E")]
    stay: Annotated[np.ndarray, open_shares("K")]
    forward: Annotated[np.ndarray, open_shares("K")]
    stop: Annotated[np.ndarray, open_shares("K", 2, "L")]
    over: Annotated[np.ndarray, open_shares("K", 2, "L")]
    evidence_types: ClassVar[tuple[type, ...]] = (Networks,)

    @classmethod
    def _start(
        cls, settings: JumpSettings, stop: np.ndarray, over: np.ndarray, **more: Any
    ) -> Self:
        """Make the model before training, from ``stop`` and ``over`` by label, float64 [L]."""
        from jump_models.forms.bucket_kernels import BUCKETS

        sources = settings.sources
        shape = (sources, 2, len(stop))
        end = np.full((sources, BUCKETS if settings.own_end else 0), END)
        even = np.full(sources, 0.5)
        by_label = [np.broadcast_to(values, shape).copy() for values in (stop, over)]
        return cls(end, even, even.copy(), *by_label, **more)

    @abstractmethod
    def brackets(self, batch: Batch) -> Brackets:
        """Return the trees to walk over."""

    @property
    def own_end(self) -> bool:
        """Tell whether the jump to the document's end is decided before any walk."""
        result: bool = self.end.shape[1] > 0
        return result

    def evidence(self, batch: Batch) -> Networks:
        """Lay out the networks of the documents, which depend on the trees alone."""
        from jump_models.networks import networks

        labels = self.stop.shape[2]
        return networks(self.brackets(batch), batch.document_offsets, labels, self.own_end)

    def scores(self, evidence: Networks) -> Jumps:
        """Return the networks with the present weights."""
        from jump_models.forms.jump_kernels import Jumps

        return Jumps.by_network(self._weights(), *evidence)

    def fold(self, evidence: Networks, counted: JumpCounts) -> Counts:
        """Return how often each event is expected, float64 [K, V]."""
        # Another network of a mixture may have more events.
        return {"events": counted.events[0, :, : self._weights().shape[1]]}

    def _weights(self) -> np.ndarray:
        """Return float64 [K, V], the probability of each event."""
        sources, ends = self.end.shape
        end = self.end if ends else np.zeros((sources, 1))
        departures = _events(self.stay, self.forward)[:, None]
        departures = (1.0 - end)[..., None, None, None] * departures
        walks = _events(self.stop, self.over)
        constants = np.tile([1.0, 0.0], (sources, 1))
        parts = (end, departures, walks, constants)
        return np.concatenate([part.reshape(sources, -1) for part in parts], axis=1)

    def _split(self, events: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Split the events [K, V] into ends, departures and walks.

        They are [K, G], [K, G, 2, 2, 3] and [K, 2, L, 2, 2, 3], where G is E, but at least 1.
        """
        sources = len(events)
        groups = max(self.end.shape[1], 1)
        end, departures, walks = np.split(events[:, :-2], [groups, groups * (1 + 12)], axis=1)
        departures = departures.reshape(sources, groups, 2, 2, 3)
        return end, departures, walks.reshape(*self.stop.shape, 2, 2, 3)

    def m_step(self, counts: Counts) -> Self:
        """Return the model of relative frequencies, fake counts included."""
        ends, departures, walks = self._split(counts["events"])
        leave = decided(departures.sum(axis=1))
        walk = decided(walks)
        end = self.end
        if self.own_end:
            end = _frequency(ends, departures.sum(axis=(2, 3, 4)))
        return replace(
            self,
            end=end,
            stay=_frequency(leave.first_yes, leave.first_no),
            forward=_frequency(leave.second_yes, leave.second_no),
            stop=_frequency(walk.first_yes, walk.first_no),
            over=_frequency(walk.second_yes, walk.second_no),
        )

    def log_prior(self) -> float:
        """Return the log density of the Beta priors of all decisions."""
        decisions = (self.end, self.stay, self.forward, self.stop, self.over)
        return float(sum(FAKE * (np.log(p) + np.log(1.0 - p)).sum() for p in decisions))
