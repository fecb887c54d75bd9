"""Lists the commands. A new one is a function ``run_NAME`` in a module here, and a line.

The list itself imports no command, so that ``semihmm --help`` answers at once.
"""

from __future__ import annotations

COMMANDS = {
    "demo": "write a sample to try all commands on, and show it aligned",
    "align": "decode the alignments of pairs",
    "support": "where abstracts come from, and what in them the document does not support",
    "view": "show alignments in the terminal or as a web page",
    "train": "learn a model from pairs, without labelled data",
    "annotate": "make and correct hand alignments on a web page of this machine",
    "score": "score alignments against hand alignments",
    "errors": "the kinds of errors of an alignment, with examples (section 5.3, Table 5)",
    "compare": "train, align and score with every system: the paper's Table 4",
    "export": "write alignments in another format",
    "stats": "figures of a corpus (Tables 1 and 3) and of its alignments (section 2.3)",
    "plot": "draw a figure of training, jumps, thresholds or positions (matplotlib)",
    "extract": "the document sentences that serve each abstract sentence (Marcu 1999)",
    "tokenize": "write the sentences and tokens of pairs, or of a text",
    "parse": "parse the documents once, for the syntax-aware jump model",
    "measure": "measure summaries against references: ROUGE, coverage and others",
    "correlate": "how well measures of summaries predict the judgements of people",
    "compile": "compile what the presets need, before the first use: for images and CI",
}
"""What each does, in the order of their use, which is that of the help text."""

MODULES = {
    "align": ("align", "support", "extract"),
    "figures": ("stats", "compare", "plot"),
    "files": ("score", "errors", "export", "tokenize", "parse"),
    "measure": ("measure", "correlate"),
    "pages": ("demo", "view", "annotate"),
    "train": ("train", "compile"),
}
"""The modules of this package, with the commands whose functions stand in them."""
