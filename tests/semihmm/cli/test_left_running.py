"""Tests that no process goes on when the command that started it was ended, in whatever way.

Processes hold the pipes of their messages. Where these come to an end, nobody is left who could
write: so no test needs to know which processes there were.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading

import psutil
import pytest

from corpus_tools.pairs.read_pairs import START_CHARACTERS
from tests.semihmm.program_runs import (
    PATIENCE,
    SAMPLE,
    program,
    wait_until,
)

SIGNALS = pytest.mark.parametrize(
    "number",
    [signal.SIGINT, signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)],
    ids=lambda number: number.name,
)


def wait_for_processes(running):
    """Wait until the command has started a process that works for it."""
    command = psutil.Process(running.pid)
    wait_until(lambda: any("spawn_main" in line for line in command_lines(command)), running)


def command_lines(command):
    """Return the command lines of all processes that a command has started, and of theirs."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in command.children(recursive=True):
            yield " ".join(process.cmdline())


def require_end(running, number):
    """Send the signal to the command alone; all that it started must end too."""
    running.send_signal(number)
    out, err = running.communicate(timeout=PATIENCE)
    assert out == ""
    assert "Traceback" not in err and "Exception" not in err and "leaked" not in err
    assert "distributed" not in err
    assert running.returncode == (-number if number == signal.SIGKILL else 128 + number)


@SIGNALS
def test_another_aligner_that_runs_in_a_comparison(tmp_path, monkeypatch, number):
    """A program that runs for a library stands for one that takes hours. It holds a pipe."""
    held = tmp_path / "held"
    begun = tmp_path / "begun"
    os.mkfifo(held)
    # The pipe is held before the test is told that it may send the signal.
    script = f"exec 9> {held}; touch {begun}; sleep 100000"
    run = f"import subprocess; subprocess.run(['sh', '-c', '{script}'])"
    library = f"class Aligner:\n    def align(self, *sides, **more):\n        {run}\n"
    (tmp_path / "eflomal.py").write_text(library)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    reader = threading.Thread(target=held.read_bytes, daemon=True)
    reader.start()
    running = program("compare", SAMPLE, "--systems", "eflomal")
    wait_until(begun.exists, running)
    require_end(running, number)
    reader.join(PATIENCE)
    assert not reader.is_alive(), "the program still holds its pipe"


@SIGNALS
def test_processes_that_read_pairs(tmp_path, number):
    """The file has enough for the processes to start, and comes to no end."""
    pairs = tmp_path / "pairs.jsonl"
    os.mkfifo(pairs)
    row = {"document": [["cat"] * 1_000] * 3, "abstract": [["cats"]]}
    enough = START_CHARACTERS // 9_000 + 200
    lines = "".join(json.dumps(row | {"id": f"{pair}"}) + "\n" for pair in range(enough))
    running = program("train", pairs, "--workers", 2, "--model", tmp_path / "model")
    ended = threading.Event()

    def write_all():
        # Opening waits for a reader, and the end of the last one breaks the pipe.
        with contextlib.suppress(BrokenPipeError), open(pairs, "w") as stream:
            stream.write(lines)
            stream.flush()
            ended.wait()

    writer = threading.Thread(target=write_all, daemon=True)
    writer.start()
    try:
        wait_for_processes(running)
        require_end(running, number)
    finally:
        ended.set()
        # A program that never opened the pipe leaves the thread waiting for a reader.
        os.close(os.open(pairs, os.O_RDONLY | os.O_NONBLOCK))
        writer.join(PATIENCE)
