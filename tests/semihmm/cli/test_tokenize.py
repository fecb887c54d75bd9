"""Tests of ``semihmm tokenize``: tokens of pairs and of texts."""

from __future__ import annotations

import io
import json
import sys

import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from tests.semihmm.program_runs import RAW, SAMPLE, fails, run, write

TEXT = "It's raining.  They left, at last.\nNo. 7 stayed."


@pytest.mark.parametrize("path", [RAW, SAMPLE])
def test_pairs_that_are_tokenized_once_have_the_same_tokens(tmp_path, path):
    run("tokenize", path, "--output", tmp_path / "tokens.jsonl")
    before, after = read_pairs(path), read_pairs(tmp_path / "tokens.jsonl")
    for one, other in zip(before, after, strict=True):
        assert (one.id, one.sure, one.possible) == (other.id, other.sure, other.possible)
        for side in ("document", "abstract"):
            texts = getattr(one, side), getattr(other, side)
            assert texts[0].sentences() == texts[1].sentences()


@pytest.mark.parametrize("path", [RAW, SAMPLE])
def test_lines_with_bars_have_the_same_numbers(tmp_path, path):
    run("tokenize", path, "--format", "fast-align", "--output", tmp_path / "corpus")
    for one, other in zip(read_pairs(path), read_pairs(tmp_path / "corpus"), strict=True):
        assert one.document.tokens == other.document.tokens
        assert one.abstract.tokens == other.abstract.tokens


def test_tokens_that_lines_cannot_hold(tmp_path, capsys):
    pairs = write(
        tmp_path / "pairs",
        {"id": "1", "document": [["a b", "|||", "||"], ["c"]], "abstract": [["a\u2028b"]]},
        {"id": "2", "document": [], "abstract": "x"},
    )
    run("tokenize", pairs, "--format", "fast-align")
    out, err = capsys.readouterr()
    assert out == "a_b &#124;&#124;&#124; || c ||| a_b\n ||| x\n"
    assert "pairs with an empty document or abstract" in err and "1 (2)" in err


def test_a_text_is_written_a_sentence_a_line(tmp_path, capsys, monkeypatch):
    run("tokenize", "--text", TEXT)
    expected = "It 's raining .\nThey left , at last .\nNo. 7 stayed .\n"
    assert capsys.readouterr().out == expected
    (tmp_path / "text").write_text(TEXT)
    run("tokenize", "--text", tmp_path / "text", "--format", "lines")
    assert capsys.readouterr().out == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    run("tokenize", "--text", "-", "--format", "jsonl", "--output", tmp_path / "tokens")
    lines = (tmp_path / "tokens").read_text().splitlines()
    assert [" ".join(json.loads(line)) + "\n" for line in lines] == expected.splitlines(True)
    run("tokenize", "--text", "天气很好", "--tokenizer", "unicode")
    assert capsys.readouterr().out == "天 气 很 好\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the file PAIRS, or give a text with --text"),
        ([SAMPLE, "--text", "a b"], "--text in place of PAIRS, not beside it: leave out"),
        ([SAMPLE, "--format", "lines"], "unknown format 'lines'"),
        ([SAMPLE, "--format", "fastalign"], "Did you mean 'fast-align'"),
        (["--text", "a b", "--format", "fast-align"], "unknown format 'fast-align'"),
        (["--text", "text.txt"], "--text: text.txt is no file, but looks like the name of one"),
        (["--text", "a b", "--abstracts", SAMPLE], "nothing uses --abstracts: it is of PAIRS"),
        (["--text", "a b", "--document-key", "x"], "nothing uses --document-key"),
        (["--text", "a b", "--abstract-key", "x"], "nothing uses --abstract-key"),
        (["--text", " "], "argument --text: expected a value"),
        (["--text", "a", "--tokenizer", "x"], "unknown tokenizer 'x'"),
    ],
)
def test_bad_usage(capsys, arguments, message):
    assert message in fails(capsys, 2, "tokenize", *arguments)


def test_pairs_are_no_text(capsys):
    err = fails(capsys, 1, "tokenize", "--text", SAMPLE)
    assert "looks like JSON, expected plain text for --text; PAIRS may be JSON" in err
