"""Keeps trees on disk, so that no sentence is parsed twice."""

from __future__ import annotations

from corpus_tools.storage.token_cache import TokenCache, Tokens


class TreeCache(TokenCache):
    """Maps sentences to bracketed trees by one version of one parser; ``None`` where it failed."""

    table = "trees"
    column = "tree"
    sql_type = "TEXT"
    content, remedy = "trees", "name another file, or remove this one"

    def is_value(self, tokens: Tokens, value: object) -> bool:
        """Tell whether a value is a text or ``None``. Readers compare the leaves."""
        return value is None or isinstance(value, str)
