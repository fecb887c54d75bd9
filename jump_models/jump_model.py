"""Defines what a jump model is: p(next position | where the last phrase ended), and null's jump.

A jump to null is a decision between two ways, and so are the steps of walks
(``jump_models.walks``): their probabilities and counts are at the end.

Daumé III and Marcu (2005), section 4.1. Models are values: the M-step returns a new one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, ModelPart, amounts, shares
from corpus_tools.plugins import Options, option
from jump_models.kernel_arrays import BUCKETS, JumpCounts

Features = TypeVar("Features")

INITIAL_NULL_PROBABILITY = 0.2
"""The probability of null before training: one abstract word in five.

EM moves it in the first iterations.
"""

NULL_JUMP_PSEUDO_COUNTS = 0.5
"""Pseudo-counts of a jump to null and of any other jump, from each source: both stay possible."""

LEAST_PSEUDO_COUNTS = 1e-100
"""The pseudo-counts where the paper has none: they keep every event possible in a double."""

AFTER_NULL_HELP = "whether jumps and unaligned words depend on whether the last word is unaligned"
"""The help of the setting that the null jump and the jump models share."""

UNIFORM_START = 0.5
"""The probability of null, and of a longer phrase, before training in the paper (section 4.4)."""

EVEN_START_HELP = (
    "whether an unaligned word, and a longer document phrase, start at probability 0.5"
)
"""The help of the setting that the null jump and the phrase length share."""


class ByDirection(NamedTuple):
    """A figure for forward and for backward jumps."""

    forward: float
    backward: float


class Skipped(NamedTuple):
    """How often constituents of a label are jumped over.

    ``jumps``  the expected numbers of jumps over them.
    ``stop``   the model's probability that a walk stops before such a constituent.
    ``over``   the probability that a walk that does not stop steps over it, not into it.

    If the model distinguishes jumps after null, the probabilities are averages over the expected
    decisions. They are NaN if no decision is expected.
    """

    label: str
    jumps: ByDirection
    stop: ByDirection
    over: ByDirection


@dataclass(frozen=True)
class JumpSettings(Options):
    """The settings of every jump model.

    ``after_null``  whether jumps after null and jumps after a phrase have parameters of their own.
    ``own_end``     whether the jump to the document's end has parameters of its own.
    """

    after_null: bool = option(True, AFTER_NULL_HELP)
    own_end: bool = option(True, "whether the jump to the document's end has its own parameters")

    @property
    def sources(self) -> int:
        """Return K, the number of sources that the model distinguishes."""
        return 2 if self.after_null else 1


class JumpModel(ModelPart, Generic[Features]):
    """One way to move through the document. Subclasses are frozen dataclasses.

    ``probabilities`` returns the jumps of a batch in the arrays of the kernels
    (``jump_models.kernel_arrays.Jumps``); ``expected_statistics`` takes the kernels' counts. The
    jump to null, which all jump models share, is a part of its own (``NullJump``).
    """

    Settings: ClassVar[type[JumpSettings]] = JumpSettings

    @classmethod
    def sizes(cls, words: int, settings: Any) -> dict[str, int]:
        """Add K, the sources; B, the buckets of distances; E, the buckets for the end, or 0."""
        sizes_here = {"K": settings.sources, "B": BUCKETS, "E": BUCKETS if settings.own_end else 0}
        return super().sizes(words, settings) | sizes_here

    @classmethod
    def parser(cls, settings: Any) -> str | None:
        """Return the name of the parser whose trees the model walks over; ``None``: it needs none.

        The trees are in ``Batch.trees``.
        """
        return None

    def features(self, batch: Batch) -> Any:
        """Return what the jump model computes once for a batch; ``None`` for distance models."""

    def expected_statistics(self, features: Features, kernel_counts: JumpCounts) -> Counts:
        """Return the expected counts of jumps by distance, float64 [2, K, B] each.

        ``jumps``     jumps to positions, and jumps to the document's end.
        ``exposure``  the divisor of the jumps in the M-step of a renormalised model: the sum over
                      all jumps of (targets in the bucket) / normaliser. Times the weight of the
                      bucket it is the number of jumps that the weight predicts (``JumpCounts``).
        """
        return {"jumps": kernel_counts.jumps, "exposure": kernel_counts.exposure}

    def skipped(self, counts: Counts) -> list[Skipped]:
        """List the labels of skipped constituents, the most often skipped one first.

        ``counts``  from ``expected_statistics``.

        The list is empty for a model without trees.
        """
        return []


@dataclass(frozen=True)
class NullJumpSettings(Options):
    """The settings of the null jump.

    ``after_null``  whether null after null has a probability of its own.
    ``even_start``  whether training starts from ``UNIFORM_START``, not from
                    ``INITIAL_NULL_PROBABILITY``.
    """

    after_null: bool = option(True, AFTER_NULL_HELP)
    even_start: bool = option(False, EVEN_START_HELP)


@dataclass(frozen=True)
class NullJump(ModelPart):
    """The jump to null, jump(null) of Daumé III and Marcu (2005), Table 2, with any jump model.

    A state goes to its null state with probability p, and makes any other jump with 1 - p times the
    jump model's probability. In plain Python: ``semihmm.reference.transitions`` and ``m_step``.

    ``probability``  float64 [2]: of null after a phrase or at the start, and of null after null.
    ``after_null``   whether the two are estimated separately, with ``NULL_JUMP_PSEUDO_COUNTS`` for
                     either; otherwise they are equal, as in the paper.
    """

    probability: Annotated[np.ndarray, shares(2)]
    after_null: bool
    name = "null_jump"
    common: ClassVar = {"null_jumps": amounts(2), "jumps": amounts(2)}
    Settings = NullJumpSettings

    @classmethod
    def initial(cls, corpus: Corpus, settings: NullJumpSettings) -> NullJump:
        """Make the null jump before training."""
        return cls(
            np.full(2, UNIFORM_START if settings.even_start else INITIAL_NULL_PROBABILITY),
            settings.after_null,
        )

    def features(self, batch: Batch) -> None:
        """Return nothing: the null jump does not look at the texts."""

    def probabilities(self, features: None) -> np.ndarray:
        """Return p(null), float64 [2], by source."""
        return self.probability

    def expected_statistics(self, features: None, kernel_counts: Counts) -> Counts:
        """Return the expected jumps to null, and all other jumps: float64 [2] each, by source."""
        return kernel_counts

    @property
    def pseudo_counts(self) -> float:
        """Return the pseudo-counts of either decision: to jump to null, or not to."""
        return NULL_JUMP_PSEUDO_COUNTS if self.after_null else LEAST_PSEUDO_COUNTS

    def m_step(self, counts: Counts) -> NullJump:
        """Return p(null) = (c_null + pseudo) / (c_null + c_jump + 2 pseudo), for each source.

        It is the mode of the posterior under a Beta prior. A source that never occurred stays.
        """
        null = counts["null_jumps"]
        total = null + counts["jumps"]
        if not self.after_null:
            null, total = np.full(2, null.sum()), np.full(2, total.sum())
        estimate = (null + self.pseudo_counts) / (total + 2 * self.pseudo_counts)
        return replace(self, probability=np.where(total > 0, estimate, self.probability))

    def log_prior(self) -> float:
        """Return the log density of the Beta priors."""
        density = np.log(self.probability) + np.log(1.0 - self.probability)
        return float(self.pseudo_counts * density.sum())

    def log_likelihood(self, counts: Counts) -> float:
        """Return the log-likelihood of counts of jumps to null and of other jumps."""
        null_jumps = counts["null_jumps"] @ np.log(self.probability)
        return float(null_jumps + counts["jumps"] @ np.log(1.0 - self.probability))


# The decisions of walks

DECISION_PSEUDO_COUNTS = 0.5
"""Pseudo-counts of either outcome of a decision: a Beta prior, so that both stay possible."""


class BinaryDecisions(NamedTuple):
    """Probabilities or counts of two decisions in a row.

    Yes ends the walk in the first decision (to stay; to stop). In the second, yes means forward or
    over, no means backward or into.
    """

    first_yes: np.ndarray
    first_no: np.ndarray
    second_yes: np.ndarray
    second_no: np.ndarray

    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the probability of yes in either decision, at the mode of the posterior."""
        return frequency(*self[:2]), frequency(*self[2:])


def decided(events: np.ndarray) -> BinaryDecisions:
    """Return the counts of the decisions from the counts of the events.

    ``events``  with the axes [..., second open, first open, action].
    """
    first = events[..., 1, :].sum(axis=-2)
    second = events[..., 1, :, :].sum(axis=-2)
    return BinaryDecisions(
        first[..., 0], first[..., 1] + first[..., 2], second[..., 1], second[..., 2]
    )


def events_of(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the probabilities of the events, with the axes of ``decided``, from the decisions'."""
    # A decision that was not open has probability 1: its events keep the weight one.
    events = np.ones((*first.shape, 2, 2, 3))
    events[..., :, 1, 0] *= first[..., None]
    events[..., :, 1, 1:] *= 1.0 - first[..., None, None]
    events[..., 1, :, 1] *= second[..., None]
    events[..., 1, :, 2] *= 1.0 - second[..., None]
    return events


def frequency(yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    """Return the probability of yes at the mode of the posterior, from expected counts."""
    return (yes + DECISION_PSEUDO_COUNTS) / (yes + no + 2 * DECISION_PSEUDO_COUNTS)


def log_density(*decisions: np.ndarray) -> float:
    """Return the log density of the Beta priors of decisions, up to a constant.

    ``decisions``  the probabilities of yes, in arrays of any shape.
    """
    return float(
        sum(DECISION_PSEUDO_COUNTS * (np.log(p) + np.log(1.0 - p)).sum() for p in decisions)
    )


def average(p: np.ndarray, decisions: np.ndarray) -> np.ndarray:
    """Average probabilities [K, 2, L] over the sources, weighted by their decisions: [2, L]."""
    total = decisions.sum(axis=0)
    undefined = np.full(total.shape, np.nan)
    return np.divide((p * decisions).sum(axis=0), total, out=undefined, where=total > 0)
