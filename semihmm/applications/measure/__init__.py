"""Scores summaries, and asks how well scores predict judgements."""

from corpus_tools.base.packages import lazily
from semihmm.registry import CommandPlace

COMMANDS = {
    "measure": CommandPlace(
        16, "command", "score summaries against references: ROUGE, coverage and others"
    ),
    "correlate": CommandPlace(17, "correlate", "correlate summary scores with human judgements"),
}

__getattr__ = lazily(__name__, __file__)
