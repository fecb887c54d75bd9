"""Tests of aligning that is interrupted, or that meets a pair that fails."""

import json
import stat
from functools import partial
from types import SimpleNamespace

import pytest

from corpus_tools.alignments.formats import OWN_WRITERS
from corpus_tools.base.folders import locked
from corpus_tools.pairs import corpus_files
from semihmm.applications.support.calibration import Thresholds
from semihmm.cli import outputs
from semihmm.cli.aligned_lines import basis_of
from semihmm.cli.main import main
from semihmm.model import units as batches
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, with_a_bad_pair, write

BAD = "sample-07"


@pytest.fixture
def pairs(tmp_path):
    """Return a file of eleven pairs."""
    return write(tmp_path / "given.jsonl", *rows(SAMPLE)[:11])


@pytest.fixture
def whole(tmp_path, model_directory, pairs):
    """Return the bytes of the alignments of a run that nothing disturbed."""
    run("align", pairs, "--model", model_directory, "--output", tmp_path / "whole")
    assert not list(tmp_path.glob("*.partial"))
    return (tmp_path / "whole").read_bytes()


@pytest.fixture
def command(tmp_path, model_directory, pairs):
    return ["align", pairs, "--model", model_directory, "--output", tmp_path / "out"]


def interrupted_after(monkeypatch, number, *command):
    """Align so many pairs and interrupt."""
    intact, done = outputs.line_of, []

    def line_of(*result):
        if len(done) == number:
            raise KeyboardInterrupt
        done.append(result)
        return intact(*result)

    with monkeypatch.context() as patch:
        patch.setattr(outputs, "line_of", line_of)
        assert main(list(map(str, command))) == 130


@pytest.mark.parametrize("form", [(), *(("--format", form) for form in OWN_WRITERS), "support"])
def test_an_interrupt_says_what_is_there_and_how_to_go_on(
    tmp_path, capsys, monkeypatch, command, form
):
    command = ["support", *command[1:]] if form == "support" else [*command, *form]
    output = command.index("--output") + 1
    run(*command[:output], tmp_path / "whole", *command[output + 1 :])
    whole, partial = (tmp_path / "whole").read_bytes(), tmp_path / "out.partial"
    interrupted_after(monkeypatch, 7, *command)
    assert f"7 pairs are done, in {partial}: repeat the command" in capsys.readouterr().err
    assert not (tmp_path / "out").exists() and stat.S_IMODE(partial.stat().st_mode) == 0o600
    assert len(partial.read_bytes().splitlines()) == 8
    interrupted_after(monkeypatch, 0, *command)
    assert f"7 pairs of an earlier run in {partial} will be made again" in capsys.readouterr().err
    interrupted_after(monkeypatch, 2, *command, "--resume")
    assert f"7 of {len(rows(command[1]))} pairs were done in {partial}" in capsys.readouterr().err
    run(*command, "--resume", "--workers", 1)
    err = capsys.readouterr().err
    assert f"9 of {len(rows(command[1]))} pairs were done in {partial}" in err
    assert (tmp_path / "out").read_bytes() == whole and not partial.exists()
    run(*command, "--resume")
    assert "nothing to resume in" in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == whole


def test_finished_pairs_depend_on_the_thresholds_of_verdicts():
    aligners = SimpleNamespace(of_language={}, main="en")
    given = [None, Thresholds(0.5, 0.2), Thresholds(0.5, 0.1), Thresholds(0.6, 0.2)]
    assert len({basis_of(aligners, None, thresholds) for thresholds in given}) == 4


def changed_lines(change, tmp_path, command):
    partial = tmp_path / "out.partial"
    lines = partial.read_bytes().splitlines(keepends=True)
    partial.write_bytes(b"".join(change(lines)))


def with_line(content, lines):
    """Put another line in place of that of the fourth pair."""
    return [*lines[:4], content + b"\n", *lines[5:]]


ODD_LINES = [b"3", b"[]", b"[1, 2, 3]", b"\xff"]


def changed_pair(tmp_path, command):
    changed = rows(command[1])
    changed[3]["abstract"][0] += " more"
    command[1] = write(tmp_path / "pairs.jsonl", *changed)


def added_pair(tmp_path, command):
    command[1] = write(
        tmp_path / "pairs.jsonl", *rows(command[1]), rows(command[1])[0] | {"id": "new"}
    )


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (partial(changed_lines, lambda lines: [*lines[:-1], lines[-1][:-1]]), 6),
        (partial(changed_lines, lambda lines: [*lines[:4], lines[4][:40]]), 3),
        (partial(changed_lines, lambda lines: [*lines[:4], *lines[5:]]), 3),
        (partial(changed_lines, lambda lines: [lines[0][:40]]), 0),
        (partial(changed_lines, lambda lines: []), 0),
        *((partial(changed_lines, partial(with_line, line)), 3) for line in ODD_LINES),
        (changed_pair, 3),
        (added_pair, 7),
    ],
)
def test_what_no_longer_fits_is_made_again(tmp_path, capsys, monkeypatch, command, change, kept):
    interrupted_after(monkeypatch, 7, *command)
    change(tmp_path, command)
    capsys.readouterr()
    run(*command, "--resume")
    shown = f"{kept} of {len(rows(command[1]))} pairs were done" if kept else "nothing to resume"
    assert shown in capsys.readouterr().err
    run(*command[:4], "--output", tmp_path / "new", *command[6:])
    assert (tmp_path / "out").read_bytes() == (tmp_path / "new").read_bytes()


def changed_model(command):
    options = ["--rewrite", "identity", "--iterations", 1, "--overwrite"]
    run("train", command[1], "--model", command[3], *options)


def changed_option(command):
    command += ["--threshold", 0.5]


def changed_format(command):
    command += ["--format", "pharaoh"]


@pytest.mark.parametrize("change", [changed_model, changed_option, changed_format])
def test_pairs_of_another_model_or_of_other_settings_are_refused(
    tmp_path, capsys, monkeypatch, command, change
):
    interrupted_after(monkeypatch, 7, *command)
    change(command)
    before = (tmp_path / "out.partial").read_bytes()
    err = fails(capsys, 1, *command, "--resume")
    assert f"{tmp_path / 'out.partial'}: is of another model, other settings" in err
    assert (tmp_path / "out.partial").read_bytes() == before
    run(*command)
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
    line = [row["id"] for row in rows(command[1])].index(BAD) + 1
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, error)
        err = fails(capsys, 1, *command)
    name = type(error).__name__
    assert f"{command[1]}, line {line}: pair {BAD!r} makes the model fail: {name}" in err
    assert "; --skip-bad-pairs leaves it out" in err
    assert f"{line - 1} pairs are done, in" in err
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
    monkeypatch.setattr(corpus_files, "PART_WORDS", 300)
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, ArithmeticError())
        run(*(command[:-2] if stream else command), "--skip-bad-pairs")
    out, err = capsys.readouterr()
    assert f"pairs that make the model fail, which have no alignment: 1 ({BAD})" in err
    text = out if stream else (tmp_path / "out").read_text()
    others = [line for line in whole.decode().splitlines() if json.loads(line)["id"] != BAD]
    assert text.splitlines() == others


def test_a_format_without_ids_has_an_empty_line_of_a_pair_that_is_left_out(
    tmp_path, monkeypatch, command
):
    with_a_bad_unit(monkeypatch, ArithmeticError())
    run(*command, "--skip-bad-pairs", "--format", "pharaoh")
    lines = (tmp_path / "out").read_text().split("\n")
    assert [number for number, line in enumerate(lines) if not line] == [6, 11]


def test_pairs_that_were_left_out_are_tried_again(tmp_path, capsys, monkeypatch, command, whole):
    """Without --skip-bad-pairs an output that lacks a pair is not whole."""
    bad = [row["id"] for row in rows(command[1])].index(BAD)
    for again, kept in ((["--skip-bad-pairs"], bad + 3), ([], bad)):
        with monkeypatch.context() as patch:
            with_a_bad_unit(patch, ArithmeticError())
            interrupted_after(patch, bad + 3, *command, "--skip-bad-pairs")
        capsys.readouterr()
        run(*command, "--resume", *again)
        err = capsys.readouterr().err
        assert f"{kept} of {len(rows(command[1]))} pairs were done" in err
        assert (f"have no alignment: 1 ({BAD})" in err) == (again != [])
        assert ((tmp_path / "out").read_bytes() == whole) == (again == [])
