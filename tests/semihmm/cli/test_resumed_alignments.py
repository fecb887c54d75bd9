"""Tests of aligning that is interrupted, or that meets a pair that fails."""

import json
from types import SimpleNamespace

import pytest

from corpus_tools.base.files import locked
from corpus_tools.pairs import kept_pairs
from semihmm.cli.commands import align
from semihmm.cli.main import main
from semihmm.model import units as batches
from semihmm.support.calibration import Thresholds
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, with_a_bad_pair, write

BAD = "sample-07"


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    """Make each pair a part."""
    monkeypatch.setattr(kept_pairs, "PART_WORDS", 1)


@pytest.fixture
def whole(tmp_path, model_directory):
    """Return the bytes of the alignments of a run that nothing disturbed."""
    run("align", SAMPLE, "--model", model_directory, "--output", tmp_path / "whole")
    assert not list(tmp_path.glob("*.partial"))
    return (tmp_path / "whole").read_bytes()


@pytest.fixture
def command(tmp_path, model_directory):
    return ["align", SAMPLE, "--model", model_directory, "--output", tmp_path / "out"]


def interrupted_after(monkeypatch, number, *command):
    """Align so many parts and interrupt."""
    intact, done = align.align_part, []

    def aligned(*work):
        if len(done) == number:
            raise KeyboardInterrupt
        done.append(work)
        return intact(*work)

    with monkeypatch.context() as patch:
        patch.setattr(align, "align_part", aligned)
        assert main(list(map(str, command))) == 130


def test_an_interrupt_says_what_is_there_and_how_to_go_on(
    tmp_path, capsys, monkeypatch, command, whole
):
    interrupted_after(monkeypatch, 7, *command)
    partial = tmp_path / "out.partial"
    assert f"7 parts are done, in {partial}: repeat the command" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    run(*command, "--resume", "--workers", 1)
    err = capsys.readouterr().err
    assert f"7 of {len(rows(SAMPLE))} parts were done in {partial}" in err
    assert (tmp_path / "out").read_bytes() == whole
    run(*command, "--resume")
    assert "nothing to resume in" in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == whole


def test_parts_depend_on_the_thresholds_of_verdicts():
    aligners = SimpleNamespace(of_language={}, main="en")
    given = [None, Thresholds(0.5, 0.2), Thresholds(0.5, 0.1), Thresholds(0.6, 0.2)]
    assert len({align.basis_of(aligners, None, thresholds) for thresholds in given}) == 4


def damaged_part(tmp_path, command):
    part = tmp_path / "out.partial" / "00000003"
    part.write_bytes(part.read_bytes().replace(b'"id"', b'"Id"', 1))


def half_a_record(tmp_path, command):
    record = tmp_path / "out.partial" / "00000003.json"
    record.write_bytes(record.read_bytes()[:-40])


def changed_pair(tmp_path, command):
    changed = rows(SAMPLE)
    changed[3]["abstract"][0] += " more"
    command[1] = write(tmp_path / "pairs.jsonl", *changed)


def changed_model(tmp_path, command):
    options = ["--rewrite", "identity", "--iterations", 1, "--overwrite"]
    run("train", SAMPLE, "--model", command[3], *options)


def changed_option(tmp_path, command):
    command += ["--threshold", 0.5]


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (damaged_part, 6),
        (half_a_record, 6),
        (changed_pair, 6),
        (changed_model, 0),
        (changed_option, 0),
    ],
)
def test_what_no_longer_fits_is_made_again(
    tmp_path, capsys, monkeypatch, command, whole, change, kept
):
    interrupted_after(monkeypatch, 7, *command)
    change(tmp_path, command)
    capsys.readouterr()
    run(*command, "--resume")
    shown = f"{kept} of {len(rows(SAMPLE))} parts were done" if kept else "nothing to resume"
    assert shown in capsys.readouterr().err
    assert ((tmp_path / "out").read_bytes() == whole) == (change in {damaged_part, half_a_record})
    run(*command[:4], "--output", tmp_path / "new", *command[6:])
    assert (tmp_path / "out").read_bytes() == (tmp_path / "new").read_bytes()


def test_an_output_in_use_is_refused(tmp_path, capsys, command):
    with locked(tmp_path / ".out.partial.lock", "it"):
        assert f"the output {command[-1]} is in use" in fails(capsys, 1, *command)


# Bad pairs


@pytest.mark.parametrize("error", [ArithmeticError(), KeyError("x")])
def test_a_bad_pair_is_named_and_nothing_is_lost(
    tmp_path, capsys, monkeypatch, command, whole, error
):
    line = [row["id"] for row in rows(SAMPLE)].index(BAD) + 1
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, error)
        err = fails(capsys, 1, *command)
    name = type(error).__name__
    assert f"{SAMPLE}, line {line}: pair {BAD!r} makes the model fail: {name}" in err
    assert "; --skip-bad-pairs leaves it out" in err
    assert f"{line - 1} parts are done, in" in err
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
    monkeypatch.setattr(kept_pairs, "PART_WORDS", 300)
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, ArithmeticError())
        run(*(command[:-2] if stream else command), "--skip-bad-pairs")
    out, err = capsys.readouterr()
    assert f"pairs that make the model fail, which have no alignment: 1 ({BAD})" in err
    text = out if stream else (tmp_path / "out").read_text()
    others = [line for line in whole.decode().splitlines() if json.loads(line)["id"] != BAD]
    assert text.splitlines() == others


def test_pairs_that_were_left_out_are_tried_again(tmp_path, capsys, monkeypatch, command, whole):
    """Without --skip-bad-pairs a part that lacks a pair is not whole."""
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, ArithmeticError())
        last = len(rows(SAMPLE)) - 1
        interrupted_after(patch, last, *command, "--skip-bad-pairs")
    capsys.readouterr()
    run(*command, "--resume")
    assert f"{last - 1} of {last + 1} parts were done" in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == whole
