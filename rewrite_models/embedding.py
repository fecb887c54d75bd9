"""The embedding model: words whose vectors in context are similar. Not in the paper.

An encoder that has read much text knows that "flaw" may stand for "vulnerability" here, and which of three "the" is meant. How
similar two words must be differs from encoder to encoder and from corpus to corpus. So EM learns it: for each bin of cosines,
how much more often linked words fall in it than any two words of a pair do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.encoding.word_vectors import WordVectors, cosines
from corpus_tools.errors import BadUsage
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import Options, at_least, option
from rewrite_models.rewrite_model import Evidence, RewriteModel

SIMILAR = 0.15
"""The share of a corpus's word pairs that are evidence: those with the highest cosines."""
FINEST, EDGES = 0.002, 8
"""Bins get finer towards the top, down to this share."""
COMMON = 0.003
"""No word counts as more frequent: that two words are both "the", or both prepositions, is little evidence for a link."""
STEEPNESS = 1000.0
"""Linked words start so much more likely in the highest bin than in the lowest, in comparison with all."""
MUTUAL = 10.0
"""And where each is the other's most similar word, so much more likely than elsewhere."""
STRENGTH = 10.0
"""Fake counts of the prior, in proportion to all word pairs."""

SHAPE = (2, 2, EDGES + 1)
"""Bins: whether the stems differ or are the same, whether each word is the other's most similar one, the cosine."""
RESOLUTION = 4000


def _tables(batch: Batch) -> Iterator[tuple[int, int, np.ndarray]]:
    """Of each pair, where its two sides begin and the cosines of their words: float32 [m, n]."""
    if batch.vectors is None:
        raise BadUsage(
            "the embedding rewrite model needs the words' vectors: make them with corpus_tools.embeddings"
        )
    for pair in range(len(batch)):
        a, a_end = batch.abstract_offsets[pair : pair + 2].tolist()
        d, d_end = batch.document_offsets[pair : pair + 2].tolist()
        yield (
            a,
            d,
            cosines(WordVectors(batch.vectors.abstract[a:a_end], batch.vectors.document[d:d_end])),
        )


def _edges(corpus: list[Batch]) -> np.ndarray:
    """float64 [EDGES]: the cosines that the highest shares of all word pairs lie above, ascending."""
    counts = sum(
        np.histogram(table, RESOLUTION, (-1.0, 1.0))[0]
        for batch in corpus
        for _, _, table in _tables(batch)
    )
    below = np.cumsum(counts) / counts.sum()
    return np.linspace(-1.0, 1.0, RESOLUTION + 1)[1:][
        np.searchsorted(below, 1.0 - np.geomspace(SIMILAR, FINEST, EDGES))
    ]


@dataclass(frozen=True)
class EmbeddingSettings(Options):
    """The settings of the embedding model: whose word vectors are compared.

    ``encoder``  a Hugging Face encoder's name or directory (``corpus_tools.embeddings.Encoder``);
                 ``None``: the one that comes with the extra ``embeddings``.
    ``layer``    the layer of the encoder whose vectors are compared.
    """

    encoder: str | None = option(
        None,
        "encoder of the word vectors: a Hugging Face name or directory (default: all-MiniLM-L6-v2)",
        metavar="NAME",
        parse=str,
        after_training=True,
    )
    layer: int = option(
        4, "layer of the encoder whose vectors are compared", metavar="N", check=at_least(0)
    )


@dataclass(frozen=True)
class Embedding(RewriteModel):
    """p(abstract word | document word) = the word's frequency * linked[bin] / everywhere[bin].

    A bin (``SHAPE``) says how similar the two words are. A link generates the abstract word and the bin; the score is a
    density, relative to how often the bin is met anyway, and may exceed 1. Words only; of dissimilar words, only those of
    the same stem.

    ``frequency``   float64 [V + 1], of the training abstracts' words, smoothed, at most ``COMMON``; the last of unseen words.
    ``edges``       float64 [EDGES], the cosines between bins.
    ``everywhere``  float64 [bins], the share of all word pairs of the training corpus in each.
    ``linked``      float64 [bins], the share of the linked word pairs in each; learned, with a Dirichlet prior.
    """

    frequency: np.ndarray
    edges: np.ndarray
    everywhere: np.ndarray
    linked: np.ndarray
    name = "embedding"
    Settings = EmbeddingSettings
    needs_vectors = True

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: EmbeddingSettings
    ) -> Embedding:
        counts = np.full(len(vocabulary) + 1, 0.5)
        for batch in corpus:
            np.add.at(counts, batch.abstract, 1.0)
        bins = np.prod(SHAPE)
        frequency = np.minimum(counts / counts.sum(), COMMON)
        blank = cls(frequency, _edges(corpus), np.ones(bins), np.ones(bins))
        found = sum(
            np.bincount(blank.evidence(batch).data["bin"], minlength=bins) for batch in corpus
        )
        pairs = sum(
            np.diff(batch.abstract_offsets) @ np.diff(batch.document_offsets) for batch in corpus
        )
        everywhere = (found + 0.5) / (pairs + 0.5 * bins)
        steep = (
            np.geomspace(1.0, STEEPNESS, EDGES + 1)
            * np.array([1.0, MUTUAL])[:, None]
            * np.ones((2, 1, 1))
        )
        linked = everywhere * steep.ravel()
        return replace(blank, everywhere=everywhere, linked=linked / linked.sum())

    @property
    def _fake(self) -> np.ndarray:
        return STRENGTH * self.everywhere / self.everywhere.sum()

    def evidence(self, batch: Batch) -> Evidence:
        stems = batch.vocabulary.stem_of
        rows, bins = [np.zeros((0, 2), dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for a, d, cosine in _tables(batch):
            m, n = cosine.shape
            same = stems[batch.abstract[a : a + m]][:, None] == stems[batch.document[d : d + n]]
            mutual = (cosine == cosine.max(axis=1, keepdims=True)) & (cosine == cosine.max(axis=0))
            height = np.searchsorted(self.edges, cosine)
            kept = np.nonzero(same | (height > 0))
            rows.append(np.stack(kept, axis=1) + np.array([a, d]))
            bins.append(
                np.ravel_multi_index(
                    (same[kept].astype(int), mutual[kept].astype(int), height[kept]), SHAPE
                )
            )
        first = np.concatenate(rows)
        cells = np.stack(
            [first[:, 0], first[:, 0] + 1, first[:, 1], first[:, 1] + 1], axis=1
        ).astype(np.int32)
        words = np.minimum(batch.abstract[cells[:, 0]], len(self.frequency) - 1)
        return Evidence(cells, {"bin": np.concatenate(bins), "frequency": self.frequency[words]})

    def scores(self, evidence: Evidence) -> np.ndarray:
        return evidence.data["frequency"] * (self.linked / self.everywhere)[evidence.data["bin"]]

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        return {
            "bins": np.bincount(
                evidence.data["bin"], weights=posteriors, minlength=len(self.linked)
            )
        }

    def m_step(self, counts: Counts) -> Embedding:
        linked = counts["bins"] + self._fake
        return replace(self, linked=linked / linked.sum())

    def log_prior(self) -> float:
        return float(self._fake @ np.log(self.linked / self.everywhere))

    def to_arrays(self) -> dict[str, np.ndarray]:
        return dict(vars(self))

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: EmbeddingSettings
    ) -> Embedding:
        return cls(**arrays)
