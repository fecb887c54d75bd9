"""Tests of several processes over one model directory or one cache."""

from __future__ import annotations

import os
import shutil
import signal

import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner, saving
from semihmm.batches import training_cache
from semihmm.batches import units as batches
from tests.copied_process import copies_processes, start
from tests.semihmm.program_runs import SAMPLE, contents, fails, program, rows, run, write

OPTIONS = ["--rewrite", "identity,stem", "--iterations", 2, "--workers", 1]


@pytest.fixture
def reading(tmp_path):
    """Return a training that reads its pairs, and waits for more of them."""
    os.mkfifo(tmp_path / "pairs")
    training = program("train", tmp_path / "pairs", "--model", tmp_path / "model", *OPTIONS)
    with training, open(tmp_path / "pairs", "wb"):  # opens as soon as it is read
        yield training
        training.kill()


def test_a_second_training_of_a_model_is_refused(tmp_path, capsys, reading):
    command = ["train", SAMPLE, "--model", tmp_path / "model", *OPTIONS]
    before = contents(tmp_path / "model")
    for more in ([], ["--resume"], ["--overwrite"], ["--cache", tmp_path / "cache"]):
        err = fails(capsys, 1, *command, *more)
        assert f"the model in {tmp_path / 'model'} is in use" in err
        assert "; wait until it has ended, or name another output" in err
    assert contents(tmp_path / "model") == before
    assert not (tmp_path / "cache").exists()
    os.kill(reading.pid, signal.SIGKILL)
    reading.wait()
    # Nothing but the lock is left, which nobody holds any more, and what was read.
    left = {saving.LOCK, training_cache.BESIDE}
    assert set(os.listdir(tmp_path / "model")) == left
    run(*command)
    assert left.isdisjoint(os.listdir(tmp_path / "model"))


@copies_processes
def test_trainings_share_a_cache(tmp_path, monkeypatch):
    """Two have the same corpus, one another corpus, all of them many shards."""
    monkeypatch.setattr(batches, "BATCH_WORDS", 100)
    corpora = [SAMPLE, SAMPLE, write(tmp_path / "half.jsonl", *rows(SAMPLE)[::2])]

    def train(number: int, cache: str) -> None:
        folders = ["--model", tmp_path / f"{cache}-{number}", "--cache", tmp_path / cache]
        run("train", corpora[number], *folders, *OPTIONS)

    for number in range(3):
        train(number, f"alone-{number}")
    together = [start(lambda number=number: train(number, "shared")) for number in range(3)]
    for running in together:
        running.join()
    assert [running.exitcode for running in together] == [0, 0, 0]
    for number in range(3):
        alone = contents(tmp_path / f"alone-{number}-{number}")
        assert contents(tmp_path / f"shared-{number}") == alone
    shards = contents(tmp_path / "alone-0") | contents(tmp_path / "alone-2")
    assert contents(tmp_path / "shared") == shards


def test_a_model_that_is_replaced_while_it_is_read(trained, model_directory, monkeypatch):
    """The new model is read, also if it comes between the manifest and the other files."""
    other = Aligner(rewrite=("identity",), iterations=1).fit(read_pairs(SAMPLE))
    intact, replaced = saving.unpack_npz, []

    def unpack(content):
        if not replaced:
            replaced.append(True)
            other.save(model_directory)
            # As if the parameters had not yet been read.
            raise saving.BadArray("gone")
        return intact(content)

    monkeypatch.setattr(saving, "unpack_npz", unpack)
    assert Aligner.load(model_directory).settings.as_json() == other.settings.as_json()
    monkeypatch.setattr(saving, "unpack_npz", intact)
    shutil.rmtree(model_directory)
    trained.save(model_directory)
    assert Aligner.load(model_directory).provenance == trained.provenance
