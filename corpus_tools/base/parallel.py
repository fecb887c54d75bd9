"""Does work on items in threads, processes or a cluster, and gives results in the items' order.

Who does the work is an executor of Python's ``concurrent.futures``. Threads are Python's own.
Processes are joblib's (loky): they need no port and no guard in a script, import nothing from the
current folder, and end some seconds after the process that started them, however that ends.
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
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from corpus_tools.base.errors import SemiHmmError, SemiHmmWarning

P = ParamSpec("P")
Item = TypeVar("Item")
Result = TypeVar("Result")

TERMINAL_SIGNALS = (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT))
"""A terminal sends these to all processes that run in it. Windows has no SIGHUP."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps Python from looking for modules in the current folder."""

ORPHAN_SECONDS = 0.5
"""How often a process looks whether the one that started it has ended."""

LOOK_SECONDS = 5
"""How often it is looked whether an executor is alive, while one waits for a result."""

TAKEN_SECONDS = 0.5
"""How long to wait until an executor has taken its tasks. joblib's does in a millisecond."""

PATIENCE = 5
"""Seconds to wait for threads after an interrupt. A kernel cannot be stopped.

Kernels take a second for a usual batch, and hours for some that are not.
"""


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    executor: Executor | None = None,
    is_alive: Callable[[], bool] | None = None,
) -> Iterator[Result]:
    """Give the results in the items' order, computed by so many threads; with 1 by this one.

    ``executor``  has other workers in place of threads, so many. Whoever made it ends it.
    ``is_alive``  tells from time to time whether it can still answer. Otherwise ``CancelledError``
                  is raised: it may leave what it was given last without an answer for ever.

    Items are taken, and work is done, only a little ahead of the results that are asked for:
    both can be large. The error of the first item that has one comes after the results before it.
    """
    if workers == 1 and executor is None:
        yield from map(work, items)
        return
    waiting: deque[Future[Result]] = deque()
    with _threads(workers, waiting) if executor is None else _own(executor, waiting) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * workers:
                yield _first(waiting, is_alive)
        while waiting:
            yield _first(waiting, is_alive)


def _first(waiting: deque[Future[Result]], is_alive: Callable[[], bool] | None) -> Result:
    """Wait for the first result, and take it out."""
    # An interrupt comes while it is still among those that are waited for.
    while not wait([waiting[0]], LOOK_SECONDS if is_alive else None).done:
        if is_alive is not None and not is_alive():
            raise CancelledError
    return waiting.popleft().result()


@contextmanager
def _threads(workers: int, waiting: deque[Future[Result]]) -> Iterator[Executor]:
    """Start threads. At the end it waits for those that still work, briefly if interrupted."""
    pool = ThreadPoolExecutor(workers)
    patience: float | None = PATIENCE
    try:
        yield pool
    except Exception:
        patience = None
        raise
    finally:
        # A caller that stops early, as `head` does, need not wait for the rest.
        pool.shutdown(wait=False, cancel_futures=True)
        # A task that was cancelled before a thread took it is never reported as done.
        wait([future for future in waiting if not future.cancelled()], patience)


@contextmanager
def _own(executor: Executor, waiting: deque[Future[Result]]) -> Iterator[Executor]:
    """Use an executor that somebody else ends.

    Tasks are not cancelled, and after an error it is waited until the executor has taken them:
    otherwise the thread of joblib's executor ends with a traceback when its processes are killed.
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
    work: Callable[[Item], Result], items: Iterable[Item], processes: int, what: str
) -> Iterator[Result]:
    """Give the results in the items' order, computed by so many processes; with 1 by this one.

    ``what``  says what they do, for the error. Raises ``SemiHmmError`` if one of them dies.
    """
    if processes == 1:
        yield from map(work, items)
        return
    with process_pool(processes, what) as pool:
        yield from in_order(work, items, processes, pool)


@contextmanager
def process_pool(processes: int, what: str) -> Iterator[Executor]:
    """Start processes. If what is inside fails or is interrupted, they are killed.

    ``what``  says what they do, for the error. Raises ``SemiHmmError`` if one of them dies.
    """
    # Not at the top: one pair needs no processes.
    from joblib.externals.loky import ProcessPoolExecutor

    with _apart():
        executor = ProcessPoolExecutor(
            processes, initializer=_begin, initargs=(os.getpid(),), env={SAFE_PATH: "1"}
        )
        # The first task starts all processes.
        executor.submit(os.getpid)
    try:
        yield executor
    except BrokenProcessPool as error:
        problem = f"a process that {what} died, perhaps for lack of memory"
        raise SemiHmmError(problem) from error
    except BaseException:
        # With all that they have started.
        executor.shutdown(kill_workers=True)
        raise
    executor.shutdown()


@contextmanager
def _apart() -> Iterator[None]:
    """Let processes that start inside ignore what a terminal sends: it is for their starter.

    None of them, joblib's own among them, imports anything from the current folder.
    """
    is_main = threading.current_thread() is threading.main_thread()  # it alone handles signals
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
    """Begin a process, which ends with its starter. Nobody reads what libraries log there."""
    logging.disable(logging.CRITICAL)
    if hasattr(os, "setpgid") and starter == os.getppid():  # not on Windows
        os.setpgid(0, 0)
        threading.Thread(target=_end_with, args=(starter,), daemon=True).start()


def _end_with(starter: int) -> None:
    while os.getppid() == starter:
        time.sleep(ORPHAN_SECONDS)
    # With the programs that it has started.
    os.killpg(0, signal.SIGKILL)


def with_warnings(
    function: Callable[P, Result], *arguments: P.args, **keywords: P.kwargs
) -> tuple[Result, list[SemiHmmWarning]]:
    """Call a function in another process; return its result and the project's warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*arguments, **keywords)
    messages = (warning.message for warning in caught)
    return result, [message for message in messages if isinstance(message, SemiHmmWarning)]


def warn_once(given: Iterable[SemiHmmWarning], kinds: set[type[SemiHmmWarning]]) -> None:
    """Give one warning of each kind that is given ``once``, the first, and all others.

    ``kinds`` are those that were given before.
    """
    for warning in given:
        if type(warning) not in kinds or not warning.once:
            kinds.add(type(warning))
            warnings.warn(warning, stacklevel=3)
