"""The mutual argmax of contextual embeddings, without training.

Jalili Sabet et al. (2020), SimAlign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.encoding.batch import WordVectors, cosines
from corpus_tools.pairs.pair import Pair, WordLink
from semihmm.baselines.system import Run, System, missing_modules


class EmbeddingArgmax(System):
    """The mutual argmax of the default encoder."""

    name = "embedding-argmax"

    def missing(self) -> str | None:
        return missing_modules("torch", "transformers", extra="embeddings")

    def run(self, pairs: Sequence[Pair]) -> Run:
        return Run(list(align(pairs)))


def align(pairs: Iterable[Pair], encoder: str | None = None, layer: int = 4) -> Iterator[Alignment]:
    """Align each pair: two words are linked where each is the other's most similar one.

    ``encoder``, ``layer``  as for ``corpus_tools.embeddings.Encoder``.

    All probabilities are 1.0. Raises ``BadUsage`` without the encoder or what it needs.
    """
    from corpus_tools.embeddings import Encoder, embed_pairs

    pairs = list(pairs)
    made = embed_pairs(pairs, Encoder(encoder, layer))
    for pair, vectors in zip(pairs, made, strict=True):
        yield align_vectors(pair, vectors)


def align_vectors(pair: Pair, vectors: WordVectors) -> Alignment:
    """Align a pair by the vectors of its words. Of equal cosines the first word's counts."""
    return from_word_links(pair.id, _mutual_links(vectors), len(pair.abstract))


def _mutual_links(vectors: WordVectors) -> dict[WordLink, float]:
    if not len(vectors.abstract) or not len(vectors.document):
        return {}
    table = cosines(vectors)
    nearest = table.argmax(axis=1)
    nearest_back = table.argmax(axis=0)
    mutual = np.flatnonzero(nearest_back[nearest] == np.arange(len(nearest)))
    return {(int(nearest[a]), a): 1.0 for a in mutual.tolist()}
