from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.embeddings.vector_cache import VectorCache
from corpus_tools.errors import BadData

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


def test_two_can_write_to_one_file(tmp_path):
    path = tmp_path / "cache"
    with VectorCache(path, "encoder", 1) as one, VectorCache(path, "encoder", 1) as other:
        one.add([TEXT], [VECTORS])
        other.add([TEXT, ("c",)], [VECTORS, VECTORS[:1]])
        assert ("c",) in one and TEXT in other


def test_a_file_of_another_kind_is_left_as_it_is(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id": "a"}\n' * 100)
    with pytest.raises(
        BadData,
        match=r"pairs\.jsonl: cannot be used as the cache of word vectors \(file is not a",
    ):
        VectorCache(path, "encoder", 1)
    assert path.read_text().startswith('{"id"')


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(
        BadData,
        match=r"no.where.cache: cannot be used as the cache of word vectors .* remove it, or set",
    ):
        VectorCache(tmp_path / "no" / "where" / "cache", "encoder", 1)
