"""Tests of work in threads that fails."""

from __future__ import annotations

import subprocess
import sys

import pytest

FAILING = """
from semihmm.model.parallel import in_order
try:
    list(in_order(lambda number: 1 // number, [1, 0, *range(2, 50)], {workers}))
except ZeroDivisionError:
    print("failed")
"""


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_ends_the_work_that_waits_for_a_thread(workers):
    """In a process of its own, which can be ended if it waits for ever."""
    command = [sys.executable, "-c", FAILING.format(workers=workers)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("failed\n", "")
