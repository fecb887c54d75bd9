"""Outputs that are written file by file of the pairs, in this process and on a Dask cluster."""

from __future__ import annotations

import gzip
import os
import re
import signal
from functools import partial

import pytest

from corpus_tools.alignments.formats import JOINABLE, WRITERS
from corpus_tools.errors import BadData
from semihmm.cli import shard_work, sharded_output
from semihmm.cli.sharded_output import make_part
from semihmm.cluster.client import result_of
from tests.semihmm.faulty_model import with_a_bad_pair
from tests.semihmm.own_scheduler import doom, kill_the_doomed
from tests.semihmm.program_runs import SAMPLE, fails, run
from tests.semihmm.sample_files import BAD, ENDS

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")


@pytest.fixture
def whole(tmp_path):
    """Return the alignments as one command makes them of one file."""
    run("align", SAMPLE, "--output", tmp_path / "whole")
    return (tmp_path / "whole").read_bytes()


@pytest.fixture(scope="module")
def address():
    """Start a cluster in threads of this process, so that its work can be seen and changed."""
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(processes=False, **options) as running:
        yield running.scheduler_address


def in_order(directory):
    """Return the contents of the files of a directory, one after the other."""
    contents = [path.read_bytes() for path in sorted(directory.iterdir())]
    assert len(contents) == len(ENDS)
    return gzip.decompress(contents[0]) + b"".join(contents[1:])


@pytest.mark.parametrize("there", [False, True], ids=["here", "cluster"])
def test_a_file_for_each_file(tmp_path, shards, whole, address, there):
    out = tmp_path / "out"
    cluster = ["--cluster", address] if there else []
    run("align", shards, "--output", f"{out}/", *cluster)
    assert in_order(out) == whole
    assert {path.name for path in out.iterdir()} == {path.name for path in shards.iterdir()}
    run("align", shards, "--output", out, *cluster)
    assert in_order(out) == whole


@pytest.mark.parametrize("name", WRITERS)
def test_formats(tmp_path, capsys, shards, address, name):
    """In a directory there is any format; in one file what can be joined."""
    options = ["--format", name, "--cluster", address]
    run("align", shards, "--output", f"{tmp_path}/out/", *options)
    run("align", shards / "3.jsonl", "--output", tmp_path / "last", "--format", name)
    endings = {"jsonl": "jsonl", "labels": "jsonl"}
    last = tmp_path / "out" / f"3.{endings.get(name, name)}"
    assert last.read_bytes() == (tmp_path / "last").read_bytes()
    if name not in JOINABLE:
        err = fails(capsys, 2, "align", shards, "--output", tmp_path / "one", *options)
        assert f"the format {name} cannot be written file by file into one" in err
        return
    run("align", shards, "--output", tmp_path / "one", *options)
    run("align", SAMPLE, "--output", tmp_path / "all", "--format", name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "all").read_bytes()


def counting(monkeypatch):
    """Return the list of the files that will be aligned."""
    aligned = []
    call = shard_work.Aligning.__call__

    def noted(work, file, target):
        part = call(work, file, target)
        aligned.append(os.path.basename(file))
        return part

    monkeypatch.setattr(shard_work.Aligning, "__call__", noted)
    return aligned


@pytest.mark.parametrize("there", [False, True], ids=["here", "cluster"])
def test_a_bad_pair_is_named_and_resuming_goes_on(
    tmp_path, capsys, monkeypatch, shards, whole, address, there
):
    aligned = counting(monkeypatch)
    command = ["align", shards, "--output", f"{tmp_path}/out/"]
    command += ["--cluster", address] if there else []
    with monkeypatch.context() as patch:
        with_a_bad_pair(patch, "encode", f"{BAD} sentence 2", KeyError("x"))
        err = fails(capsys, 1, *command)
    assert f"{shards / '2.jsonl'}, line 2: pair {BAD!r} makes the model fail: KeyError" in err
    assert "--skip-bad-pairs goes on without it" in err
    assert "files are done" in err and "with --resume goes on from them" in err
    assert aligned[:2] == ["0.jsonl.gz", "1.jsonl"]
    run(*command, "--resume")
    assert sorted(aligned) == sorted(path.name for path in shards.iterdir())
    # A worker may have done the last file while the error was on its way.
    assert re.search(r"[23] of 4 files were done", capsys.readouterr().err)
    assert in_order(tmp_path / "out") == whole


@pytest.mark.parametrize("change", ["pairs", "model", "damage"])
def test_parts_of_another_run_are_made_again(tmp_path, monkeypatch, shards, whole, address, change):
    """Of the first two files there are parts, one of which no longer fits."""
    model = tmp_path / "model"
    options = ["--rewrite", "identity", "--iterations", 1]
    run("train", SAMPLE, "--model", model, *options)
    last = shards / "3.jsonl"
    content = last.read_text()
    last.write_text("{")
    command = ["align", shards, "--output", tmp_path / "out", "--model", model]
    assert run_for_status(*command) == 1
    last.write_text(content)
    if change == "pairs":
        first = gzip.decompress((shards / "0.jsonl.gz").read_bytes())
        (shards / "0.jsonl.gz").write_bytes(gzip.compress(first + b"\n"))
    elif change == "model":
        run("train", SAMPLE, "--model", model, *options[:2], "--iterations", 2, "--overwrite")
    else:
        part = tmp_path / "out.shards" / "00000000"
        part.write_bytes(part.read_bytes()[:-1])
    aligned = counting(monkeypatch)
    run(*command, "--cluster", address, "--resume")
    assert (
        set(aligned)
        == {
            "pairs": {"0.jsonl.gz", "3.jsonl"},
            "model": {"0.jsonl.gz", "1.jsonl", "2.jsonl", "3.jsonl"},
            "damage": {"0.jsonl.gz", "3.jsonl"},
        }[change]
    )
    run("align", SAMPLE, "--output", tmp_path / "new", "--model", model)
    assert (tmp_path / "out").read_bytes() == (tmp_path / "new").read_bytes()


def run_for_status(*command):
    from semihmm.cli.main import main

    return main([*map(str, command), "--cluster", "local", "--workers", "1"])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["PAIRS"], "the output of a cluster is a file or a directory: name one with --output"),
        (["PAIRS", "--output", "/dev/null"], "the output of a cluster is a file or a directory"),
        (["-", "--output", "OUT"], "standard input is no file that can be read by itself"),
        (["PAIRS", "--output", "OUT", "--abstracts", "x"], "--abstracts belongs to one file"),
        (["PAIRS", "--output", "PAIRS"], "is the directory of the pairs: name another"),
    ],
)
def test_what_is_refused(tmp_path, capsys, shards, address, options, problem):
    names = {"PAIRS": shards, "OUT": tmp_path / "out"}
    options = [names.get(option, option) for option in options]
    assert problem in fails(capsys, 2, "align", *options, "--cluster", address)


@pytest.mark.parametrize(
    "error", [TimeoutError("late"), OSError(28, "No space left on device", "part")]
)
def test_a_workers_own_error_is_not_that_of_the_cluster(
    tmp_path, capsys, monkeypatch, shards, address, error
):
    monkeypatch.setattr(sharded_output, "make_part", partial(_fail, error))
    command = ["extract", shards, "--output", tmp_path / "out", "--cluster", address]
    err = fails(capsys, 1, *command)
    assert f"{type(error).__name__}: {error}" in err
    assert "lost" not in err and "--resume" not in err
    with distributed.Client(address) as client, pytest.raises(BadData, match=type(error).__name__):
        result_of(client.submit(_fail, error), client)


def _fail(error, *_):
    """Run on a worker."""
    raise error


def test_of_several_bad_files_the_first_is_named(tmp_path, capsys, monkeypatch, shards):
    monkeypatch.setattr(sharded_output, "make_part", _fail_in_reverse)
    options = {"n_workers": 1, "threads_per_worker": 2, "dashboard_address": ":0"}
    with distributed.LocalCluster(processes=False, **options) as cluster:
        command = ["align", shards, "--output", tmp_path / "out"]
        err = fails(capsys, 1, *command, "--cluster", cluster.scheduler_address)
    assert f"{shards / '0.jsonl.gz'}: bad" in err


def _fail_in_reverse(shards, _, index):
    """Run on a worker: the first file fails when the second has."""
    failed = distributed.Event("failed")
    if index == 0:
        failed.wait()
    failed.set()
    raise BadData("bad", shards.files[index])


def test_workers_that_are_killed_cost_time_alone(tmp_path, monkeypatch, shards, whole):
    """Each of the first workers is killed by its first file."""
    seen = tmp_path / "seen"
    seen.mkdir()
    monkeypatch.setattr(sharded_output, "make_part", partial(_die_the_first_time, seen))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster:
        address = cluster.scheduler_address
        run("align", shards, "--output", tmp_path / "out", "--cluster", address)
    assert len(list(seen.iterdir())) == len(ENDS)
    assert (tmp_path / "out").read_bytes() == whole


def _die_the_first_time(seen, shards, resume, index):
    """Run on a worker, which is killed when it has made one of the first two parts."""
    first = not (seen / str(index)).exists()
    (seen / str(index)).touch()
    outcome = make_part(shards, resume, index)
    if first and index < 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return outcome


def test_a_lost_scheduler_costs_no_file_that_is_done(
    tmp_path, capsys, monkeypatch, shards, whole, scheduler
):
    doomed = tmp_path / "doomed"
    doom(doomed, scheduler)
    command = ["align", shards, "--output", f"{tmp_path}/out/"]
    with monkeypatch.context() as patch:
        patch.setattr(sharded_output, "make_part", partial(_make_and_kill, doomed))
        err = fails(capsys, 1, *command, "--cluster", scheduler.address)
    assert "the cluster was lost (" in err and "with --resume goes on from them" in err
    assert scheduler.was_killed()
    run(*command, "--resume")
    # The worker may have made the last file before it ended.
    assert re.search(r"[34] of 4 files were done", capsys.readouterr().err)
    assert in_order(tmp_path / "out") == whole


def _make_and_kill(doomed, shards, resume, index):
    """Run on a worker: the third part kills the scheduler when it has been made."""
    outcome = make_part(shards, resume, index)
    if index == 2:
        kill_the_doomed(doomed)
    return outcome
