"""Jump models that walk over the constituents of a document.

A jump from the boundary e to the position j is a sequence of decisions between two ways, and the
probability of the jump is the product of the decisions. First the jump stays (j = e, the next word,
the paper's length +1) or goes forward or backward. Then, at each constituent c on its way, it stops
before c, or steps over c, or steps into c:

    p(j | e) = stay                                                   for j = e
    p(j | e) = (1 - stay) forward product over the c of p(c)             for j > e
    p(j | e) = (1 - stay) (1 - forward) product over the c of p(c)       for j < e

    p(c) = stop                 before the constituent at j, where the walk ends
           (1 - stop) over         of a maximal constituent between e and j, which is jumped over
           (1 - stop) (1 - over)   of a constituent that the walk enters

``stop`` and ``over`` depend on the direction and on the label of c. A decision with one possible
way is certain (``steps`` lists them): a jump that does not stay does not stop where it began, a
word has nothing to enter, and nothing lies beyond the last word. All parameters depend on the
source of the jump. So the probabilities of all jumps from e sum to one without renormalizing, and
the M-step is a relative frequency. In plain Python: ``semihmm.reference.departure``,
``semihmm.reference.walk``, ``semihmm.reference.jump_syn`` and
``semihmm.reference.decided_frequencies``. The kernels are in ``semihmm.inference.walk_kernels``.

The models differ in the constituents:

- ``syntax``: those of a parser. Daumé III and Marcu (2005), section 4.1.3. The paper multiplies
  jump_syn(label) over the maximal constituents jumped over, with labels for forward and for
  backward. As printed this is no distribution: longer products are always less probable, and an
  empty product costs nothing. The product above is over the same constituents. Jumps to other
  sentences step over whole sentences: the root of a tree is a constituent with a label of its own.
- ``sentences``: sentences, and words within them, without a parser. From e with r words up to the
  end of its sentence, over c sentences, to word i of the next (s: sentences, w: words):

    p(j | e) = (1 - stay) forward (1 - stop_w)^(j - e - 1) stop_w          in the same sentence
    p(j | e) = (1 - stay) forward (1 - stop_w)^(r - 1) ((1 - stop_s) over_s)^c stop_s    for i = 0
    p(j | e) = (1 - stay) forward (1 - stop_w)^(r - 1) ((1 - stop_s) over_s)^c
               (1 - stop_s) (1 - over_s) (1 - stop_w)^(i - 1) stop_w       for i > 0

- ``laplace``: words alone. This is the double-exponential model, which section 5.2 of the paper
  names but does not try: geometric, with one rate forward and one backward. At the ends of the
  document a walk has to stop, so they get the mass of all that lies beyond:

    p(j | e) = (1 - stay) forward (1 - stop)^(j - e - 1) stop    for e < j < n
    p(n | e) = (1 - stay) forward (1 - stop)^(n - e - 1)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.model_parts.encoding import Batch, totals_of
from corpus_tools.model_parts.model_part import Corpus, Counts, open_shares, texts
from corpus_tools.parsing import PARSERS
from corpus_tools.plugins import option
from corpus_tools.texts.trees import without_rank
from jump_models.jump_model import (
    ByDirection,
    JumpModel,
    JumpSettings,
    Skipped,
    average,
    decided,
    events_of,
    frequency,
    log_density,
)
from jump_models.kernel_arrays import BUCKETS, EVENTS_PER_LABEL, JumpCounts, Jumps
from jump_models.steps import Brackets, Steps, steps_of

INITIAL_END_PROBABILITY = 0.01
"""The probability of the jump to the end before training, where ``own_end`` is set.

A document of 100 words has a hundred targets: it is the share of one.
"""


@dataclass(frozen=True)
class Walk(JumpModel[Steps]):
    """The probabilities of the decisions, by source (K).

    ``end``      float64 [K, E], to go to the document's end, by bucket of the distance to it.
                 E is 0 where the end is a target of walks like any position.
    ``stay``     float64 [K], to continue with the next word (the paper's jump of +1).
    ``forward``  float64 [K], to walk forward, given that the jump does not stay.
    ``stop``     float64 [K, 2, L], to stop before a constituent, by direction and label.
    ``over``     float64 [K, 2, L], to step over it, not into it, given that it does not stop.
    """

    end: Annotated[np.ndarray, open_shares("K", "E")]
    stay: Annotated[np.ndarray, open_shares("K")]
    forward: Annotated[np.ndarray, open_shares("K")]
    stop: Annotated[np.ndarray, open_shares("K", 2, "L")]
    over: Annotated[np.ndarray, open_shares("K", 2, "L")]

    @classmethod
    def _start(
        cls, settings: JumpSettings, stop: np.ndarray, over: np.ndarray, **more: Any
    ) -> Self:
        """Make the model before training, from ``stop`` and ``over`` by label, float64 [L]."""
        sources = settings.sources
        shape = (sources, 2, len(stop))
        end = np.full((sources, BUCKETS if settings.own_end else 0), INITIAL_END_PROBABILITY)
        even = np.full(sources, 0.5)
        by_label = [np.broadcast_to(values, shape).copy() for values in (stop, over)]
        return cls(end, even, even.copy(), *by_label, **more)

    @abstractmethod
    def brackets(self, batch: Batch) -> Brackets:
        """Return the trees to walk over."""

    @property
    def own_end(self) -> bool:
        """Tell whether the jump to the document's end is decided before any walk."""
        return self.end.shape[1] > 0

    def features(self, batch: Batch) -> Steps:
        """Lay out the steps of walks over the documents. They depend on the trees alone."""
        labels = self.stop.shape[2]
        return steps_of(self.brackets(batch), batch.document_offsets, labels, self.own_end)

    def probabilities(self, features: Steps) -> Jumps:
        """Return the walks with the present weights."""
        return Jumps.by_walk(self._weights(), self.own_end, *features)

    def expected_statistics(self, features: Steps, kernel_counts: JumpCounts) -> Counts:
        """Return the expected number of each event, float64 [K, V]."""
        return {"events": kernel_counts.events}

    def _weights(self) -> np.ndarray:
        """Return float64 [K, V], the probability of each event."""
        sources, ends = self.end.shape
        end = self.end if ends else np.zeros((sources, 1))
        departures = events_of(self.stay, self.forward)[:, None]
        departures = (1.0 - end)[..., None, None, None] * departures
        never = np.zeros((sources, 1))
        parts = (end, departures, events_of(self.stop, self.over), never)
        return np.concatenate([part.reshape(sources, -1) for part in parts], axis=1)

    def _split(self, events: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Split the events [K, V] into ends, departures and walks.

        They are [K, G], [K, G, 2, 2, 3] and [K, 2, L, 2, 2, 3], where G is E, but at least 1.
        """
        sources = len(events)
        groups = max(self.end.shape[1], 1)
        bounds = [groups, groups * (1 + EVENTS_PER_LABEL)]
        end, departures, walks = np.split(events[:, :-1], bounds, axis=1)
        departures = departures.reshape(sources, groups, 2, 2, 3)
        return end, departures, walks.reshape(*self.stop.shape, 2, 2, 3)

    def m_step(self, counts: Counts) -> Self:
        """Return p = (c_yes + pseudo) / (c_yes + c_no + 2 pseudo) for each decision.

        It is the mode of the posterior under a Beta prior (``DECISION_PSEUDO_COUNTS``).
        """
        ends, departures, walks = self._split(counts["events"])
        stay, forward = decided(departures.sum(axis=1)).shares()
        stop, over = decided(walks).shares()
        by_distance = frequency(ends, departures.sum(axis=(2, 3, 4)))
        end = by_distance if self.own_end else self.end
        return replace(self, end=end, stay=stay, forward=forward, stop=stop, over=over)

    def log_prior(self) -> float:
        """Return the log density of the Beta priors of all decisions."""
        return log_density(self.end, self.stay, self.forward, self.stop, self.over)


LAPLACE_INITIAL_STOP = 0.01
"""The probability of stopping before training: a mean jump of a hundred words."""


@dataclass(frozen=True)
class Laplace(Walk):
    """A walk over words, with one label. Words have nothing to enter, so ``over`` is not used."""

    name = "laplace"

    @classmethod
    def initial(cls, corpus: Corpus, settings: JumpSettings) -> Laplace:
        """Make the model of jumps of a hundred words, forward as often as backward."""
        return cls._start(settings, np.array([LAPLACE_INITIAL_STOP]), np.array([0.5]))

    @classmethod
    def sizes(cls, words: int, settings: Any) -> dict[str, int]:
        """Add the one label."""
        return super().sizes(words, settings) | {"L": 1}

    def brackets(self, batch: Batch) -> Brackets:
        """Return no brackets: every word is a unit of its own."""
        empty = np.zeros(0, dtype=np.int32)
        return Brackets(empty, empty, empty, np.zeros(len(batch) + 1, dtype=np.int64), 0)


OTHER_LABEL, WORD_LABEL = "(other)", "(word)"
"""The label of constituents with labels that training lacked; the label of bare words."""


INITIAL_STOP, INITIAL_OVER = 0.1, 0.5
"""The probabilities before training.

A walk stops before every tenth constituent, and steps over every second one.
"""


@dataclass(frozen=True)
class SyntaxSettings(JumpSettings):
    """``parser``: where the trees come from (``corpus_tools.parsing``)."""

    parser: str = option("chunks", "parser of the trees for the jump model syntax", names=PARSERS)


def _column(label: str, numbers: Mapping[str, int]) -> int:
    """Return the number of a label, or of the same label without a rank, or of ``OTHER_LABEL``."""
    return numbers.get(label, numbers.get(without_rank(label), 0))


@dataclass(frozen=True)
class Syntax(Walk):
    """A walk over the trees.

    ``labels``  L names, the first two ``OTHER_LABEL`` and ``WORD_LABEL``.
    """

    labels: Annotated[tuple[str, ...], texts("L")] = (OTHER_LABEL, WORD_LABEL)
    name = "syntax"
    Settings: ClassVar[type[JumpSettings]] = SyntaxSettings

    @classmethod
    def parser(cls, settings: Any) -> str | None:
        """Return the parser that the settings name."""
        return str(settings.parser)

    @classmethod
    def initial(cls, corpus: Corpus, settings: JumpSettings) -> Self:
        """Make the model in which all labels are alike."""
        labels = (
            OTHER_LABEL,
            WORD_LABEL,
            *sorted(set(totals_of(corpus.batches).labels) - {OTHER_LABEL, WORD_LABEL}),
        )
        stop = np.full(len(labels), INITIAL_STOP)
        over = np.full(len(labels), INITIAL_OVER)
        return cls._start(settings, stop, over, labels=labels)

    def warm_start(self, corpus: Corpus, settings: Any) -> Self:
        """Start from the trained probabilities; new labels get those of ``OTHER_LABEL``."""
        numbers = {label: number for number, label in enumerate(self.labels)}
        labels = (*self.labels, *sorted(set(totals_of(corpus.batches).labels) - set(self.labels)))
        columns = [_column(label, numbers) for label in labels]
        # A copy in C order: an array in another order would be saved with other bytes.
        stop = np.ascontiguousarray(self.stop[..., columns])
        over = np.ascontiguousarray(self.over[..., columns])
        return replace(self, stop=stop, over=over, labels=labels)

    def brackets(self, batch: Batch) -> Brackets:
        """Return the documents' trees.

        Raises ``BadUsage`` for a batch without trees, ``BadData`` for trees of other texts.
        """
        trees = batch.trees
        if trees is None:
            raise BadUsage(
                f"the {self.name} jump model needs the documents' trees: "
                "make them with corpus_tools.parsing.parse_documents"
            )
        lengths = np.diff(batch.document_offsets)
        for pair in np.flatnonzero(trees.words != lengths):
            raise BadData(
                f"pair {batch.ids[pair]!r}: the trees have {trees.words[pair]} words, "
                f"the document {lengths[pair]}: parse the same texts that are aligned"
            )
        number_of = {label: number for number, label in enumerate(self.labels)}
        numbers = np.array([_column(label, number_of) for label in trees.labels], dtype=np.int32)
        return Brackets(numbers[trees.label], trees.start, trees.end, trees.offsets, 1)

    def skipped(self, counts: Counts) -> list[Skipped]:
        """List the constituents that were jumped over, as ``JumpModel.skipped``.

        Walks to the end of the document count too, unless ``own_end``.
        """
        walks = self._split(counts["events"])[2]
        decisions = decided(walks)
        jumps = walks[..., 1].sum(axis=(0, 3, 4))
        stop = average(self.stop, decisions.first_yes + decisions.first_no)
        over = average(self.over, decisions.second_yes + decisions.second_no)
        columns = (
            [ByDirection(*map(float, pair)) for pair in table.T] for table in (jumps, stop, over)
        )
        rows = map(Skipped, self.labels, *columns)
        return sorted(rows, key=lambda row: -sum(row.jumps))


@dataclass(frozen=True)
class Sentences(Syntax):
    """A walk over sentences and their words."""

    name = "sentences"
    Settings: ClassVar[type[JumpSettings]] = JumpSettings

    @classmethod
    def parser(cls, settings: Any) -> str | None:
        """Return the parser that leaves every sentence flat."""
        return "none"
