"""Tests of training that is killed, runs out of space, or meets a pair that fails."""

from __future__ import annotations

import json
import multiprocessing
import signal

import numpy as np
import pytest

from corpus_tools.errors import BadData
from semihmm import Aligner
from semihmm.batches import batches
from semihmm.model.semi_hmm import SemiHmm
from semihmm.training.fit import TrainingState
from tests.semihmm.faulty_model import with_a_bad_pair
from tests.semihmm.kill_points import KINDS, kill_at
from tests.semihmm.program_runs import SAMPLE, rows, run, write
from tests.semihmm.saved_arrays import contents

POINTS = (2, 9, 13, 17, 24, 31, 38)
"""Where training is killed. An iteration has eleven points, and a few come before the first."""


def iterations(model):
    manifest = model / "model.json"
    return (
        len(json.loads(manifest.read_text())["provenance"]["iterations"])
        if manifest.exists()
        else 0
    )


def train_until(number, log, *arguments):
    """Train in a process of its own, which is killed at a point; return its exit status.

    The process is a copy of this one: what it needs is loaded.
    """

    def child():
        with pytest.MonkeyPatch.context() as patch:
            kill_at(patch, number, log)
            run("train", *arguments)

    running = multiprocessing.get_context("fork").Process(target=child)
    running.start()
    running.join()
    return running.exitcode


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(),
    reason="this system cannot copy a process",
)
def test_training_killed_at_random_points_ends_with_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(TrainingState, "converged", lambda *_: False)
    pairs = write(tmp_path / "pairs.jsonl", *rows(SAMPLE)[:5])
    options = [pairs, "--workers", 1, "--rewrite", "stem,lexical", "--iterations", 30, "--resume"]
    run("train", *options, "--model", tmp_path / "whole")
    log = tmp_path / "log"
    done = [0]
    for point in POINTS:
        status = train_until(point, log, *options, "--model", tmp_path / "parts")
        assert status == -signal.SIGKILL
        done.append(iterations(tmp_path / "parts"))
        assert done[-2] <= done[-1] < 30, "no iteration that has ended is lost"
    assert len(set(log.read_text().splitlines())) >= 4
    assert set(log.read_text().splitlines()) <= set(KINDS)
    run("train", *options, "--model", tmp_path / "parts")
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    assert iterations(tmp_path / "whole") == 30


# Bad pairs


@pytest.mark.parametrize("where", ["encode", "expected_counts"])
def test_bad_pairs_are_skipped_and_counted(miniature, tmp_path, capsys, monkeypatch, where):
    for bad in ("sample-07 sentence 2", "sample-20 sentence 1"):
        with_a_bad_pair(monkeypatch, where, bad, ValueError("no"))
    options = ["--model", tmp_path / "model", "--wordnet", miniature, "--skip-bad-pairs"]
    run("train", SAMPLE, *options, "--iterations", 2)
    assert "left out: 2 (sample-07 sentence 2, sample-20 sentence 1)" in capsys.readouterr().err
    run("train", SAMPLE, *options, "--iterations", 3, "--resume")
    provenance = json.loads((tmp_path / "model" / "model.json").read_text())["provenance"]
    assert provenance["skipped"] == ["sample-07 sentence 2", "sample-20 sentence 1"]
    assert len(provenance["iterations"]) == 3


def test_a_bad_pair_is_missing_from_the_counts_and_nothing_else_is(sample, monkeypatch):
    monkeypatch.setattr(batches, "BATCH_WORDS", 1)  # each pair a shard
    alone = {}
    intact = SemiHmm.expected_counts

    def expected_counts(model, encoded):
        counts = intact(model, encoded)
        alone[encoded.batch.ids] = counts["corpus.log_likelihood"]
        return counts

    monkeypatch.setattr(SemiHmm, "expected_counts", expected_counts)
    (whole,) = Aligner(rewrite=("identity",), iterations=1).fit(sample).provenance["iterations"]
    with_a_bad_pair(monkeypatch, "expected_counts", "sample-07 sentence 2", ValueError("no"))
    (without,) = (
        Aligner(rewrite=("identity",), iterations=1)
        .fit(sample, skip_bad_pairs=True)
        .provenance["iterations"]
    )
    assert whole["objective"] - without["objective"] == pytest.approx(
        alone[("sample-07 sentence 2",)]
    )


def test_a_likelihood_that_is_no_number_is_a_fault(sample, monkeypatch):
    intact = SemiHmm.expected_counts

    def expected_counts(model, encoded):
        counts = intact(model, encoded)
        lost = np.nan if sample[2].id in encoded.batch.ids else 0.0
        return counts | {"corpus.log_likelihood": counts["corpus.log_likelihood"] + lost}

    monkeypatch.setattr(SemiHmm, "expected_counts", expected_counts)
    with pytest.raises(
        BadData, match=rf"{sample[2].id}.*ArithmeticError: its likelihood is not a number"
    ):
        Aligner(rewrite=("identity",)).fit(sample)


def test_pairs_that_fail_only_together_are_counted_one_by_one(sample, monkeypatch):
    expected = Aligner(rewrite=("stem",), iterations=2).fit(sample)
    intact = SemiHmm.expected_counts

    def short_of_memory(model, encoded):
        if len(encoded.batch) > 1:
            raise MemoryError
        return intact(model, encoded)

    monkeypatch.setattr(SemiHmm, "expected_counts", short_of_memory)
    one_by_one = Aligner(rewrite=("stem",), iterations=2).fit(sample)
    assert "skipped" not in one_by_one.provenance
    assert one_by_one.provenance["iterations"][1]["objective"] == pytest.approx(
        expected.provenance["iterations"][1]["objective"]
    )
