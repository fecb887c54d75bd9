"""Tests of training that is killed, runs out of space, or meets a pair that fails."""

from __future__ import annotations

import json
import os
import signal
import stat
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpus_tools.errors import BadData
from semihmm import Aligner
from semihmm.model.semi_hmm import SemiHmm
from tests.copied_process import copies_processes, start
from tests.semihmm.program_runs import SAMPLE, contents, rows, run, with_a_bad_pair, write

POINTS = (2, 9, 13, 17, 24, 31, 38)
"""Where training is killed. An iteration has eleven points, and a few come before the first."""


KINDS = (
    "before encoding",
    "before the E-step",
    "before the M-step",
    "a file half written",
    "before replacing a file",
    "after replacing a file",
)


def kill_at(monkeypatch: pytest.MonkeyPatch, number: int, log: Path) -> None:
    """Make this process send itself a signal at the point of this number.

    The log gets a line with the kind of the point. The points come in the same order in every run
    with one thread. So the number says exactly what was done before, whatever the speed of the
    machine.
    """
    numbers = count(1)

    def reached(kind: str) -> bool:
        if next(numbers) != number:
            return False
        with log.open("a") as stream:
            stream.write(f"{kind}\n")
        return True

    def point(kind: str) -> None:
        if reached(kind):
            os.kill(os.getpid(), signal.SIGKILL)

    def before(owner: Any, name: str, kind: str) -> Callable[..., Any]:
        intact = getattr(owner, name)

        def wrapped(*arguments: Any) -> Any:
            point(kind)
            return intact(*arguments)

        monkeypatch.setattr(owner, name, wrapped)
        return wrapped

    def fsync(file: int) -> None:
        # Folders are synchronised too.
        if stat.S_ISREG(os.fstat(file).st_mode) and reached("a file half written"):
            os.ftruncate(file, os.fstat(file).st_size // 2)
            os.kill(os.getpid(), signal.SIGKILL)

    before(SemiHmm, "encode", "before encoding")
    before(SemiHmm, "expected_counts", "before the E-step")
    before(SemiHmm, "m_step", "before the M-step")
    monkeypatch.setattr(os, "fsync", fsync)
    replace = before(os, "replace", "before replacing a file")

    def replaced(*arguments: Any) -> None:
        replace(*arguments)
        point("after replacing a file")

    monkeypatch.setattr(os, "replace", replaced)


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

    running = start(child)
    running.join()
    return running.exitcode


@copies_processes
def test_training_killed_at_random_points_ends_with_the_same_bytes(tmp_path):
    pairs = write(tmp_path / "pairs.jsonl", *rows(SAMPLE)[:5])
    options = [pairs, "--workers", 1, "--rewrite", "stem,lexical"]
    options += ["--iterations", 30, "--tolerance=-1", "--resume"]
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
