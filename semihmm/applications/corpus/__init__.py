"""Writes texts and alignments in other forms: formats, tokens, trees, extracts."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "export": CommandPlace(10, "command", "write alignments in another format"),
    "extract": CommandPlace(
        13, "command", "extract the document sentences for each abstract sentence (Marcu 1999)"
    ),
    "tokenize": CommandPlace(14, "command", "split pairs or a text into sentences and tokens"),
    "parse": CommandPlace(15, "command", "parse documents for the syntax-aware jump model"),
}

__getattr__ = lazily(__name__, __file__)
