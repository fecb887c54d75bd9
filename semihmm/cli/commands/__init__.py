"""Lists the commands. A new one is a function ``run_NAME`` in a module here, and a line.

The list itself imports no command, so that ``semihmm --help`` answers at once.
"""

COMMANDS = {
    "demo": "write a sample for trying the commands, and align it",
    "align": "align documents with their abstracts",
    "support": "show where abstracts come from and which words lack support",
    "view": "show alignments in the terminal or as a web page",
    "train": "train a model on pairs; no hand alignments are needed",
    "annotate": "make and correct hand alignments in the browser",
    "score": "score alignments against hand alignments",
    "errors": "count errors by kind, with examples (section 5.3, Table 5)",
    "agreement": "compare annotators: kappa, scores and differences (section 2.2)",
    "compare": "train, align and score with several systems (Table 4)",
    "export": "write alignments in another format",
    "stats": "print statistics of pairs (Tables 1, 3) and alignments (section 2.3)",
    "plot": "plot training, jumps, precision-recall, portrait or a pair (needs matplotlib)",
    "extract": "extract the sentences behind each abstract sentence (Marcu 1999)",
    "tokenize": "split pairs or a text into sentences and tokens",
    "parse": "parse documents for the syntax-aware jump model",
    "measure": "score summaries against references: ROUGE, coverage and others",
    "correlate": "correlate summary scores with human judgements",
    "compile": "compile the program ahead of its first use, for images and CI",
}
"""The purpose of each command, in the order of the help text."""

MODULES = {
    "align": ("align", "support", "extract"),
    "annotate": ("annotate",),
    "figures": ("stats", "compare", "plot"),
    "files": ("score", "errors", "agreement", "export", "tokenize", "parse"),
    "measure": ("measure", "correlate"),
    "pages": ("demo", "view"),
    "train": ("train", "compile"),
}
"""The modules of this package, each with its commands."""
