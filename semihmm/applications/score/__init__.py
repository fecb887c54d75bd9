"""Scores alignments against hand alignments, and compares systems and annotators."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "score": CommandPlace(6, "command", "score alignments against hand alignments"),
    "errors": CommandPlace(
        7, "command", "count errors by kind, with examples (section 5.3, Table 5)"
    ),
    "agreement": CommandPlace(
        8, "command", "compare annotators: kappa, scores and differences (section 2.2)"
    ),
    "compare": CommandPlace(9, "compare", "train, align and score with several systems (Table 4)"),
}

__getattr__ = lazily(__name__, __file__)
