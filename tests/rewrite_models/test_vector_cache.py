"""Tests of the cache of vectors: shared, damaged, or another program's database."""

import multiprocessing
import os
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from corpus_tools.base.errors import BadData
from rewrite_models.vector_cache import VectorCache
from tests.copied_process import copies_processes

TEXT = ("a", "b")
VECTORS = np.array([[1.0, 0.1], [-2.0, 65504.0]])


def execute(path, *statement):
    with closing(sqlite3.connect(path)) as database, database:
        return database.execute(*statement).fetchall()


def test_values_stay_for_the_same_maker_and_tokens(tmp_path):
    path = tmp_path / "cache"
    with closing(VectorCache(path, "encoder", 1)) as cache:
        assert cache.get(TEXT) is None
        cache.add({TEXT: VECTORS, ("b",): VECTORS[:1]})
    with closing(VectorCache(path, "encoder", 1)) as cache:
        assert cache.get(TEXT).dtype == np.float16
        np.testing.assert_array_equal(cache.get(TEXT), VECTORS.astype(np.float16))
        assert cache.get(("b",)).shape == (1, 2)
        assert cache.get(("a b",)) is cache.get(("A", "b")) is None
    for encoder, layer in (("other", 1), ("encoder", 2), ("encoder1", 1)):
        with closing(VectorCache(path, encoder, layer)) as cache:
            assert cache.get(TEXT) is None


def test_a_damaged_value_is_missing(tmp_path):
    path = tmp_path / "cache"
    texts = [(str(number),) for number in range(3)]
    with closing(VectorCache(path, "encoder", 1)) as cache:
        cache.add({text: VECTORS[number % 2 :][:1] for number, text in enumerate(texts)})
    (key, vectors), (other, _), _ = execute(path, "SELECT key, value FROM vectors")
    execute(path, "UPDATE vectors SET value = NULL WHERE key = ?", (key,))
    execute(path, "UPDATE vectors SET value = ? WHERE key = ?", (b"1234" + vectors, other))
    with closing(VectorCache(path, "encoder", 1)) as cache:
        assert sum(cache.get(tokens) is not None for tokens in texts) == 1
        cache.add(dict.fromkeys(texts, VECTORS[:1]))
        assert all((cache.get(tokens) == VECTORS[:1].astype(np.float16)).all() for tokens in texts)


@pytest.mark.parametrize(
    "content", [b'{"id": "a"}\n' * 999, b"SQLite format 3\0" + bytes(5000)], ids=["text", "damaged"]
)
def test_what_is_no_sound_database_is_named_and_left_as_it_is(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(BadData, match=r"file: cannot be used as the cache of .* remove it"):
        VectorCache(tmp_path / "file", "parser", "1")
    assert (tmp_path / "file").read_bytes() == content


def die_while_writing(path):
    with closing(VectorCache(path, "encoder", 1)) as cache:
        cache._database.execute("BEGIN IMMEDIATE")
        cache._database.execute("INSERT INTO vectors VALUES ('key', 'value', 1)")
        os._exit(77)


@copies_processes
def test_several_write_to_a_cache_though_a_process_died_while_it_wrote(tmp_path):
    path = tmp_path / "cache"
    dying = multiprocessing.get_context("fork").Process(target=die_while_writing, args=(path,))
    dying.start()
    dying.join()
    assert dying.exitcode == 77
    with closing(VectorCache(path, "encoder", 1)) as one:
        with closing(VectorCache(path, "encoder", 1)) as other:
            for number in range(3):
                one.add({(f"{number}",): VECTORS})
                other.add({(f"{number}", "x"): VECTORS})
        assert all(one.get((f"{number}", "x")) is not None for number in range(3))
