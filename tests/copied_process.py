"""Runs work in a copy of this process."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.context import ForkProcess

import pytest

copies_processes = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(),
    reason="this system cannot copy a process",
)


def start(work: Callable[[], object]) -> ForkProcess:
    """Start some work in a copy of this process: what it needs is loaded."""
    running = multiprocessing.get_context("fork").Process(target=work)
    running.start()
    return running
