"""NLTK gives regular expressions five seconds, from 3.10 on: no text is refused for that."""

from __future__ import annotations

import subprocess
import sys

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


def test_long_texts_are_read_whatever_the_load():
    read = subprocess.run(
        [sys.executable, "-c", ALWAYS_LATE],
        cwd=ROOT,
        input="U.S. " * 20_000,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (read.stderr, read.stdout.strip()) == ("", "1 20001")
