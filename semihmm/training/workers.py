"""Who does the work of a training: threads of this process, or a Dask cluster.

Reading, encoding and the E-step are maps over files and shards. On a cluster neighbouring shards
are a task, which reads them from the training cache: the workers must see its folder. The model is
written to the same folder once an iteration and read once by each worker. Further tasks add the
counts, without zeros and in the same tree order as threads do (``semihmm.model.counts``), so that
the model has the same digits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from corpus_tools.errors import BadData
from corpus_tools.pairs.files_of_pairs import FilesOfPairs, Reading, require_unique_ids
from corpus_tools.pairs.pair import Pair
from corpus_tools.plugins.model_part import Counts
from corpus_tools.progress import counted
from semihmm.batches.store import Shards, is_whole, read_value, write_value
from semihmm.batches.training_cache import (
    FileBatches,
    Texts,
    TrainingCache,
    folder_of,
    merged_texts,
    write_file,
)
from semihmm.batches.units import (
    encoder_of,
    extract_choice,
    need_texts_alone,
    units_for,
    with_bar_of_extracts,
)
from semihmm.cluster import (
    KILLED,
    Shared,
    connect,
    explaining_loss,
    read_model,
    result_of,
    run_tasks,
    shared_model,
)
from semihmm.model.counts import SparseCounts, add_sparse, dense, sparse, sum_tree
from semihmm.model.parallel import in_order
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings
from semihmm.training.bad_pairs import (
    encode_good_pairs,
    require_counts,
    shard_counts,
    skipped_pairs,
)
from semihmm.training.census import Census
from semihmm.training.em import e_step

if TYPE_CHECKING:
    from distributed import Client

Result = TypeVar("Result")

EncodedShards = Shards[Encoded | None]

TASKS = 1_000
"""Shards are put together until there are fewer than twice as many tasks.

A task costs the scheduler a millisecond and a worker some more; a shard's E-step takes 50. A
thousand tasks keep 256 workers busy to the end of a pass. Set by hand.
"""


def blocks(size: int) -> list[range]:
    """Return the indices of neighbouring shards that are a task each.

    Their number in a block is a power of two, so that the sums of blocks are those of the tree
    (``semihmm.model.counts``).
    """
    width = 1
    while size // (2 * width) >= TASKS:
        width *= 2
    return [range(begin, min(begin + width, size)) for begin in range(0, size, width)]


@dataclass(frozen=True)
class Threads:
    """Threads of this process.

    ``skip``  goes on without pairs that make the model fail, or take too much memory; otherwise
              the first raises ``BadPair``.
    """

    workers: int
    settings: Settings
    skip: bool

    def read(self, pairs: Iterable[Pair], cache: TrainingCache) -> tuple[Texts, Census]:
        """Read the pairs and return their texts, with what is seen of the pairs."""
        census = Census()
        refuse = census.refuse if self.skip else None
        encoder = encoder_of(self.settings).version if self.settings.needs_vectors else ""
        units = units_for(with_bar_of_extracts(pairs, self.settings), self.settings, refuse)
        return cache.add_texts(census.count_units(units), encoder), census

    def encode(self, model: SemiHmm, texts: Texts, corpus: EncodedShards) -> None:
        """Encode the batches of which there is no shard yet."""
        with self._sharing(corpus.folder, model) as shared:
            work = partial(_encode, shared, replace(corpus, vocabulary=None), self.skip)
            self._each(work, texts, "encoding")

    def skipped(self, texts: Texts, corpus: EncodedShards) -> list[str]:
        """List the ids of the pairs that were left out of the shards."""
        work = partial(_skipped, replace(corpus, vocabulary=None))
        lists = self._each(work, texts, "left out")
        return [identity for ids in lists for identity in ids]

    def e_step(self, corpus: EncodedShards, model: SemiHmm) -> Counts:
        """Add up the expected counts of all shards (``semihmm.training.em.e_step``)."""
        return e_step(corpus, self.workers, self.skip, model)

    def _sharing(self, folder: Path, model: SemiHmm) -> AbstractContextManager[Shared | Path]:
        return nullcontext(Shared(model, self.settings))

    def _each(
        self, work: Callable[[Texts, range], Result], texts: Texts, phase: str
    ) -> list[Result]:
        """Do the work on all batches, of which some are given at a time."""
        each = [range(index, index + 1) for index in range(len(texts))]
        return list(
            counted(in_order(partial(work, texts), each, self.workers), phase, len(each), "batches")
        )


@dataclass(frozen=True)
class Cluster(Threads):
    """The workers of a Dask cluster."""

    client: Client

    def read(self, pairs: Iterable[Pair], cache: TrainingCache) -> tuple[Texts, Census]:
        """Read the pairs, those of files in the workers. Raises the errors that one process does.

        Parsers and encoders of vectors belong to this process.
        """
        if not (isinstance(pairs, FilesOfPairs) and need_texts_alone(self.settings)):
            return super().read(pairs, cache)
        return _read_files(self.client, pairs, self.settings, cache, self.skip)

    def e_step(self, corpus: EncodedShards, model: SemiHmm) -> Counts:
        """Add up the expected counts of all shards, in the order of threads."""
        from distributed import KilledWorker

        with self._sharing(corpus.folder, model) as path:
            try:
                with explaining_loss():
                    shards = replace(corpus, vocabulary=None)
                    counts = _sum_of(self.client, shards, path, self.skip)
                return require_counts(counts)
            except KilledWorker as error:
                raise BadData(_who_killed(str(error.task), corpus)) from error

    def _sharing(self, folder: Path, model: SemiHmm) -> AbstractContextManager[Shared | Path]:
        return shared_model(folder, model, self.settings)

    def _each(
        self, work: Callable[[Texts, range], Result], texts: Texts, phase: str
    ) -> list[Result]:
        def killed(block: range) -> BadData:
            ids = [identity for index in block for identity in texts[index].ids]
            return BadData(f"{KILLED}: {phase}, the pairs {ids[0]!r} to {ids[-1]!r}")

        bare = partial(work, texts.bare())
        done, error = run_tasks(self.client, bare, blocks(len(texts)), phase, "tasks", killed)
        if error is not None:
            raise error
        return done


@contextmanager
def workers_for(
    cluster: str | None, threads: int, settings: Settings, skip: bool
) -> Iterator[Threads]:
    """Give who trains with these settings.

    ``cluster`` is ``None`` for threads, ``local`` for ``threads`` processes of this machine, or the
    address of a cluster's scheduler. Raises ``BadUsage`` if no scheduler answers, or Dask is not
    installed.
    """
    if cluster is None:
        yield Threads(threads, settings, skip)
        return
    with connect(cluster, threads) as client:
        yield Cluster(threads, settings, skip, client)


def _known(shared: Shared | Path) -> SemiHmm:
    return (read_model(shared) if isinstance(shared, Path) else shared).model


def _encode(
    shared: Shared | Path, shards: EncodedShards, skip: bool, texts: Texts, block: Sequence[int]
) -> None:
    """Encode some batches, in a worker."""
    model = _known(shared)
    known = texts.known_to(model.vocabulary)
    for index in block:
        if not is_whole(shards.path(index)):
            shards[index] = encode_good_pairs(model, known, index, skip)


def _skipped(shards: EncodedShards, texts: Texts, block: Sequence[int]) -> list[str]:
    """List the ids of the pairs that were left out of some shards, in a worker."""
    return skipped_pairs((texts[index] for index in block), (shards[index] for index in block))


# The E-step of a cluster


def _count(block: range, path: Path, shards: EncodedShards, skip: bool) -> SparseCounts | None:
    """Run the E-step of some shards, in a worker. The counts of words they lack are left out."""
    model = _known(path)
    known = replace(shards, vocabulary=model.vocabulary)
    counts = (sparse(shard_counts(model, known, skip, index)) for index in block)
    return sum_tree(counts, add_sparse)


def _sum_of(
    client: Client, shards: EncodedShards, path: Shared | Path, skip: bool
) -> Counts | None:
    """Run one E-step: the counts of all blocks of shards, and then a tree of sums of two."""
    some = blocks(len(shards))
    name = os.path.basename(str(path))
    keys = [f"shards-{name}-{block.start}-{block.stop}" for block in some]
    level = client.map(_count, some, path=path, shards=shards, skip=skip, key=keys)
    while len(level) > 1:
        neighbours = zip(level[::2], level[1::2], strict=False)
        sums = [client.submit(add_sparse, one, other, pure=False) for one, other in neighbours]
        level = sums + level[len(level) // 2 * 2 :]
    return dense(result_of(level[0], client))


def _who_killed(task: str, corpus: EncodedShards) -> str:
    """Name the pairs of the task that no worker survived."""
    *_, begin, end = task.split("-")
    what = "adding up counts"
    if task.startswith("shards-"):
        encoded = [corpus[index] for index in range(int(begin), int(end))]
        ids = [identity for one in encoded if one is not None for identity in one.batch.ids]
        what = f"pairs {ids[0]!r} to {ids[-1]!r}" if ids else what
    return f"{KILLED}: {what}"


# The files that a cluster reads

IDS = "ids"
"""The name of the file with the hashes of the ids of a file's pairs."""


def _read_files(
    client: Client, files: FilesOfPairs, settings: Settings, cache: TrainingCache, skip: bool
) -> tuple[Texts, Census]:
    """Read the files and return their texts, with what is seen of the pairs.

    Raises the errors, and gives the warnings, that reading the files one after another would.
    """
    folder = cache.make_folder_of_texts()

    def killed(file: tuple[int, str]) -> BadData:
        return BadData(KILLED, file[1])

    work = partial(_read_file, files.reading, settings, folder, skip)
    items = [(index, os.path.abspath(name)) for index, name in enumerate(files.files)]
    results, error = run_tasks(client, work, items, "reading", "files", killed)
    # The file with the error has ids too, of the pairs before it.
    reached = range(len(results) if error is None else len(results) + 1)
    hashes = [_hashes(folder_of(folder, index)) for index in reached]
    require_unique_ids(hashes, files.files, files.reading)
    if error is not None:
        raise error
    census = Census()
    for _, of_file in results:
        census.join(of_file)
    if files.report is not None:
        files.report(census)
    return merged_texts(folder, [batches for batches, _ in results]), census


def _read_file(
    reading: Reading, settings: Settings, folder: Path, skip: bool, item: tuple[int, str]
) -> tuple[FileBatches, Census]:
    """Read a file, in a worker, and write its batches."""
    number, file = item
    own = folder_of(folder, number)
    census = Census()
    try:
        pairs = census.count(reading.pairs(file, extract_choice(settings)))
        units = units_for(pairs, settings, census.refuse if skip else None)
        return write_file(own, census.count_units(units)), census
    finally:
        # If there is an error: an id that an earlier file has too may come before it.
        write_value(own / IDS, np.array(census.hashes, dtype=np.uint64))


def _hashes(folder: Path) -> Any:
    """Return the hashes of a file's ids; none if the file was not read at all."""
    path = folder / IDS
    return read_value(path) if path.exists() else np.zeros(0, dtype=np.uint64)
