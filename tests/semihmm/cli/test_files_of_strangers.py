"""What a person may receive (a model, an output, a corpus) is never run, nor followed as a link."""

import os

import pytest

from tests.semihmm.program_runs import SAMPLE, fails, run

TRAIN = ("--iterations", 1, "--rewrite", "identity,stem", "--workers", 1)


@pytest.fixture
def thesis(tmp_path):
    """Return a file of the user, which must stay as it is."""
    path = tmp_path / "thesis.tex"
    path.write_text("a year of work")
    yield path
    assert path.read_text() == "a year of work"


KINDS = {
    "link": lambda path, thesis: path.symlink_to(thesis),
    "dangling link": lambda path, thesis: path.symlink_to(thesis.with_name("made")),
    "pipe": lambda path, thesis: os.mkfifo(path),
    "folder": lambda path, thesis: path.mkdir(),
    "file": lambda path, thesis: path.write_text("a week of work"),
    "short file": lambda path, thesis: path.write_text("?"),
}


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "folder"])
@pytest.mark.parametrize("lock", ["model/.lock", ".o.partial.lock"])
def test_what_is_no_plain_file_in_place_of_a_lock_is_refused(tmp_path, capsys, thesis, kind, lock):
    path = tmp_path / lock
    path.parent.mkdir(exist_ok=True)
    KINDS[kind](path, thesis)
    aligning = "align", SAMPLE, "--output", tmp_path / "o"
    training = "train", SAMPLE, "--model", path.parent, *TRAIN
    err = fails(capsys, 1, *(aligning if path.parent == tmp_path else training))
    assert "cannot write" in err and ("directory" if kind == "folder" else path.name) in err
    assert os.path.lexists(path) and not (tmp_path / "made").exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("more", [(), ("--resume",)], ids=["anew", "resumed"])
def test_what_the_program_did_not_make_in_place_of_finished_pairs_is_refused(
    tmp_path, capsys, thesis, kind, more
):
    partial = tmp_path / "o.partial"
    KINDS[kind](partial, thesis)
    err = fails(capsys, 1, "align", SAMPLE, "--output", tmp_path / "o", *more)
    assert str(partial) in err
    assert sorted(os.listdir(tmp_path)) == ["o.partial", "thesis.tex"]
    assert kind != "file" or partial.read_text() == "a week of work"


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe"])
@pytest.mark.parametrize("name", [".semihmm-demo", "pairs.jsonl", "model/model.json"])
def test_a_demo_follows_no_link(tmp_path, capsys, thesis, name, kind):
    folder = tmp_path / "s"
    (folder / "model").mkdir(parents=True)
    (folder / ".semihmm-demo").write_text("{}\n")
    (folder / name).unlink(missing_ok=True)
    KINDS[kind](folder / name, thesis)
    assert f"{folder / name} is no plain file" in fails(capsys, 2, "demo", folder)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("kind", ["link", "dangling link"])
def test_a_model_that_is_saved_follows_no_link(tmp_path, thesis, kind):
    model = tmp_path / "model"
    model.mkdir()
    KINDS[kind](model / "model.json", thesis)
    run("train", SAMPLE, "--model", model, *TRAIN, "--overwrite")
    assert not (model / "model.json").is_symlink() and not (tmp_path / "made").exists()


@pytest.mark.parametrize("name", ["n" * 255, "\u00fc" * 127])
def test_an_output_may_have_a_name_of_255_bytes(tmp_path, name):
    run("align", SAMPLE, "--output", tmp_path / name)
    assert os.listdir(tmp_path) == [name]
