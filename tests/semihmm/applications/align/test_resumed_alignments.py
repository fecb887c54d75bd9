"""Tests of aligning that is interrupted, or that meets a pair that fails."""

import stat
from pathlib import Path
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
BAD_PLACE = 6
"""The number of pairs before the bad one."""

PAIRS = 11


@pytest.fixture
def command(tmp_path, model_directory):
    pairs = write(tmp_path / "given.jsonl", *rows(SAMPLE)[:PAIRS])
    return ["align", pairs, "--model", model_directory, "--output", tmp_path / "out"]


def undisturbed(command):
    """Return the bytes of a run that nothing disturbs."""
    output = command.index("--output") + 1
    other = command[output].with_name("undisturbed")
    run(*command[:output], other, *command[output + 1 :])
    assert not list(other.parent.glob("und*.partial"))
    return other.read_bytes()


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


GO_ON = "are done, in FILE: repeat the command with --resume to continue"
ANEW = "7 pairs of an earlier run in FILE will be made again: --resume keeps them"
RUNS = [
    (7, [], [f"7 pairs {GO_ON}"]),
    (0, [], [ANEW, f"7 pairs {GO_ON}"]),
    (2, ["--resume"], ["7 of 11 pairs were done in FILE", f"9 pairs {GO_ON}"]),
    (None, ["--resume", "--workers", 1], ["9 of 11 pairs were done in FILE"]),
    (None, ["--resume"], ["nothing to resume in FILE"]),
]
"""After how many pairs a run is interrupted, its options, and what it says of what is there."""


@pytest.mark.parametrize("form", [(), *(("--format", form) for form in OWN_WRITERS), "support"])
def test_an_interrupt_says_what_is_there_and_how_to_go_on(
    tmp_path, capsys, monkeypatch, command, form
):
    command = ["support", *command[1:]] if form == "support" else [*command, *form]
    whole, partial = undisturbed(command), tmp_path / "out.partial"
    done = 0
    for number, more, told in RUNS:
        capsys.readouterr()
        if number is None:
            run(*command, *more)
            assert (tmp_path / "out").read_bytes() == whole and not partial.exists()
        else:
            interrupted_after(monkeypatch, number, *command, *more)
            done += number
            assert not (tmp_path / "out").exists() and stat.S_IMODE(partial.stat().st_mode) == 0o600
            assert len(partial.read_bytes().splitlines()) == done + 1
        said = [line for line in capsys.readouterr().err.splitlines() if str(partial) in line]
        assert said == [f"semihmm: {line}".replace("FILE", str(partial)) for line in told]


def test_finished_pairs_depend_on_the_thresholds_of_verdicts():
    aligners = SimpleNamespace(of_language={}, main="en")
    given = [None, Thresholds(0.5, 0.2), Thresholds(0.5, 0.1), Thresholds(0.6, 0.2)]
    assert len({basis_of(aligners, None, thresholds) for thresholds in given}) == 4


def test_verdicts_of_other_thresholds_are_not_continued(tmp_path, capsys, monkeypatch):
    judged = [
        {**row, "supported": [n < 3] * len(row["abstract"])}
        for n, row in enumerate(rows(SAMPLE)[:6])
    ]
    path = write(tmp_path / "judged.jsonl", *judged)
    command = ["support", SAMPLE, "--calibrate", path, "--output", tmp_path / "out", "--error"]
    interrupted_after(monkeypatch, 3, *command, "0.5")
    problem = "is of another model, other settings or another version of the program"
    remedy = "without --resume, the command starts from the first pair"
    said = fails(capsys, 1, *command, "0.01", "--resume").splitlines()[-1]
    assert said == f"semihmm: {tmp_path / 'out.partial'}: {problem}: {remedy}"


CHANGES = [
    ("out.partial", lambda lines: [*lines[:-1], lines[-1][:-1]], 6),
    ("out.partial", lambda lines: [*lines[:4], lines[4][:40]], 3),
    ("out.partial", lambda lines: [*lines[:4], *lines[5:]], 3),
    ("out.partial", lambda lines: [lines[0][:40]], 0),
    ("out.partial", lambda lines: [], 0),
    *(
        ("out.partial", lambda lines, odd=odd: [*lines[:4], odd + b"\n", *lines[5:]], 3)
        for odd in (b"3", b"[]", b"[1, 2, 3]", b"\xff")
    ),
    ("given.jsonl", lambda lines: [*lines[:3], lines[3].replace(b" the ", b" a "), *lines[4:]], 3),
    ("given.jsonl", lambda lines: [*lines, lines[0].replace(b'"sample', b'"new')], 7),
]
"""A file, a change of its lines, and how many of the seven pairs that were done still fit."""


@pytest.mark.parametrize(("name", "change", "kept"), CHANGES)
def test_what_no_longer_fits_is_made_again(
    tmp_path, capsys, monkeypatch, command, name, change, kept
):
    interrupted_after(monkeypatch, 7, *command)
    lines = (tmp_path / name).read_bytes().splitlines(keepends=True)
    assert change(lines) != lines
    (tmp_path / name).write_bytes(b"".join(change(lines)))
    capsys.readouterr()
    run(*command, "--resume")
    shown = f"{kept} of {len(rows(command[1]))} pairs were done" if kept else "nothing to resume"
    assert shown in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == undisturbed(command)


@pytest.mark.parametrize("more", [(), ("--threshold", 0.5), ("--format", "pharaoh")])
def test_pairs_of_another_model_or_of_other_settings_are_refused_or_made_anew(
    tmp_path, capsys, monkeypatch, command, more
):
    interrupted_after(monkeypatch, 7, *command)
    command += more
    if not more:
        options = ["--rewrite", "identity", "--iterations", 1, "--overwrite"]
        run("train", command[1], "--model", command[3], *options)
    before = (tmp_path / "out.partial").read_bytes()
    err = fails(capsys, 1, *command, "--resume")
    assert f"{tmp_path / 'out.partial'}: is of another model, other settings" in err
    assert (tmp_path / "out.partial").read_bytes() == before
    interrupted_after(monkeypatch, 3, *command)
    assert len((tmp_path / "out.partial").read_bytes().splitlines()) == 4
    run(*command, "--resume")
    assert (tmp_path / "out").read_bytes() == undisturbed(command)


def test_an_output_in_use_is_refused(tmp_path, capsys, command):
    with locked(tmp_path / ".out.partial.lock", "it"):
        assert f"the output {command[-1]} is in use" in fails(capsys, 1, *command)


# Bad pairs


def with_a_bad_unit(patch, error):
    """Make the model fail for a sentence of the bad pair."""
    with_a_bad_pair(patch, "encode", f"{BAD} sentence 2", error)


@pytest.mark.parametrize("error", [ArithmeticError(), KeyError("x")])
def test_a_bad_pair_is_named_and_nothing_is_lost(tmp_path, capsys, monkeypatch, command, error):
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, error)
        err = fails(capsys, 1, *command)
    place = f"{command[1]}, line {BAD_PLACE + 1}: pair {BAD!r}"
    assert f"{place} makes the model fail: {type(error).__name__}" in err
    assert "; --skip-bad-pairs leaves it out" in err
    assert f"{BAD_PLACE} pairs are done, in" in err
    run(*command, "--resume")
    assert (tmp_path / "out").read_bytes() == undisturbed(command)


@pytest.mark.parametrize(
    ("form", "words"),
    [("stream", 1), ("answers", 1), ("jsonl", 1), ("jsonl", 20_000), ("pharaoh", 20_000)],
)
def test_bad_pairs_are_left_out_and_named(
    tmp_path, capsys, monkeypatch, give_standard_input, command, form, words
):
    """Batches have one unit or many. A format without ids has an empty line of such a pair."""
    monkeypatch.setattr(batches, "BATCH_WORDS", words)
    monkeypatch.setattr(corpus_files, "PART_WORDS", 300)
    if form == "pharaoh":
        command += ["--format", form]
    whole = undisturbed(command).decode().splitlines()
    with monkeypatch.context() as patch:
        with_a_bad_unit(patch, ArithmeticError())
        name, path, *more = command
        give_standard_input(Path(path).read_bytes())
        lines = {"stream": command[:-2], "answers": [name, "-", *more[:-2]]}
        run(*lines.get(form, command), "--skip-bad-pairs")
    out, err = capsys.readouterr()
    assert f"pairs that make the model fail, which have no alignment: 1 ({BAD})" in err
    whole[BAD_PLACE : BAD_PLACE + 1] = [""] if form == "pharaoh" else []
    assert (out if form in lines else (tmp_path / "out").read_text()).splitlines() == whole


def test_pairs_that_were_left_out_are_tried_again(tmp_path, capsys, monkeypatch, command):
    """Without --skip-bad-pairs an output that lacks a pair is not whole."""
    whole = undisturbed(command)
    for again, kept in ((["--skip-bad-pairs"], BAD_PLACE + 3), ([], BAD_PLACE)):
        with monkeypatch.context() as patch:
            with_a_bad_unit(patch, ArithmeticError())
            interrupted_after(patch, BAD_PLACE + 3, *command, "--skip-bad-pairs")
        capsys.readouterr()
        run(*command, "--resume", *again)
        err = capsys.readouterr().err
        assert f"{kept} of {PAIRS} pairs were done" in err
        assert (f"have no alignment: 1 ({BAD})" in err) == (again != [])
        assert ((tmp_path / "out").read_bytes() == whole) == (again == [])
