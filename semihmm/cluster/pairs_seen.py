"""Notes what a task sees of the pairs of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corpus_tools.pairs.files_of_pairs import PairsRead, hash_of
from corpus_tools.pairs.pair import Pair, tokenizer_names
from semihmm.batches.units import can_be_aligned


@dataclass
class PairsSeen:
    """What is seen of all pairs of a file on their way.

    ``hashes``      those of the ids.
    ``tokenizers``  of the pairs.
    ``empty``       ids of the pairs that have no words on a side.
    """

    hashes: list[int] = field(default_factory=list)
    tokenizers: set[str] = field(default_factory=set)
    empty: list[str] = field(default_factory=list)

    def count(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Note the pairs while they pass."""
        for pair in pairs:
            self.hashes.append(hash_of(pair.id))
            self.tokenizers.add(pair.tokenizer)
            if not can_be_aligned(pair):
                self.empty.append(pair.id)
            yield pair

    def read(self) -> PairsRead:
        """Return what was seen."""
        return PairsRead(len(self.hashes), tokenizer_names(self.tokenizers), tuple(self.empty))
