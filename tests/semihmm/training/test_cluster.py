"""The E-step on a real cluster of processes."""

from __future__ import annotations

import os
import signal
from functools import partial

import numpy as np
import pytest

from corpus_tools.errors import BadData
from semihmm import Aligner
from semihmm.batches import batches as batches_module
from semihmm.cluster import client as client_module
from semihmm.model.counts import add_counts, sum_counts
from semihmm.training import cluster as cluster_module
from semihmm.training.cluster import _count
from tests.semihmm.faulty_model import with_a_bad_pair
from tests.semihmm.own_scheduler import doom, kill_the_doomed
from tests.semihmm.program_runs import SAMPLE, fails
from tests.semihmm.saved_arrays import contents

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

SETTINGS = {"rewrite": ("stem", "lexical"), "iterations": 3}


@pytest.fixture(autouse=True)
def many_shards(monkeypatch):
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 200)


@pytest.fixture(scope="module")
def cluster():
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as running:
        yield running


@pytest.fixture
def alone(sample, tmp_path):
    """Return the model's files from this process alone."""
    Aligner(**SETTINGS, workers=2).fit(sample, checkpoint=tmp_path / "alone")
    return contents(tmp_path / "alone")


def test_the_model_is_the_same_to_the_last_digit(sample, tmp_path, cluster, alone):
    Aligner(**SETTINGS).fit(
        sample, checkpoint=tmp_path / "there", cluster=cluster.scheduler_address
    )
    assert contents(tmp_path / "there") == alone


def test_workers_that_are_killed_cost_time_not_results(
    sample, tmp_path, cluster, alone, monkeypatch
):
    """One worker in the second iteration; both, so that the model is lost too, in the third."""
    doomed = tmp_path / "doomed"
    doomed.mkdir()
    monkeypatch.setattr(cluster_module, "_count", partial(_die_if_doomed, doomed))

    def doom(iteration):
        for pid in _workers(cluster)[: iteration.number]:
            (doomed / str(pid)).touch()

    before = set(_workers(cluster))
    address = cluster.scheduler_address
    Aligner(**SETTINGS).fit(sample, checkpoint=tmp_path / "there", cluster=address, report=doom)
    assert len(before) == 2
    assert not before & set(_workers(cluster)), "all were killed"
    assert contents(tmp_path / "there") == alone


def _die_if_doomed(doomed, block, path, shards, skip):
    """Run on a worker: it is killed as soon as there is a file with its number."""
    if (doomed / str(os.getpid())).exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return _count(block, path, shards, skip)


def _workers(cluster):
    """Return the processes' numbers, from those who watch them: dying workers cannot be asked."""
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def test_a_bad_pair_is_named_and_skipped_there_too(sample, tmp_path, cluster, monkeypatch):
    """Workers do not see what is changed in this process: the fault is made there."""
    monkeypatch.setattr(cluster_module, "_count", _count_but_for_the_seventh)
    settings = {"rewrite": ("identity",), "iterations": 1}
    with pytest.raises(
        BadData, match="pair 'sample-07 sentence 1' makes the model fail: ValueError: no"
    ):
        Aligner(**settings).fit(sample, cluster=cluster.scheduler_address)
    aligner = Aligner(**settings).fit(
        sample, cluster=cluster.scheduler_address, skip_bad_pairs=True
    )
    assert aligner.provenance["skipped"] == ["sample-07 sentence 1"]


def _count_but_for_the_seventh(block, path, shards, skip):
    with pytest.MonkeyPatch.context() as patch:
        with_a_bad_pair(patch, "expected_counts", "sample-07 sentence 1", ValueError("no"))
        return _count(block, path, shards, skip)


def test_a_scheduler_that_cannot_be_reached(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(client_module, "PATIENCE", 1)
    options = ["--model", tmp_path / "model", "--rewrite", "identity"]
    err = fails(capsys, 2, "train", SAMPLE, *options, "--cluster", "tcp://127.0.0.1:9")
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in err and "dask scheduler" in err
    assert "no Dask scheduler answers at 'nonsense'" in fails(
        capsys, 2, "train", SAMPLE, *options, "--cluster", "nonsense"
    )


def test_a_scheduler_lost_in_the_middle_of_an_iteration(
    sample, tmp_path, scheduler, alone, monkeypatch, capfd
):
    """The error names the cause, and training goes on from the iteration before."""
    doomed = tmp_path / "doomed"
    there = tmp_path / "there"
    lost = []
    monkeypatch.setattr(cluster_module, "_count", partial(_count_and_kill, doomed))

    def report(iteration):
        doom(doomed, scheduler)
        lost.append(iteration.number)

    with pytest.raises(
        BadData,
        match=r"the cluster was lost \(.*scheduler.*\)",
    ):
        Aligner(**SETTINGS).fit(sample, checkpoint=there, cluster=scheduler.address, report=report)
    assert scheduler.was_killed()
    assert "distributed" not in capfd.readouterr().err
    half = Aligner.load(there)
    assert len(half.provenance["iterations"]) == len(lost) == 1
    half.fit(sample, checkpoint=there, resume=True)
    assert contents(there) == alone


def _count_and_kill(doomed, block, path, shards, skip):
    """Run on a worker: the third shard kills the scheduler that the file names, if it is there."""
    if 2 in block:
        kill_the_doomed(doomed)
    return _count(block, path, shards, skip)


@pytest.mark.parametrize("size", range(1, 20))
def test_sums_are_a_tree_of_neighbours(size):
    parts = [
        {"x": np.float64(value)}
        for value in np.random.default_rng(size).normal(size=size) * 10.0 ** np.arange(size)
    ]
    level = parts
    while len(level) > 1:
        level = [
            add_counts(one, other) for one, other in zip(level[::2], level[1::2], strict=False)
        ] + level[len(level) // 2 * 2 :]
    assert sum_counts(iter(parts))["x"] == level[0]["x"]
    assert sum_counts([None, *parts, None])["x"] == pytest.approx(sum(part["x"] for part in parts))
    assert sum_counts([None, None]) is None
