"""Counts the pairs on their way into the training cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corpus_tools.errors import BadPair
from corpus_tools.pairs.pair import Pair
from semihmm.batches.units import AlignmentUnit


@dataclass
class Census:
    """What is seen of the pairs that are trained on.

    ``pairs``           how many have words on both sides.
    ``document_words``  how many document words the alignment units have.
    ``abstract_words``  how many abstract words they have.
    ``tokenizers``      the names of their tokenizers.
    ``refused``         ids of the pairs that take too much memory.
    """

    pairs: int = 0
    document_words: int = 0
    abstract_words: int = 0
    tokenizers: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)

    def refuse(self, pair: Pair, error: BadPair) -> None:
        """Note a pair that takes too much memory."""
        self.refused.append(pair.id)

    def count(self, units: Iterable[AlignmentUnit]) -> Iterator[AlignmentUnit]:
        """Count the units while they pass."""
        for unit in units:
            self.pairs += unit.last
            self.document_words += len(unit.pair.document)
            self.abstract_words += len(unit.pair.abstract)
            self.tokenizers.add(unit.original.tokenizer)
            yield unit

    def add(self, other: Census) -> None:
        """Add what was seen of other pairs."""
        self.pairs += other.pairs
        self.document_words += other.document_words
        self.abstract_words += other.abstract_words
        self.tokenizers |= other.tokenizers
        self.refused += other.refused
