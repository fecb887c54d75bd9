"""Lists the commands. A new one is a function ``run_NAME`` in a module here, and a line.

The list itself imports no command, so that ``semihmm --help`` answers at once.
"""

COMMANDS = {
    "demo": ("pages", "write a sample for trying the commands, and align it"),
    "align": ("align", "align documents with their abstracts"),
    "support": ("align", "show where abstracts come from and which words lack support"),
    "view": ("pages", "show alignments in the terminal or as a web page"),
    "train": ("train", "train a model on pairs; no hand alignments are needed"),
    "annotate": ("annotate", "make and correct hand alignments in the browser"),
    "score": ("files", "score alignments against hand alignments"),
    "errors": ("files", "count errors by kind, with examples (section 5.3, Table 5)"),
    "agreement": ("files", "compare annotators: kappa, scores and differences (section 2.2)"),
    "compare": ("figures", "train, align and score with several systems (Table 4)"),
    "export": ("files", "write alignments in another format"),
    "stats": ("figures", "print statistics of pairs (Tables 1, 3) and alignments (section 2.3)"),
    "plot": ("figures", "plot training, jumps, precision-recall or portrait (needs matplotlib)"),
    "extract": ("align", "extract the sentences behind each abstract sentence (Marcu 1999)"),
    "tokenize": ("files", "split pairs or a text into sentences and tokens"),
    "parse": ("files", "parse documents for the syntax-aware jump model"),
    "measure": ("measure", "score summaries against references: ROUGE, coverage and others"),
    "correlate": ("measure", "correlate summary scores with human judgements"),
    "compile": ("train", "compile the program ahead of its first use, for images and CI"),
}
"""The module of this package and the purpose of each command, in the order of the help text."""
