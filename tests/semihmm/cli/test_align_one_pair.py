"""Tests of ``semihmm align --document --abstract``: one pair, shown or written."""

from __future__ import annotations

import gzip
import io
import json
import sys

import pytest

import semihmm
from tests.semihmm.program_runs import run

DOCUMENT = "The old ferry sank on Sunday off the coast of Norway. Its crew of twelve was saved."
ABSTRACT = "A ferry has sunk off Norway; the crew was saved."

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.errors.MissingResource")


def one(document, abstract, *more):
    return ["align", "--document", document, "--abstract", abstract, *more]


def test_it_is_shown_as_view_shows_it(capsys):
    run(*one(DOCUMENT, ABSTRACT))
    out, err = capsys.readouterr()
    assert out.startswith("1: 12 abstract words, 20 document words")
    assert "[crew]" in out and "pairs read" not in err
    assert out.strip() == str(semihmm.align(DOCUMENT, ABSTRACT)).strip()


def test_files_and_standard_input_are_texts_too(capsys, tmp_path, monkeypatch):
    document, abstract = tmp_path / "document.txt", tmp_path / "abstract.gz"
    document.write_text(DOCUMENT + "\n", encoding="utf-8")
    abstract.write_bytes(gzip.compress(ABSTRACT.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DOCUMENT.encode())))
    written = []
    for texts in ((DOCUMENT, ABSTRACT), (document, abstract), ("-", abstract)):
        run(*one(*texts, "--output", "-"))
        written.append(json.loads(capsys.readouterr().out))
    assert written[0] == written[1] == written[2]


def test_it_is_written_as_other_alignments_are(tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"id": "1", "document": DOCUMENT, "abstract": ABSTRACT}) + "\n")
    for format in ("jsonl", "pharaoh"):
        run("align", pairs, "--output", tmp_path / "of pairs", "--format", format)
        run(*one(DOCUMENT, ABSTRACT, "--output", tmp_path / "of one", "--format", format))
        assert (tmp_path / "of one").read_bytes() == (tmp_path / "of pairs").read_bytes()


def test_the_settings_of_a_model_and_the_tokenizer_are_used(capsys, model_directory):
    run(*one("a b c d", "a d", "--model", model_directory, "--decoder", "viterbi"))
    assert "2 abstract words, 4 document words" in capsys.readouterr().out
    run(*one("天气很好我们去公园吧。", "天气好。", "--tokenizer", "unicode"))
    assert "4 abstract words, 11 document words" in capsys.readouterr().out
    run(*one("天气很好我们去公园吧天气很好", "天气好。"))
    assert "--tokenizer unicode" in capsys.readouterr().err
