"""Trains a model: reads the pairs, makes the initial model, encodes the batches, and runs EM.

If the E-step of a shard fails, its pairs are tried one by one. Then the error names the pair that
failed, or the shard is encoded again without it.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from corpus_tools.base import errors, library_loading
from corpus_tools.base.arrays import dense, sparse, sum_counts
from corpus_tools.base.progress import bar
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Counts
from corpus_tools.pairs.corpus_files import FilesOfPairs, Reading, ReadingStats, require_unique_ids
from corpus_tools.pairs.pair import Pair, tokenizer_names
from semihmm.model import units
from semihmm.model.saving import Trained
from semihmm.model.semi_hmm import ABSTRACT_WORDS, LOG_LIKELIHOOD, Encoded, SemiHmm
from semihmm.model.settings import DEFAULT_ITERATIONS, WARM_START_ITERATIONS, Settings
from semihmm.training import corpus_batches
from semihmm.training.cluster import SharedModel, Workers, read_shared
from semihmm.training.corpus_batches import CorpusBatches, FileBatches
from semihmm.training.em import Iteration, Sample, em, iterations_done, starting_model
from semihmm.training.training_cache import Shards

Result = TypeVar("Result")

SAMPLED_ITERATIONS = 4
"""The number of first iterations that use a sample of the shards.

On the 2,611 pairs of SciTLDR the objective after eight iterations is the same to the sixth digit
(docs/research/speed.md). An explicit setting ``iterations``, as of the
preset ``paper``, turns sampling off.
"""
SAMPLE_STEP = 4
"""The sample has every fourth shard."""
LEAST_SAMPLED_SHARDS = 2
"""The fewest shards of a sample: corpora of fewer than five shards are not sampled."""


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


@dataclass
class Training:
    """One training, which ``run`` runs.

    It makes a few passes over the corpus: reading, encoding, and the E-step of each iteration. Each
    pass maps one of the workers' tasks (below) over the parts of the corpus, files or shards.

    ``workers``  work on the parts (``semihmm.training.cluster``).
    ``folder``   the training cache, a new folder.
    ``skip``     whether pairs that make the model fail, or take too much memory, are left out.
                 Otherwise the first of them raises ``BadPair``.
    ``clock``    measures the phases.
    """

    settings: Settings
    workers: Workers
    folder: Path
    skip: bool
    clock: Stopwatch

    def run(
        self, pairs: Iterable[Pair], resumed: Trained | None
    ) -> Iterator[tuple[Trained, Iteration]]:
        """Train on the pairs, which are read once; pairs with an empty side are left out.

        Yield the model and the figures of each iteration. With ``resumed``, training continues
        from there; the pairs must be the same.

        Raises ``BadData`` if no pair has words on both sides or one makes the model fail, and
        ``OtherCorpus`` if the pairs are not those of ``resumed``.
        """
        texts = self._read(pairs)
        self.clock.lap("reading")
        if not len(texts):
            raise errors.BadData(
                "nothing to train on: no pair has words in both its document and its abstract"
            )
        if resumed is not None and resumed.provenance["corpus"] != texts.fingerprint:
            raise errors.OtherCorpus(
                "the pairs, their trees or the encoder are not those that the model was trained on"
            )
        if resumed is None:
            # Now the language is known, and with it the resources that models read.
            self.settings = self.settings.changed(language=texts.vocabulary.code)
            self.settings = self.settings.resolve_resources()
        trained = resumed or self._first(texts)
        self.clock.lap("initial model")
        # After a warm start the vocabulary has words that the texts lack.
        texts = texts.known_to(trained.model.vocabulary)
        shards = Shards(self.folder, len(texts), texts.vocabulary)
        # A resumed training leaves out the pairs that it has left out before.
        without = frozenset(trained.provenance.get("skipped", ()) if self.skip else ())
        with self.workers.sharing(self.folder, trained.model, self.settings) as shared:
            work = partial(encode_shards, shared, shards, self.skip, texts, without)
            blocks = self.workers.blocks(range(len(texts)))
            # Taking the results, which are all ``None``, does the work.
            deque(self.workers.each(work, blocks, "encoding", "batches"), maxlen=0)
        self.clock.lap("encoding")
        yield from self._iterate(trained, texts, shards)

    def _read(self, pairs: Iterable[Pair]) -> CorpusBatches:
        """Read the pairs, and return their texts.

        The workers of a cluster read files, unless units need a parser or an encoder, which only
        this process has. Their errors are raised here. No batch has pairs of two files.
        """
        settings = self.settings
        if (
            isinstance(pairs, FilesOfPairs)
            and self.workers.executor is not None
            and units.need_only_texts(settings)
        ):
            files = self._read_files(pairs)
        else:
            encoder = units.encoder_of(settings).version if settings.needs_vectors else ""
            cut = units.cut_pairs(units.with_bar_of_extracts(pairs, settings), settings)
            by_file = groupby(cut, lambda unit: getattr(unit.original.source, "path", None))
            files = [
                corpus_batches.write_batches(self.folder, number, own, self.skip, encoder)
                for number, (_, own) in enumerate(by_file)
            ]
        return corpus_batches.one_vocabulary(self.folder, files, settings.language)

    def _read_files(self, files: FilesOfPairs) -> list[FileBatches]:
        """Read the files in the workers. Ids that occur in two files are found at the end."""
        reading = files.reading
        work = partial(read_file, reading, self.settings, self.folder, self.skip)
        # Absolute paths, because a worker may have another working directory.
        items = [(index, os.path.abspath(name)) for index, name in enumerate(files.files)]
        read = [*self.workers.each(work, items, "reading", "files")]
        stats = [of_file for _, of_file in read]
        # A worker knows the ids of its own file alone.
        require_unique_ids(stats, files.files, reading)
        if files.report is not None:
            files.report(stats)
        return [batches for batches, _ in read]

    def _first(self, texts: CorpusBatches) -> Trained:
        """Return the model before the first iteration, with its provenance.

        The fields of the provenance, in this order:

        ``program``         the program's version.
        ``pairs``           how many pairs have words on both sides.
        ``document_words``  how many document words the alignment units have.
        ``abstract_words``  how many abstract words they have.
        ``corpus``          the fingerprint of the texts.
        ``iterations``      those done (``Iteration``).
        ``tokenizer``       the tokenizers of the pairs, as ``tokenizer_names`` joins them.
        ``skipped``         ids of the pairs that made the model fail, if there are any.
        ``start``           the trained model that training starts from, if any: its name as
                            ``model``, and its ``identity``.
        """
        provenance: dict[str, Any] = {"program": f"semihmm {library_loading.installed_version()}"}
        for name in ("pairs", "document_words", "abstract_words"):
            provenance[name] = sum(getattr(file, name) for file in texts.files)
        used = tokenizer_names(name for file in texts.files for name in file.tokenizers)
        provenance |= {"corpus": texts.fingerprint, "iterations": [], "tokenizer": used}
        model, start = starting_model(texts, self.settings, provenance["abstract_words"])
        if start is not None:
            provenance["start"] = start
        return Trained(model, self.settings, provenance)

    def _iterate(
        self, trained: Trained, texts: CorpusBatches, shards: Shards
    ) -> Iterator[tuple[Trained, Iteration]]:
        """Run the iterations that are left."""
        model, provenance = trained.model, trained.provenance
        # Training uses a trained model as pseudo-counts, or else starts from its parameters.
        is_warm_start = "start" in provenance and not model.transferred
        most = self.settings.iterations or (
            WARM_START_ITERATIONS if is_warm_start else DEFAULT_ITERATIONS
        )
        # The objective grows with the corpus: the tolerance is per abstract word.
        least_gain = self.settings.tolerance * provenance["abstract_words"]
        done = iterations_done(provenance)
        whole = partial(self._e_step, shards, range(len(shards)))
        sample = None
        # An explicit ``iterations`` turns sampling off.
        if self.settings.iterations is None and not is_warm_start:
            sample = self._sample(shards, provenance["abstract_words"])
        steps = em(model, whole, most, least_gain, done, sample)
        with bar("EM", most, "iterations", initial=len(done)) as progress:
            began = time.perf_counter()
            for model, iteration in steps:
                self.clock.lap("M-step")
                iterations = [*provenance["iterations"], iteration.as_json()]
                provenance = {**provenance, "iterations": iterations}
                # Each E-step may leave more pairs out.
                if self.skip and (skipped := [*_left_out(texts, shards)]):
                    provenance["skipped"] = skipped
                    if "start" in provenance:  # it is the last field
                        provenance["start"] = provenance.pop("start")
                figures = f"objective {iteration.objective:.1f}, unaligned {iteration.null:.3f}"
                progress.set_postfix_str(figures, refresh=False)
                progress.update()
                seconds = time.perf_counter() - began
                yield Trained(model, self.settings, provenance), replace(iteration, seconds=seconds)
                # The time of the caller, who may save the model, does not count.
                began = time.perf_counter()

    def _sample(self, shards: Shards, words: int) -> Sample | None:
        """Return the iterations that use a part of the corpus; ``None`` for a small corpus.

        ``words``  the number of abstract words of the corpus.
        """
        part = range(0, len(shards), SAMPLE_STEP)
        if len(part) < LEAST_SAMPLED_SHARDS:
            return None

        def e_step(model: SemiHmm) -> Counts:
            # The counts of the part, scaled to the abstract words of the corpus.
            counts = self._e_step(shards, part, model)
            factor = words / float(counts[ABSTRACT_WORDS])
            return {name: factor * of_name for name, of_name in counts.items()}

        return Sample(SAMPLED_ITERATIONS, e_step)

    def _e_step(self, shards: Shards, indices: range, model: SemiHmm) -> Counts:
        """Add up the expected counts of some shards. Raises ``BadData`` if no pair has any.

        They are added in the order of a fixed tree, so that the digits of the sum do not depend on
        the workers.
        """
        with self.workers.sharing(self.folder, model, self.settings) as shared:
            work = partial(count_shards, shared, shards, self.skip)
            blocks = self.workers.blocks(indices)
            total = sum_counts(self.workers.each(work, blocks, "E-step", "batches"))
        if not total:
            raise errors.BadData("nothing to train on: every pair makes the model fail")
        self.clock.lap("E-step")
        return dense(total)


def _left_out(texts: CorpusBatches, shards: Shards) -> Iterator[str]:
    """Yield the ids of the pairs that were left out of the texts or of the shards."""
    for file in texts.files:
        yield from file.refused
    for batch, encoded in zip(texts, shards, strict=True):
        kept = set() if encoded is None else set(encoded.batch.ids)
        yield from (identity for identity in batch.ids if identity not in kept)


# The tasks of workers. A worker is a thread or another process. It reads and writes files of the
# training cache, whose folder all workers of a cluster must see. The model is written there once an
# iteration, and each process reads it once.


def read_file(
    reading: Reading, settings: Settings, folder: Path, skip: bool, item: tuple[int, str]
) -> tuple[FileBatches, ReadingStats]:
    """Read a file and write its batches; return these, and counts of its pairs."""
    number, file = item
    stats = ReadingStats()
    pairs = stats.count(reading(file, extracts=settings.extract_choice))
    cut = units.cut_pairs(pairs, settings)
    return corpus_batches.write_batches(folder, number, cut, skip), stats


def encode_shards(
    shared: SharedModel | Path,
    shards: Shards,
    skip: bool,
    texts: CorpusBatches,
    without: Collection[str],
    block: Sequence[int],
) -> None:
    """Encode the batches of a block, without some pairs."""
    model, settings = read_shared(shared)
    texts = texts.known_to(model.vocabulary)
    probe = partial(_probe, model, settings)
    for index in block:
        batch = texts[index]
        good = [number for number, id in enumerate(batch.ids) if id not in without]
        batch = batch if len(good) == len(batch) else batch.select(good)
        shards[index] = without_bad_pairs(model.encode, batch, skip, probe) if good else None


def _probe(model: SemiHmm, settings: Settings) -> Batch:
    """Return a batch of the sound pair ``PROBE_PAIR``."""
    return units.batch_of(list(units.units_for([units.PROBE_PAIR], settings)), model.vocabulary)


def count_shards(
    shared: SharedModel | Path, shards: Shards, skip: bool, block: Sequence[int]
) -> Counts:
    """Run the E-step of some shards. Zeros are left out of long counts."""
    model, settings = read_shared(shared)
    probe = partial(_probe, model, settings)
    shards = shards.known_to(model.vocabulary)
    # Most words of a large vocabulary are in few shards: zeros are neither sent nor added.
    counts = (_counts_of_shard(model, shards, skip, probe, index) for index in block)
    return sparse(sum_counts(counts))


def _counts_of_shard(
    model: SemiHmm, shards: Shards, skip: bool, probe: Callable[[], Batch], index: int
) -> Counts:
    """Return the expected counts of a shard; none if it has no pair left.

    A pair that makes the model fail raises ``BadPair``; with ``skip``, a shard without it replaces
    this one.
    """

    def encoded_and_counted(batch: Batch) -> tuple[Encoded, Counts]:
        again = model.encode(batch)
        return again, _finite_counts(model, again)

    encoded: Encoded | None = shards[index]
    if encoded is None:
        return {}
    # Bad pairs are rare: the whole shard is tried first, and pair by pair only if that fails.
    try:
        return _finite_counts(model, encoded)
    except errors.NOT_FROM_A_PAIR:
        raise
    except Exception:
        found = without_bad_pairs(encoded_and_counted, encoded.batch, skip, probe)
    shards[index], counts = found or (None, {})
    return counts


def _finite_counts(model: SemiHmm, encoded: Encoded) -> Counts:
    """Return the expected counts. Raises ``ArithmeticError`` if the likelihood is not a number."""
    counts = model.expected_counts(encoded)
    # NaN would spread to all counts. Here the pair can still be named.
    if np.isnan(counts[LOG_LIKELIHOOD]):
        raise ArithmeticError("its likelihood is not a number")
    return counts


def without_bad_pairs(
    work: Callable[[Batch], Result], batch: Batch, skip: bool, probe: Callable[[], Batch]
) -> Result | None:
    """Do the work on a batch; with ``skip``, without its bad pairs.

    ``probe``  returns the batch of a sound pair.

    Returns ``None`` if no pair is left. Raises ``BadPair`` for a bad pair, unless ``skip``,
    ``BadData`` if the pairs fail together but not alone, and ``AnyPairFails`` if the probe fails.
    """
    try:
        return work(batch)
    except errors.NOT_FROM_A_PAIR:
        raise
    except Exception as error:
        good = []
        for index, id in enumerate(batch.ids):
            found = units.result_or_error(work, batch.select([index]), id, probe)
            if not isinstance(found, errors.BadPair):
                good.append(index)
            elif not skip:
                raise found from found.__cause__
        if len(good) == len(batch):
            ids = f"{batch.ids[0]!r} to {batch.ids[-1]!r}"
            problem = f"pairs {ids} fail together: {errors.described(error)}"
            raise errors.BadData(problem) from error
    return without_bad_pairs(work, batch.select(good), skip, probe) if good else None
