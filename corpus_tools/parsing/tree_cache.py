"""Trees on disk, so that no sentence is parsed twice."""

from __future__ import annotations

from corpus_tools.storage.token_cache import TokenCache


class TreeCache(TokenCache):
    """From sentences to the bracketed trees that one version of one parser gave them; ``None`` where it could not."""

    table, column, kind = "trees", "tree", "TEXT"
    content, remedy = "trees", "name another file, or remove this one"
