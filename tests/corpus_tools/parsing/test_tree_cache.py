from __future__ import annotations

import pytest

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
