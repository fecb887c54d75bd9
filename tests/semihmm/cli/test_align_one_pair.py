"""Tests of ``semihmm align --document --abstract``: one pair, shown or written."""

from __future__ import annotations

import gzip
import io
import json
import sys

import pytest

import semihmm
from tests.semihmm.program_runs import SAMPLE, fails, in_shell, run

DOCUMENT = "The old ferry sank on Sunday off the coast of Norway. Its crew of twelve was saved."
ABSTRACT = "A ferry has sunk off Norway; the crew was saved."

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.errors.MissingResource")


@pytest.fixture
def files(tmp_path):
    """Return the names of files of both texts, the abstract packed."""
    (tmp_path / "document.txt").write_text(DOCUMENT + "\n", encoding="utf-8")
    (tmp_path / "abstract.gz").write_bytes(gzip.compress(ABSTRACT.encode()))
    return tmp_path / "document.txt", tmp_path / "abstract.gz"


def one(document, abstract, *more):
    return ["align", "--document", document, "--abstract", abstract, *more]


def test_it_is_shown_as_view_shows_it(capsys):
    run(*one(DOCUMENT, ABSTRACT))
    out, err = capsys.readouterr()
    assert out.startswith("1: 12 abstract words, 20 document words")
    assert "[crew]" in out and "\x1b" not in out
    assert "pairs read" not in err
    shown = str(semihmm.align(DOCUMENT, ABSTRACT))
    assert out.strip() == shown.strip()


def test_files_and_standard_input_are_texts_too(capsys, files, monkeypatch):
    run(*one(DOCUMENT, ABSTRACT, "--output", "-"))
    expected = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in (expected,)] == ["1"]
    run(*one(*files, "--output", "-"))
    assert json.loads(capsys.readouterr().out) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DOCUMENT.encode())))
    run(*one("-", files[1], "--output", "-"))
    assert json.loads(capsys.readouterr().out) == expected


def test_it_is_written_as_other_alignments_are(capsys, tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"id": "1", "document": DOCUMENT, "abstract": ABSTRACT}) + "\n")
    for more in ([], ["--format", "jsonl"], ["--format", "pharaoh"]):
        run("align", pairs, "--output", tmp_path / "of pairs", *more)
        run(*one(DOCUMENT, ABSTRACT, "--output", tmp_path / "of one", *more))
        assert (tmp_path / "of one").read_bytes() == (tmp_path / "of pairs").read_bytes()
    capsys.readouterr()
    run(*one(DOCUMENT, ABSTRACT, "--format", "pharaoh"))
    assert capsys.readouterr().out == (tmp_path / "of one").read_text()


def test_the_settings_of_a_model_and_the_tokenizer_are_used(capsys, model_directory):
    run(*one("a b c d", "a d", "--model", model_directory, "--decoder", "viterbi"))
    assert "2 abstract words, 4 document words" in capsys.readouterr().out
    run(*one("天气很好我们去公园吧。", "天气好。", "--tokenizer", "unicode"))
    assert "4 abstract words, 11 document words" in capsys.readouterr().out
    run(*one("天气很好我们去公园吧天气很好", "天气好。"))
    assert "; --tokenizer unicode takes it" in capsys.readouterr().err


def test_control_characters_are_shown_as_symbols(capsys):
    run(*one("The \x1b[31mferry sank.", "The ferry sank."))
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("text", ["U.S.", "Sunk.", "He sent file.txt to her.", "and so / on"])
def test_short_texts_are_no_names_of_files(capsys, text):
    run(*one(DOCUMENT, text))
    assert capsys.readouterr().out


# What is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the file PAIRS, or give one pair with --document and --abstract"),
        (["--document", "a b"], "--document needs --abstract"),
        (["--abstract", "a b"], "--abstract needs --document"),
        ([SAMPLE, "--abstract", "a b"], "--abstract in place of PAIRS, not beside it"),
        (
            [SAMPLE, "--document", "a b", "--abstract", "a b"],
            "--document and --abstract in place of PAIRS, not beside it: leave out",
        ),
        (["--abstracts", SAMPLE], "name the file PAIRS"),
        (one("a b", "a", "--document-key", "x")[1:], "nothing uses --document-key"),
        (one("a b", "a", "--abstract-key", "x")[1:], "nothing uses --abstract-key"),
        (one("a b", "a", "--abstracts", SAMPLE)[1:], "nothing uses --abstracts"),
        (one("a b", "a", "--resume")[1:], "nothing uses --resume: it is of PAIRS"),
        (one("a b", "a", "--skip-bad-pairs")[1:], "nothing uses --skip-bad-pairs"),
        (one("a b", "a", "--trees", "x")[1:], "nothing asks for the trees in x"),
        (one("a b", "")[1:], "argument --abstract: expected a value, not ''"),
        (one(" \n", "a")[1:], "argument --document: expected a value, not ' \\n'"),
        (one("-", "-")[1:], "standard input can be read only once"),
        (one("a b", "a", "--format", "pharoah")[1:], "Did you mean 'pharaoh'"),
        (one("a b", "a", "--tokenizer", "unicod")[1:], "Did you mean 'unicode'"),
    ],
)
def test_bad_usage(capsys, arguments, message):
    assert message in fails(capsys, 2, "align", *arguments)


@pytest.mark.parametrize(
    "name", ["doc.txt", "texts/doc", "./my doc", "my doc.txt", "~/doc", "/nowhere/doc.jsonl"]
)
def test_the_name_of_a_file_that_does_not_exist(capsys, name):
    err = fails(capsys, 2, *one(DOCUMENT, name))
    assert f"--abstract: {name} is no file, but looks like the name of one" in err


def test_directories_and_files_that_hold_no_text(capsys, tmp_path):
    err = fails(capsys, 2, *one(f"{tmp_path}/", ABSTRACT))
    assert f"--document: {tmp_path}/ is a directory" in err
    err = fails(capsys, 1, *one(SAMPLE, ABSTRACT))
    assert f"{SAMPLE}, line 1: the file looks like JSON, expected plain text for --document" in err
    empty = tmp_path / "empty"
    empty.write_text(" \n\n")
    assert f"{empty}: the abstract has no words" in fails(capsys, 1, *one(DOCUMENT, empty))
    empty.write_bytes(b"%PDF-1.7\n")
    assert f"{empty}: the file looks like a PDF file" in fails(capsys, 1, *one(DOCUMENT, empty))
    empty.write_bytes(b"a\n\xff\n")
    assert f"{empty}, line 2: invalid UTF-8" in fails(capsys, 1, *one(DOCUMENT, empty))


def test_texts_that_are_no_characters(capsys):
    err = fails(capsys, 2, *one("a \udcff", ABSTRACT))
    assert "argument --document: expected UTF-8" in err


def test_the_locale_does_not_matter():
    arguments = one("Der Fährmann schläft.", "Fährmann schläft.")
    ended = in_shell("", *arguments, environment={"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert "[Fährmann schläft" in ended.stdout.decode()
