"""The mutual argmax of contextual embeddings, without training.

Jalili Sabet et al. (2020), SimAlign.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.alignments.alignment import Alignment, from_word_links
from corpus_tools.encoding import WordVectors, cosines
from corpus_tools.pairs.pair import Pair
from semihmm.baselines.system import Run, System, missing_modules


class EmbeddingArgmax(System):
    """The mutual argmax of the default encoder."""

    name = "embedding-argmax"

    def missing(self) -> str | None:
        return missing_modules("torch", "transformers", extra="embeddings")

    def run(self, pairs: Sequence[Pair]) -> Run:
        from corpus_tools.embeddings import Encoder, embed_pairs

        vectors = embed_pairs(pairs, Encoder())
        return Run([align(*both) for both in zip(pairs, vectors, strict=True)])


def align(pair: Pair, vectors: WordVectors) -> Alignment:
    """Link two words where each is the other's most similar one, with probability 1.0.

    Of equal cosines the first word's counts.
    """
    links = []
    if len(vectors.abstract) and len(vectors.document):
        table = cosines(vectors)
        nearest = table.argmax(axis=1)
        nearest_back = table.argmax(axis=0)
        mutual = np.flatnonzero(nearest_back[nearest] == np.arange(len(nearest)))
        links = [(int(nearest[a]), a) for a in mutual.tolist()]
    return from_word_links(pair.id, links, len(pair.abstract))
