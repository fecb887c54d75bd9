"""Trains a model: reads the pairs, makes the first model, encodes the batches, and runs EM."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any

from corpus_tools.errors import BadData, OtherCorpus
from corpus_tools.packages import installed_version
from corpus_tools.pairs.pair import Pair, tokenizer_names
from corpus_tools.plugins.model_part import Counts
from corpus_tools.progress import bar
from semihmm.batches.training_cache import Texts, training_cache
from semihmm.cluster import workers_for
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Settings
from semihmm.training.em import Iteration, em
from semihmm.training.initial_model import (
    StartedFrom,
    chosen_start,
    initial_model,
    started_model,
    warn_of_little_text,
)
from semihmm.training.passes import Passes


class Stopwatch:
    """Measures phases of work.

    ``wall``       seconds that each phase has taken so far, in the order in which they first ended.
    ``processor``  seconds of all processors that this process used in them.
    """

    def __init__(self) -> None:
        self.wall: defaultdict[str, float] = defaultdict(float)
        self.processor: defaultdict[str, float] = defaultdict(float)
        self._last = time.perf_counter(), time.process_time()

    def lap(self, phase: str) -> None:
        """Add all time since the last lap to this phase."""
        wall, processor = self._last
        self._last = time.perf_counter(), time.process_time()
        self.wall[phase] += self._last[0] - wall
        self.processor[phase] += self._last[1] - processor

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {wall:.1f} ({self.processor[name]:.1f})" for name, wall in self.wall.items()
        )


@dataclass(frozen=True)
class TrainingState:
    """How far training is. It is all that training goes on from.

    ``corpus``          the fingerprint of the texts (``semihmm.batches.training_cache.Texts``).
    ``pairs``           how many pairs have words on both sides.
    ``document_words``  how many document words the alignment units have.
    ``abstract_words``  how many abstract words they have.
    ``tokenizer``       the tokenizers of the pairs, as ``tokenizer_names`` joins them.
    ``iterations``      those done.
    ``skipped``         ids of the pairs that made the model fail.
    ``start``           the trained model that training started from; ``None``: from nothing.
    """

    model: SemiHmm
    program: str
    pairs: int
    document_words: int
    abstract_words: int
    corpus: str
    iterations: tuple[Iteration, ...]
    tokenizer: str
    skipped: tuple[str, ...] = ()
    start: StartedFrom | None = None

    def provenance(self) -> dict[str, Any]:
        """Return where the model comes from, as JSON can hold it."""
        provenance = {one.name: getattr(self, one.name) for one in fields(self)[1:]}
        provenance["iterations"] = [iteration.as_json() for iteration in self.iterations]
        provenance["skipped"] = list(self.skipped)
        provenance["start"] = None if self.start is None else self.start._asdict()
        for name in ("skipped", "start"):
            if not provenance[name]:
                del provenance[name]
        return provenance

    @classmethod
    def from_provenance(cls, model: SemiHmm, provenance: dict[str, Any]) -> TrainingState:
        """Make the state from what ``provenance`` gave."""
        start = provenance.get("start")
        read = {
            "iterations": tuple(Iteration(**one) for one in provenance["iterations"]),
            "skipped": tuple(provenance.get("skipped", ())),
            "start": None if start is None else StartedFrom(**start),
        }
        return cls(model, **{**provenance, **read})


@dataclass(frozen=True)
class Training:
    """One training with its options. ``run`` does it.

    ``workers``         threads.
    ``cache``           where the encoded pairs are kept for the next time (``training_cache``).
    ``beside``          the directory in which the cache is while training lasts, otherwise.
    ``skip_bad_pairs``  goes on without pairs that make the model fail.
    ``cluster``         who reads files, encodes and does the E-step (``semihmm.cluster``);
                        ``None``: this process.
    ``clock``           measures the phases.
    """

    settings: Settings
    workers: int
    cache: str | PathLike[str] | None = None
    beside: str | PathLike[str] | None = None
    skip_bad_pairs: bool = False
    cluster: str | None = None
    clock: Stopwatch = field(default_factory=Stopwatch)

    def run(
        self,
        pairs: Iterable[Pair],
        start: TrainingState | None,
        report: Callable[[TrainingState], None],
    ) -> TrainingState:
        """Train on the pairs, which are read once; those with an empty side are passed over.

        With ``start``, training goes on from there; the pairs must be the same. ``report`` is
        called with the state after every iteration.

        Raises ``BadData`` if no pair has words on both sides or one makes the model fail,
        ``OtherCorpus`` if the pairs are not those of ``start``, and ``BadUsage`` if the cluster
        cannot be reached.
        """
        with (
            workers_for(self.cluster, self.workers) as runner,
            training_cache(self.cache, self.beside) as cache,
        ):
            passes = Passes(runner, self.settings, self.skip_bad_pairs)
            texts, refused = passes.read(pairs, cache)
            self.clock.lap("reading")
            if not len(texts):
                raise BadData(
                    "nothing to train on: no pair has words in both its document and its abstract"
                )
            state = self._start(texts) if start is None else _resumed(texts, start)
            self.clock.lap("initial model")
            texts = texts.known_to(state.model.vocabulary)
            content = state.corpus if state.start is None else state.corpus + state.start.identity
            shards = cache.encoded(texts, content, self.settings, self.skip_bad_pairs)
            passes.encode(state.model, texts, shards)
            self.clock.lap("encoding")

            def count(model: SemiHmm) -> Counts:
                counts = passes.e_step(texts, shards, model)
                self.clock.lap("E-step")
                return counts

            def left_out() -> list[str]:
                return [*refused, *passes.skipped(texts, shards)] if self.skip_bad_pairs else []

            return self._iterate(state, count, left_out, report)

    def _start(self, texts: Texts) -> TrainingState:
        """Return the state that training starts from."""
        abstract_words = sum(one.abstract_words for one in texts.files)
        chosen = chosen_start(self.settings, abstract_words)
        if chosen is None:
            warn_of_little_text(abstract_words)
            model = initial_model(texts, texts.vocabulary, self.settings)
        else:
            known = texts.vocabulary.with_forms(chosen.model.vocabulary.forms)
            model = started_model(texts.known_to(known), known, self.settings, chosen.model)
        return TrainingState(
            model,
            f"semihmm {installed_version()}",
            sum(one.pairs for one in texts.files),
            sum(one.document_words for one in texts.files),
            abstract_words,
            texts.fingerprint,
            (),
            tokenizer_names(name for one in texts.files for name in one.tokenizers),
            start=None if chosen is None else chosen.origin,
        )

    def _iterate(
        self,
        state: TrainingState,
        count: Callable[[SemiHmm], Counts],
        left_out: Callable[[], list[str]],
        report: Callable[[TrainingState], None],
    ) -> TrainingState:
        """Run the iterations that are still to do.

        ``count``     does the E-step.
        ``left_out``  lists the pairs that are skipped, after it.
        """
        most = self.settings.most_iterations(state.start is not None)
        least_gain = self.settings.tolerance * state.abstract_words
        steps = em(state.model, count, most, least_gain, state.iterations)
        with bar("EM", most, "iterations", initial=len(state.iterations)) as shown:
            began = time.perf_counter()
            for model, iteration in steps:
                self.clock.lap("M-step")
                iteration = replace(iteration, seconds=time.perf_counter() - began)
                state = replace(
                    state,
                    model=model,
                    iterations=(*state.iterations, iteration),
                    skipped=tuple(left_out()) or state.skipped,
                )
                figures = f"objective {iteration.objective:.1f}, null {iteration.null:.3f}"
                shown.set_postfix_str(figures, refresh=False)
                shown.update()
                report(state)
                began = time.perf_counter()
        return state


def _resumed(texts: Texts, state: TrainingState) -> TrainingState:
    """Return the state that training goes on from, if the texts are those that it began with."""
    if state.corpus != texts.fingerprint:
        raise OtherCorpus(
            "the pairs, their trees or the encoder are not those that the model was trained on"
        )
    return state
