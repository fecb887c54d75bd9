"""Runs the E-step in threads or on a Dask cluster (the extra ``cluster``).

On a cluster every shard is a task, which reads its shard from the training cache: the workers must
see its folder. The model is written to the same folder once an iteration and read once by each
worker (``semihmm.cluster.shared_model``). Further tasks add the counts, without zeros and in the
same tree order as threads do (``semihmm.model.counts``), so that the model has the same digits.
Dask runs the tasks of a lost worker again.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.errors import BadData
from corpus_tools.plugins.model_part import Counts
from corpus_tools.storage.new_folders import remove_file
from semihmm.batches.shards import Shards
from semihmm.batches.training_cache import WHAT
from semihmm.cluster.client import connect, explaining_loss, result_of
from semihmm.cluster.shared_model import read_model, write_model
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.model.sparse_counts import SparseCounts, add_sparse, dense, sparse
from semihmm.settings import Settings
from semihmm.training.e_step import Corpus, EStep, expected_counts, require_counts, shard_counts

if TYPE_CHECKING:
    from distributed import Client

EncodedShards = Shards[Encoded | None]


@contextmanager
def e_steps(
    address: str | None, workers: int, settings: Settings, skip: bool = False
) -> Iterator[EStep]:
    """Give the E-step in threads, in processes of this machine or on a cluster.

    ``address`` is ``None`` for threads, ``local`` for ``workers`` processes of this machine, or the
    address of a cluster's scheduler. Raises ``BadUsage`` if no scheduler answers, or Dask is not
    installed.
    """
    if address is None:
        yield partial(expected_counts, skip=skip)
        return
    with connect(address, workers) as client:
        yield partial(_on_cluster, client, settings, skip)


def _count(index: int, path: Path, shards: EncodedShards, skip: bool) -> SparseCounts | None:
    """Run the E-step of one shard, in a worker. The counts of words that it lacks are left out."""
    model, _ = read_model(path, WHAT)
    known = replace(shards, vocabulary=model.vocabulary)
    return sparse(shard_counts(model, known, index, skip))


def _sum_of(client: Client, shards: EncodedShards, path: Path, skip: bool) -> Counts | None:
    """Run one E-step: the counts of all shards, and then a tree of sums of two."""
    indices = range(len(shards))
    keys = [f"shard-{path.name}-{index}" for index in indices]
    level = client.map(_count, indices, path=path, shards=shards, skip=skip, key=keys)
    while len(level) > 1:
        neighbours = zip(level[::2], level[1::2], strict=False)
        sums = [client.submit(add_sparse, one, other, pure=False) for one, other in neighbours]
        level = sums + level[len(level) // 2 * 2 :]
    return dense(result_of(level[0], client))


def _on_cluster(
    client: Client, settings: Settings, skip: bool, model: SemiHmm, corpus: Corpus, workers: int
) -> Counts:
    """Run one E-step on the cluster.

    ``workers`` is the number of threads of this process, which are not used.
    """
    from distributed import KilledWorker

    if not isinstance(corpus, Shards):
        raise TypeError("a cluster reads its shards from disk")
    path = corpus.folder / f"model-{uuid.uuid4().hex}"
    try:
        write_model(path, model, settings)
        with explaining_loss():
            counts = _sum_of(client, replace(corpus, vocabulary=None), path, skip)
        return require_counts(counts)
    except KilledWorker as error:
        raise BadData(_who_killed(str(error.task), corpus)) from error
    finally:
        remove_file(path)


def _who_killed(task: str, corpus: EncodedShards) -> str:
    """Name the pairs of the task that no worker survived."""
    *_, index = task.rpartition("-")
    what = "adding up counts"
    if task.startswith("shard-"):
        encoded = corpus[int(index)]
        what = f"pairs {encoded.batch.ids}" if encoded else what
    return f"every worker that tried it was lost, perhaps for want of memory: {what}"
