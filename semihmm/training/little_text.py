"""Warns of a corpus from which little can be learned."""

from __future__ import annotations

from corpus_tools.errors import LittleText, number_of, warn_caller

FEW_ABSTRACT_WORDS = 100
"""With fewer abstract words, training warns that there is little to learn from.

Null knows how frequent a word is in abstracts. Where there are few, each of their words is so
frequent that null explains it better than a jump to its copy in the document, and EM enlarges the
difference. Measured on the sample, whose abstract sentences were trained on alone or in random
groups (12 of each size, rewrite models identity and stem), with the share of the abstract words
with an identical document word that are linked to one:

    abstract words (mean)    18    38    57    93   157   228   366   723
    smallest share          .00   .08   .18   .47   .53   .60   .65   .74
    median share            .00   .49   .60   .63   .66   .68   .72   .74
"""


def warn_of_little_text(abstract_words: int) -> None:
    """Warn with ``LittleText`` of fewer than ``FEW_ABSTRACT_WORDS`` abstract words."""
    if abstract_words < FEW_ABSTRACT_WORDS:
        problem = (
            f"only {number_of(abstract_words, 'abstract word')} to learn from: "
            "even identical words may stay unaligned; "
            f"train on {FEW_ABSTRACT_WORDS} or more, or start from a trained model"
        )
        warn_caller(LittleText(problem))
