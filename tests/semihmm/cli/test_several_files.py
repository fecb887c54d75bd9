"""Commands whose pairs are in several files."""

from __future__ import annotations

import numpy as np
import pytest

from semihmm import Aligner
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write
from tests.semihmm.saved_arrays import arrays_of


@pytest.fixture
def shards(tmp_path):
    """Return a directory with the pairs of the sample in three files."""
    folder = tmp_path / "pairs"
    folder.mkdir()
    pairs = rows(SAMPLE)
    for number, begin in enumerate((0, 5, 6)):
        end = [5, 6, None][number]
        write(folder / f"pairs-{number}.jsonl", *pairs[begin:end])
    return folder


def assert_alike(one, other):
    """Compare saved models that differ in the batches of their pairs, and so in the last digits."""
    expected = arrays_of(Aligner.load(one).trained.model)
    found = arrays_of(Aligner.load(other).trained.model)
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(found[name], array, rtol=1e-9, err_msg=name)
        else:
            np.testing.assert_array_equal(found[name], array, err_msg=name)


def test_the_model_is_that_of_one_file(tmp_path, shards):
    options = ["--rewrite", "identity", "--iterations", 2]
    run("train", SAMPLE, "--model", tmp_path / "one", *options)
    run("train", shards, "--model", tmp_path / "several", *options)
    assert_alike(tmp_path / "several", tmp_path / "one")


@pytest.mark.parametrize("command", ["align", "extract"])
def test_the_output_is_that_of_one_file(tmp_path, shards, command):
    run(command, SAMPLE, "--output", tmp_path / "one")
    run(command, *sorted(shards.iterdir()), "--output", tmp_path / "several")
    assert (tmp_path / "several").read_bytes() == (tmp_path / "one").read_bytes()


@pytest.mark.parametrize("command", ["train", "align", "extract"])
def test_what_is_wrong_is_said_with_file_and_line(tmp_path, capsys, shards, command):
    last = shards / "pairs-2.jsonl"
    last.write_text(last.read_text() + "{}\n")
    line = len(last.read_text().splitlines())
    options = ["--model", tmp_path / "model"] if command == "train" else []
    err = fails(capsys, 1, command, shards, *options)
    assert f"semihmm: {last}, line {line}: no document" in err


@pytest.mark.parametrize("command", ["align", "extract"])
def test_an_output_never_destroys_one_of_several_inputs(capsys, shards, command):
    files = sorted(shards.iterdir())
    before = files[1].read_bytes()
    for named in (files, [shards]):
        err = fails(capsys, 2, command, *named, "--output", files[1])
        assert "is read by the same command" in err
    assert files[1].read_bytes() == before


def test_training_does_not_delete_one_of_several_inputs(tmp_path, capsys):
    pairs = tmp_path / "model" / "cache" / "pairs.jsonl"
    pairs.parent.mkdir(parents=True)
    write(pairs, *rows(SAMPLE))
    err = fails(capsys, 2, "train", SAMPLE, pairs, "--model", tmp_path / "model")
    assert "is read by the same command" in err


def test_abstracts_belong_to_one_file(tmp_path, capsys):
    for name in ("a", "b", "abstracts"):
        (tmp_path / name).write_text("Cats sat .\n")
    files = [tmp_path / "a", tmp_path / "b", "--abstracts", tmp_path / "abstracts"]
    assert "belong to one file" in fails(capsys, 2, "extract", *files)
    files = [tmp_path / "a", tmp_path / "b", "--abstracts", tmp_path / "b"]
    assert "is the file of the documents too" in fails(capsys, 2, "extract", *files)


def test_trees_in_the_fields_of_several_files(tmp_path, shards):
    """Each file is read with its own trees."""
    options = ["--rewrite", "identity", "--iterations", 1, "--jump", "syntax", "--parser", "trees"]
    parsed = tmp_path / "parsed"
    parsed.mkdir()
    for file in shards.iterdir():
        run("parse", file, "--parser", "none", "--output", parsed / file.name)
    run("parse", SAMPLE, "--parser", "none", "--output", tmp_path / "all")
    run("train", tmp_path / "all", "--model", tmp_path / "one", *options)
    run("train", parsed, "--model", tmp_path / "several", *options)
    assert_alike(tmp_path / "several", tmp_path / "one")
