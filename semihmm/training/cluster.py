"""Runs the same work on each part of a corpus: here, in threads, or on a Dask cluster.

Who does the work has one interface: ``Here``, this process with or without threads, and
``Cluster``. Results come in the order of the parts. Of several errors the one is raised that would
come first if the work were done one part after another.

Dask (the extra ``cluster``) schedules tasks and runs those of a lost worker again. It does not
report that a cluster has no workers or is lost: this module does.
"""

from __future__ import annotations

import logging
import os
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from corpus_tools.base import errors
from corpus_tools.base.arrays import add_counts, sum_counts
from corpus_tools.base.errors import SemiHmmWarning
from corpus_tools.base.files import remove_file
from corpus_tools.base.parallel import in_order, warn_once, with_warnings, without_terminal_signals
from corpus_tools.base.progress import counted
from corpus_tools.model_parts.model_part import Counts
from semihmm.model.saving import arrays_of, model_of
from semihmm.model.semi_hmm import SemiHmm
from semihmm.model.settings import Settings
from semihmm.training.training_cache import program_source, read_value, write_value

if TYPE_CHECKING:
    from distributed import Client, Future

Item = TypeVar("Item")
Result = TypeVar("Result")

LOCAL = "local"
"""The address that stands for processes of this machine."""

PATIENCE = 20
"""Seconds to wait for a scheduler to answer."""

IDLE = 60.0
"""Seconds of waiting for a task after which the cluster is looked at: has it any workers?"""


def connect(address: str, workers: int) -> Client:
    """Connect to a cluster. The client is a context manager, which ends what it started.

    ``address``  ``local`` for ``workers`` processes of this machine, which end with this one, or
                 the address of a cluster's scheduler.

    Raises ``BadUsage`` if no scheduler answers, or Dask is not installed.
    """
    with errors.needing("a cluster", "cluster"):
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
                dashboard_address=None,
                # With keys of this run: other users of the machine cannot connect.
                security=True,
                silence_logs=logging.CRITICAL,
                preload=__name__,
            )
    try:
        return made(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        problem = f"no Dask scheduler answers at {address!r}: {error or type(error).__name__}"
        remedy = "start one with `dask scheduler` and give its address, as in tcp://host:8786"
        raise errors.BadUsage(f"{problem}; {remedy}") from error


def dask_setup(worker: object) -> None:
    """Make a worker of this machine quiet: Dask calls it in each.

    It writes a traceback if the scheduler ends while a worker talks to it, as it does at each
    signal. What fails in a task comes back to the program that asked for it.
    """
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)


KILLED = "every worker that tried it was lost, perhaps for want of memory"

TASKS = 1_000
"""Shards are put together until there are fewer than twice as many tasks.

A task costs the scheduler a millisecond and a worker some more; a shard's E-step takes 50. A
thousand tasks keep 256 workers busy to the end of a pass.
"""

Task = Callable[[Item], Result]

Outcome = tuple[Result, Sequence[SemiHmmWarning]]
"""A result, and the warnings that are still to be given."""


@dataclass(frozen=True)
class Here:
    """This process: so many threads, or without ``workers`` one item after another."""

    workers: int = 0

    def blocks(self, size: int) -> list[range]:
        """Return the indices of neighbouring shards that are worked on together."""
        return [range(index, index + 1) for index in range(size)]

    def each(
        self, work: Task[Item, Result], items: Sequence[Item], phase: str, unit: str | None
    ) -> Iterator[Result]:
        """Do the work on each item, and yield the results in order.

        ``phase``  what the work is called.
        ``unit``   what the bar counts; ``None`` for no bar.

        Gives warnings as ``warn_once`` does. Raises the error of the first item that has one.
        """
        outcomes = self._outcomes(work, items, phase)
        if unit is not None:
            outcomes = counted(outcomes, phase, len(items), unit)
        kinds: set[type[SemiHmmWarning]] = set()
        for result, given in outcomes:
            warn_once(given, kinds)
            yield result

    def _outcomes(
        self, work: Task[Item, Result], items: Sequence[Item], phase: str
    ) -> Iterator[Outcome[Result]]:
        if self.workers:
            # Python catches warnings of all threads or of none: those of threads are given at once.
            return in_order(lambda item: (work(item), ()), items, self.workers)
        return (with_warnings(work, item) for item in items)

    def total(self, count: Task[Item, Counts], items: Sequence[Item], phase: str) -> Counts:
        """Add up the counts of all items, in a fixed tree order (``sum_counts``).

        So the sum has the same digits for any number of workers, in threads and on a cluster.
        """
        return sum_counts(self.each(count, items, phase, "batches"))

    def sharing(
        self, folder: Path, model: SemiHmm, settings: Settings
    ) -> AbstractContextManager[Shared | Path]:
        """Give the model inside as workers get it: ``read_shared`` returns it there.

        ``folder``  is seen by all workers.
        """
        return nullcontext(Shared(model, settings))


@dataclass(frozen=True, kw_only=True)
class Cluster(Here):
    """The workers of a Dask cluster, to which the ``client`` is connected.

    Errors are those of ``Here``, ``ClusterLost``, and ``BadData`` where no worker survives an item.
    """

    client: Client

    def blocks(self, size: int) -> list[range]:
        """Return the indices of neighbouring shards that are a task each.

        Their number in a block is a power of two, so that the sums of blocks are those of the tree.
        """
        width = 1
        while size // (2 * width) >= TASKS:
            width *= 2
        return [range(begin, min(begin + width, size)) for begin in range(0, size, width)]

    def _outcomes(
        self, work: Task[Item, Result], items: Sequence[Item], phase: str
    ) -> Iterator[Outcome[Result]]:
        with _explaining_loss():
            futures = deque(
                self._submitted(partial(_outcome, program_source(), work), items, phase)
            )
            while futures:
                # A future that is let go is not made again if its worker is lost.
                yield self._result(futures.popleft())

    def total(self, count: Task[Item, Counts], items: Sequence[Item], phase: str) -> Counts:
        """Add up the counts of all items, in the workers."""
        with _explaining_loss():
            level = self._submitted(count, items, phase)
            # The tree of ``sum_counts``, whose sums never leave the workers: the scheduler and this
            # process would be in the way of all of them.
            while len(level) > 1:
                both = zip(level[::2], level[1::2], strict=False)
                sums = [self.client.submit(add_counts, *two, pure=False) for two in both]
                level = sums + level[len(level) // 2 * 2 :]
            return self._result(level[0])

    def _submitted(
        self, task: Task[Item, Any], items: Sequence[Item], phase: str
    ) -> list[Future[Any]]:
        """Start tasks, whose names no others have and say which item of how many each is."""
        token = uuid.uuid4().hex
        keys = [f"{phase} {number} of {len(items)}, {token}" for number, _ in enumerate(items, 1)]
        return self.client.map(task, items, key=keys)

    def _result(self, future: Future[Any]) -> Any:
        """Wait for a task, and return its result. Warns of a cluster without workers."""
        from distributed import KilledWorker

        while True:
            try:
                # Not for ever: Dask waits for workers without a word.
                return future.result(timeout=IDLE)
            except KilledWorker as error:
                raise errors.BadData(f"{KILLED}: {str(error.task).partition(',')[0]}") from error
            except TimeoutError:
                _require_workers(self.client)

    @contextmanager
    def sharing(self, folder: Path, model: SemiHmm, settings: Settings) -> Iterator[Path]:
        """Give the file inside in which the model is."""
        path = folder / f"model-{uuid.uuid4().hex}"
        try:
            write_value(path, {"settings": settings.as_json(), "arrays": arrays_of(model)})
            yield path
        finally:
            remove_file(path)


@contextmanager
def workers_for(cluster: str | None, workers: int, *, in_threads: bool = True) -> Iterator[Here]:
    """Give who does the work.

    ``cluster``     ``local`` for ``workers`` processes of this machine, or the address of a
                    cluster's scheduler; ``None`` for this process.
    ``in_threads``  whether this process does it in so many threads.

    Raises ``BadUsage`` if no scheduler answers, or Dask is not installed.
    """
    if cluster is None:
        yield Here(workers if in_threads else 0)
        return
    with connect(cluster, workers) as client:
        yield Cluster(client=client)


def _require_workers(client: Client) -> None:
    """Warn of a cluster without workers. Raises ``ClusterLost`` if it was our own."""
    if client.scheduler_info()["workers"]:
        return
    # Nobody else can start processes for a cluster that this one started.
    if client.cluster is not None:
        raise errors.ClusterLost("the cluster was lost (no process of it is left)")
    warnings.warn("the cluster has no workers: waiting for some", SemiHmmWarning, stacklevel=3)


@contextmanager
def _explaining_loss() -> Iterator[None]:
    """Turn what Dask raises when a scheduler is lost into ``ClusterLost``.

    Errors of the file system are among what it raises: nothing inside should touch files.
    """
    from distributed import CancelledError

    try:
        yield
    except (CancelledError, OSError) as error:
        *_, reason = type(error).__name__, *str(error).splitlines()
        raise errors.ClusterLost(f"the cluster was lost ({reason})") from error


# What workers do


class Shared(NamedTuple):
    """A model with its settings."""

    model: SemiHmm
    settings: Settings


def read_shared(shared: Shared | Path) -> Shared:
    """Return a model that is shared, in a worker. Raises ``BadData``."""
    return _read_model(shared) if isinstance(shared, Path) else shared


@lru_cache(maxsize=1)
def _read_model(path: Path) -> Shared:
    """Read a model, once in each process."""
    fields = read_value(path)
    settings = Settings().changed(**fields["settings"])
    return Shared(model_of(fields["arrays"], settings), settings)


def _outcome(program: str, work: Task[Item, Result], item: Item) -> Outcome[Result]:
    """Run a task. ``program`` is the source of the process that asks for it."""
    # Other code might give other digits, or fail in ways that name neither version.
    if program != program_source():
        problem = "the workers of the cluster run another version of semihmm: install the same"
        raise errors.BadUsage(problem)
    try:
        return with_warnings(work, item)
    except OSError as error:  # those of Dask mean that the cluster was lost
        problem = f"a worker of the cluster failed: {errors.described(error)}"
        raise errors.BadData(problem) from error
