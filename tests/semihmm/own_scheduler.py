"""A Dask scheduler in a process of its own, which can be killed while it schedules."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from tests.paths import ROOT


class Scheduler(NamedTuple):
    """A scheduler that runs, with one worker."""

    process: subprocess.Popen[bytes]
    worker: subprocess.Popen[bytes]
    address: str

    def was_killed(self) -> bool:
        """Wait for the end, and tell whether it was that of a kill. The worker ends too.

        By itself it would go on for a while with the tasks that it has.
        """
        killed = self.process.wait() == -signal.SIGKILL
        self.worker.kill()
        self.worker.wait()
        return killed


@contextmanager
def running_scheduler(folder: Path) -> Iterator[Scheduler]:
    """Start a scheduler and a worker, which keep files in a folder; kill both at the end."""
    said = folder / "scheduler.json"
    common = ("--scheduler-file", said, "--no-dashboard")
    alone = ("--no-nanny", "--nthreads", "1", "--local-directory", folder / "scratch")
    scheduler = _program("scheduler", "--host", "127.0.0.1", "--port", "0", *common)
    worker = _program("worker", *alone, *common)
    try:
        yield Scheduler(scheduler, worker, _address(scheduler, said))
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()


def _program(name: str, *options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *map(str, options)]
    # A worker that reaches no scheduler within half a minute, as on a busy machine, would end.
    patient = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "600s"}
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, env=patient)


def _address(scheduler: subprocess.Popen[bytes], said: Path) -> str:
    """Wait until the scheduler has written the whole of its file; return the address in it."""
    while True:
        assert scheduler.poll() is None, "the scheduler did not start"
        with suppress(FileNotFoundError, json.JSONDecodeError):
            return str(json.loads(said.read_text())["address"])
        time.sleep(0.05)
