"""Who does the E-step: the threads of this process, or a Dask cluster (the extra ``cluster``).

On a cluster every shard is a task, which reads its shard from the training cache: the workers must see its folder. The model
goes the same way, once an iteration and read once by each worker: what Dask scatters it cannot make again when all workers that
have it are lost, and then it waits for ever. Counts are added by further tasks, as the same tree as here
(``semihmm.tree_sums``), so that the model has the same digits. What a lost worker had done or was doing, Dask does again.
"""

from __future__ import annotations

import logging
import pickle
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.errors import BadData, BadUsage
from semihmm.batches.shards import Shards
from semihmm.model.counts import add_counts
from semihmm.model.semi_hmm import Counts, SemiHmm
from semihmm.training.e_step import EStep, expected_counts, require_counts, shard_counts

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
PATIENCE = 20
"""Seconds to wait for a scheduler to answer."""


@contextmanager
def e_steps(address: str | None, workers: int, skip: bool = False) -> Iterator[EStep]:
    """The E-step in threads (``None``), in ``workers`` processes of a cluster of its own (``local``) or on the cluster at the
    address of its scheduler. Raises ``BadUsage`` where there is none, or no Dask.
    """
    if address is None:
        yield partial(expected_counts, skip=skip)
        return
    with _client(address, workers) as client:
        yield partial(_on_cluster, client, skip)


def _client(address: str, workers: int) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise BadUsage("a cluster needs Dask: pip install 'semihmm[cluster]'") from error
    for name in (
        "distributed",
        "distributed.client",
    ):  # they tell of each lost worker, or scheduler, in many lines
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if address == LOCAL:
        return Client(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0"
        )
    try:
        return Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        problem = f"no Dask scheduler answers at {address!r}: {error or type(error).__name__}"
        raise BadUsage(
            f"{problem}; start one with `dask scheduler` and give its address, as in tcp://host:8786"
        ) from error


@lru_cache(maxsize=1)
def _read_model(path: Path) -> SemiHmm:
    """Each worker reads the model of an iteration once."""
    try:
        return pickle.loads(path.read_bytes())
    except OSError as error:
        problem = f"the training cache cannot be read: {error.strerror}; is its folder the same on all machines?"
        raise BadData(problem, path) from error


def _count(place: int, path: Path, shards: Shards, skip: bool) -> Counts | None:
    model = _read_model(path)
    return shard_counts(model, replace(shards, vocabulary=model.vocabulary), place, skip)


def _sum_of(client: Client, shards: Shards, path: Path, skip: bool) -> Counts | None:
    """One E-step: the counts of all shards, and then a tree of sums of two."""
    keys = [f"shard-{path.name}-{place}" for place in range(len(shards))]
    level = client.map(_count, range(len(shards)), path=path, shards=shards, skip=skip, key=keys)
    while len(level) > 1:
        sums = [
            client.submit(add_counts, one, other, pure=False)
            for one, other in zip(level[::2], level[1::2], strict=False)
        ]
        level = sums + level[len(level) // 2 * 2 :]
    return level[0].result()


def _on_cluster(client: Client, skip: bool, model: SemiHmm, corpus: Shards, workers: int) -> Counts:
    from distributed import CancelledError, KilledWorker

    path = corpus.folder / f"model-{uuid.uuid4().hex}"
    try:
        path.write_bytes(pickle.dumps(model, protocol=5))
        return require_counts(_sum_of(client, replace(corpus, vocabulary=None), path, skip))
    except KilledWorker as error:
        raise BadData(_who_killed(str(error.task), corpus)) from error
    except (CancelledError, OSError) as error:
        *_, reason = type(error).__name__, *str(error).splitlines()
        raise BadData(
            f"the cluster was lost ({reason}): --resume goes on from the last iteration"
        ) from error
    finally:
        path.unlink(missing_ok=True)


def _who_killed(task: str, corpus: Shards) -> str:
    kind, _, place = task.partition("-")[0], *task.rpartition("-")[1:]
    what = f"pairs {corpus[int(place)].batch.ids}" if kind == "shard" else "adding up counts"
    return f"every worker that tried it was lost, perhaps for want of memory: {what}"
