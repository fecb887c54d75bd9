"""What a person may receive (a model, an output, a corpus) is never run, nor followed as a link."""

import os
import pickle
import stat

import pytest

from tests.semihmm.program_runs import SAMPLE, fails, run

TRAIN = ("--iterations", 1, "--rewrite", "identity,stem", "--workers", 1)
MARK = b"semihmm made this folder and may delete the files that it wrote here.\n"


class Code:
    """Makes a file when it is unpickled."""

    def __init__(self, made):
        self.made = made

    def __reduce__(self):
        return os.mkdir, (self.made,)


@pytest.fixture
def thesis(tmp_path):
    """Return a file of the user, which must stay as it is."""
    path = tmp_path / "thesis.tex"
    path.write_text("a year of work")
    yield path
    assert path.read_text() == "a year of work"


@pytest.fixture
def received(tmp_path):
    """Return a model directory with a training cache, as earlier versions had one beside it."""
    model = tmp_path / "model"
    run("train", SAMPLE, "--model", model, *TRAIN)
    (model / ".semihmm-cache").mkdir(0o700)
    (model / ".semihmm-cache" / ".semihmm").write_bytes(MARK)
    return model


def test_no_pickle_of_a_received_model_directory_is_read(tmp_path, received):
    folders = [received / ".semihmm-cache" / f"encoded-{digit * 16}" for digit in "0a"]
    for folder in folders:
        folder.mkdir(0o700)
        (folder / ".semihmm").write_bytes(MARK)
        (folder / "00000000").write_bytes(pickle.dumps(Code(str(tmp_path / "ran"))))
    run("train", SAMPLE, "--model", received, *TRAIN, "--resume", "--iterations", 2)
    assert not (tmp_path / "ran").exists()
    assert all((folder / "00000000").exists() for folder in folders)


def test_a_training_leaves_nothing_in_the_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run("train", SAMPLE, "--model", tmp_path / "model", *TRAIN)
    folder = tmp_path / "cache" / "semihmm"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and not os.listdir(folder)


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "folder"])
@pytest.mark.parametrize(
    ("lock", "command"),
    [
        ("model/.lock", ("train", SAMPLE, "--model", "model", *TRAIN)),
        (".o.partial.lock", ("align", SAMPLE, "--output", "o")),
    ],
    ids=["train", "align"],
)
def test_what_is_no_plain_file_in_place_of_a_lock_is_refused(
    tmp_path, monkeypatch, capsys, thesis, kind, lock, command
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    path = tmp_path / lock
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(thesis if kind == "link" else tmp_path / "made")
    err = fails(capsys, 1, *command)
    assert "cannot write" in err and ("directory" if kind == "folder" else path.name) in err
    assert os.path.lexists(path) and not (tmp_path / "made").exists()
