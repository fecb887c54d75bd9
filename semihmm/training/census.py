"""Counts the pairs on their way into the training cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corpus_tools.errors import BadPair, LittleText, number_of, warn_caller
from corpus_tools.pairs.files_of_pairs import Seen
from corpus_tools.pairs.pair import Pair
from semihmm.batches.units import AlignmentUnit

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


@dataclass
class Census(Seen):
    """What is seen of the pairs that are trained on, as pairs and as alignment units.

    ``usable``          how many have words on both sides, and do not take too much memory.
    ``document_words``  how many document words the alignment units have.
    ``abstract_words``  how many abstract words they have.
    ``used``            the names of their tokenizers.
    ``refused``         ids of the pairs that take too much memory.
    """

    usable: int = 0
    document_words: int = 0
    abstract_words: int = 0
    used: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)

    def refuse(self, pair: Pair, error: BadPair) -> None:
        """Note a pair that takes too much memory."""
        self.refused.append(pair.id)

    def count_units(self, units: Iterable[AlignmentUnit]) -> Iterator[AlignmentUnit]:
        """Count the units while they pass."""
        for unit in units:
            self.usable += unit.last
            self.document_words += len(unit.pair.document)
            self.abstract_words += len(unit.pair.abstract)
            self.used.add(unit.original.tokenizer)
            yield unit
