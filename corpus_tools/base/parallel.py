"""Works on items in threads, processes or a cluster, and yields results in the items' order.

An executor of Python's ``concurrent.futures`` does the work. Threads are Python's own. Processes
are joblib's (loky): they need no port and no guard in a script, import nothing from the current
folder, and end some seconds after the process that started them, even if that is killed.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from typing import ParamSpec, TypeVar

from corpus_tools.base.errors import SemiHmmError, SemiHmmWarning

P = ParamSpec("P")
Item = TypeVar("Item")
Result = TypeVar("Result")

TERMINAL_SIGNALS = (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT))
"""The signals that a terminal sends to all its processes. Windows has no SIGHUP."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps Python from looking for modules in the current folder."""

ORPHAN_SECONDS = 0.5
"""The interval at which a process checks whether the process that started it has ended."""

ALIVE_CHECK_SECONDS = 5
"""The interval at which the caller checks, while it waits, whether an executor is alive."""

TAKEN_SECONDS = 0.5
"""The longest wait until an executor has taken its tasks. joblib's executor needs a millisecond."""

INTERRUPTED_SECONDS = 5
"""The longest wait for threads after an interrupt, since a kernel cannot be stopped.

A kernel takes a second for a usual batch, and hours for an extreme one.
"""


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    executor: Executor | None = None,
    is_alive: Callable[[], bool] | None = None,
) -> Iterator[Result]:
    """Yield the results in the items' order.

    ``workers``   the number of threads, or of the executor's workers; 1 thread: the calling one.
    ``executor``  an executor to use in place of threads; its owner ends it.
    ``is_alive``  tells whether the executor can still answer. If not, ``CancelledError`` is raised,
                  since a dead executor may leave tasks without an answer for ever.

    Both items and results can be large, so items are taken only a little ahead of the results that
    the caller has used. An error of an item is raised after the results of the items before it.
    """
    if workers == 1 and executor is None:
        yield from map(work, items)
        return
    waiting: deque[Future[Result]] = deque()
    with _threads(workers, waiting) if executor is None else _lent(executor, waiting) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * workers:
                yield _first(waiting, is_alive)
        while waiting:
            yield _first(waiting, is_alive)


def _first(waiting: deque[Future[Result]], is_alive: Callable[[], bool] | None) -> Result:
    """Wait for the first result, and take it out."""
    # The task stays in ``waiting`` meanwhile, so that after an interrupt it is waited for.
    while not wait([waiting[0]], ALIVE_CHECK_SECONDS if is_alive else None).done:
        if is_alive is not None and not is_alive():
            raise CancelledError
    return waiting.popleft().result()


@contextmanager
def _threads(workers: int, waiting: deque[Future[Result]]) -> Iterator[Executor]:
    """Start threads. At the end wait for threads that still work, but not long if interrupted."""
    pool = ThreadPoolExecutor(workers)
    patience: float | None = INTERRUPTED_SECONDS
    try:
        yield pool
    except Exception:
        patience = None
        raise
    finally:
        # A caller that stops early does not need the other tasks.
        pool.shutdown(wait=False, cancel_futures=True)
        # A task that is cancelled before a thread has taken it is never reported as done.
        wait([future for future in waiting if not future.cancelled()], patience)


@contextmanager
def _lent(executor: Executor, waiting: deque[Future[Result]]) -> Iterator[Executor]:
    """Use an executor of the caller; after an error, wait until it has taken all tasks.

    Otherwise the thread of joblib's executor ends with a traceback when its processes are killed.
    """
    try:
        yield executor
    except BaseException:
        last = time.monotonic() + TAKEN_SECONDS
        while not all(task.running() or task.done() for task in waiting):
            if time.monotonic() > last:
                break
            time.sleep(0.001)
        raise


def in_processes(
    work: Callable[[Item], Result], items: Iterable[Item], processes: int, task: str
) -> Iterator[Result]:
    """Yield the results in the items' order.

    ``processes``  the number of processes; 1: this process.
    ``task``       the work in words, for the error, as "parses sentences".

    Raises ``SemiHmmError`` if a process dies.
    """
    if processes == 1:
        yield from map(work, items)
        return
    with process_pool(processes, task) as pool:
        yield from in_order(work, items, processes, pool)


@contextmanager
def process_pool(processes: int, task: str) -> Iterator[Executor]:
    """Start processes; kill them if the code inside fails or is interrupted.

    ``task``  their work in words, for the error, as "parses sentences".

    Raises ``SemiHmmError`` if a process dies.
    """
    # The import is slow, and the alignment of a single pair needs no processes.
    from joblib.externals.loky import ProcessPoolExecutor

    others = _children()
    with _apart():
        executor = ProcessPoolExecutor(
            processes, initializer=_begin, initargs=(os.getpid(),), env={SAFE_PATH: "1"}
        )
        # The first task starts all processes.
        executor.submit(os.getpid)
    # Another pool may start before this one ends: its processes are not killed with these.
    started = _children() - others
    try:
        yield executor
    except BrokenExecutor as error:
        problem = f"a process that {task} died, perhaps for lack of memory"
        raise SemiHmmError(problem) from error
    except BaseException:
        # joblib kills the programs that a process has started one by one. One that starts meanwhile
        # would go on, so the groups are killed first.
        for number in started & _children():
            # Windows has no groups. A process that has just been started leads none yet.
            with suppress(AttributeError, ProcessLookupError):
                os.killpg(number, signal.SIGKILL)
        executor.shutdown(kill_workers=True)
        raise
    executor.shutdown()


def _children() -> set[int]:
    """Return the numbers of the processes that this process has started."""
    return {process.pid for process in active_children() if process.pid}


@contextmanager
def _apart() -> Iterator[None]:
    """Start processes inside that ignore signals of the terminal, which are for this process.

    The processes, including joblib's own, import nothing from the current folder.
    """
    # Only the main thread may set handlers of signals.
    is_main = threading.current_thread() is threading.main_thread()
    numbers = TERMINAL_SIGNALS if is_main else ()
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    safe_path = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if safe_path is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = safe_path


def _begin(starter: int) -> None:
    """Begin a process that ends with its starter. Nobody reads the log of libraries there."""
    logging.disable(logging.CRITICAL)
    if hasattr(os, "setpgid"):  # not on Windows
        os.setpgid(0, 0)
        threading.Thread(target=_end_with, args=(starter,), daemon=True).start()


def _end_with(starter: int) -> None:
    while os.getppid() == starter:
        time.sleep(ORPHAN_SECONDS)
    # The whole group: the process may have started programs.
    os.killpg(0, signal.SIGKILL)


def with_warnings(
    function: Callable[P, Result], *arguments: P.args, **keywords: P.kwargs
) -> tuple[Result, list[SemiHmmWarning]]:
    """Call a function; return its result and the warnings of this project.

    A process calls it to send warnings to its starter.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*arguments, **keywords)
    messages = (warning.message for warning in caught)
    return result, [message for message in messages if isinstance(message, SemiHmmWarning)]


def warn_once(caught: Iterable[SemiHmmWarning], shown_classes: set[type[SemiHmmWarning]]) -> None:
    """Repeat warnings that another process has caught: of a class with ``once``, only the first.

    ``shown_classes``  the classes of the warnings that were shown before; new ones are added.
    """
    for warning in caught:
        if type(warning) not in shown_classes or not warning.once:
            shown_classes.add(type(warning))
            warnings.warn(warning, stacklevel=3)
