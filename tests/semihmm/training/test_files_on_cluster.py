"""Training on a cluster that reads the files of the pairs and encodes the batches."""

from __future__ import annotations

import json
import os
import signal
from functools import partial

import numpy as np
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner
from semihmm.batches import batches as batches_module
from semihmm.model.counts import add_counts, sum_counts, sum_tree
from semihmm.training import cluster_encoding, cluster_reading
from semihmm.training.cluster_encoding import TASKS, _encode, blocks
from semihmm.training.cluster_reading import _read_file
from tests.semihmm.faulty_model import with_a_bad_pair
from tests.semihmm.own_scheduler import doom, kill_the_doomed
from tests.semihmm.program_runs import fails, run
from tests.semihmm.sample_files import BAD
from tests.semihmm.saved_arrays import contents

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

SETTINGS = ("--start", "none", "--iterations", 2, "--rewrite", "stem+relation")


@pytest.fixture(scope="module")
def address():
    """Start a cluster in threads of this process, so that its work can be seen and changed."""
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(processes=False, **options) as running:
        yield running.scheduler_address


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 200)


@pytest.fixture
def alone(shards, tmp_path):
    """Return the model's files from this process alone."""
    run("train", shards, "--model", tmp_path / "alone", *SETTINGS)
    return contents(tmp_path / "alone")


@pytest.mark.usefixtures("small_batches")
def test_the_model_is_the_same_to_the_last_byte(shards, tmp_path, capsys, address):
    run("train", shards, "--model", tmp_path / "alone", *SETTINGS)
    here = capsys.readouterr().err
    run("train", shards, "--model", tmp_path / "there", *SETTINGS, "--cluster", address)
    there = capsys.readouterr().err
    alone = contents(tmp_path / "alone")
    assert contents(tmp_path / "there") == alone
    assert "20 pairs read, tokenizer whitespace" in here
    assert "20 pairs read, tokenizer whitespace" in there
    assert {path.name for path in tmp_path.iterdir()} == {"pairs", "alone", "there"}
    read = read_pairs(shards)
    settings = {"start": "none", "iterations": 2, "rewrite": ("stem", "relation")}
    Aligner(**settings).fit(read, checkpoint=tmp_path / "python")
    assert contents(tmp_path / "python") == alone


def test_resuming(shards, tmp_path, address, alone):
    model = tmp_path / "model"
    one = [*SETTINGS[:3], 1, *SETTINGS[4:]]
    run("train", shards, "--model", model, *one, "--cluster", address)
    assert contents(model) != alone
    run("train", shards, "--model", model, *SETTINGS, "--resume", "--cluster", address)
    assert contents(model) == alone


@pytest.mark.parametrize("there", [False, True], ids=["here", "cluster"])
def test_the_first_wrong_line_is_named(shards, tmp_path, capsys, address, there):
    """Two files are wrong, and the first of them is the larger."""
    for name in ("2.jsonl", "3.jsonl"):
        with open(shards / name, "a") as stream:
            stream.write("{}\n")
    command = ["train", shards, "--model", tmp_path / "model", *SETTINGS]
    err = fails(capsys, 1, *command, *(["--cluster", address] if there else []))
    assert f"semihmm: {shards / '2.jsonl'}, line 5: no document: found the keys none" in err
    assert "3.jsonl" not in err
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("there", [False, True], ids=["here", "cluster"])
def test_bad_pairs_are_named_or_skipped(shards, tmp_path, capsys, monkeypatch, address, there):
    bad = f"{BAD} sentence 1"
    with_a_bad_pair(monkeypatch, "encode", bad, KeyError("x"))
    command = ["train", shards, *SETTINGS, *(["--cluster", address] if there else [])]
    err = fails(capsys, 1, *command, "--model", tmp_path / "none")
    assert f"pair {bad!r} makes the model fail: KeyError: 'x'" in err
    run(*command, "--model", tmp_path / "model", "--skip-bad-pairs")
    assert json.loads((tmp_path / "model" / "model.json").read_text())
    assert Aligner.load(tmp_path / "model").provenance["skipped"] == [bad]
    assert f"which were left out: 1 ({bad})" in capsys.readouterr().err


def test_workers_that_are_killed_cost_time_alone(shards, tmp_path, monkeypatch, alone):
    """Each of the first workers is killed by its first file, and others by their first batch."""
    seen = tmp_path / "seen"
    seen.mkdir()
    monkeypatch.setattr(cluster_reading, "_read_file", partial(_die_in_reading, seen))
    monkeypatch.setattr(cluster_encoding, "_encode", partial(_die_in_encoding, seen))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster:
        address = cluster.scheduler_address
        run("train", shards, "--model", tmp_path / "there", *SETTINGS, "--cluster", address)
    assert {path.name for path in seen.iterdir()} == {"read-0", "read-1", "encode-0"}
    assert contents(tmp_path / "there") == alone


def _die_in_reading(seen, *given):
    """Run on a worker, which is killed when it has read one of the first two files."""
    read = _read_file(*given)
    _die_the_first_time(seen, f"read-{given[-1].number}", given[-1].number < 2)
    return read


def _die_in_encoding(seen, *given):
    """Run on a worker, which is killed when it has encoded the first batch."""
    _encode(*given)
    _die_the_first_time(seen, f"encode-{given[-1][0]}", given[-1][0] == 0)


def _die_the_first_time(seen, name, doomed):
    if doomed and not (seen / name).exists():
        (seen / name).touch()
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("phase", ["reading", "encoding"])
def test_a_scheduler_lost_before_the_first_iteration(
    shards, tmp_path, capsys, monkeypatch, scheduler, alone, phase
):
    """The error says so, and the next training makes the same model."""
    doomed = tmp_path / "doomed"
    doom(doomed, scheduler)
    monkeypatch.setattr(cluster_reading, "_read_file", partial(_read_and_kill, doomed, phase))
    monkeypatch.setattr(cluster_encoding, "_encode", partial(_encode_and_kill, doomed, phase))
    command = ["train", shards, "--model", tmp_path / "there", *SETTINGS]
    command += ["--cache", tmp_path / "cache"]
    err = fails(capsys, 1, *command, "--cluster", scheduler.address)
    assert "the cluster was lost (" in err and "distributed" not in err
    assert scheduler.was_killed()
    run(*command)
    assert contents(tmp_path / "there") == alone


def _read_and_kill(doomed, phase, *given):
    """Run on a worker: the second file kills the scheduler when it has been read."""
    read = _read_file(*given)
    if phase == "reading" and given[-1].number == 1:
        kill_the_doomed(doomed)
    return read


def _encode_and_kill(doomed, phase, *given):
    """Run on a worker, which kills the scheduler when it has encoded a batch."""
    _encode(*given)
    if phase == "encoding":
        kill_the_doomed(doomed)


@pytest.mark.parametrize("size", [0, 1, 999, 1999, 2000, 3999, 4001, 95_123])
def test_blocks_of_shards_have_the_sums_of_the_tree(size):
    some = blocks(size)
    assert [index for block in some for index in block] == list(range(size))
    assert len(some) <= 2 * TASKS
    values = np.random.default_rng(size).normal(size=size)
    counts = [{"x": value * 10.0 ** (index % 30)} for index, value in enumerate(values)]
    of_blocks = [sum_tree((counts[index] for index in block), add_counts) for block in some]
    assert sum_counts(of_blocks) == sum_counts(counts)
