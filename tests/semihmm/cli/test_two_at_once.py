"""Tests of several processes over one model directory or one cache."""

import contextlib
import json
import os
import select
import signal
import subprocess
from functools import partial

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
    half = write(tmp_path / "half.jsonl", *rows(SAMPLE)[::2])

    def train(name: str, pairs: str) -> None:
        run("train", pairs, "--model", tmp_path / name, *OPTIONS)

    alone = {"alone": SAMPLE, "half alone": half}
    shared = {"one": SAMPLE, "two": SAMPLE, "half": half}
    for job in alone.items():
        train(*job)
    together = [start(partial(train, *job)) for job in shared.items()]
    for running in together:
        running.join()
    assert [running.exitcode for running in together] == [0, 0, 0]
    made = {name: contents(tmp_path / name) for name in (*alone, *shared)}
    assert made["one"] == made["two"] == made["alone"] and made["half"] == made["half alone"]
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
    held, begun = tmp_path / "held", tmp_path / "begun"
    os.mkfifo(held)
    # The pipe is held before the test may send the signal.
    script = f"exec 9> {held}; touch {begun}; for n in $(seq 400); do sleep 100000 & done; wait"
    run = f"import subprocess; subprocess.run(['sh', '-c', '{script}'])"
    library = f"class Aligner:\n    def align(self, *sides, **more):\n        {run}\n"
    (tmp_path / "eflomal.py").write_text(library)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with open(os.open(held, os.O_RDONLY | os.O_NONBLOCK), "rb") as pipe:
        running = program("compare", SAMPLE, "--systems", "eflomal")
        wait_until(begun.exists, running)
        require_end(running, number)
        # It can be read to its end when nobody holds it.
        assert select.select([pipe], [], [], PATIENCE)[0] and pipe.read() == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_processes_that_read_pairs(tmp_path, number):
    """Standard input has enough for the processes to start, and comes to no end."""
    row = {"document": [["cat"] * 1_000] * 3, "abstract": [["cats"]]}
    command = "train", "-", "--workers", 2, "--model", tmp_path / "model"
    running = program(*command, stdin=subprocess.PIPE)
    for pair in range(650):
        running.stdin.write(json.dumps(row | {"id": f"{pair}"}) + "\n")
    running.stdin.flush()
    # While processes are started, a signal may reach another thread than the one that reads.
    wait_until(lambda: has_started_processes(running), running)
    require_end(running, number)
