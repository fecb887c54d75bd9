"""The mutual argmax of contextual embeddings, without training: SimAlign's argmax (Jalili Sabet et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec

import numpy as np

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.encoding.word_vectors import WordVectors, cosines
from corpus_tools.pairs.pair import Pair
from semihmm.baselines.system import Run, System

PACKAGES = ("torch", "transformers")


class EmbeddingArgmax(System):
    """The mutual argmax of the default encoder as a row of the table."""

    name = "embedding-argmax"

    def missing(self) -> str | None:
        return (
            None
            if all(map(find_spec, PACKAGES))
            else "not installed: pip install 'semihmm[embeddings]'"
        )

    def run(self, pairs: Sequence[Pair]) -> Run:
        return Run(list(align(pairs)))


def align(pairs: Iterable[Pair], encoder: str | None = None, layer: int = 4) -> Iterator[Alignment]:
    """Align each pair: two words are linked where each is the other's most similar one, with probability 1.0.

    ``encoder`` and ``layer`` as for ``corpus_tools.embeddings.Encoder``; of equal cosines the first word's counts.
    Raises ``BadUsage`` without the encoder or what it needs.
    """
    from corpus_tools.embeddings import Encoder, embed_pairs

    pairs = list(pairs)
    for pair, vectors in zip(pairs, embed_pairs(pairs, Encoder(encoder, layer)), strict=True):
        yield from_word_links(pair.id, _links(vectors), len(pair.abstract))


def _links(vectors: WordVectors) -> dict[tuple[int, int], float]:
    if not len(vectors.abstract) or not len(vectors.document):
        return {}
    table = cosines(vectors)
    nearest, nearest_back = table.argmax(axis=1), table.argmax(axis=0)
    mutual = np.flatnonzero(nearest_back[nearest] == np.arange(len(nearest)))
    return {(int(nearest[a]), a): 1.0 for a in mutual.tolist()}
