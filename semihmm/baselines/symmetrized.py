"""Both directions of a word aligner, made one: intersection and grow-diag-final-and, by Thot's implementation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair, WordLink
from semihmm.baselines.directed import IDENTITY, SIDES, Directed, WordAligner, alignment_of
from semihmm.baselines.system import EXTRA, Run, System
from semihmm.baselines.thot_package import thot
from semihmm.batches.units import can_be_aligned

HEURISTICS = ("intersection", "grow-diag-final-and")


@dataclass(frozen=True)
class Symmetrized(System):
    """Both directions of a word aligner, made one by a heuristic (Och and Ney 2003; Koehn, Och and Marcu 2003).

    ``intersection``: the links of both. ``grow-diag-final-and``: from these, links of either that neighbour a link (diagonals
    too) and link a word that has none yet; at last those of either whose words both have none.
    """

    aligner: WordAligner
    heuristic: str
    seeded: bool = False

    @property
    def name(self) -> str:
        return f"{self.aligner.name}:{self.heuristic}{IDENTITY * self.seeded}"

    @property
    def parts(self) -> tuple[System, ...]:
        return tuple(Directed(self.aligner, source, self.seeded) for source in SIDES)

    def missing(self) -> str | None:
        return self.aligner.missing() or (None if find_spec("thot") else EXTRA)

    def combined(self, pairs: Sequence[Pair], runs: Sequence[Run]) -> Run:
        documents, abstracts = ([_links(alignment) for alignment in run.alignments] for run in runs)
        triples = zip(pairs, documents, abstracts, strict=True)
        joined = [
            alignment_of(pair, symmetrized(self.heuristic, pair, one, other))
            for pair, one, other in triples
        ]
        return Run(joined, max(run.not_taken for run in runs))


def symmetrized(
    heuristic: str, pair: Pair, one: list[WordLink], other: list[WordLink]
) -> list[WordLink]:
    """The word links of two directions, joined by Thot's implementation of the heuristic."""
    if not can_be_aligned(pair):
        return []
    first, second = (_matrix(pair, links) for links in (one, other))
    join = {"intersection": first.intersect, "grow-diag-final-and": first.grow_diag_final_and}[
        heuristic
    ]
    return [(d, a) for d, a in zip(*join(second).to_numpy().nonzero(), strict=True)]


def _matrix(pair: Pair, links: Iterable[WordLink]):
    matrix = thot().common.WordAlignmentMatrix(len(pair.document), len(pair.abstract))
    for d, a in links:
        matrix.set(d, a)
    return matrix


def _links(alignment: Alignment) -> list[WordLink]:
    return [(link.document[0], link.abstract[0]) for link in alignment.phrases]
