"""Runs training on a Dask cluster (the extra ``cluster``): reading, encoding and the E-step.

On a cluster neighbouring shards are a task, which reads them from the training cache: the workers
must see its folder. The model is written to the same folder once an iteration and read once by each
worker (``semihmm.cluster.tasks``). Further tasks add the counts, without zeros and in the
same tree order as threads do (``semihmm.model.counts``), so that the model has the same digits.
Dask runs the tasks of a lost worker again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.encoding.batch import Batch
from corpus_tools.errors import BadData
from corpus_tools.pairs.files_of_pairs import FilesOfPairs
from corpus_tools.plugins.model_part import Counts
from semihmm.batches.shards import Shards
from semihmm.batches.texts import Texts, TextShards
from semihmm.batches.training_cache import WHAT, TrainingCache
from semihmm.cluster.client import connect, explaining_loss, result_of
from semihmm.cluster.tasks import KILLED, read_model, shared_model
from semihmm.model.counts import SparseCounts, add_sparse, dense, sparse, sum_tree
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.settings import Settings
from semihmm.training.bad_pairs import Corpus, require_counts, shard_counts
from semihmm.training.census import Census
from semihmm.training.cluster_encoding import blocks, encode_texts, skipped_ids
from semihmm.training.cluster_reading import read_files

if TYPE_CHECKING:
    from distributed import Client

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
        """Read the files (``semihmm.training.cluster_reading.read_files``)."""
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
