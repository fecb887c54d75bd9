"""The word vectors of the texts of pairs: each text is encoded once, whatever the corpus."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike

import numpy as np

from corpus_tools.embeddings.encoder import BATCH_PIECES, Encoder, Window
from corpus_tools.embeddings.vector_cache import VectorCache
from corpus_tools.encoding.word_vectors import WordVectors
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.cache_folder import cache_folder

GROUP_TEXTS = 64
"""Texts that are sorted by length together, and kept together."""

Tokens = tuple[str, ...]


def embed_pairs(
    pairs: Iterable[Pair], encoder: Encoder, cache: str | PathLike | None = None
) -> Iterator[WordVectors]:
    """The vectors of both sides of each pair, in order; see ``embed_texts``."""
    sides = (side for pair in pairs for side in (pair.abstract.tokens, pair.document.tokens))
    vectors = embed_texts(sides, encoder, cache)
    return (
        WordVectors(abstract, document) for abstract, document in zip(vectors, vectors, strict=True)
    )


def embed_texts(
    texts: Iterable[Tokens], encoder: Encoder, cache: str | PathLike | None = None
) -> Iterator[np.ndarray]:
    """float16 [tokens, K] of each text, in order: the mean of a word's pieces.

    ``cache`` is a file that keeps the vectors for the next time, whatever the corpus (default: ``vectors.sqlite`` in the
    project's cache folder). Texts are read a little ahead of what is given back, so that there may be any number of them; a
    bar on stderr shows how many words had to be encoded.
    Raises ``BadUsage`` for a package or an encoder that is not there, ``BadData`` for an unusable cache.
    """
    texts = iter(texts)
    with (
        VectorCache(
            cache or cache_folder() / "vectors.sqlite", encoder.version, encoder.layer
        ) as known,
        _bar() as bar,
    ):
        while group := list(islice(texts, GROUP_TEXTS)):
            new = [tokens for tokens in dict.fromkeys(group) if tokens and tokens not in known]
            known.add(new, _encode(new, encoder, bar))
            for tokens in group:
                yield known[tokens] if tokens else np.zeros((0, 0), dtype=np.float16)


def _bar():
    from tqdm import tqdm

    return tqdm(
        desc="vectors",
        unit=" words",
        unit_scale=True,
        file=sys.stderr,
        disable=None,
        leave=False,
        delay=1,
    )


def _encode(texts: list[Tokens], encoder: Encoder, bar) -> Iterator[np.ndarray]:
    """The vectors of the texts. A word that is in two windows has the mean of both."""
    if not texts:
        return iter(())
    sums: list[np.ndarray | None] = [None] * len(texts)
    pieces = [np.zeros(len(tokens)) for tokens in texts]
    for batch in _batches(encoder.windows(texts)):
        for window, vectors in zip(batch, encoder.vectors(batch), strict=True):
            words = np.array(window.words)
            inside = words >= 0
            if sums[window.text] is None:
                sums[window.text] = np.zeros(
                    (len(texts[window.text]), vectors.shape[1]), dtype=np.float32
                )
            np.add.at(sums[window.text], words[inside], vectors[inside])
            before = (pieces[window.text] > 0).sum()
            np.add.at(pieces[window.text], words[inside], 1.0)
            bar.update(int((pieces[window.text] > 0).sum() - before))
    return (
        total / np.maximum(count, 1.0)[:, None] for total, count in zip(sums, pieces, strict=True)
    )


def _batches(windows: list[Window]) -> Iterator[list[Window]]:
    """Windows of about the same length together: what is filled up takes as long as what is not."""
    batch: list[Window] = []
    for window in sorted(windows, key=lambda window: len(window.pieces)):
        if batch and (len(batch) + 1) * len(window.pieces) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
