"""Runs the same work on each part of a corpus: in threads, or on a Dask cluster.

On a cluster (the extra ``cluster``) work ends with the errors of one process. Dask schedules the
tasks and runs those of a lost worker again. What it does not tell is said here: that a cluster has
no workers, or is lost. A task that fails tells its error as its result. Of several errors the one
is raised that would come first if the tasks ran one after another.
"""

from __future__ import annotations

import logging
import os
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from corpus_tools.arrays import add_counts, sum_counts
from corpus_tools.errors import (
    BadData,
    BadUsage,
    ClusterLost,
    NoWorkers,
    SemiHmmError,
    SemiHmmWarning,
    described,
    needing,
)
from corpus_tools.plugins.model_part import Counts
from corpus_tools.processes import warn_once, with_warnings, without_terminal_signals
from corpus_tools.progress import counted
from corpus_tools.storage.files import remove_file
from semihmm.batches.store import read_value, write_value
from semihmm.batches.training_cache import program_source
from semihmm.model.parallel import in_order
from semihmm.model.semi_hmm import SemiHmm
from semihmm.saving import arrays_of, model_of
from semihmm.settings import Settings

if TYPE_CHECKING:
    from distributed import Client, Future

Item = TypeVar("Item")
Result = TypeVar("Result")

LOCAL = "local"
"""The address that stands for processes of this machine."""

PATIENCE = 20
"""Seconds to wait for a scheduler to answer."""

IDLE = 60.0
"""Seconds after which a cluster that works at nothing is looked at: has it any workers?"""

POLL = 0.1
"""Seconds between two looks at which of many tasks are done. Set by hand: tasks take longer."""


def connect(address: str, workers: int) -> Client:
    """Connect to a cluster. The client is a context manager, which ends what it started.

    ``address``  ``local`` for ``workers`` processes of this machine, which end with this one, or
                 the address of a cluster's scheduler.

    Raises ``BadUsage`` if no scheduler answers, or Dask is not installed.
    """
    with needing("a cluster", "cluster"):
        from distributed import Client
    made: Callable[..., Client] = Client
    # These loggers report each lost worker or scheduler in many lines.
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if address == LOCAL:
        with without_terminal_signals():
            return made(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
                preload=__name__,
            )
    try:
        return made(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        problem = f"no Dask scheduler answers at {address!r}: {error or type(error).__name__}"
        remedy = "start one with `dask scheduler` and give its address, as in tcp://host:8786"
        raise BadUsage(f"{problem}; {remedy}") from error


def dask_setup(worker: object) -> None:
    """Make a worker of this machine quiet: Dask calls it in each.

    It writes a traceback if the scheduler ends while a worker talks to it, as it does at each
    signal. What fails in a task comes back to the program that asked for it.
    """
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)


def as_they_end(futures: Sequence[Future[Result]], client: Client) -> Iterator[Future[Result]]:
    """Yield the futures in the order in which they end, with a warning if there are no workers.

    The result of one is there until the next is asked for. Raises ``ClusterLost`` if none can come,
    since the processes were our own.
    """
    from distributed import as_completed

    made: Callable[..., Any] = as_completed
    waiting = made(futures)
    idle_since = time.monotonic()
    while not waiting.is_empty():
        ended = waiting.next_batch(block=False)
        for future in ended:
            yield future
            # Or it would be made again if its worker is lost.
            future.release()
        if ended:
            idle_since = time.monotonic()
        elif time.monotonic() - idle_since > IDLE:
            _require_workers(client)
            idle_since = time.monotonic()
        else:
            time.sleep(POLL)


def _require_workers(client: Client) -> None:
    """Warn of a cluster without workers. Raises ``ClusterLost`` if it was our own."""
    if client.scheduler_info()["workers"]:
        return
    if client.cluster is not None:
        raise ClusterLost("the cluster was lost (no process of it is left)")
    warnings.warn("the cluster has no workers: waiting for some", NoWorkers, stacklevel=3)


@contextmanager
def explaining_loss() -> Iterator[None]:
    """Turn what Dask raises when a scheduler is lost into ``ClusterLost``.

    Errors of the file system are among what it raises: nothing inside should touch files.
    """
    from distributed import CancelledError

    try:
        yield
    except (CancelledError, OSError) as error:
        *_, reason = type(error).__name__, *str(error).splitlines()
        raise ClusterLost(f"the cluster was lost ({reason})") from error


KILLED = "every worker that tried it was lost, perhaps for want of memory"

TASKS = 1_000
"""Shards are put together until there are fewer than twice as many tasks.

A task costs the scheduler a millisecond and a worker some more; a shard's E-step takes 50. A
thousand tasks keep 256 workers busy to the end of a pass. Set by hand.
"""

Task = Callable[[Item], Result]

Lost = Callable[[Item], BadData]
"""Makes the error of an item that no worker survived."""


@dataclass(frozen=True)
class Threads:
    """Threads of this process: so many ``workers``."""

    workers: int

    def blocks(self, size: int) -> list[range]:
        """Return the indices of neighbouring shards that are worked on together."""
        return [range(index, index + 1) for index in range(size)]

    def each(
        self,
        work: Task[Item, Result],
        items: Sequence[Item],
        phase: str,
        unit: str,
        lost: Lost[Item],
    ) -> Iterator[Result]:
        """Do the work on each item, and yield the results in order.

        ``phase``, ``unit``  what the bar is called, and what it counts.

        Raises the error of the first item that has one.
        """
        return counted(in_order(work, items, self.workers), phase, len(items), unit)

    def total(
        self, count: Task[Item, Counts], items: Sequence[Item], phase: str, lost: Lost[Item]
    ) -> Counts:
        """Add up the counts of all items, in a fixed tree order (``corpus_tools.arrays``).

        So the sum has the same digits for any number of workers, in threads and on a cluster.
        """
        return sum_counts(self.each(count, items, phase, "batches", lost))

    def sharing(
        self, folder: Path, model: SemiHmm, settings: Settings
    ) -> AbstractContextManager[Shared | Path]:
        """Give the model inside as workers get it: ``known`` returns it there.

        ``folder``  is seen by all workers.
        """
        return nullcontext(Shared(model, settings))


@dataclass(frozen=True)
class Cluster(Threads):
    """The workers of a Dask cluster."""

    client: Client

    def blocks(self, size: int) -> list[range]:
        """Return the indices of neighbouring shards that are a task each.

        Their number in a block is a power of two, so that the sums of blocks are those of the tree.
        """
        width = 1
        while size // (2 * width) >= TASKS:
            width *= 2
        return [range(begin, min(begin + width, size)) for begin in range(0, size, width)]

    def each(
        self,
        work: Task[Item, Result],
        items: Sequence[Item],
        phase: str,
        unit: str,
        lost: Lost[Item],
    ) -> Iterator[Result]:
        """Do the work on each item, in the workers, and yield the results in order.

        Gives one warning of each kind. Raises the error of the first item that has one,
        ``ClusterLost``, and errors that are no ``SemiHmmError``.
        """
        from distributed import KilledWorker

        keys = _keys(phase, len(items))
        index_of: dict[Any, int] = {key: index for index, key in enumerate(keys)}
        outcomes: dict[int, Outcome] = {}
        done = 0
        warned: set[type[SemiHmmWarning]] = set()
        with explaining_loss():
            futures = self.client.map(partial(_outcome, program_source(), work), items, key=keys)
            for future in counted(as_they_end(futures, self.client), phase, len(items), unit):
                index = index_of[future.key]
                try:
                    outcomes[index] = future.result()
                except KilledWorker:
                    outcomes[index] = Outcome(None, [], lost(items[index]))
                while done in outcomes:
                    result, given, error = outcomes.pop(done)
                    if error is not None:
                        raise error
                    warn_once(given, warned)
                    yield result
                    done += 1

    def total(
        self, count: Task[Item, Counts], items: Sequence[Item], phase: str, lost: Lost[Item]
    ) -> Counts:
        """Add up the counts of all items, in the workers."""
        from distributed import KilledWorker

        keys = _keys(phase, len(items))
        with explaining_loss():
            level = self.client.map(count, items, key=keys)
            while len(level) > 1:
                both = zip(level[::2], level[1::2], strict=False)
                sums = [self.client.submit(add_counts, *two, pure=False) for two in both]
                level = sums + level[len(level) // 2 * 2 :]
            try:
                total: Counts = next(as_they_end(level, self.client)).result()
                return total
            except KilledWorker as error:
                task = str(error.task)
                if task not in keys:
                    raise BadData(f"{KILLED}: {phase}, the sum of counts") from error
                raise lost(items[keys.index(task)]) from error

    def sharing(
        self, folder: Path, model: SemiHmm, settings: Settings
    ) -> AbstractContextManager[Path]:
        """Give the file inside in which the model is."""
        return shared_model(folder, model, settings)


@contextmanager
def workers_for(cluster: str | None, workers: int) -> Iterator[Threads]:
    """Give who does the work.

    ``cluster`` is ``None`` for threads, ``local`` for as many processes of this machine, or the
    address of a cluster's scheduler. Raises ``BadUsage`` if no scheduler answers, or Dask is not
    installed.
    """
    if cluster is None:
        yield Threads(workers)
        return
    with connect(cluster, workers) as client:
        yield Cluster(workers, client)


class Shared(NamedTuple):
    """A model with its settings."""

    model: SemiHmm
    settings: Settings


@contextmanager
def shared_model(folder: Path, model: SemiHmm, settings: Settings) -> Iterator[Path]:
    """Write a model into a folder that all workers see, and remove it at the end."""
    path = folder / f"model-{uuid.uuid4().hex}"
    try:
        write_value(path, {"settings": settings.as_json(), "arrays": arrays_of(model)})
        yield path
    finally:
        remove_file(path)


def known(shared: Shared | Path) -> Shared:
    """Return a model that is shared, in a worker. Raises ``BadData``."""
    return _read_model(shared) if isinstance(shared, Path) else shared


@lru_cache(maxsize=1)
def _read_model(path: Path) -> Shared:
    """Read a model, once in each process."""
    fields = read_value(path)
    settings = Settings.from_json(fields["settings"])
    return Shared(model_of(fields["arrays"], settings), settings)


class Outcome(NamedTuple):
    """What a task gives: its result and its warnings, or the error that ended it."""

    result: Any
    warnings: list[SemiHmmWarning]
    error: SemiHmmError | None


def _keys(phase: str, size: int) -> list[str]:
    """Name tasks, as no others are named."""
    name = f"{phase.replace(' ', '-')}-{uuid.uuid4().hex}"
    return [f"{name}-{index}" for index in range(size)]


def _outcome(program: str, work: Callable[[Item], Any], item: Item) -> Outcome:
    """Run a task, in a worker. ``program`` is the source of the process that asks for it."""
    try:
        if program != program_source():
            problem = "the workers of the cluster run another version of semihmm: install the same"
            raise BadUsage(problem)
        result, warned = with_warnings(work, item)
    except SemiHmmError as error:
        return Outcome(None, [], error)
    except OSError as error:  # those of Dask mean that the cluster was lost
        problem = f"a worker of the cluster failed: {described(error)}"
        return Outcome(None, [], BadData(problem))
    return Outcome(result, warned, None)
