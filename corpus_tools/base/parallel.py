"""Does work on items in threads or in processes, and gives the results in the items' order.

Warnings of processes come back to the process that started them. Processes end when that one does,
however it ends: a thread of each waits for the end of a pipe that only the starter holds open, and
then kills the process group, so that programs end too that the process started. Nothing in it
depends on Linux.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from corpus_tools.base.errors import SemiHmmError, SemiHmmWarning

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.connection import Connection

P = ParamSpec("P")
Item = TypeVar("Item")
Result = TypeVar("Result")

TERMINAL_SIGNALS = (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT))
"""What a terminal sends to all processes that run in it. Windows has no SIGHUP."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps the current folder out of the path of Python."""

STDERR = 2
"""The number of the file that every program writes its messages to."""


PATIENCE = 5
"""Seconds to wait for threads after an interrupt. A kernel cannot be stopped.

Kernels take a second for a usual batch, and hours for some that are not.
"""


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    pool: Executor | None = None,
) -> Iterator[Result]:
    """Give the results in the items' order, computed by so many threads.

    ``pool``  has other workers in place of threads, so many.

    The workers run ahead only a little, because items and results can be large.
    """
    pool = pool or ThreadPoolExecutor(workers)
    waiting: deque[Future[Result]] = deque()
    patience: float | None = PATIENCE
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * workers:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
    except Exception:
        patience = None
        raise
    finally:
        # A caller that stops early, as `head` does, need not wait for the rest.
        pool.shutdown(wait=False, cancel_futures=True)
        if isinstance(pool, ThreadPoolExecutor):
            # What was cancelled before a thread took it is never reported as done.
            wait([future for future in waiting if not future.cancelled()], patience)


def _first(waiting: deque[Future[Result]]) -> Result:
    """Wait for the first result, and take it out."""
    # An interrupt comes while it is still among those that are waited for.
    wait([waiting[0]])
    return waiting.popleft().result()


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
def process_pool(processes: int, what: str) -> Iterator[ProcessPoolExecutor]:
    """Start processes that end with this one, however it ends.

    They are spawned, not forked: numba and torch keep threads, which a fork does not copy, and a
    forked process has the memory of this one. If what is inside fails or is interrupted, they are
    killed.

    ``what``  says what they do, for the error. Raises ``SemiHmmError`` if one of them dies.
    """
    # Not at the top: one pair needs no processes.
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    ended, open_end = context.Pipe(duplex=False)
    with ended, open_end:
        with without_terminal_signals():
            # Its locks are resources, for which it would start the tracker.
            executor = ProcessPoolExecutor(
                processes, context, initializer=_begin, initargs=(ended,)
            )
        try:
            _start(executor, processes)
            yield executor
        except BrokenProcessPool as error:
            # The pool has ended the others already.
            problem = f"a process died that {what}, perhaps because memory was short"
            raise SemiHmmError(problem) from error
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        executor.shutdown()


def _start(executor: ProcessPoolExecutor, processes: int) -> None:
    """Start all processes. What they say is for nobody, even as they start or fail to."""
    with without_terminal_signals(), _without_stderr():
        for _ in range(processes):
            # Each task that meets no idle process starts one, and none is idle while it starts.
            executor.submit(os.getpid)


@contextmanager
def without_terminal_signals() -> Iterator[None]:
    """Start processes inside that the terminal's signals do not reach, from the first moment.

    Nor do they import anything from the current folder.

    They are for the process that starts them. Among the processes is multiprocessing's tracker of
    resources: if a hangup ends it, another one starts, which complains of all that it does not
    know. Threads that start inside block the signals too. Windows has no such tracker, and sends
    interrupts to all.
    """
    if not hasattr(signal, "pthread_sigmask"):
        with _without_current_folder():
            yield
        return
    from multiprocessing import resource_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, TERMINAL_SIGNALS)
    try:
        with _without_current_folder():
            resource_tracker.ensure_running()
            # The tracker's start lets interrupts through again.
            signal.pthread_sigmask(signal.SIG_BLOCK, TERMINAL_SIGNALS)
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_current_folder() -> Iterator[None]:
    """Start processes inside that import nothing from the current folder.

    A process of Python that is started with a command has that folder first in its path. Somebody
    may have put a module there that is called as one of the library.
    """
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Give processes that start inside the null device as stderr.

    A process that is still starting when this one ends would show a traceback.
    """
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    try:
        before = os.dup(STDERR)
    except OSError:  # it is closed
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, STDERR)
    os.close(null)
    try:
        yield
    finally:
        os.dup2(before, STDERR)
        os.close(before)


def _begin(ended: Connection) -> None:
    """Begin a process of the pool. What libraries log there is for nobody."""
    if hasattr(os, "setpgid"):  # not on Windows
        os.setpgid(0, 0)
    threading.Thread(target=_end_with, args=(ended,), daemon=True).start()
    logging.disable(logging.CRITICAL)


def _end_with(ended: Connection) -> None:
    """Wait for the end of a pipe; then kill this process and the programs that it started."""
    with suppress(EOFError, OSError):
        ended.recv()
    if hasattr(os, "killpg"):  # not on Windows
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def with_warnings(
    function: Callable[P, Result], *arguments: P.args, **keywords: P.kwargs
) -> tuple[Result, list[SemiHmmWarning]]:
    """Call a function in a process of the pool; return its result and the project's warnings."""
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
