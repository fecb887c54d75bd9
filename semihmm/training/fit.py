"""Trains a model: reads the pairs, makes the first model, encodes the batches, and runs EM."""

from __future__ import annotations

import os
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from corpus_tools.arrays import dense
from corpus_tools.errors import BadData, OtherCorpus, SemiHmmError
from corpus_tools.packages import installed_version
from corpus_tools.pairs.pair import Pair, tokenizer_names
from corpus_tools.pairs.read_pairs import FilesOfPairs, Seen, require_unique_ids
from corpus_tools.plugins.model_part import Counts
from corpus_tools.progress import bar
from semihmm.batches.store import Shards
from semihmm.batches.training_cache import (
    FileBatches,
    Texts,
    TrainingCache,
    merged_texts,
    texts_of,
)
from semihmm.batches.units import (
    encoder_of,
    need_texts_alone,
    units_for,
    with_bar_of_extracts,
)
from semihmm.cluster import Cluster, Here
from semihmm.model.semi_hmm import SemiHmm
from semihmm.settings import ITERATIONS, STARTED_ITERATIONS, Settings
from semihmm.training import passes
from semihmm.training.em import (
    Iteration,
    chosen_start,
    em,
    initial_model,
    started_model,
    warn_of_little_text,
)


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
    ``start``           the trained model that training started from: its name as ``model``, its
                        ``identity``; ``None``: from nothing.
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
    start: dict[str, str] | None = None

    def provenance(self) -> dict[str, Any]:
        """Return where the model comes from, as JSON can hold it."""
        provenance = {one.name: getattr(self, one.name) for one in fields(self)[1:]}
        provenance["iterations"] = [iteration.as_json() for iteration in self.iterations]
        provenance["skipped"] = list(self.skipped)
        optional = ("skipped", "start")
        return {name: one for name, one in provenance.items() if one or name not in optional}

    @classmethod
    def from_provenance(cls, model: SemiHmm, provenance: dict[str, Any]) -> TrainingState:
        """Make the state from what ``provenance`` gave."""
        iterations = tuple(Iteration(**one) for one in provenance["iterations"])
        skipped = tuple(provenance.get("skipped", ()))
        return cls(model, **{**provenance, "iterations": iterations, "skipped": skipped})


@dataclass(frozen=True)
class Training:
    """One training. ``run`` does it.

    It is a few passes over the corpus: reading, encoding, and the E-step of each iteration. Each is
    a map over parts of the corpus, files or shards (``semihmm.training.passes``).

    ``runner``  does the work on the parts (``semihmm.cluster``).
    ``cache``   where the parts are.
    ``skip``    whether it goes on without pairs that make the model fail, or take too much memory.
                Otherwise the first raises ``BadPair``.
    ``clock``   measures the phases.
    """

    settings: Settings
    runner: Here
    cache: TrainingCache
    skip: bool
    clock: Stopwatch

    def run(
        self,
        pairs: Iterable[Pair],
        start: TrainingState | None,
        report: Callable[[TrainingState], None],
    ) -> TrainingState:
        """Train on the pairs, which are read once; those with an empty side are passed over.

        With ``start``, training goes on from there; the pairs must be the same. ``report`` is
        called with the state after every iteration.

        Raises ``BadData`` if no pair has words on both sides or one makes the model fail, and
        ``OtherCorpus`` if the pairs are not those of ``start``.
        """
        texts, refused = self._read(pairs)
        self.clock.lap("reading")
        if not len(texts):
            raise BadData(
                "nothing to train on: no pair has words in both its document and its abstract"
            )
        if start is not None and start.corpus != texts.fingerprint:
            raise OtherCorpus(
                "the pairs, their trees or the encoder are not those that the model was trained on"
            )
        state = start or self._first_state(texts)
        self.clock.lap("initial model")
        texts = texts.known_to(state.model.vocabulary)
        content = state.corpus if state.start is None else state.corpus + state.start["identity"]
        shards = self.cache.encoded(texts, content, self.settings, self.skip)
        with self.runner.sharing(shards.folder, state.model, self.settings) as shared:
            work = partial(passes.encode, shared, shards, self.skip, texts)
            blocks = self.runner.blocks(len(texts))
            # Work is done as its results are asked for, though here none gives anything.
            deque(self.runner.each(work, blocks, "encoding", "batches"), maxlen=0)
        self.clock.lap("encoding")
        return self._iterate(state, texts, shards, refused, report)

    def _read(self, pairs: Iterable[Pair]) -> tuple[Texts, list[str]]:
        """Read the pairs and return their texts, and the ids of those that take too much memory.

        A cluster reads those of files, and raises the errors that one process does. Parsers and
        encoders of vectors belong to this process.
        """
        settings = self.settings
        of_cluster = isinstance(self.runner, Cluster) and need_texts_alone(settings)
        if of_cluster and isinstance(pairs, FilesOfPairs):
            return self._read_files(pairs)
        refused: list[str] = []
        encoder = encoder_of(settings).version if settings.needs_vectors else ""
        shown = with_bar_of_extracts(pairs, settings)
        units = units_for(shown, settings, passes.noting(refused, self.skip))
        return texts_of(units, self.cache.texts, encoder), refused

    def _read_files(self, files: FilesOfPairs) -> tuple[Texts, list[str]]:
        """Read the files in the workers. Gives the errors of reading them one after another."""
        reading = files.reading
        work = partial(passes.read_file, reading, self.settings, self.cache.texts, self.skip)
        items = [(index, os.path.abspath(name)) for index, name in enumerate(files.files)]
        batches: list[FileBatches] = []
        seen: list[Seen] = []
        refused: list[str] = []

        try:
            for of_file in self.runner.each(work, items, "reading", "files"):
                batches.append(of_file[0])
                seen.append(of_file[1])
                refused += of_file[2]
        except SemiHmmError:
            # An id that an earlier file has too may come before what is wrong in this one.
            before = Seen()
            with suppress(SemiHmmError):
                deque(before.count(reading(items[len(seen)][1])), maxlen=0)
            require_unique_ids([*seen, before], files.files, reading)
            raise
        require_unique_ids(seen, files.files, reading)
        if files.report is not None:
            files.report(seen)
        return merged_texts(self.cache.texts, batches), refused

    def _first_state(self, texts: Texts) -> TrainingState:
        """Return the state that training starts from."""
        abstract_words = sum(one.abstract_words for one in texts.files)
        chosen = chosen_start(self.settings, abstract_words)
        origin = None
        if chosen is None:
            warn_of_little_text(abstract_words)
            model = initial_model(texts, texts.vocabulary, self.settings)
        else:
            before, origin = chosen
            known = texts.vocabulary.with_forms(before.vocabulary.forms)
            model = started_model(texts.known_to(known), known, self.settings, before)
        return TrainingState(
            model,
            f"semihmm {installed_version()}",
            sum(one.pairs for one in texts.files),
            sum(one.document_words for one in texts.files),
            abstract_words,
            texts.fingerprint,
            (),
            tokenizer_names(name for one in texts.files for name in one.tokenizers),
            start=origin,
        )

    def _iterate(
        self,
        state: TrainingState,
        texts: Texts,
        shards: Shards,
        refused: list[str],
        report: Callable[[TrainingState], None],
    ) -> TrainingState:
        """Run the iterations that are still to do.

        ``refused``  the pairs that are skipped already. Each E-step may skip more.
        """
        started = state.start is not None
        most = self.settings.iterations or (STARTED_ITERATIONS if started else ITERATIONS)
        least_gain = self.settings.tolerance * state.abstract_words
        e_step = partial(self._e_step, texts, shards)
        steps = em(state.model, e_step, most, least_gain, state.iterations)
        with bar("EM", most, "iterations", initial=len(state.iterations)) as shown:
            began = time.perf_counter()
            for model, iteration in steps:
                self.clock.lap("M-step")
                iteration = replace(iteration, seconds=time.perf_counter() - began)
                state = replace(state, model=model, iterations=(*state.iterations, iteration))
                if self.skip:
                    skipped = (*refused, *_left_out(texts, shards))
                    state = replace(state, skipped=skipped or state.skipped)
                figures = f"objective {iteration.objective:.1f}, null {iteration.null:.3f}"
                shown.set_postfix_str(figures, refresh=False)
                shown.update()
                report(state)
                began = time.perf_counter()
        return state

    def _e_step(self, texts: Texts, shards: Shards, model: SemiHmm) -> Counts:
        """Add up the expected counts of all shards. Raises ``BadData`` if every pair is skipped."""
        runner = self.runner
        with runner.sharing(shards.folder, model, self.settings) as shared:
            work = partial(passes.count, shared, shards, self.skip)
            total = runner.total(work, runner.blocks(len(shards)), "E-step")
        if not total:
            raise BadData("nothing to train on: every pair makes the model fail")
        self.clock.lap("E-step")
        return dense(total)


def _left_out(texts: Texts, shards: Shards) -> Iterator[str]:
    """Give the ids of the pairs that were left out of the shards."""
    for batch, encoded in zip(texts, shards, strict=True):
        left = set() if encoded is None else set(encoded.batch.ids)
        yield from (identity for identity in batch.ids if identity not in left)
