"""Tests that training replaces and deletes only what it made itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpus_tools.errors import BadData, LittleText
from corpus_tools.storage.new_folders import MARK
from semihmm import Aligner
from semihmm.batches.training_cache import training_cache
from semihmm.training.little_text import FEW_ABSTRACT_WORDS
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write

OPTIONS = ["--rewrite", "identity,stem", "--iterations", 1]


def contents(folder):
    return {
        path.relative_to(folder): path.is_file() and path.read_bytes() for path in folder.rglob("*")
    }


@pytest.fixture
def small(tmp_path):
    return write(tmp_path / "small.jsonl", *rows(SAMPLE)[:5])


def test_a_model_is_replaced_only_if_asked_for(tmp_path, capsys, small):
    model = tmp_path / "model"
    run("train", SAMPLE, "--model", model, *OPTIONS)
    before = contents(model)
    err = fails(capsys, 2, "train", small, "--model", model, *OPTIONS)
    assert f"there is a model in {model}: --resume goes on training it, --overwrite replaces" in err
    err = fails(capsys, 2, "train", small, "--model", model, *OPTIONS, "--resume", "--overwrite")
    assert "not allowed with argument" in err
    assert contents(model) == before
    run("train", small, "--model", model, *OPTIONS, "--overwrite")
    replaced = contents(model)
    run("train", small, "--model", tmp_path / "new", *OPTIONS, "--overwrite")
    assert replaced == contents(tmp_path / "new") != before


@pytest.mark.parametrize("command", [["--resume"], []])
def test_a_cache_of_the_user_stays(tmp_path, capsys, small, command):
    precious = tmp_path / "model" / "cache" / "precious"
    precious.parent.mkdir(parents=True)
    precious.write_text("of the user")
    err = fails(capsys, 1, "train", small, "--model", tmp_path / "model", *OPTIONS, *command)
    assert f"{precious.parent}: the folder was not made by semihmm, which would delete it" in err
    assert contents(tmp_path / "model") == {
        Path("cache"): False,
        Path("cache/precious"): b"of the user",
    }
    run("train", small, "--model", tmp_path / "model", *OPTIONS, "--cache", tmp_path / "other")
    assert precious.read_text() == "of the user"


def test_a_cache_that_was_left_by_training_is_taken_and_removed(tmp_path, small):
    left = tmp_path / "model" / "cache"
    left.mkdir(parents=True)
    (left / MARK).touch()
    (left / "texts-of-a-killed-training").mkdir()
    run("train", small, "--model", tmp_path / "model", *OPTIONS)
    assert not left.exists()


def test_a_cache_that_is_kept_is_not_one_that_may_be_deleted(tmp_path):
    with training_cache(tmp_path / "cache", None):
        pass
    (tmp_path / "cache" / "shard").touch()
    with pytest.raises(BadData, match="was not made by semihmm"), training_cache(None, tmp_path):
        pass
    assert (tmp_path / "cache" / "shard").exists()


@pytest.mark.parametrize("content", ["no JSON", "", '{"document": "a", "abstract": ""}\n'])
@pytest.mark.parametrize("there", ["", "above", "above/model"])
def test_bad_data_leave_no_empty_folder_behind(tmp_path, capsys, content, there):
    (tmp_path / there).mkdir(parents=True, exist_ok=True)
    (tmp_path / "pairs").write_text(content)
    before = contents(tmp_path)
    folders = ["--model", tmp_path / "above" / "model", "--cache", tmp_path / "new" / "cache"]
    fails(capsys, 1, "train", tmp_path / "pairs", *folders[:2], *OPTIONS)
    fails(capsys, 1, "train", tmp_path / "pairs", *folders, *OPTIONS)
    assert contents(tmp_path) == before


def test_the_demo_takes_no_folder_of_the_user(tmp_path, capsys, model_directory):
    before = contents(tmp_path)
    err = fails(capsys, 2, "demo", tmp_path)
    assert f"{tmp_path} is not empty and not of an earlier demo" in err
    assert contents(tmp_path) == before


def test_a_corpus_from_which_little_is_learned(sample):
    words = [len(pair.abstract) for pair in sample]
    assert sum(words[:2]) < FEW_ABSTRACT_WORDS <= sum(words)
    with pytest.warns(LittleText, match=rf"only {sum(words[:2])} abstract words to learn from"):
        Aligner(rewrite=("identity", "stem"), iterations=1).fit(sample[:2])


def test_the_warning_is_a_message_of_the_command_line(tmp_path, capsys):
    pairs = write(tmp_path / "one.jsonl", rows(SAMPLE)[0])
    run("train", pairs, "--model", tmp_path / "model", *OPTIONS)
    assert "warning: only " in capsys.readouterr().err
    shutil.rmtree(tmp_path / "model")
    run("train", SAMPLE, "--model", tmp_path / "model", *OPTIONS)
    assert "warning:" not in capsys.readouterr().err
