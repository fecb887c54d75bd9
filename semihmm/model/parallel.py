"""Runs work in threads and gives the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Thread, current_thread
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

PATIENCE = 5
"""Seconds to wait for threads after an interrupt. A kernel cannot be stopped.

Chosen by hand: kernels take a second for a usual batch, and hours for some that are not.
"""


LOOK = 1.0
"""Seconds between two looks at whether the threads are alive. Set by hand: few need as long."""


class ThreadsLost(MemoryError):
    """A thread could not start or ended before its work: memory is short, or threads are limited.

    Python ends a thread without a word when memory is short while it starts or takes its work. Its
    result would never come.
    """


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> Iterator[Result]:
    """Give the results in the items' order, computed by so many threads.

    The threads run ahead only a little, because items and results can be large. Raises
    ``ThreadsLost`` if a thread cannot start or ends too early.
    """
    threads: list[Thread] = []
    pool = ThreadPoolExecutor(workers, initializer=lambda: threads.append(current_thread()))
    waiting: deque[Future[Result]] = deque()
    patience: float | None = PATIENCE
    try:
        for item in items:
            waiting.append(_submitted(pool, work, item))
            if len(waiting) > 2 * workers:
                yield _first(waiting, threads)
        while waiting:
            yield _first(waiting, threads)
    except ThreadsLost:
        patience = 0
        raise
    except Exception:
        patience = None
        raise
    finally:
        # A caller that stops early, as `head` does, need not wait for the rest.
        pool.shutdown(wait=False, cancel_futures=True)
        # What was cancelled before a thread took it is never reported as done.
        wait([future for future in waiting if not future.cancelled()], patience)


def _submitted(
    pool: ThreadPoolExecutor, work: Callable[[Item], Result], item: Item
) -> Future[Result]:
    """Give an item to the threads."""
    try:
        return pool.submit(work, item)
    except RuntimeError as error:  # no thread can be started, or one failed at its start
        raise ThreadsLost from error


def _first(waiting: deque[Future[Result]], threads: list[Thread]) -> Result:
    """Wait for the first result, and take it out."""
    # An interrupt comes while it is still among those that are waited for.
    while not wait(list(waiting)[:1], LOOK).done:
        if not all(thread.is_alive() for thread in threads):
            raise ThreadsLost
    return waiting.popleft().result()
