"""The sample corpus, a trained model and what comes of them, and a Dask scheduler."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

from corpus_tools.alignments.alignment import write_alignments
from corpus_tools.pairs.read_pairs import read_pairs
from rewrite_models import word_vectors
from semihmm.aligner import Aligner
from tests.paths import ROOT
from tests.semihmm.program_runs import sample_in_files
from tests.tiny_vectors import vectors_of


@pytest.fixture(autouse=True)
def vectors(monkeypatch):
    """Make word vectors without an encoder, wherever a model asks for some."""
    monkeypatch.setattr(word_vectors, "embed_pairs", lambda pairs, _: map(vectors_of, pairs))


@pytest.fixture(scope="session")
def sample():
    """Return the pairs that come with the program."""
    return read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))


@pytest.fixture(scope="session")
def trained(sample, miniature):
    """Return an aligner trained on the sample. All tests share it: they must not change it."""
    return Aligner(iterations=2, wordnet=str(miniature)).fit(sample)


@pytest.fixture
def model_directory(trained, tmp_path):
    """Return the directory of a saved model, which a test may change."""
    trained.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def aligned(trained, sample, tmp_path):
    """Return a file with the sample's alignments."""
    write_alignments(trained.align(sample), tmp_path / "aligned.jsonl")
    return tmp_path / "aligned.jsonl"


@pytest.fixture
def shards(tmp_path):
    """Return a directory with the sample's pairs in four files."""
    return sample_in_files(tmp_path / "pairs")


# A Dask scheduler in a process of its own, which can be killed while it schedules


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


@pytest.fixture
def scheduler(tmp_path):
    """Start a Dask scheduler with a worker, which a test may kill."""
    with running_scheduler(tmp_path) as started:
        yield started
