"""Runs work in threads and gives the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


def in_order(work: Callable[[Any], Any], items: Iterable[Any], workers: int) -> Iterator[Any]:
    """The results in the items' order, by so many threads which run ahead only a little: items and results can be large."""
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # Whoever stops early, as `head` does, need not wait for the rest.
        pool.shutdown(cancel_futures=True)
