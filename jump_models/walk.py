"""Jumps as walks over the constituents of a document (``walk_kernels``): decisions with two ways out, all counted.

What the double-exponential and the syntax-aware model share. Every decision is a probability of its own, so that the
M-step is a relative frequency, and what leaves a boundary sums to one without renormalising.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from corpus_tools.encoding.batch import Batch
from jump_models.jump_model import Counts, JumpModel

FAKE = 0.5
"""Beta fake counts of either way out of each decision: whatever training never saw stays possible."""

END = 0.01
"""The first probability of going to the end, where the end is a question of its own: as in documents of 100 words."""


class Brackets(NamedTuple):
    """What ``walk_kernels.networks`` is told about the trees of a batch; ``word`` is the label of words without a bracket."""

    label: np.ndarray
    start: np.ndarray
    end: np.ndarray
    offsets: np.ndarray
    word: int


class Decided(NamedTuple):
    """How two decisions in a row went: of the first, yes ends the matter (to stay, to stop); of the second, yes is forward
    or over, no is backward or into. Probabilities or counts."""

    first_yes: np.ndarray
    first_no: np.ndarray
    second_yes: np.ndarray
    second_no: np.ndarray


def decided(events: np.ndarray) -> Decided:
    """The counts of the decisions from those of the events, [..., second open, first open, action]."""
    first, second = events[..., 1, :].sum(axis=-2), events[..., 1, :, :].sum(axis=-2)
    return Decided(first[..., 0], first[..., 1] + first[..., 2], second[..., 1], second[..., 2])


def _events(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The probabilities of the events from those of the decisions: [..., second open, first open, action]."""
    events = np.ones((*first.shape, 2, 2, 3))
    events[..., :, 1, 0] *= first[..., None]
    events[..., :, 1, 1:] *= 1.0 - first[..., None, None]
    events[..., 1, :, 1] *= second[..., None]
    events[..., 1, :, 2] *= 1.0 - second[..., None]
    return events


def _frequency(yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    return (yes + FAKE) / (yes + no + 2 * FAKE)


@dataclass(frozen=True)
class Walk(JumpModel):
    """The probabilities of the decisions, by kind (after a phrase, after null; or one for both).

    ``end``      float64 [K, E], to go to the document's end, by bucket of the way there; E is 0 where the end is a target
                 of walks like any position.
    ``stay``     float64 [K], to go on with the next word (the paper's jump of +1); ``forward`` float64 [K], else to walk
                 forward.
    ``stop``     float64 [K, 2, L], by direction and label: to stop before a constituent.
    ``over``     float64 [K, 2, L]: else to step over it, not into it.
    """

    end: np.ndarray
    stay: np.ndarray
    forward: np.ndarray
    stop: np.ndarray
    over: np.ndarray

    @classmethod
    def _start(cls, settings: dict[str, Any], stop: np.ndarray, over: np.ndarray, **more) -> Self:
        """The first model, from ``stop`` and ``over`` by label, float64 [L]."""
        from jump_models.forms.bucket_kernels import BUCKETS

        kinds = 2 if settings["after_null"] else 1
        by_label = (
            np.broadcast_to(values, (kinds, 2, len(values))).copy() for values in (stop, over)
        )
        end = np.full((kinds, BUCKETS if settings["own_end"] else 0), END)
        return cls(end, np.full(kinds, 0.5), np.full(kinds, 0.5), *by_label, **more)

    @abstractmethod
    def brackets(self, batch: Batch) -> Brackets:
        """The trees to walk over."""

    def scores(self, batch):
        from jump_models.forms.network_kernels import Network
        from jump_models.forms.walk_kernels import networks

        *trees, word = self.brackets(batch)
        own_end = self.end.shape[1] > 0
        return Network(
            self._weights(),
            *networks(*trees, batch.document_offsets, self.stop.shape[2], word, own_end),
        )

    def _weights(self) -> np.ndarray:
        """float64 [K, V], the probability of each event."""
        kinds, ends = self.end.shape
        end = self.end if ends else np.zeros((kinds, 1))
        departures = (1.0 - end)[..., None, None, None] * _events(self.stay, self.forward)[:, None]
        parts = end, departures, _events(self.stop, self.over), np.tile([1.0, 0.0], (kinds, 1))
        return np.concatenate([part.reshape(kinds, -1) for part in parts], axis=1)

    def _split(self, events: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The events [K, V] as ends [K, G], departures [K, G, 2, 2, 3] and walks [K, 2, L, 2, 2, 3]; G is E, at least 1."""
        kinds, groups = len(events), max(self.end.shape[1], 1)
        end, departures, walks = np.split(events[:, :-2], [groups, groups * (1 + 12)], axis=1)
        return (
            end,
            departures.reshape(kinds, groups, 2, 2, 3),
            walks.reshape(*self.stop.shape, 2, 2, 3),
        )

    def m_step(self, counts: Counts) -> Self:
        ends, departures, walks = self._split(counts["events"])
        leave, walk = decided(departures.sum(axis=1)), decided(walks)
        own_end = (
            _frequency(ends, departures.sum(axis=(2, 3, 4))) if self.end.shape[1] else self.end
        )
        return replace(
            self,
            end=own_end,
            stay=_frequency(leave.first_yes, leave.first_no),
            forward=_frequency(leave.second_yes, leave.second_no),
            stop=_frequency(walk.first_yes, walk.first_no),
            over=_frequency(walk.second_yes, walk.second_no),
        )

    def _decisions(self) -> dict[str, np.ndarray]:
        return {name: getattr(self, name) for name in ("end", "stay", "forward", "stop", "over")}

    def log_prior(self) -> float:
        return float(
            sum(FAKE * (np.log(p) + np.log(1.0 - p)).sum() for p in self._decisions().values())
        )

    def to_arrays(self) -> dict[str, np.ndarray]:
        return self._decisions()
