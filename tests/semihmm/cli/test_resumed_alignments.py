"""Tests of aligning that is killed or interrupted, or that meets a pair that fails."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal

import pytest

from corpus_tools.storage.journal import Journal
from corpus_tools.storage.locks import locked
from semihmm.batches import batches
from tests.semihmm.faulty_model import with_a_bad_pair
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write

BAD = "sample-07"


@pytest.fixture
def whole(tmp_path, model_directory):
    """Return the bytes of the alignments of a run that nothing disturbed."""
    run("align", SAMPLE, "--model", model_directory, "--output", tmp_path / "whole")
    assert not list(tmp_path.glob("*.partial"))
    return (tmp_path / "whole").read_bytes()


@pytest.fixture
def command(tmp_path, model_directory):
    return ["align", SAMPLE, "--model", model_directory, "--output", tmp_path / "out"]


def killed_after(number, *command):
    """Align in a copy of this process that is killed before it writes row ``number``."""

    def child():
        intact = Journal.add

        def add(journal, row):
            if journal.rows == number:
                os.kill(os.getpid(), signal.SIGKILL)
            intact(journal, row)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Journal, "add", add)
            run(*command)

    running = multiprocessing.get_context("fork").Process(target=child)
    running.start()
    running.join()
    assert running.exitcode == -signal.SIGKILL


def interrupted_after(monkeypatch, number, *command):
    """Align until row ``number`` and interrupt."""
    intact = Journal.add

    def add(journal, row):
        if journal.rows == number:
            raise KeyboardInterrupt
        intact(journal, row)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", add)
        assert run_for_status(*command) == 130


def run_for_status(*command):
    from semihmm.cli.main import main

    return main([str(argument) for argument in command])


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(),
    reason="this system cannot copy a process",
)
def test_killed_again_and_again_it_ends_with_the_same_bytes(tmp_path, command):
    name = "out.gz"
    command[-1] = tmp_path / name
    run(*command)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).unlink()
    for number in (1, 5, 19):
        killed_after(number, *command, "--resume")
        assert not (tmp_path / name).exists()
    run(*command, "--resume")
    assert (tmp_path / name).read_bytes() == whole
    assert {path.name for path in tmp_path.iterdir()} == {name, "model"}


def test_an_interrupt_says_what_is_there_and_how_to_go_on(
    tmp_path, capsys, monkeypatch, command, whole
):
    interrupted_after(monkeypatch, 7, *command)
    err = capsys.readouterr().err
    total = len(rows(SAMPLE))
    assert f"7 of {total} alignments are in {tmp_path / 'out.partial'}: the same command" in err
    assert not (tmp_path / "out").exists()
    run(*command, "--resume", "--workers", 1)
    assert f"7 alignments are in {tmp_path / 'out.partial'}: going on" in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == whole
    run(*command, "--resume")
    assert "nothing to resume in" in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == whole


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-40],
        lambda content: content.replace(b'"id"', b'"Id"', 1),
    ],
    ids=["half a row", "a flipped bit"],
)
def test_damaged_rows_are_computed_again(tmp_path, monkeypatch, command, whole, damage):
    interrupted_after(monkeypatch, 7, *command)
    partial = tmp_path / "out.partial"
    partial.write_bytes(damage(partial.read_bytes()))
    run(*command, "--resume")
    assert (tmp_path / "out").read_bytes() == whole


def changed_pairs(tmp_path, command):
    changed = rows(SAMPLE)
    changed[-1]["abstract"][0] += " more"
    command[1] = write(tmp_path / "pairs.jsonl", *changed)


def changed_model(tmp_path, command):
    options = ["--rewrite", "identity", "--iterations", 1, "--overwrite"]
    run("train", SAMPLE, "--model", command[3], *options)


def changed_option(tmp_path, command):
    command += ["--threshold", 0.5]


@pytest.mark.parametrize("change", [changed_pairs, changed_model, changed_option])
def test_another_run_is_not_gone_on_with(tmp_path, capsys, monkeypatch, command, change):
    interrupted_after(monkeypatch, 7, *command)
    before = (tmp_path / "out.partial").read_bytes()
    change(tmp_path, command)
    err = fails(capsys, 2, *command, "--resume")
    assert f"{tmp_path / 'out.partial'} is of other pairs, another model, other settings" in err
    assert "; without --resume it is replaced" in err
    assert (tmp_path / "out.partial").read_bytes() == before
    run(*command)
    assert not (tmp_path / "out.partial").exists()


def test_an_output_in_use_is_refused(tmp_path, capsys, command):
    with locked(tmp_path / ".out.lock", "it"):
        assert f"the output {command[-1]} is in use" in fails(capsys, 1, *command)


# Bad pairs


@pytest.mark.parametrize("error", [MemoryError(), KeyError("x")])
def test_a_bad_pair_is_named_and_nothing_is_lost(
    tmp_path, capsys, monkeypatch, command, whole, error
):
    line = [row["id"] for row in rows(SAMPLE)].index(BAD) + 1
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, error)
        err = fails(capsys, 1, *command)
    name = type(error).__name__
    assert f"{SAMPLE}, line {line}: pair {BAD!r} makes the model fail: {name}" in err
    assert "; --skip-bad-pairs goes on without it" in err
    assert f"{line - 1} of {len(rows(SAMPLE))} alignments are in" in err
    run(*command, "--resume")
    assert (tmp_path / "out").read_bytes() == whole


def with_a_bad_unit(patch, error):
    """Make the model fail for a sentence of the bad pair."""
    with_a_bad_pair(patch, "encode", f"{BAD} sentence 2", error)


@pytest.mark.parametrize("words", [1, 20_000], ids=["a batch each", "one batch"])
@pytest.mark.parametrize("stream", [False, True])
def test_bad_pairs_are_left_out_and_named(
    tmp_path, capsys, monkeypatch, command, whole, words, stream
):
    monkeypatch.setattr(batches, "BATCH_WORDS", words)
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, MemoryError())
        if stream:
            run(*command[:-2], "--skip-bad-pairs")
        else:
            run(*command, "--skip-bad-pairs")
    out, err = capsys.readouterr()
    assert f"pairs that make the model fail, which have no alignment: 1 ({BAD})" in err
    text = out if stream else (tmp_path / "out").read_text()
    others = [line for line in whole.decode().splitlines() if json.loads(line)["id"] != BAD]
    assert text.splitlines() == others
