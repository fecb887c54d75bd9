"""Runs many tasks on a cluster, with the errors and warnings that one process would give.

A task that fails tells its error as its result. Of several errors the one is raised that would come
first if the tasks ran one after another. Dask runs the tasks of a lost worker again.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from corpus_tools.errors import BadData, BadUsage, SemiHmmError, SemiHmmWarning
from corpus_tools.processes.pool import warn_once, with_warnings
from corpus_tools.progress import counted
from corpus_tools.storage.new_folders import remove_file
from semihmm.batches.shards import layout
from semihmm.batches.training_cache import program_source
from semihmm.batches.value_file import read_value, write_value
from semihmm.cluster.client import as_they_end, explaining_loss, given_by
from semihmm.model.semi_hmm import SemiHmm
from semihmm.saving.saved_model import arrays_of, model_of
from semihmm.settings import Settings

if TYPE_CHECKING:
    from distributed import Client, Future


class Shared(NamedTuple):
    """A model with its settings."""

    model: SemiHmm
    settings: Settings


def write_model(path: Path, model: SemiHmm, settings: Settings) -> None:
    """Write a model: its settings, and the data of ``semihmm.saving``."""
    fields = {"settings": settings.as_json(), "arrays": arrays_of(model)}
    write_value(path, fields, layout(None))


@contextmanager
def shared_model(folder: Path, model: SemiHmm, settings: Settings) -> Iterator[Path]:
    """Write a model into a folder that all workers see, and remove it at the end."""
    path = folder / f"model-{uuid.uuid4().hex}"
    try:
        write_model(path, model, settings)
        yield path
    finally:
        remove_file(path)


@lru_cache(maxsize=1)
def read_model(path: Path, what: str) -> Shared:
    """Read a model, once in each process. Raises ``BadData``.

    ``what``  the folder that it is in, for the error message.
    """
    try:
        fields = read_value(path, layout(None))
        settings = Settings.from_json(fields["settings"])
        model = model_of(fields["arrays"], settings)
    except (OSError, LookupError, TypeError, ValueError) as error:
        problem = f"{what} cannot be read: {error}"
        raise BadData(f"{problem}; is its folder the same on all machines?", path) from error
    return Shared(model, settings)


Item = TypeVar("Item")

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
    with explaining_loss():
        futures = client.map(task, items, key=keys)
        ended = _ended(futures, client, lambda index: killed(items[index]))
        for index, outcome in counted(ended, phase, len(items), unit):
            outcomes[index] = outcome
            if _is_decided(outcomes):
                break
    warned = (one for _, outcome in sorted(outcomes.items()) for one in outcome.warnings)
    warn_once(warned, set())
    failed = _first_error(outcomes)
    results = [outcomes[index].result for index in range(len(items) if failed is None else failed)]
    return Outcomes(results, None if failed is None else outcomes[failed].error)


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


def _first_error(outcomes: dict[int, Outcome]) -> int | None:
    """Return the index of the first task that failed."""
    failed = (index for index, outcome in outcomes.items() if outcome.error is not None)
    return min(failed, default=None)


def _is_decided(outcomes: dict[int, Outcome]) -> bool:
    """Tell whether a task failed and all before it have ended."""
    failed = _first_error(outcomes)
    return failed is not None and all(index in outcomes for index in range(failed))
