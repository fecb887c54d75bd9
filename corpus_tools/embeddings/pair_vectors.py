"""Makes the word vectors of the texts of pairs. Each text is encoded once, whatever the corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from corpus_tools.embeddings.encoder import BATCH_PIECES, Encoder, Tokens, Window
from corpus_tools.encoding.batch import WordVectors
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import bar
from corpus_tools.storage.folders import cache_folder
from corpus_tools.storage.token_cache import TokenCache

if TYPE_CHECKING:
    from tqdm import tqdm

GROUP_TEXTS = 64
"""How many texts are read, sorted by length for the encoder and kept together.

Chosen by hand, to keep many texts with one write: 64 texts of cnn-articles took one core 13.0 s
with groups of 1 and 12.4 s with 64. Another number changes the last digits of the vectors.
"""


class VectorCache(TokenCache):
    """Maps texts to float16 [tokens, K], the vectors by one layer of one encoder."""

    table = "vectors"
    column = "vectors"
    sql_type = "BLOB"
    content, remedy = "word vectors", "remove it, or set XDG_CACHE_HOME to another folder"

    def __getitem__(self, tokens: Sequence[str]) -> np.ndarray:
        vectors = np.frombuffer(super().__getitem__(tokens), dtype=np.float16)
        return vectors.reshape(len(tokens), -1)

    def add(self, texts: Iterable[Sequence[str]], values: Iterable[np.ndarray]) -> None:
        super().add(texts, (vectors.astype(np.float16).tobytes() for vectors in values))


def embed_pairs(
    pairs: Iterable[Pair], encoder: Encoder, cache: str | PathLike[str] | None = None
) -> Iterator[WordVectors]:
    """Yield the vectors of both sides of each pair, in order; see ``embed_texts``."""
    texts = (side for pair in pairs for side in (pair.abstract.tokens, pair.document.tokens))
    vectors = embed_texts(texts, encoder, cache)
    # One iterator twice: the sides of a pair follow each other.
    return map(WordVectors, vectors, vectors)


def embed_texts(
    texts: Iterable[Tokens], encoder: Encoder, cache: str | PathLike[str] | None = None
) -> Iterator[np.ndarray]:
    """Yield float16 [tokens, K] for each text, in order: the mean of a word's pieces.

    ``cache`` is a file that keeps the vectors for the next time, whatever the corpus (default:
    ``vectors.sqlite`` in the project's cache folder). Texts are read in groups of ``GROUP_TEXTS``,
    so that there may be any number of them. A bar on stderr shows how many words had to be encoded.
    Raises ``BadUsage`` for a missing package or encoder, ``BadData`` for an unusable cache.
    """
    texts = iter(texts)
    path = cache or cache_folder() / "vectors.sqlite"
    # Nothing is shown where all vectors are in the cache.
    vectors_bar = bar("vectors", unit="words", scaled=True, delay=1.0)
    with VectorCache(path, encoder.version, encoder.layer) as known, vectors_bar as shown:
        while group := list(islice(texts, GROUP_TEXTS)):
            different = dict.fromkeys(group)
            new = [text for text in different if text and text not in known]
            known.add(new, _encode(new, encoder, shown))
            for text in group:
                yield known[text] if text else np.zeros((0, 0), dtype=np.float16)


class _WordMeans:
    """The mean vectors of the words of one text, from those of their pieces."""

    def __init__(self, words: int, width: int) -> None:
        self._sums = np.zeros((words, width), dtype=np.float32)
        self._pieces = np.zeros(words)

    def add(self, window: Window, vectors: np.ndarray) -> int:
        """Add the pieces of a window. Return how many words had no piece before."""
        words = np.array(window.words)
        inside = words >= 0
        before = np.count_nonzero(self._pieces)
        np.add.at(self._sums, words[inside], vectors[inside])
        np.add.at(self._pieces, words[inside], 1.0)
        return int(np.count_nonzero(self._pieces) - before)

    def means(self) -> np.ndarray:
        """Return [words, K]; zeros for a word without pieces."""
        return self._sums / np.maximum(self._pieces, 1.0)[:, None]


def _encode(texts: list[Tokens], encoder: Encoder, shown: tqdm[NoReturn]) -> Iterator[np.ndarray]:
    """Yield [tokens, K] for each text. The pieces of all windows of a word count alike."""
    if not texts:
        return
    words: dict[int, _WordMeans] = {}
    for batch in _batches(encoder.windows(texts)):
        for window, vectors in zip(batch, encoder.vectors(batch), strict=True):
            if window.text not in words:
                words[window.text] = _WordMeans(len(texts[window.text]), vectors.shape[1])
            shown.update(words[window.text].add(window, vectors))
    for number in range(len(texts)):
        yield words[number].means()


def _batches(windows: list[Window]) -> Iterator[list[Window]]:
    """Put windows of about the same length together: padding takes as long as pieces."""
    batch: list[Window] = []
    for window in sorted(windows, key=lambda window: len(window.pieces)):
        if batch and (len(batch) + 1) * len(window.pieces) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
