"""Tests of locks, with real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpus_tools.errors import InUse
from corpus_tools.storage.files import locked

HOLD = """
import sys
from pathlib import Path
from corpus_tools.storage.files import locked
with locked(Path(sys.argv[1]), "the thing"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Return a process that holds the lock until its input ends."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"held\n"
        yield running
        running.kill()


def take(path: Path) -> None:
    with locked(path, "the thing"):
        assert path.exists()


def test_a_lock_that_is_held_is_refused(tmp_path, holder):
    with pytest.raises(InUse, match="the thing is in use"):
        take(tmp_path / "lock")
    holder.communicate(b"")
    take(tmp_path / "lock")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGTERM])
def test_the_lock_of_a_killed_process_is_taken_over(tmp_path, holder, kind):
    os.kill(holder.pid, kind)
    holder.wait()
    take(tmp_path / "lock")
    assert not list(tmp_path.iterdir())


def test_one_waits_for_a_lock(tmp_path, holder):
    """The process is told to end before its lock is waited for, so that this cannot hang."""
    holder.stdin.close()
    with locked(tmp_path / "lock", "the thing", wait=60):
        holder.wait()


def test_threads_and_calls_of_one_process_exclude_each_other(tmp_path):
    with locked(tmp_path / "lock", "the thing"):
        with pytest.raises(InUse, match="in use"):
            take(tmp_path / "lock")
        assert (tmp_path / "lock").exists()
