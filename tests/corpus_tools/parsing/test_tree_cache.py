from __future__ import annotations

import sqlite3

import pytest

from corpus_tools.errors import BadData
from corpus_tools.parsing.tree_cache import TreeCache

SENTENCE = ("a", "b")


def test_trees_stay_for_the_same_parser_version_and_tokens(tmp_path):
    path = tmp_path / "cache"
    with TreeCache(path, "parser", "1") as cache:
        assert SENTENCE not in cache
        cache.add([SENTENCE, ("b",)], ["(X a b)", None])
    with TreeCache(path, "parser", "1") as cache:
        assert SENTENCE in cache and ("b",) in cache
        assert (cache[SENTENCE], cache[("b",)]) == ("(X a b)", None)
        assert ("a b",) not in cache and ("A", "b") not in cache
        with pytest.raises(KeyError, match="c"):
            cache[("c",)]
    for parser, version in (("other", "1"), ("parser", "2"), ("parser1", "")):
        with TreeCache(path, parser, version) as cache:
            assert SENTENCE not in cache


def test_without_a_file_nothing_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with TreeCache(None, "parser", "1") as cache:
        cache.add([SENTENCE], ["(X a b)"])
        assert cache[SENTENCE] == "(X a b)"
    with TreeCache(None, "parser", "1") as cache:
        assert SENTENCE not in cache
    assert not list(tmp_path.iterdir())


def test_two_can_write_to_one_file(tmp_path):
    path = tmp_path / "cache"
    with TreeCache(path, "parser", "1") as one, TreeCache(path, "parser", "1") as other:
        one.add([SENTENCE], ["(X a b)"])
        other.add([SENTENCE, ("c",)], ["(X a b)", "(X c)"])
        assert other[SENTENCE] == one[SENTENCE] and one[("c",)] == "(X c)"


def test_a_file_of_another_kind_is_left_as_it_is(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id": "a"}\n' * 100)
    with pytest.raises(
        BadData,
        match=r"pairs\.jsonl: cannot be used as the cache of trees \(file is not a database\)",
    ):
        TreeCache(path, "parser", "1")
    assert path.read_text().startswith('{"id"')


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(
        BadData, match=r"no.where.*cache: cannot be used as the cache of trees \(unable to open"
    ):
        TreeCache(tmp_path / "no" / "where" / "cache", "parser", "1")
    path = tmp_path / "cache"
    sqlite3.connect(path).executescript("CREATE TABLE trees (other TEXT)").close()
    with (
        TreeCache(path, "parser", "1") as cache,
        pytest.raises(BadData, match=r"cache of trees \(table trees has 1 columns but 3 values"),
    ):
        cache.add([SENTENCE], [None])
