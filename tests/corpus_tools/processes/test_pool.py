"""Processes of a pool, and what Python starts beside them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TRACKER = """
import re, signal
from multiprocessing import resource_tracker
from pathlib import Path
from corpus_tools.processes.pool import process_pool

with process_pool(1):
    tracker = resource_tracker._resource_tracker._pid
    status = Path(f"/proc/{tracker}/status").read_text()
blocked = int(re.search(r"SigBlk:\\s*(\\w+)", status)[1], 16)
print(bool(blocked >> (signal.SIGHUP - 1) & 1))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
def test_a_hangup_does_not_end_the_tracker_of_resources():
    """Another one would start, and complain of all that it does not know."""
    run = subprocess.run(
        [sys.executable, "-c", TRACKER], capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.stderr) == ("True\n", "")
