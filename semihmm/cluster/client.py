"""Connects to a Dask cluster (the extra ``cluster``) and waits for results.

Dask schedules the tasks and runs those of a lost worker again. What it does not tell is said here:
that a cluster has no workers, or is lost.
"""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from corpus_tools.errors import BadData, BadUsage, ClusterLost, NoWorkers, described, needing
from corpus_tools.processes.pool import without_terminal_signals

if TYPE_CHECKING:
    from distributed import Client, Future

Result = TypeVar("Result")

LOCAL = "local"
"""The address that stands for processes of this machine."""

QUIET = "semihmm.cluster.quiet_worker"
"""The module that a worker of this machine imports first, which makes it quiet."""

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
                preload=QUIET,
            )
    try:
        return made(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        problem = f"no Dask scheduler answers at {address!r}: {error or type(error).__name__}"
        remedy = "start one with `dask scheduler` and give its address, as in tcp://host:8786"
        raise BadUsage(f"{problem}; {remedy}") from error


def result_of(future: Future[Result], client: Client) -> Result:
    """Wait for a result, with a warning while the cluster has no workers.

    Raises ``ClusterLost`` if none can come, since the processes were our own, and the errors of
    ``given_by``.
    """
    from distributed import wait

    wait_for: Callable[..., Any] = wait
    task: Any = future
    while not task.done():
        try:
            wait_for(future, timeout=IDLE)
        except TimeoutError:
            _require_workers(client)
    return given_by(future)


def given_by(future: Future[Result]) -> Result:
    """Return the result of a task that has ended, or raise its error.

    Raises ``BadData`` for an ``OSError`` of the task: those of Dask mean that the cluster was lost.
    """
    task: Any = future
    if task.status == "error" and isinstance(error := task.exception(), OSError):
        raise BadData(f"a worker of the cluster failed: {described(error)}") from error
    result: Result = task.result()
    return result


def as_they_end(futures: Sequence[Future[Result]], client: Client) -> Iterator[Future[Result]]:
    """Yield the futures in the order in which they end, with warnings as ``result_of``.

    The result of one is there until the next is asked for.
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
