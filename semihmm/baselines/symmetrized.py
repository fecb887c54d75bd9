"""Joins both directions of a word aligner by the heuristics that Thot implements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair, WordLink, can_be_aligned
from semihmm.baselines.directed import IDENTITY, SIDES, Directed, WordAligner, alignment_of
from semihmm.baselines.system import Run, System, missing_modules
from semihmm.baselines.thot_models import thot

if TYPE_CHECKING:
    from thot.common import WordAlignmentMatrix

HEURISTICS = ("intersection", "grow-diag-final-and")


@dataclass(frozen=True)
class Symmetrized(System):
    """Both directions of a word aligner, joined (Och and Ney 2003; Koehn, Och and Marcu 2003).

    ``intersection``         keeps the links of both.
    ``grow-diag-final-and``  starts from these. It adds links of either direction that neighbour a
                             link, diagonals too, and link a word that has none yet. Then it adds
                             those of either whose words both have none.
    """

    aligner: WordAligner
    heuristic: str
    seeded: bool = False

    @property
    def name(self) -> str:
        """Return the family, the heuristic, and whether it is seeded."""
        return f"{self.aligner.name}:{self.heuristic}{IDENTITY if self.seeded else ''}"

    @property
    def parts(self) -> tuple[System, ...]:
        """Return both directions."""
        return tuple(Directed(self.aligner, source, self.seeded) for source in SIDES)

    def missing(self) -> str | None:
        return self.aligner.missing() or missing_modules("thot")

    def combined(self, pairs: Sequence[Pair], runs: Sequence[Run]) -> Run:
        first, second = runs
        joined = []
        for pair, one, other in zip(pairs, first.alignments, second.alignments, strict=True):
            links = symmetrized(self.heuristic, pair, _links(one), _links(other))
            joined.append(alignment_of(pair, links))
        return Run(joined, max(first.not_taken, second.not_taken))


def symmetrized(
    heuristic: str, pair: Pair, one: list[WordLink], other: list[WordLink]
) -> list[WordLink]:
    """Join the word links of two directions by Thot's implementation of the heuristic."""
    if not can_be_aligned(pair):
        return []
    first, second = _matrix(pair, one), _matrix(pair, other)
    join: Callable[[WordAlignmentMatrix], WordAlignmentMatrix] = {
        "intersection": first.intersect,
        "grow-diag-final-and": first.grow_diag_final_and,
    }[heuristic]
    documents, abstracts = join(second).to_numpy().nonzero()
    return list(zip(documents, abstracts, strict=True))


def _matrix(pair: Pair, links: Iterable[WordLink]) -> WordAlignmentMatrix:
    matrix: WordAlignmentMatrix
    matrix = thot().common.WordAlignmentMatrix(len(pair.document), len(pair.abstract))
    for d, a in links:
        matrix.set(d, a)
    return matrix


def _links(alignment: Alignment) -> list[WordLink]:
    return [(link.document[0], link.abstract[0]) for link in alignment.phrases]
