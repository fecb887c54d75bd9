"""NLTK gives regular expressions five seconds, from 3.10 on: no text is refused for that."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.paths import ROOT

ALWAYS_LATE = """
import sys, nltk
from corpus_tools.texts.nltk_package import load_nltk
if hasattr(nltk, "redos"):
    nltk.redos.DEFAULT_TIMEOUT = 1e-9
from corpus_tools.texts.tokenizers import to_text
text = to_text(sys.stdin.read(), "treebank")
print(len(text.boundaries) - 1, len(text.tokens))
"""
"""Without the clock switched off, this fails on any machine, however fast."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("U.S. " * 20_000, "1 20001"),
        ("\u041a\u043e\u0448\u043a\u0430 \u0441\u043f\u0438\u0442. " * 20_000, "20000 60000"),
        ("a\tb! (c)\n" * 2_000, "4000 12000"),
    ],
    ids=["abbreviations", "Russian", "tabs"],
)
def test_long_texts_are_read_whatever_the_load(text, expected):
    read = subprocess.run(
        [sys.executable, "-c", ALWAYS_LATE],
        cwd=ROOT,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (read.stderr, read.stdout.strip()) == ("", expected)
