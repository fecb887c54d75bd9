"""Sums up how the abstracts of a corpus were made, in figures and plots."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "stats": CommandPlace(
        11, "command", "print statistics of pairs (Tables 1, 3) and alignments (section 2.3)"
    ),
    "plot": CommandPlace(
        12, "plot_command", "plot training, jumps, precision-recall or portrait (needs matplotlib)"
    ),
}

__getattr__ = lazily(__name__, __file__)
