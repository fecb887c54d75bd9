from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from semihmm.command_line import main

SAMPLE = str(files("corpus_tools") / "data" / "sample.jsonl")
RAW = str(files("corpus_tools") / "data" / "raw_sample.jsonl")
COMMANDS = ("demo", "train", "align", "score", "extract", "export", "stats", "parse")


@pytest.fixture
def aligned(model_directory, tmp_path):
    """The sample's alignments, as the command writes them."""
    path = tmp_path / "aligned.jsonl"
    assert main(["align", SAMPLE, "--model", str(model_directory), "--output", str(path)]) == 0
    return path


def rows(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def fails(capsys, status, *arguments):
    """What a command that fails says; nothing of it goes to stdout."""
    try:
        assert main([str(argument) for argument in arguments]) == status
    except SystemExit as stopped:  # argparse's own way
        assert stopped.code == status
    out, err = capsys.readouterr()
    assert out == "" and "Traceback" not in err
    return err


def test_train_saves_a_model_that_aligns(miniature, tmp_path, capsys):
    model = str(tmp_path / "model")
    options = ["--iterations", "2", "--wordnet", str(miniature), "--workers", "1"]
    assert main(["train", SAMPLE, "--model", model, *options]) == 0
    out, err = capsys.readouterr()
    assert out == "" and "iteration 2: objective" in err and "null" in err and "identity" in err
    assert main(["align", SAMPLE, "--model", model]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 20


def test_score_prints_a_table_or_json_with_a_signature(aligned, capsys):
    assert main(["score", SAMPLE, str(aligned)]) == 0
    table = capsys.readouterr().out
    assert "SoftF" in table and "pairs 20" in table and "ignore default:58" in table
    assert main(["score", SAMPLE, str(aligned), "--json", "--ignore", "none"]) == 0
    assert 0.0 < json.loads(capsys.readouterr().out)["scores"]["all_words"]["soft_f"]["value"] <= 1.0


@pytest.mark.parametrize("name", ["pharaoh", "naacl", "a3"])
def test_exports_can_be_scored(aligned, tmp_path, capsys, name):
    exported = tmp_path / "exported"
    assert main(["export", SAMPLE, str(aligned), "--format", name, "--output", str(exported)]) == 0
    assert main(["score", SAMPLE, str(aligned), "--json"]) == 0
    ours = json.loads(capsys.readouterr().out)["scores"]["all_words"]["recall"]
    assert main(["score", SAMPLE, str(exported), "--format", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["all_words"]["recall"] == ours


def test_raw_text_is_exported_with_its_characters(model_directory, tmp_path):
    aligned, exported = tmp_path / "raw.jsonl", tmp_path / "exported.jsonl"
    assert main(["align", RAW, "--model", str(model_directory), "--tokenizer", "treebank", "--output", str(aligned)]) == 0
    assert main(["export", RAW, str(aligned), "--format", "jsonl", "--output", str(exported)]) == 0
    for pair, row in zip(rows(RAW), rows(exported), strict=True):
        assert row["phrases"]
        for phrase in row["phrases"]:
            ((string, start, end),) = phrase["abstract_characters"]
            assert string == 0 and pair["highlights"][start:end] == phrase["abstract_text"]


def test_extract_and_stats(tmp_path, capsys, aligned):
    extracts = tmp_path / "extracts.jsonl"
    assert main(["extract", SAMPLE, "--sentences", "1", "--output", str(extracts)]) == 0
    assert all(len(extract) == 1 for row in rows(extracts) for extract in row["extracts"])
    assert main(["stats", str(extracts)]) == 0
    assert main(["stats", SAMPLE, str(aligned), "--extract", "2"]) == 0
    out = capsys.readouterr().out
    assert "Extracts" in out and "Unaligned, of" in out and "Identical sides" in out


def test_the_demo_does_it_all(tmp_path, capsys, monkeypatch, miniature):
    monkeypatch.setenv("WNSEARCHDIR", str(miniature))
    assert main(["demo", "--output", str(tmp_path / "demo")]) == 0
    out = capsys.readouterr().out
    assert "sample-01" in out and "SoftF" in out
    made = {path.name for path in (tmp_path / "demo").iterdir()}
    assert {"model", "alignments.jsonl", "alignments.pharaoh"} <= made


def test_gzip_and_standard_input(model_directory, tmp_path, capsys, monkeypatch):
    packed = tmp_path / "sample.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(SAMPLE).read_bytes()))
    assert main(["align", str(packed), "--model", str(model_directory)]) == 0
    from_file = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(SAMPLE).read_bytes())))
    assert main(["align", "-", "--model", str(model_directory)]) == 0
    assert capsys.readouterr().out == from_file


def test_parallel_plain_text(model_directory, tmp_path, capsys):
    (tmp_path / "d").write_text("The cat sat on the mat .\nDogs bark .\n")
    (tmp_path / "a").write_text("the cat sat\ndogs\n")
    command = ["align", str(tmp_path / "d"), "--abstracts", str(tmp_path / "a"), "--model", str(model_directory)]
    assert main(command) == 0
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == ["line-1", "line-2"]


GOOD = {"id": "1", "document": "a b .", "abstract": "a ."}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read: No such file"),
        (b"", "the file is empty"),
        (b'{"id": "1", "document": "a b", "abstract": "a"}\n{"id": \n', "line 2: broken JSON"),
        (b'{"id": "1", "docment": "a b", "abstract": "a"}\n', "found the keys 'id', 'docment', 'abstract'"),
        (b'{"id": "1", "document": 7, "abstract": "a"}\n', "line 1: 'document' is a number, expected a string"),
        (b'{"id": "1", "document": "\xff", "abstract": "a"}\n', "line 1: invalid UTF-8"),
        (b'{"id": 1, "document": "a", "abstract": "a"}\n' * 2, "line 2: the id '1' is that of line 1 too"),
    ],
)
@pytest.mark.parametrize("command", [["train", "--model"], ["stats"]])
def test_pairs_that_cannot_be_read(tmp_path, capsys, content, message, command):
    path = tmp_path / "pairs.jsonl"
    if content is not None:
        path.write_bytes(content)
    tail = [tmp_path / "model"] if command[-1] == "--model" else []
    assert message in fails(capsys, 1, command[0], path, *command[1:], *tail)
    assert not (tmp_path / "model" / "model.json").exists()


def test_empty_sides_are_counted_in_a_warning(model_directory, tmp_path, capsys):
    path = write(tmp_path / "pairs.jsonl", GOOD, {"id": "2", "document": "", "abstract": "x y"})
    assert main(["align", path, "--model", str(model_directory)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[1]) == {"id": "2", "phrases": [], "null": [0, 1]}
    assert "warning" in err and "1 (2)" in err


def test_alignments_of_other_pairs(tmp_path, capsys, aligned):
    few = write(tmp_path / "few.jsonl", *rows(SAMPLE)[:3])
    err = fails(capsys, 1, "score", few, aligned)
    assert "few.jsonl" in err and "aligned.jsonl" in err and "17" in err


def test_offsets_out_of_range(tmp_path, capsys):
    gold = write(tmp_path / "gold.jsonl", GOOD | {"sure": [[0, 0]], "possible": []})
    far = write(tmp_path / "far.jsonl", {"id": "1", "phrases": [{"abstract": [0, 9], "document": [0, 9]}], "null": []})
    assert "'1'" in fails(capsys, 1, "score", gold, far)
    bad_gold = write(tmp_path / "bad.jsonl", GOOD | {"sure": [[99, 0]], "possible": []})
    assert "line 1" in fails(capsys, 1, "score", bad_gold, far)


def test_pairs_without_gold_cannot_be_scored(tmp_path, capsys):
    pairs = write(tmp_path / "pairs.jsonl", GOOD)
    empty = write(tmp_path / "aligned.jsonl", {"id": "1", "phrases": [], "null": [0, 1]})
    assert "sure" in fails(capsys, 1, "score", pairs, empty)


def test_a_model_that_is_none(tmp_path, capsys):
    assert "no model here" in fails(capsys, 1, "align", SAMPLE, "--model", tmp_path / "nothing")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk(model_directory, capsys):
    err = fails(capsys, 1, "align", SAMPLE, "--model", model_directory, "--output", "/dev/full")
    assert "No space left on device" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trian"], "Did you mean 'train'"),
        (["train", SAMPLE, "--model", "m", "--preset", "papr"], "Did you mean 'paper'"),
        (["train", SAMPLE, "--model", "m", "--jump", "relativ"], "Did you mean 'relative'"),
        (["train", SAMPLE, "--model", "m", "--rewrite", "identity,lexcal"], "Did you mean 'lexical'"),
        (["train", SAMPLE, "--model", "m", "--phrase-limit", "3by3"], "3x3"),
        (["train", SAMPLE, "--model", "m", "--iterations", "0"], "1 or more"),
        (["export", SAMPLE, SAMPLE, "--format", "pharao"], "Did you mean 'pharaoh'"),
        (["parse", SAMPLE, "--parser", "chunk", "--output", "x"], "Did you mean 'chunks'"),
        (["stats", SAMPLE, "--tokenizer", "treebanc"], "treebank"),
        (["train", SAMPLE], "--model"),
    ],
)
def test_what_cannot_be_asked_for(capsys, monkeypatch, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in fails(capsys, 2, *arguments)
    assert not list(tmp_path.iterdir())


def test_an_unknown_decoder(capsys, model_directory):
    err = fails(capsys, 2, "align", SAMPLE, "--model", model_directory, "--decoder", "viterby")
    assert "Did you mean 'viterbi'" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(capsys, command):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0 and f"semihmm {command}" in capsys.readouterr().out


def program(*arguments, **options):
    command = [sys.executable, "-m", "semihmm.command_line", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_help_answers_at_once():
    program("--help").communicate()
    before = os.times()
    running = program("--help")
    assert "train" in running.communicate()[0] and running.returncode == 0
    spent = os.times()
    assert spent.children_user + spent.children_system - before.children_user - before.children_system < 0.3


def test_an_interrupt_leaves_the_last_model_and_training_goes_on(miniature, tmp_path, capsys):
    model = tmp_path / "model"
    options = ["--model", model, "--wordnet", miniature, "--workers", 1]
    running = program("train", SAMPLE, *options, "--iterations", 100_000)
    for line in running.stderr:
        if "iteration 2:" in line:
            running.send_signal(signal.SIGINT)
            break
    assert "interrupted" in running.communicate(timeout=60)[1]
    assert running.returncode == 130
    done = len(json.loads((model / "model.json").read_text())["provenance"]["iterations"])
    assert done >= 2
    assert main(["train", SAMPLE, *map(str, options), "--resume", "--iterations", str(done + 1)]) == 0
    assert f"iteration {done + 1}:" in capsys.readouterr().err
    assert "keeps its settings" in fails(capsys, 2, "train", SAMPLE, *options, "--resume", "--jump", "uniform")


def test_a_reader_that_has_enough_is_no_error(model_directory):
    running = program("align", SAMPLE, "--model", model_directory)
    running.stdout.readline()
    running.stdout.close()
    assert "Traceback" not in running.stderr.read()
    running.wait(timeout=60)
