"""Starts a pool of processes, whose warnings come back to the process that started them."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import ParamSpec, TypeVar

from corpus_tools.errors import SemiHmmWarning
from corpus_tools.processes.family import family, join_family

P = ParamSpec("P")
Result = TypeVar("Result")


@contextmanager
def process_pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Start processes that end with this one, however it ends.

    They are spawned, not forked: numba and torch keep threads, which a fork does not copy, and a
    forked process has the memory of this one. If what is inside fails or is interrupted, they are
    killed. ``BrokenProcessPool`` is raised inside if one of them dies.
    """
    context = multiprocessing.get_context("spawn")
    with family() as group:
        executor = ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(group,))
        try:
            _start(executor)
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        executor.shutdown()


def _start(executor: ProcessPoolExecutor) -> None:
    """Start all processes. An interrupt from the terminal is not for them, even as they start."""
    # The tracker of multiprocessing lets interrupts through again when it starts.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        executor.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(group: int) -> None:
    """Begin a process of the pool. What libraries log there is for nobody."""
    join_family(group)
    logging.disable(logging.CRITICAL)


def with_warnings(
    function: Callable[P, Result], *arguments: P.args, **keywords: P.kwargs
) -> tuple[Result, list[SemiHmmWarning]]:
    """Call a function in a process of the pool; return its result and the project's warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*arguments, **keywords)
    messages = (warning.message for warning in caught)
    return result, [message for message in messages if isinstance(message, SemiHmmWarning)]
