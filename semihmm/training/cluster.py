"""The workers on the parts of a corpus: threads, processes of this machine, or a cluster.

All are executors of Python's ``concurrent.futures``, with one interface, ``Workers``. Results come
in the order of the parts. If several parts fail, the error of the first part is raised.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from corpus_tools.base import errors, packages
from corpus_tools.base.errors import PACKAGES, SemiHmmWarning
from corpus_tools.base.folders import remove_file
from corpus_tools.base.parallel import in_order, process_pool, warn_once, with_warnings
from corpus_tools.base.progress import counted
from semihmm.model.settings import registered
from semihmm.training.training_cache import read_shard, write_shard

if TYPE_CHECKING:
    from distributed import Client

Item = TypeVar("Item")
Result = TypeVar("Result")
Task = Callable[[Item], Result]

LOCAL_CLUSTER = "local"
"""The address for processes of this machine."""

CONNECTION_SECONDS = 20
"""The longest wait for the answer of a scheduler."""

TASKS_OF_A_PASS = 1_000
"""The least number of tasks of a pass over many shards; twice the number is the limit.

If there are more shards, a task works on neighbouring ones. A task takes the scheduler a
millisecond and a worker a little more; the E-step of a shard takes 50 ms. A thousand tasks keep 256
workers busy to the end of a pass.
"""

LEAST_TASKS_AHEAD = 64
"""The least number of tasks that wait at a cluster, since more workers may join it."""


@dataclass(frozen=True)
class Workers:
    """The workers on the parts of a corpus.

    ``number``    their number.
    ``executor``  the executor that runs their tasks; ``None``: threads of this process.
    ``is_alive``  tells whether a cluster can still answer.
    """

    number: int
    executor: Executor | None = None
    is_alive: Callable[[], bool] | None = None

    def blocks(self, indices: range) -> list[range]:
        """Divide shards into blocks of neighbours, one for each task.

        The size of a block is a power of two, so that sums over blocks are those of the fixed tree
        of ``sum_counts``.
        """
        width = 1
        while self.executor is not None and len(indices) // (2 * width) >= TASKS_OF_A_PASS:
            width *= 2
        starts = range(0, len(indices), width)
        return [indices[start : start + width] for start in starts]

    def each(
        self, work: Task[Item, Result], items: Sequence[Item], phase: str, unit: str
    ) -> Iterator[Result]:
        """Do the work on each item, and yield the results in order.

        ``phase``  the name of the work, and ``unit`` the name of the items, in the bar.

        Raises the error of the first item that fails.
        """
        if self.executor is None:
            results = in_order(work, items, self.number)
        else:
            results = self._by_executor(work, items)
        return counted(results, phase, len(items), unit)

    def _by_executor(self, work: Task[Item, Result], items: Sequence[Item]) -> Iterator[Result]:
        """Do the work in other processes, and repeat their warnings here."""
        task = partial(_result_with_warnings, program_source(), work)
        kinds: set[type[SemiHmmWarning]] = set()
        results = in_order(task, items, self.number, self.executor, self.is_alive)
        for result, given in results:
            warn_once(given, kinds)
            yield result

    @contextmanager
    def sharing(self, folder: Path, shared: Item) -> Iterator[Item | Path]:
        """Yield models with their settings, or a file with them, for tasks (``read_shared``).

        ``folder``  a folder that all workers see.
        """
        if self.executor is None:
            yield shared
            return
        path = folder / f"model-{uuid.uuid4().hex}"
        try:
            # Pickled before, because shards are written without the vocabulary.
            write_shard(path, pickle.dumps(shared))
            yield path
        finally:
            remove_file(path)


@contextmanager
def workers_for(cluster: str | None, workers: int) -> Iterator[Workers]:
    """Yield the workers.

    ``cluster``  ``local`` for ``workers`` processes of this machine, or the address of a Dask
                 cluster's scheduler; ``None`` for ``workers`` threads.

    Raises ``BadUsage`` if no scheduler answers, or Dask is not installed; ``ClusterLost`` if the
    cluster ends, and ``BadData`` if no worker of it survives a task.
    """
    if cluster is None:
        yield Workers(workers)
    elif cluster == LOCAL_CLUSTER:
        with process_pool(workers, "works on the pairs") as pool:
            yield Workers(workers, pool)
    else:
        with _dask(cluster) as found:
            yield found


@contextmanager
def _dask(address: str) -> Iterator[Workers]:
    with packages.needing("a cluster", "cluster"):
        from distributed import KilledWorker
    with _connected(address) as client:
        number = sum(client.nthreads().values())
        if not number:
            problem = "the cluster has no workers: waiting for some"
            warnings.warn(problem, SemiHmmWarning, stacklevel=2)
        try:
            executor = client.get_executor(pure=False)
            yield Workers(
                max(number, LEAST_TASKS_AHEAD), executor, lambda: bool(client.status == "running")
            )
        except CancelledError as error:
            raise errors.ClusterLost("the cluster was lost") from error
        except KilledWorker as error:
            problem = "every worker that tried a task was lost, perhaps for lack of memory"
            raise errors.BadData(problem) from error


def _connected(address: str) -> Client:
    """Connect to a scheduler. Raises ``BadUsage`` if none answers as a scheduler does."""
    # Imported here: both are slow to import.
    import asyncio

    from distributed import Client

    try:
        asyncio.run(asyncio.wait_for(_greeting(address), CONNECTION_SECONDS))
        return Client(address, timeout=CONNECTION_SECONDS)
    # The bytes of another program are read as numbers and sizes: anything may be raised.
    except Exception as error:
        remedy = "start one with `dask scheduler` and give its address, as in tcp://host:8786"
        if address.startswith("tls:"):
            remedy = "Dask's configuration (distributed.comm.tls) names its certificates"
        problem = f"no Dask scheduler answers at {address!r}: {errors.described(error)}"
        raise errors.BadUsage(f"{problem}; {remedy}") from error


async def _greeting(address: str) -> None:
    """Exchange the first messages with a scheduler. Dask's client waits for them without limit."""
    from distributed.core import connect
    from distributed.security import Security

    security = Security().get_connection_args("client")
    comm = await connect(address, timeout=CONNECTION_SECONDS, **security)
    comm.abort()


# In a worker


def read_shared(shared: Item | Path) -> Item:
    """Return what is shared, in a worker. Raises ``BadData``."""
    return _read_file(shared) if isinstance(shared, Path) else shared


@lru_cache(maxsize=1)
def _read_file(path: Path) -> Any:
    """Read a shared file, once in each process."""
    return pickle.loads(read_shard(path))


def _result_with_warnings(
    program: str, work: Task[Item, Result], item: Item
) -> tuple[Result, list[SemiHmmWarning]]:
    """Run a task, and return its result with its warnings.

    ``program``  the hash of the source of the process that sent the task.
    """
    # Another version might give other digits, or fail with an error that does not name the cause.
    if program != program_source():
        problem = "the workers of the cluster run another version of semihmm: install the same"
        raise errors.BadUsage(problem)
    return with_warnings(work, item)


@cache
def program_source() -> str:
    """Hash the program's source, and that of the plug-ins of other packages."""
    digest = hashlib.sha256()
    for plugin in sorted(registered(), key=lambda plugin: plugin.__module__):
        if plugin.__module__.partition(".")[0] not in PACKAGES:
            digest.update(Path(inspect.getfile(plugin)).read_bytes())
    for package in PACKAGES:
        folder = Path(__file__).parents[2] / package
        for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            digest.update(file.read_bytes())
    return digest.hexdigest()
