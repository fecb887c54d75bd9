"""Training and aligning by other processes: the same bytes, whatever becomes of them."""

import json
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from unittest.mock import Mock

import psutil
import pytest

from corpus_tools.pairs import corpus_files
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner
from semihmm.cli import outputs
from semihmm.model import units as batches_module
from semihmm.training import cluster as cluster_module
from semihmm.training import e_step, fit
from tests.semihmm import program_runs
from tests.semihmm.program_runs import BAD, SAMPLE, contents, fails, rows, run

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

SETTINGS = ("--start", "none", "--iterations", 2, "--rewrite", "stem+relation")
ONE_THREAD = {"threads_per_worker": 1, "dashboard_address": ":0"}
STEPS = {
    "reading": (fit, "read_file", fit.read_file),
    "encoding": (fit, "encode_shards", fit.encode_shards),
    "counting": (e_step, "count_shards", e_step.count_shards),
    "aligning": (outputs, "make_part", outputs.make_part),
}
"""What workers do, by the module that asks for it and its name there."""


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return a folder with the pairs in four files, and what this process alone makes of them."""
    folder = tmp_path_factory.mktemp("alone")
    pairs = program_runs.sample_in_files(folder / "pairs")
    run("train", pairs, "--model", folder / "model", *SETTINGS)
    run("align", SAMPLE, "--model", folder / "model", "--output", folder / "aligned")
    return folder


@pytest.fixture(scope="module")
def address():
    """Start a cluster in threads of this process, so that its work can be seen and changed."""
    with distributed.LocalCluster(processes=False, n_workers=1, **ONE_THREAD) as running:
        yield running.scheduler_address


# The same bytes


def test_training_on_many_shards(shards, tmp_path, capsys, monkeypatch, address):
    """Workers read the files."""
    monkeypatch.setattr(batches_module, "BATCH_WORDS", 200)
    read = tmp_path / "read"
    then_too(monkeypatch, "reading", read.write_text)
    for folder, more in (("here", ()), ("there", ("--cluster", address))):
        run("train", shards, "--model", tmp_path / folder, *SETTINGS, *more)
        assert "20 pairs read, tokenizer whitespace" in capsys.readouterr().err
        assert bool(more) == read.exists()
    aligner = Aligner(start="none", iterations=2, rewrite=("stem", "relation"))
    aligner.fit(read_pairs(shards), checkpoint=tmp_path / "python", cluster=address)
    here = contents(tmp_path / "here")
    assert contents(tmp_path / "there") == contents(tmp_path / "python") == here


@pytest.mark.parametrize("pairs", [SAMPLE, None], ids=["one file", "four files"])
def test_aligning_many_parts(tmp_path, monkeypatch, alone, address, pairs):
    """Workers read files, and spans of a large one."""
    monkeypatch.setattr(corpus_files, "PART_WORDS", 100)
    monkeypatch.setattr(corpus_files, "SPAN_BYTES", 4000)
    command = ["align", pairs or alone / "pairs", "--model", alone / "model"]
    by_workers = Mock(wraps=corpus_files.keep_pairs)
    monkeypatch.setattr(corpus_files, "keep_pairs", by_workers)
    run(*command, "--output", tmp_path / "out", "--cluster", address)
    assert by_workers.call_count >= 4
    assert (tmp_path / "out").read_bytes() == (alone / "aligned").read_bytes()


def _do(step, then, *given, **named):
    """Run on a worker: do a step of the work, and then something else."""
    done = STEPS[step][2](*given, **named)
    then(step)
    return done


def then_too(monkeypatch, step, then, *given):
    """Let workers do something else after a step of the work."""
    module, name, _ = STEPS[step]
    monkeypatch.setattr(module, name, partial(_do, step, partial(then, *given)))


def _die(seen, step):
    """Kill this worker, unless one has died after this step."""
    if not list(seen.glob(f"{step}-*")):
        (seen / f"{step}-{os.getpid()}").touch()
        os.kill(os.getpid(), signal.SIGKILL)


def _ports(process):
    """List the ports at which a process listens."""
    ends = process.net_connections()
    return sorted(end.laddr.port for end in ends if end.status == psutil.CONN_LISTEN)


def _note_ports(seen, step):
    """Note the ports of this worker and of the process that started it."""
    worker = psutil.Process()
    ports = [_ports(worker), _ports(worker.parent())]
    (seen / f"{step}-{worker.pid}").write_text(repr(ports))


def test_processes_of_this_machine_open_no_port(alone, tmp_path, monkeypatch):
    """They make the same bytes."""
    then_too(monkeypatch, "counting", _note_ports, tmp_path)
    before = _ports(psutil.Process())
    there = ("--cluster", "local", "--workers", 1)
    run("train", alone / "pairs", "--model", tmp_path / "model", *SETTINGS, *there)
    assert {path.read_text() for path in tmp_path.glob("counting-*")} == {repr([[], before])}
    assert contents(tmp_path / "model") == contents(alone / "model")


@pytest.mark.parametrize("steps", [{"counting"}, pytest.param({*STEPS}, marks=pytest.mark.slow)])
def test_workers_that_are_killed_cost_time_alone(alone, tmp_path, monkeypatch, steps):
    """After each of these steps a worker dies, and with it what it had.

    There are as many workers, for Dask does not start one again that dies while it is starting.
    """
    for step in steps:
        then_too(monkeypatch, step, _die, tmp_path)
    with distributed.LocalCluster(n_workers=len(steps), **ONE_THREAD) as cluster:
        there = ("--cluster", cluster.scheduler_address)
        run("train", alone / "pairs", "--model", tmp_path / "model", *SETTINGS, *there)
        options = ["--model", alone / "model", "--output", tmp_path / "out"]
        run("align", alone / "pairs", *options, *there)
    assert {path.name.partition("-")[0] for path in tmp_path.glob("*-*")} == steps
    assert contents(tmp_path / "model") == contents(alone / "model")
    assert (tmp_path / "out").read_bytes() == (alone / "aligned").read_bytes()


def _kill_the_second_time(scheduler, seen, step):
    """Kill the scheduler when this step has been done twice. There is one batch to encode."""
    if step == "encoding" or seen.exists():
        os.kill(scheduler, signal.SIGKILL)
    seen.touch()


@pytest.mark.parametrize(
    "step", ["aligning", *(pytest.param(one, marks=pytest.mark.slow) for one in [*STEPS][:-1])]
)
def test_a_scheduler_may_be_lost(alone, tmp_path, capsys, monkeypatch, scheduler, step):
    """It is named, and the next run goes on."""
    model, out = tmp_path / "model", tmp_path / "out"
    command = ["train", alone / "pairs", "--model", model, *SETTINGS]
    if step == "aligning":
        monkeypatch.setattr(corpus_files, "PART_WORDS", 100)
        command = ["align", alone / "pairs", "--model", alone / "model", "--output", out]
    with monkeypatch.context() as patch:
        then_too(patch, step, _kill_the_second_time, scheduler.pid, tmp_path / "seen")
        err = fails(capsys, 1, *command, "--cluster", scheduler.stdout.readline().strip())
    assert "the cluster was lost" in err and "distributed" not in err
    assert scheduler.wait() == -signal.SIGKILL
    if step in {"counting", "aligning"}:
        assert "--resume" in err
        command.append("--resume")
    run(*command)
    if step == "aligning":
        assert out.read_bytes() == (alone / "aligned").read_bytes()
    else:
        assert contents(model) == contents(alone / "model")


# What is wrong


def test_a_scheduler_that_cannot_be_reached(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECTION_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense", "tls://127.0.0.1:9"):
        options = ["--model", tmp_path / "model", "--cluster", address]
        err = fails(capsys, 2, "train", SAMPLE, *options)
        remedy = "certificates" if address.startswith("tls") else "dask scheduler"
        assert f"no Dask scheduler answers at '{address}'" in err and remedy in err


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 10])
def test_another_program_in_the_place_of_a_scheduler(capsys, tmp_path, monkeypatch, says):
    monkeypatch.setattr(cluster_module, "CONNECTION_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as threads:
        accepted = threads.submit(server.accept)
        accepted.add_done_callback(lambda done: done.result()[0].sendall(says))
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        given = ["align", SAMPLE, "--output", tmp_path / "out", "--cluster", address]
        assert f"no Dask scheduler answers at '{address}'" in fails(capsys, 2, *given)
    accepted.result()[0].close()


@pytest.mark.parametrize("there", [False, True], ids=["here", "cluster"])
@pytest.mark.parametrize(
    ("row", "problem"), [({}, "no document"), (rows(SAMPLE)[0], "the id 'sample-01' is that of")]
)
def test_the_first_wrong_line_is_named(shards, tmp_path, capsys, address, there, row, problem):
    """Two files are wrong, and the first of them is the larger."""
    for name in ("2.jsonl", "3.jsonl"):
        with open(shards / name, "a") as stream:
            stream.write(json.dumps(row) + "\n")
    command = ["train", shards, "--model", tmp_path / "model", *SETTINGS]
    err = fails(capsys, 1, *command, *(["--cluster", address] if there else []))
    assert f"semihmm: {shards / '2.jsonl'}, line 5: {problem}" in err and "3.jsonl" not in err


@pytest.mark.parametrize("method", ["encode", "expected_counts"])
def test_bad_pairs_are_named_or_skipped(alone, tmp_path, capsys, monkeypatch, address, method):
    bad = f"{BAD} sentence 1"
    program_runs.with_a_bad_pair(monkeypatch, method, bad, KeyError("x"))
    command = ["train", alone / "pairs", *SETTINGS, "--cluster", address]
    err = fails(capsys, 1, *command, "--model", tmp_path / "none")
    assert f"pair {bad!r} makes the model fail: KeyError: 'x'" in err
    run(*command, "--model", tmp_path / "model", "--skip-bad-pairs")
    assert Aligner.load(tmp_path / "model").provenance["skipped"] == [bad]


@pytest.mark.parametrize("error", [OSError(28, "No space left", "part"), TimeoutError("slow")])
def test_a_worker_has_errors_of_its_own(tmp_path, capsys, monkeypatch, shards, address, error):
    """They are not those of the cluster."""
    monkeypatch.setattr(outputs, "make_part", partial(_fail, error))
    command = ["align", shards, "--output", tmp_path / "out", "--cluster", address]
    err = fails(capsys, 1, *command)
    assert (error.strerror or str(error)) in err
    assert "lost" not in err and "--resume" not in err


def _fail(error, *_):
    """Run on a worker."""
    raise error
