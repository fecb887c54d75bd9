"""Trains a model: reads the pairs, makes the first model, encodes the batches, and runs EM."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, NamedTuple

from corpus_tools.errors import BadData, OtherCorpus
from corpus_tools.pairs.pair import Pair, tokenizer_names
from corpus_tools.plugins.model_part import Counts
from corpus_tools.progress import bar
from corpus_tools.version import installed_version
from semihmm.batches.training_cache import Texts, TrainingCache, training_cache
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import Settings
from semihmm.training.census import Census, warn_of_little_text
from semihmm.training.em import Iteration, em
from semihmm.training.initial_model import StartedFrom, chosen_start, initial_model, started_model
from semihmm.training.workers import EncodedShards, Threads, workers_for


class Spent(NamedTuple):
    """Seconds of wall time, and of all processors that this process used."""

    wall: float
    processor: float


class Stopwatch:
    """Measures phases of work.

    ``phases`` has the time that each phase has taken so far, in the order in which they first
    ended.
    """

    def __init__(self) -> None:
        self.phases: dict[str, Spent] = {}
        self._last = self._now()

    def _now(self) -> Spent:
        return Spent(time.perf_counter(), time.process_time())

    def lap(self, phase: str) -> None:
        """Add all time since the last lap to this phase."""
        now = self._now()
        wall, processor = self.phases.get(phase, Spent(0.0, 0.0))
        self.phases[phase] = Spent(
            wall + now.wall - self._last.wall, processor + now.processor - self._last.processor
        )
        self._last = now

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {spent.wall:.1f} ({spent.processor:.1f})"
            for name, spent in self.phases.items()
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
    corpus: str
    pairs: int
    document_words: int
    abstract_words: int
    tokenizer: str
    iterations: tuple[Iteration, ...] = ()
    skipped: tuple[str, ...] = ()
    start: StartedFrom | None = None

    def provenance(self) -> dict[str, Any]:
        """Return where the model comes from, as JSON can hold it."""
        provenance = {
            "program": self.program,
            "pairs": self.pairs,
            "document_words": self.document_words,
            "abstract_words": self.abstract_words,
            "corpus": self.corpus,
            "iterations": [iteration.as_json() for iteration in self.iterations],
            "tokenizer": self.tokenizer,
        }
        if self.skipped:
            provenance["skipped"] = list(self.skipped)
        if self.start is not None:
            provenance["start"] = self.start._asdict()
        return provenance

    @classmethod
    def from_provenance(cls, model: SemiHmm, provenance: dict[str, Any]) -> TrainingState:
        """Make the state from what ``provenance`` gave."""
        names = ("program", "corpus", "pairs", "document_words", "abstract_words", "tokenizer")
        return cls(
            model,
            **{name: provenance[name] for name in names},
            iterations=tuple(Iteration(**one) for one in provenance["iterations"]),
            skipped=tuple(provenance.get("skipped", ())),
            start=StartedFrom(**provenance["start"]) if "start" in provenance else None,
        )


@dataclass(frozen=True)
class Training:
    """One training with its options. ``run`` does it.

    ``workers``         threads.
    ``cache``           where the encoded pairs are kept for the next time (``training_cache``).
    ``beside``          the directory in which the cache is while training lasts, otherwise.
    ``skip_bad_pairs``  goes on without pairs that make the model fail.
    ``cluster``         who reads files, encodes and does the E-step (``semihmm.training.workers``);
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
        chosen = self.cluster, self.workers, self.settings, self.skip_bad_pairs
        with workers_for(*chosen) as workers, training_cache(self.cache, self.beside) as cache:
            texts, census = workers.read(pairs, cache)
            self.clock.lap("reading")
            state = self._start(texts, census, start)
            self.clock.lap("initial model")
            corpus = self._encoded(state, texts, cache, workers)
            self.clock.lap("encoding")
            return self._iterate(state, texts, corpus, workers, report, census.refused)

    def _start(self, texts: Texts, census: Census, start: TrainingState | None) -> TrainingState:
        """Return the state that training starts from or goes on from."""
        if not len(texts):
            raise BadData(
                "nothing to train on: no pair has words in both its document and its abstract"
            )
        if start is not None:
            if start.corpus != texts.fingerprint:
                raise OtherCorpus(
                    "the pairs, their trees or the encoder are not those that the model was "
                    "trained on"
                )
            return start
        model, started_from = self._first_model(texts, census.abstract_words)
        return TrainingState(
            model,
            f"semihmm {installed_version()}",
            texts.fingerprint,
            census.usable,
            census.document_words,
            census.abstract_words,
            tokenizer_names(census.used),
            start=started_from,
        )

    def _first_model(self, texts: Texts, abstract_words: int) -> tuple[SemiHmm, StartedFrom | None]:
        """Return the model before the first iteration, and where it comes from."""
        chosen = chosen_start(self.settings, abstract_words)
        if chosen is None:
            warn_of_little_text(abstract_words)
            return initial_model(texts, texts.vocabulary, self.settings), None
        known = texts.vocabulary.with_forms(chosen.model.vocabulary.forms)
        model = started_model(texts.known_to(known), known, self.settings, chosen.model)
        return model, chosen.origin

    def _encoded(
        self, state: TrainingState, texts: Texts, cache: TrainingCache, workers: Threads
    ) -> EncodedShards:
        """Return the encoded shards, of which those that are not there yet are made."""
        texts = texts.known_to(state.model.vocabulary)
        content = state.corpus if state.start is None else state.corpus + state.start.identity
        corpus = cache.encoded(texts, content, self.settings, self.skip_bad_pairs)
        workers.encode(state.model, texts, corpus)
        return corpus

    def _iterate(
        self,
        state: TrainingState,
        texts: Texts,
        corpus: EncodedShards,
        workers: Threads,
        report: Callable[[TrainingState], None],
        refused: Sequence[str],
    ) -> TrainingState:
        """Run the iterations that are still to do. ``refused`` are pairs that are no texts."""
        most = self.settings.most_iterations(state.start is not None)
        least_gain = self.settings.tolerance * state.abstract_words

        def count(model: SemiHmm) -> Counts:
            counts = workers.e_step(corpus, model)
            self.clock.lap("E-step")
            return counts

        steps = em(state.model, count, most, least_gain, state.iterations)
        with bar("EM", most, "iterations", initial=len(state.iterations)) as shown:
            began = time.perf_counter()
            for model, iteration in steps:
                self.clock.lap("M-step")
                iteration = replace(iteration, seconds=time.perf_counter() - began)
                left_out = workers.skipped(texts, corpus) if self.skip_bad_pairs else []
                skipped = (*refused, *left_out)
                state = replace(
                    state,
                    model=model,
                    iterations=(*state.iterations, iteration),
                    skipped=skipped or state.skipped,
                )
                figures = f"objective {iteration.objective:.1f}, null {iteration.null:.3f}"
                shown.set_postfix_str(figures, refresh=False)
                shown.update()
                report(state)
                began = time.perf_counter()
        return state
