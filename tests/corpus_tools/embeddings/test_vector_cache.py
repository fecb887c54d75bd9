from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from corpus_tools.embeddings.vector_cache import VectorCache
from corpus_tools.errors import BadData, SemiHmmWarning

TEXT = ("a", "b")
VECTORS = np.array([[1.0, 0.1], [-2.0, 65504.0]])


def test_vectors_stay_for_the_same_encoder_layer_and_tokens(tmp_path):
    path = tmp_path / "cache"
    with VectorCache(path, "encoder", 1) as cache:
        assert TEXT not in cache
        cache.add([TEXT, ("b",)], [VECTORS, VECTORS[:1]])
    with VectorCache(path, "encoder", 1) as cache:
        assert TEXT in cache and cache[TEXT].dtype == np.float16
        np.testing.assert_array_equal(cache[TEXT], VECTORS.astype(np.float16))
        assert cache[("b",)].shape == (1, 2)
        assert ("a b",) not in cache and ("A", "b") not in cache
        with pytest.raises(KeyError, match="c"):
            cache[("c",)]
    for encoder, layer in (("other", 1), ("encoder", 2), ("encoder1", 1)):
        with VectorCache(path, encoder, layer) as cache:
            assert TEXT not in cache


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(
        BadData,
        match=r"no.where.cache: cannot be used as the cache of word vectors .* remove it, or set",
    ):
        VectorCache(tmp_path / "no" / "where" / "cache", "encoder", 1)


@pytest.mark.parametrize("value", [b"", b"123", b"12345678" * 3, "text", 5, b"\x00\x7c" * 4])
def test_a_damaged_value_is_made_anew(tmp_path, value):
    """Too few numbers for the tokens, texts, infinities."""
    path = tmp_path / "cache"
    tokens = (*TEXT, "c", "d", "e")
    with VectorCache(path, "encoder", 1) as cache:
        cache.add([tokens], [np.ones((5, 2))])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE vectors SET vectors = ?", (value,))
    database.close()
    with VectorCache(path, "encoder", 1) as cache:
        with pytest.warns(SemiHmmWarning, match=r"cache: the cache of word vectors has a damaged"):
            assert tokens not in cache
        cache.add([tokens], [np.ones((5, 2))])
        assert tokens in cache and cache[tokens].shape == (5, 2)
