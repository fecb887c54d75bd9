"""Says where abstracts come from, and which words lack support."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "support": CommandPlace(
        2, "command", "show where abstracts come from and which words lack support"
    )
}

__getattr__ = lazily(__name__, __file__)
