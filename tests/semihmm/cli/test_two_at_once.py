"""Tests of several processes over one model directory or one cache."""

import contextlib
import json
import os
import signal
import threading

import psutil
import pytest

from semihmm.model import saving
from semihmm.model import units as batches
from tests.copied_process import copies_processes, start
from tests.semihmm.program_runs import (
    PATIENCE,
    SAMPLE,
    contents,
    ended,
    fails,
    program,
    rows,
    run,
    wait_until,
    write,
)

OPTIONS = ["--rewrite", "identity,stem", "--iterations", 2, "--workers", 1]


def test_a_second_training_of_a_model_is_refused(tmp_path, capsys, monkeypatch):
    """The first one reads its pairs, and waits for more of them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pairs, model = tmp_path / "pairs", tmp_path / "model"
    os.mkfifo(pairs)
    command = ["train", SAMPLE, "--model", model, *OPTIONS]
    with (
        program("train", pairs, "--model", model, *OPTIONS) as training,
        open(pairs, "wb"),  # opens as soon as it is read
    ):
        before = contents(model)
        for more in ([], ["--resume"], ["--overwrite"]):
            err = fails(capsys, 1, *command, *more)
            assert f"the model in {model} is in use" in err
            assert "; wait until it has ended, or name another output" in err
        assert contents(model) == before
        training.kill()
    # Nothing but locks is left, which nobody holds any more, and what was read.
    assert os.listdir(model) == [saving.LOCK_FILE_NAME]
    assert list(tmp_path.glob("cache/semihmm/run-*"))
    run(*command)
    assert saving.LOCK_FILE_NAME not in os.listdir(model)
    assert not list(tmp_path.glob("cache/semihmm/run-*"))


@copies_processes
def test_trainings_at_once_leave_each_other_alone(tmp_path, monkeypatch):
    """Two have the same corpus, one another corpus, all of them many shards."""
    monkeypatch.setattr(batches, "BATCH_WORDS", 100)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    corpora = [SAMPLE, SAMPLE, write(tmp_path / "half.jsonl", *rows(SAMPLE)[::2])]

    def train(number: int, name: str) -> None:
        run("train", corpora[number], "--model", tmp_path / f"{name}-{number}", *OPTIONS)

    for number in (0, 2):
        train(number, "alone")
    together = [start(lambda number=number: train(number, "shared")) for number in range(3)]
    for running in together:
        running.join()
    assert [running.exitcode for running in together] == [0, 0, 0]
    for number in range(3):
        alone = tmp_path / f"alone-{number // 2 * 2}"
        assert contents(tmp_path / f"shared-{number}") == contents(alone)
    assert not list(tmp_path.glob("semihmm/run-*"))


# Tests that no process goes on when the command that started it was ended, in whatever way


def has_started_processes(running):
    """Tell whether the command has started a process that works for it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        children = psutil.Process(running.pid).children(recursive=True)
        return any("popen_loky" in " ".join(child.cmdline()) for child in children)
    return False


def require_end(running, number):
    """Send the signal to the command alone; all that it started must end too."""
    running.send_signal(number)
    assert ended(running)[0] == (-number if number == signal.SIGKILL else 128 + number)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
def test_another_aligner_that_runs_in_a_comparison(tmp_path, monkeypatch, number):
    """A program that runs for a library starts others all the time. They hold a pipe."""
    held = tmp_path / "held"
    begun = tmp_path / "begun"
    os.mkfifo(held)
    # The pipe is held before the test may send the signal.
    script = f"exec 9> {held}; touch {begun}; for n in $(seq 400); do sleep 100000 & done; wait"
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_processes_that_read_pairs(tmp_path, number):
    """The file has enough for the processes to start, and comes to no end."""
    pairs = tmp_path / "pairs.jsonl"
    os.mkfifo(pairs)
    row = {"document": [["cat"] * 1_000] * 3, "abstract": [["cats"]]}
    lines = "".join(json.dumps(row | {"id": f"{pair}"}) + "\n" for pair in range(650))
    running = program("train", pairs, "--workers", 2, "--model", tmp_path / "model")
    written, ended = threading.Event(), threading.Event()

    def write_all():
        # Opening waits for a reader, and the end of the last one breaks the pipe.
        with contextlib.suppress(BrokenPipeError), open(pairs, "w") as stream:
            stream.write(lines)
            stream.flush()
            written.set()
            ended.wait()

    writer = threading.Thread(target=write_all, daemon=True)
    writer.start()
    try:
        # While processes are started, a signal may reach another thread than the one that reads.
        wait_until(lambda: written.is_set() and has_started_processes(running), running)
        require_end(running, number)
    finally:
        ended.set()
        # A program that never opened the pipe leaves the thread waiting for a reader.
        os.close(os.open(pairs, os.O_RDONLY | os.O_NONBLOCK))
        writer.join(PATIENCE)
