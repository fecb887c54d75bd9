"""Runs tasks on a Dask cluster (the extra ``cluster``), with the errors of one process.

Dask schedules the tasks and runs those of a lost worker again. What it does not tell is said here:
that a cluster has no workers, or is lost. A task that fails tells its error as its result. Of
several errors the one is raised that would come first if the tasks ran one after another.
"""

from __future__ import annotations

import logging
import os
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

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
from corpus_tools.processes import warn_once, with_warnings, without_terminal_signals
from corpus_tools.progress import counted
from corpus_tools.storage.folders import remove_file
from semihmm.batches.store import read_value, write_value
from semihmm.batches.training_cache import program_source
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


def result_of(future: Future[Result], client: Client) -> Result:
    """Wait for a result. Raises the errors of ``given_by``."""
    return given_by(next(as_they_end([future], client)))


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


@lru_cache(maxsize=1)
def read_model(path: Path) -> Shared:
    """Read a model, once in each process. Raises ``BadData``."""
    fields = read_value(path)
    settings = Settings.from_json(fields["settings"])
    return Shared(model_of(fields["arrays"], settings), settings)


KILLED = "every worker that tried it was lost, perhaps for want of memory"


class Outcome(NamedTuple):
    """What a task gives: its result and its warnings, or the error that ended it."""

    result: Any
    warnings: list[SemiHmmWarning]
    error: SemiHmmError | None


class Outcomes(NamedTuple):
    """What all tasks give, in order: the results up to the first error, and this error if any."""

    results: list[Any]
    error: SemiHmmError | None


def require_same_program(program: str) -> None:
    """Raise ``BadUsage`` in a worker with another version of the program.

    ``program``  that of the process that asks (``program_source``).
    """
    if program != program_source():
        raise BadUsage(
            "the workers of the cluster run another version of semihmm: install the same"
        )


def run_tasks(
    client: Client,
    work: Callable[[Item], Any],
    items: Sequence[Item],
    phase: str,
    unit: str,
    killed: Callable[[Item], BadData],
) -> Outcomes:
    """Do the work on each item, in the workers.

    ``phase``, ``unit``  what the bar is called, and what it counts.
    ``killed``           makes the error of an item that no worker survived.

    Gives one warning of each kind. Raises ``ClusterLost``, and errors that are no ``SemiHmmError``.
    """
    task = partial(_outcome, program_source(), work)
    name = f"{phase.replace(' ', '-')}-{uuid.uuid4().hex}"
    keys = [f"{name}-{index}" for index in range(len(items))]
    outcomes: dict[int, Outcome] = {}
    done = 0
    with explaining_loss():
        futures = client.map(task, items, key=keys)
        ended = _ended(futures, client, lambda index: killed(items[index]))
        for index, outcome in counted(ended, phase, len(items), unit):
            outcomes[index] = outcome
            while done in outcomes and outcomes[done].error is None:
                done += 1
            if done in outcomes:
                break  # a task failed, and all before it have ended
    warned = (one for _, outcome in sorted(outcomes.items()) for one in outcome.warnings)
    warn_once(warned, set())
    error = outcomes[done].error if done in outcomes else None
    return Outcomes([outcomes[index].result for index in range(done)], error)


def _outcome(program: str, work: Callable[[Item], Any], item: Item) -> Outcome:
    """Run a task, in a worker."""
    try:
        require_same_program(program)
        result, warned = with_warnings(work, item)
    except SemiHmmError as error:
        return Outcome(None, [], error)
    return Outcome(result, warned, None)


def _ended(
    futures: Sequence[Future[Outcome]], client: Client, killed: Callable[[int], BadData]
) -> Iterator[tuple[int, Outcome]]:
    """Yield the outcomes with their indices as the tasks end."""
    from distributed import KilledWorker

    index_of = {future.key: index for index, future in enumerate(futures)}
    for future in as_they_end(futures, client):
        index = index_of[future.key]
        try:
            outcome = given_by(future)
        except KilledWorker:
            outcome = Outcome(None, [], killed(index))
        except BadData as error:
            outcome = Outcome(None, [], error)
        yield index, outcome
