"""Runs work in threads and gives the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

PATIENCE = 5
"""Seconds to wait for threads after an interrupt. A kernel cannot be stopped.

Chosen by hand: kernels take a second for a usual batch, and hours for some that are not.
"""


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> Iterator[Result]:
    """Give the results in the items' order, computed by so many threads.

    The threads run ahead only a little, because items and results can be large.
    """
    pool = ThreadPoolExecutor(workers)
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
        # What was cancelled before a thread took it is never reported as done.
        wait([future for future in waiting if not future.cancelled()], patience)


def _first(waiting: deque[Future[Result]]) -> Result:
    """Wait for the first result, and take it out."""
    # An interrupt comes while it is still among those that are waited for.
    wait([waiting[0]])
    return waiting.popleft().result()
