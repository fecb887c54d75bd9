"""Shows alignments in the terminal, as a web page, and in notebooks."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "demo": CommandPlace(0, "demo_command", "write a sample for trying the commands, and align it"),
    "view": CommandPlace(3, "command", "show alignments in the terminal or as a web page"),
}

__getattr__ = lazily(__name__, __file__)
