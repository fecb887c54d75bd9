"""Tests that bad input gets a clear error and the exit status 1 or 2, and that nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus_tools.alignments.formats import READERS
from semihmm.saving.manifest import VERSION
from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write

GOOD = {"id": "1", "document": "a b .", "abstract": "a ."}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read: No such file"),
        (b"", "the file is empty"),
        (b'{"id": "1", "document": "a b", "abstract": "a"}\n{"id": \n', "line 2: broken JSON"),
        (b"[]\n", "the array has no items"),
        (
            b'{"id": "1", "docment": "a b", "abstract": "a"}\n',
            "line 1: no document: found the keys 'id', 'docment', 'abstract'",
        ),
        (
            b'{"id": "1", "document": 7, "abstract": "a"}\n',
            "line 1: 'document' is a number, expected a string",
        ),
        (
            b'{"id": "1", "document": "a", "abstract": {"a": 1}}\n',
            "line 1: 'abstract' is an object, expected a string",
        ),
        (b'{"id": "1", "document": "\xff", "abstract": "a"}\n', "line 1: invalid UTF-8"),
        (
            b'{"id": 1, "document": "a", "abstract": "a"}\n' * 2,
            "line 2: the id '1' is that of line 1 too",
        ),
    ],
)
@pytest.mark.parametrize("command", ["train", "align", "score", "extract", "export", "stats"])
def test_pairs_that_cannot_be_read(tmp_path, model_directory, capsys, content, message, command):
    pairs = tmp_path / "pairs.jsonl"
    output = tmp_path / "output"
    output.write_text("was there before")
    if content is not None:
        pairs.write_bytes(content)
    options = {
        "train": ["--model", tmp_path / "new"],
        "align": ["--model", model_directory, "--output", output],
        "score": [SAMPLE],
        "extract": ["--output", output],
        "export": [SAMPLE, "--format", "pharaoh", "--output", output],
        "stats": [],
    }
    err = fails(capsys, 1, command, pairs, *options[command])
    assert str(pairs) in err
    assert message in err
    assert output.read_text() == "was there before"
    assert not (tmp_path / "new" / "model.json").exists()


def test_empty_sides_are_counted_in_a_warning(model_directory, tmp_path, capsys):
    empty = [{"id": str(n), "document": "", "abstract": "x y"} for n in range(2, 9)]
    path = write(
        tmp_path / "pairs.jsonl", GOOD, *empty, {"id": "9", "document": "x", "abstract": []}
    )
    run("align", path, "--model", model_directory)
    out, err = capsys.readouterr()
    alignments = [json.loads(line) for line in out.splitlines()]
    assert [row["id"] for row in alignments] == list("123456789")
    digests = alignments[1].pop("digests")
    assert alignments[1] == {"id": "2", "phrases": [], "null": [0, 1]}
    assert [digests[side]["tokens"] for side in ("document", "abstract")] == [0, 2]
    assert (alignments[8]["phrases"], alignments[8]["null"]) == ([], [])
    assert "warning: pairs with an empty document or abstract" in err
    assert "8 (2, 3, 4, 5, 6, ...)" in err


def test_nothing_to_train_on(tmp_path, capsys):
    path = write(tmp_path / "pairs.jsonl", GOOD | {"document": ""})
    assert "no pair has words in both" in fails(
        capsys, 1, "train", path, "--model", tmp_path / "model"
    )


# Gold and alignments


def test_alignments_of_other_pairs(tmp_path, capsys, aligned):
    few = write(tmp_path / "few.jsonl", *rows(SAMPLE)[:3])
    err = fails(capsys, 1, "score", few, aligned)
    for part in ("few.jsonl", "aligned.jsonl", "17"):
        assert part in err


@pytest.mark.parametrize("command", ["score", "errors", "export", "stats"])
@pytest.mark.parametrize("side", ["document", "abstract"])
def test_alignments_of_another_text_under_the_same_ids(tmp_path, capsys, aligned, command, side):
    changed = rows(SAMPLE)
    changed[2][side][0] = "Other " + changed[2][side][0].split(" ", 1)[1]
    other = write(tmp_path / "other.jsonl", *changed)
    options = ["--format", "pharaoh"] if command == "export" else []
    err = fails(capsys, 1, command, other, aligned, *options)
    id = changed[2]["id"]
    assert f"aligned.jsonl, line 3: alignment {id!r} was made from another {side}: both" in err
    run(command, SAMPLE, aligned, *options)


@pytest.mark.parametrize(
    ("format", "content"),
    [("pharaoh", "0-0\n"), ("naacl", "21 1 1\n"), ("a3", "a\n"), ("jsonl", "a\n")],
)
def test_alignments_in_other_formats_that_do_not_fit(tmp_path, capsys, format, content):
    assert format in READERS
    (tmp_path / "other").write_text(content)
    assert str(tmp_path / "other") in fails(
        capsys, 1, "score", SAMPLE, tmp_path / "other", "--format", format
    )


def test_offsets_out_of_range(tmp_path, capsys):
    gold = write(tmp_path / "gold.jsonl", GOOD | {"sure": [[0, 0]], "possible": []})
    far = write(
        tmp_path / "far.jsonl",
        {"id": "1", "phrases": [{"abstract": [0, 9], "document": [0, 3]}], "null": []},
    )
    for command in (
        ["score", gold, far],
        ["stats", gold, far],
        ["export", gold, far, "--format", "naacl"],
    ):
        assert "alignment '1' refers to abstract token 8, but the abstract has 2" in fails(
            capsys, 1, *command
        )
    bad_gold = write(tmp_path / "bad.jsonl", GOOD | {"sure": [[99, 0]], "possible": []})
    assert "line 1: pair '1': link [99, 0] of 'sure' is out of range" in fails(
        capsys, 1, "score", bad_gold, far
    )


def test_pairs_without_gold_cannot_be_scored(tmp_path, capsys):
    pairs = write(tmp_path / "pairs.jsonl", GOOD)
    empty = write(tmp_path / "aligned.jsonl", {"id": "1", "phrases": [], "null": [0, 1]})
    assert "has no hand alignment" in fails(capsys, 1, "score", pairs, empty)


# Models


def test_a_model_that_is_none(tmp_path, capsys, aligned):
    assert "there is no such directory; semihmm train makes one" in fails(
        capsys, 1, "align", SAMPLE, "--model", tmp_path / "nothing"
    )
    assert "it has no model.json" in fails(capsys, 1, "align", SAMPLE, "--model", tmp_path)
    assert "it has no model.json" in fails(capsys, 1, "stats", SAMPLE, "--model", tmp_path)
    assert "File exists" in fails(capsys, 1, "train", SAMPLE, "--model", aligned)


def test_a_model_of_another_version_or_kind_or_truncated(model_directory, capsys):
    manifest = model_directory / "model.json"
    whole = json.loads(manifest.read_text())
    for changes, message in (
        ({"version": VERSION + 1}, f"format version {VERSION + 1}"),
        ({"format": "other"}, "not a semihmm model but 'other'"),
    ):
        manifest.write_text(json.dumps(whole | changes))
        assert message in fails(capsys, 1, "align", SAMPLE, "--model", model_directory)
    manifest.write_text(json.dumps(whole))
    (parameters,) = model_directory.glob("parameters-*")
    parameters.write_bytes(parameters.read_bytes()[:1000])
    err = fails(capsys, 1, "align", SAMPLE, "--model", model_directory)
    assert f"{parameters}: damaged or truncated" in err
    assert "(1000 bytes)" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", ["align", "extract", "export"])
def test_a_full_disk(model_directory, aligned, capsys, command):
    options = {
        "align": ["--model", model_directory],
        "extract": [],
        "export": [aligned, "--format", "a3"],
    }[command]
    err = fails(capsys, 1, command, SAMPLE, *options, "--output", "/dev/full")
    assert "cannot write /dev/full: No space left on device" in err


# Requests that no data could satisfy

TRAIN = ["train", SAMPLE, "--model", "m"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trian"], "Did you mean 'train'"),
        ([*TRAIN, "--preset", "papr"], "Did you mean 'paper'"),
        ([*TRAIN, "--jump", "relativ"], "Did you mean 'relative'"),
        ([*TRAIN, "--rewrite", "identity,lexcal"], "Did you mean 'lexical'"),
        ([*TRAIN, "--rewrite", ","], "one or more different names, not none"),
        ([*TRAIN, "--phrase-limit", "3by3"], "3x3"),
        (
            [*TRAIN, "--phrase-limit", "0x3"],
            "phrase limit must be a whole number of 1 or more, not 0",
        ),
        ([*TRAIN, "--iterations", "0"], "iterations must be a whole number of 1 or more, not 0"),
        ([*TRAIN, "--iterations", "many"], "--iterations"),
        ([*TRAIN, "--extract", "-1"], "extract must be a whole number of 0 or more, not -1"),
        ([*TRAIN, "--workers", "-2"], "--workers: expected a whole number, 1 or more, not '-2'"),
        (
            ["extract", SAMPLE, "--sentences", "0"],
            "--sentences: expected a whole number, 1 or more",
        ),
        (["export", SAMPLE, SAMPLE, "--format", "pharao"], "Did you mean 'pharaoh'"),
        (["parse", SAMPLE, "--parser", "chunk", "--output", "x"], "Did you mean 'chunks'"),
        (["stats", SAMPLE, "--tokenizer", "treebanc"], "Did you mean 'treebank'"),
        (["stats", SAMPLE, "--extract", "-1"], "0 or more, not '-1'"),
        (["score", SAMPLE, SAMPLE, "--format", "naacle"], "Did you mean 'naacl'"),
        (["score", SAMPLE, SAMPLE, "--seed", "-1"], "0 or more, not '-1'"),
        (["train", SAMPLE], "--model"),
    ],
)
def test_what_cannot_be_asked_for(capsys, monkeypatch, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in fails(capsys, 2, *arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--decoder", "viterby"], "Did you mean 'viterbi'"),
        (["--threshold", "1"], "threshold"),
        (["--workers", "0"], "not '0'"),
    ],
)
def test_what_a_model_cannot_do(capsys, model_directory, options, message):
    assert message in fails(capsys, 2, "align", SAMPLE, "--model", model_directory, *options)
