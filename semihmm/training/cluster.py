"""Runs training on a Dask cluster (the extra ``cluster``): reading, encoding and the E-step.

On a cluster neighbouring shards are a task, which reads them from the training cache: the workers
must see its folder. The model is written to the same folder once an iteration and read once by each
worker (``semihmm.cluster.tasks``). Further tasks add the counts, without zeros and in the
same tree order as threads do (``semihmm.model.counts``), so that the model has the same digits.
Dask runs the tasks of a lost worker again.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch, Totals
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData, SemiHmmError
from corpus_tools.pairs.files_of_pairs import (
    FilesOfPairs,
    Reading,
    Seen,
    require_unique_ids,
)
from corpus_tools.plugins.model_part import Counts
from corpus_tools.storage.new_folders import make_folder
from semihmm.batches.batches import FileTexts
from semihmm.batches.shards import Shards, layout
from semihmm.batches.texts import (
    MergedTexts,
    Texts,
    TextShards,
    folder_of,
    read_cached,
    write_numbers,
)
from semihmm.batches.training_cache import WHAT, TrainingCache
from semihmm.batches.units import extract_choice, units_for
from semihmm.batches.value_file import write_value
from semihmm.cluster.client import connect, explaining_loss, result_of
from semihmm.cluster.tasks import KILLED, read_model, run_tasks, shared_model
from semihmm.model.counts import SparseCounts, add_sparse, dense, sparse, sum_tree
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings
from semihmm.training.bad_pairs import (
    Corpus,
    encode_good_pairs,
    require_counts,
    shard_counts,
    skipped_pairs,
)
from semihmm.training.census import Census

if TYPE_CHECKING:
    from distributed import Client

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


def encode_texts(
    client: Client,
    model: SemiHmm,
    settings: Settings,
    texts: TextShards,
    shards: Shards[Encoded | None],
    skip: bool,
) -> None:
    """Encode the batches of which there is no shard yet.

    ``skip``  leaves out pairs that make the model fail; otherwise the first raises ``BadPair``.
    """

    def killed(block: range) -> BadData:
        ids = [identity for index in block for identity in texts[index].ids]
        return BadData(f"{KILLED}: encoding the pairs {ids[0]!r} to {ids[-1]!r}")

    with shared_model(shards.folder, model, settings) as path:
        work = partial(_encode, path, texts.bare(), replace(shards, vocabulary=None), skip)
        _, error = run_tasks(client, work, blocks(len(shards)), "encoding", "tasks", killed)
    if error is not None:
        raise error


def _encode(
    path: Path, texts: TextShards, shards: Shards[Encoded | None], skip: bool, block: Sequence[int]
) -> None:
    """Encode some batches, in a worker."""
    model, _ = read_model(path, WHAT)
    known = replace(texts, vocabulary=model.vocabulary)
    for index in block:
        if not shards.has(index):
            shards[index] = encode_good_pairs(model, known, index, skip)


def skipped_ids(client: Client, texts: TextShards, shards: Shards[Encoded | None]) -> list[str]:
    """List the ids of the pairs that were left out of the shards."""
    work = partial(_skipped, texts.bare(), replace(shards, vocabulary=None))

    def killed(block: range) -> BadData:
        return BadData(f"{KILLED}: comparing shards {block.start} to {block.stop - 1}")

    lists, error = run_tasks(client, work, blocks(len(shards)), "left out", "tasks", killed)
    if error is not None:
        raise error
    return [identity for ids in lists for identity in ids]


def _skipped(texts: TextShards, shards: Shards[Encoded | None], block: Sequence[int]) -> list[str]:
    """List the ids of the pairs that were left out of some shards, in a worker."""
    return skipped_pairs((texts[index] for index in block), (shards[index] for index in block))


IDS = "ids"
"""The name of the file with the hashes of the ids of a file's pairs."""

WORDS = "words"
"""The name of the file with the words of a file, their stems and totals."""


def read_files(
    client: Client, files: FilesOfPairs, settings: Settings, cache: TrainingCache, skip: bool
) -> tuple[Texts, Census]:
    """Read the files and return their texts, with what is seen of the pairs.

    ``skip``  leaves out pairs that take too much memory.

    Raises the errors, and gives the warnings, that reading the files one after another would.
    """
    folder = cache.make_folder_of_texts()
    work = partial(_read_file, files.reading, settings, folder, skip)
    items = [_File(index, os.path.abspath(name), name) for index, name in enumerate(files.files)]
    results, error = run_tasks(client, work, items, "reading", "files", _killed)
    # The file with the error has ids too, of the pairs before it.
    reached = range(len(results) if error is None else len(results) + 1)
    hashes = [_hashes(folder_of(folder, index)) for index in reached]
    require_unique_ids(hashes, files.files, files.reading)
    if error is not None:
        raise error
    _report(files, results)
    census = Census()
    for one in results:
        census.add(one.census)
    return _merged(folder, results), census


class _File(NamedTuple):
    """A file of pairs: its number, its path, and how the user named it."""

    number: int
    path: str
    name: str


def _killed(file: _File) -> BadData:
    return BadData(KILLED, file.name)


class _FileRead(NamedTuple):
    """What was read of a file, beside what the training cache has of it.

    ``batches``  how many it makes.
    """

    batches: int
    fingerprint: str
    seen: Seen
    census: Census


def _read_file(
    reading: Reading, settings: Settings, folder: Path, skip: bool, file: _File
) -> _FileRead:
    """Read a file, in a worker, and write its batches."""
    own = folder_of(folder, file.number)
    make_folder(own, WHAT)
    seen = Seen()
    census = Census()
    texts = FileTexts()
    size = 0
    try:
        pairs = seen.count(reading.pairs(file.path, extract_choice(settings)))
        units = units_for(pairs, settings, census.refuse if skip else None)
        for batch in texts.batches(census.count(units)):
            shards: Shards[Any] = Shards(own, size + 1)
            shards[size] = batch
            size += 1
    except SemiHmmError as error:
        raise _as_named(error, file) from error
    finally:
        # If there is an error: an id that an earlier file has too may come before it.
        write_value(own / IDS, np.array(seen.hashes, dtype=np.uint64), layout(None))
    _write_words(own, texts.vocabulary, texts.totals)
    return _FileRead(size, texts.fingerprint, seen, census)


def _as_named(error: SemiHmmError, file: _File) -> SemiHmmError:
    """Return an error that calls the file as the user does."""
    named = copy.copy(error)
    named.args = tuple(str(part).replace(file.path, file.name) for part in error.args)
    if isinstance(named, BadData) and named.file is not None:
        named.file = os.fspath(named.file).replace(file.path, file.name)
    return named


def _write_words(folder: Path, vocabulary: Vocabulary, totals: Totals) -> None:
    content = {
        "words": list(vocabulary.words),
        "stems": list(vocabulary.stems),
        "stem_of": vocabulary.stem_of,
        **totals._asdict(),
    }
    write_value(folder / WORDS, content, layout(None))


def _read_words(folder: Path) -> tuple[Vocabulary, Totals]:
    content = read_cached(folder / WORDS)
    words, stems = (
        {name: number for number, name in enumerate(content[key])} for key in ("words", "stems")
    )
    totals = Totals(content["abstract_counts"], content["labels"])
    return Vocabulary(words, stems, content["stem_of"]), totals


def _hashes(folder: Path) -> np.ndarray:
    """Return the hashes of a file's ids; none if the file was not read at all."""
    if not (folder / IDS).exists():
        return np.zeros(0, dtype=np.uint64)
    hashes: np.ndarray = read_cached(folder / IDS)
    return hashes


def _report(files: FilesOfPairs, results: Sequence[_FileRead]) -> None:
    """Tell what was read, if anybody asks."""
    if files.report is None:
        return
    seen = Seen()
    for one in results:
        seen.join(one.seen)
    files.report(seen)


def _merged(folder: Path, results: Sequence[_FileRead]) -> Texts:
    """Merge the vocabularies of the files; give each the numbers that its words have in all."""
    merged = MergedTexts()
    for index, one in enumerate(results):
        if not one.batches:
            continue
        own = folder_of(folder, index)
        write_numbers(own, merged.add(*_read_words(own), one.fingerprint))
    sizes = tuple(one.batches for one in results)
    return merged.texts(TextShards(folder, sizes, merged.vocabulary, merged.totals))


EncodedShards = Shards[Encoded | None]

ON_DISK = "a cluster reads its shards from disk"


@dataclass(frozen=True)
class Cluster:
    """A cluster that trains with these settings.

    ``skip``  goes on without pairs that make the model fail.
    """

    client: Client
    settings: Settings
    skip: bool

    def read(self, files: FilesOfPairs, cache: TrainingCache) -> tuple[Texts, Census]:
        """Read the files (``semihmm.training.cluster.read_files``)."""
        return read_files(self.client, files, self.settings, cache, self.skip)

    def encode(self, model: SemiHmm, batches: Sequence[Batch], corpus: Corpus) -> None:
        """Encode the batches of which there is no shard yet. Raises ``BadData`` for a bad pair."""
        if not (isinstance(batches, TextShards) and isinstance(corpus, Shards)):
            raise TypeError(ON_DISK)
        encode_texts(self.client, model, self.settings, batches, corpus, self.skip)

    def skipped(self, batches: Sequence[Batch], corpus: Corpus) -> list[str]:
        """List the ids of the pairs that were left out of the shards."""
        if not (isinstance(batches, TextShards) and isinstance(corpus, Shards)):
            raise TypeError(ON_DISK)
        return skipped_ids(self.client, batches, corpus)

    def e_step(self, corpus: Corpus, model: SemiHmm) -> Counts:
        """Add up the expected counts of all shards, as ``semihmm.training.em.e_step`` does."""
        from distributed import KilledWorker

        if not isinstance(corpus, Shards):
            raise TypeError(ON_DISK)
        with shared_model(corpus.folder, model, self.settings) as path:
            try:
                with explaining_loss():
                    shards = replace(corpus, vocabulary=None)
                    counts = _sum_of(self.client, shards, path, self.skip)
                return require_counts(counts)
            except KilledWorker as error:
                raise BadData(_who_killed(str(error.task), corpus)) from error


@contextmanager
def connected(
    address: str | None, workers: int, settings: Settings, skip: bool = False
) -> Iterator[Cluster | None]:
    """Give the cluster; ``None`` where threads of this process do the work.

    ``address`` is ``None`` for threads, ``local`` for ``workers`` processes of this machine, or the
    address of a cluster's scheduler. Raises ``BadUsage`` if no scheduler answers, or Dask is not
    installed.
    """
    if address is None:
        yield None
        return
    with connect(address, workers) as client:
        yield Cluster(client, settings, skip)


def _count(block: range, path: Path, shards: EncodedShards, skip: bool) -> SparseCounts | None:
    """Run the E-step of some shards, in a worker. The counts of words they lack are left out."""
    model, _ = read_model(path, WHAT)
    known = replace(shards, vocabulary=model.vocabulary)
    counts = (sparse(shard_counts(model, known, skip, index)) for index in block)
    return sum_tree(counts, add_sparse)


def _sum_of(client: Client, shards: EncodedShards, path: Path, skip: bool) -> Counts | None:
    """Run one E-step: the counts of all blocks of shards, and then a tree of sums of two."""
    some = blocks(len(shards))
    keys = [f"shards-{path.name}-{block.start}-{block.stop}" for block in some]
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
