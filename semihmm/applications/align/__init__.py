"""Aligns documents with their abstracts, and trains models for it."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "align": CommandPlace(1, "command", "align documents with their abstracts"),
    "train": CommandPlace(4, "command", "train a model on pairs; no hand alignments are needed"),
    "compile": CommandPlace(
        18, "command", "compile the program ahead of its first use, for images and CI"
    ),
}

__getattr__ = lazily(__name__, __file__)
