"""Makes and corrects hand alignments in the browser."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "annotate": CommandPlace(5, "command", "make and correct hand alignments in the browser")
}

__getattr__ = lazily(__name__, __file__)
