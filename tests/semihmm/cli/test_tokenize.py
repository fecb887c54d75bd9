"""Tests of ``semihmm tokenize``: tokens of pairs and of texts."""

from __future__ import annotations

import io
import json
import sys

import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from tests.semihmm.program_runs import RAW, SAMPLE, run, write

TEXT = "It's raining.  They left, at last.\nNo. 7 stayed."
LINES = "It 's raining .\nThey left , at last .\nNo. 7 stayed .\n"


@pytest.mark.parametrize("format", ["jsonl", "fast-align"])
@pytest.mark.parametrize("path", [RAW, SAMPLE])
def test_pairs_that_are_tokenized_once_have_the_same_tokens(tmp_path, path, format):
    run("tokenize", path, "--format", format, "--output", tmp_path / "tokens")
    for one, other in zip(read_pairs(path), read_pairs(tmp_path / "tokens"), strict=True):
        for side in ("document", "abstract"):
            texts = getattr(one, side), getattr(other, side)
            assert texts[0].tokens == texts[1].tokens
            if format == "jsonl":
                assert texts[0].sentences() == texts[1].sentences()
                assert (one.id, one.sure, one.possible) == (other.id, other.sure, other.possible)


def test_tokens_that_lines_cannot_hold(tmp_path, capsys):
    odd = {"id": "1", "document": [["a b", "|||", "||"], ["c"]], "abstract": [["a\u2028b"]]}
    pairs = write(tmp_path / "pairs", odd, {"id": "2", "document": [], "abstract": "x"})
    run("tokenize", pairs, "--format", "fast-align")
    assert capsys.readouterr().out == "a_b &#124;&#124;&#124; || c ||| a_b\n ||| x\n"


def test_a_text_is_written_a_sentence_a_line(tmp_path, capsys, monkeypatch):
    run("tokenize", "--text", TEXT)
    assert capsys.readouterr().out == LINES
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    run("tokenize", "--text", "-", "--format", "jsonl", "--output", tmp_path / "tokens")
    lines = (tmp_path / "tokens").read_text().splitlines()
    assert [" ".join(json.loads(line)) + "\n" for line in lines] == LINES.splitlines(True)
