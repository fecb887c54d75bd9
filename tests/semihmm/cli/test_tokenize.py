"""Tests of ``semihmm tokenize``: tokens of pairs and of texts."""

from __future__ import annotations

import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from tests.semihmm.program_runs import RAW, SAMPLE, run, write


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
