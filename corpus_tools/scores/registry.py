"""Lists the scores by name. A new score is one class and one line here."""

from __future__ import annotations

from corpus_tools.plugins.registry import Registry
from corpus_tools.scores.macro_scores import MacroRecall, MacroSoftF, MacroSoftPrecision
from corpus_tools.scores.scopes import Score
from corpus_tools.scores.soft_scores import AlignmentErrorRate, Recall, SoftF, SoftPrecision

SCORES: Registry[type[Score]] = Registry.of_classes(
    "score",
    Score,
    (
        SoftPrecision,
        Recall,
        SoftF,
        AlignmentErrorRate,
        MacroSoftPrecision,
        MacroRecall,
        MacroSoftF,
    ),
    "semihmm.scores",
)
