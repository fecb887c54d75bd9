"""Runs the E-step in threads or on a Dask cluster (the extra ``cluster``).

On a cluster every shard is a task, which reads its shard from the training cache: the workers must
see its folder. The model is written to the same folder once an iteration and read once by each
worker. It is not scattered by Dask: when all workers that hold scattered data are lost, Dask cannot
make it again and waits for ever. Further tasks add the counts, in the same tree order as threads do
(``semihmm.model.counts``), so that the model has the same digits. Dask runs the tasks of a lost
worker again.
"""

from __future__ import annotations

import logging
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.errors import BadData, BadUsage, ClusterLost, NoWorkers
from corpus_tools.plugins.model_part import Counts
from corpus_tools.storage.new_folders import remove_file
from semihmm.batches.shards import Shards, layout
from semihmm.batches.value_file import read_value, write_value
from semihmm.model.counts import add_counts
from semihmm.model.semi_hmm import Encoded, SemiHmm
from semihmm.saving.model_arrays import ModelArrays
from semihmm.settings import Settings
from semihmm.training.e_step import Corpus, EStep, expected_counts, require_counts, shard_counts

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
"""The address that stands for processes of this machine."""

EncodedShards = Shards[Encoded | None]

PATIENCE = 20
"""Seconds to wait for a scheduler to answer."""

IDLE = 60.0
"""Seconds after which a cluster that works at nothing is looked at: has it any workers?"""


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
    with _client(address, workers) as client:
        yield partial(_on_cluster, client, settings, skip)


def _client(address: str, workers: int) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise BadUsage("a cluster needs Dask: pip install 'semihmm[cluster]'") from error
    connect: Callable[..., Client] = Client
    # These loggers report each lost worker or scheduler in many lines.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if address == LOCAL:
        return connect(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0"
        )
    try:
        return connect(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        problem = f"no Dask scheduler answers at {address!r}: {error or type(error).__name__}"
        remedy = "start one with `dask scheduler` and give its address, as in tcp://host:8786"
        raise BadUsage(f"{problem}; {remedy}") from error


def _write_model(path: Path, model: SemiHmm, settings: Settings) -> None:
    """Write the model of an iteration: its settings, and the data of ``semihmm.saving``."""
    fields = {"settings": settings.as_json(), **vars(ModelArrays.of(model))}
    write_value(path, fields, layout(None))


@lru_cache(maxsize=1)
def _read_model(path: Path) -> SemiHmm:
    """Read the model of an iteration, once in each worker."""
    try:
        fields = read_value(path, layout(None))
        settings = Settings.from_json(fields["settings"])
        parts = ModelArrays(fields["arrays"], fields["words"], fields["stems"])
        model = parts.model(settings)
    except (OSError, LookupError, TypeError, ValueError) as error:
        problem = f"the training cache cannot be read: {error}"
        raise BadData(f"{problem}; is its folder the same on all machines?", path) from error
    return model


def _count(index: int, path: Path, shards: EncodedShards, skip: bool) -> Counts | None:
    """Run the E-step of one shard, in a worker."""
    model = _read_model(path)
    return shard_counts(model, replace(shards, vocabulary=model.vocabulary), index, skip)


def _sum_of(client: Client, shards: EncodedShards, path: Path, skip: bool) -> Counts | None:
    """Run one E-step: the counts of all shards, and then a tree of sums of two."""
    indices = range(len(shards))
    keys = [f"shard-{path.name}-{index}" for index in indices]
    level = client.map(_count, indices, path=path, shards=shards, skip=skip, key=keys)
    while len(level) > 1:
        neighbours = zip(level[::2], level[1::2], strict=False)
        sums = [client.submit(add_counts, one, other, pure=False) for one, other in neighbours]
        level = sums + level[len(level) // 2 * 2 :]
    return _result_of(level[0], client)


def _result_of(future: Future[Counts | None], client: Client) -> Counts | None:
    """Wait for a result, with a warning while the cluster has no workers.

    Raises ``ClusterLost`` if none can come, since the processes were our own.
    """
    while True:
        try:
            counts: Counts | None = future.result(timeout=IDLE)
            return counts
        except TimeoutError:
            if client.scheduler_info()["workers"]:
                continue
            if client.cluster is not None:
                raise ClusterLost("the cluster was lost (no process of it is left)") from None
            warnings.warn("the cluster has no workers: waiting for some", NoWorkers, stacklevel=2)


def _on_cluster(
    client: Client, settings: Settings, skip: bool, model: SemiHmm, corpus: Corpus, workers: int
) -> Counts:
    """Run one E-step on the cluster.

    ``workers`` is the number of threads of this process, which are not used.
    """
    from distributed import CancelledError, KilledWorker

    if not isinstance(corpus, Shards):
        raise TypeError("a cluster reads its shards from disk")
    path = corpus.folder / f"model-{uuid.uuid4().hex}"
    try:
        _write_model(path, model, settings)
        return require_counts(_sum_of(client, replace(corpus, vocabulary=None), path, skip))
    except KilledWorker as error:
        raise BadData(_who_killed(str(error.task), corpus)) from error
    except (CancelledError, OSError) as error:
        *_, reason = type(error).__name__, *str(error).splitlines()
        raise ClusterLost(f"the cluster was lost ({reason})") from error
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
