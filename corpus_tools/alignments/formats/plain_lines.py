"""What formats of plain lines share: the n-th pair instead of ids, and words without white space."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import shown_name


def require_count(entries: int, pairs: Sequence[Pair], path: str | PathLike) -> None:
    """Raise ``BadData`` unless the file has one entry a pair."""
    if entries != len(pairs):
        raise BadData(
            f"alignments of {entries} pairs, but there are {len(pairs)} pairs: expected one each, in order",
            shown_name(path),
        )


def checked_link(d: int, a: int, pair: Pair) -> WordLink:
    """The link ``(d, a)``; raises ``BadData`` if it lies outside the texts of ``pair``."""
    for side, offset, text in (("document", d, pair.document), ("abstract", a, pair.abstract)):
        if not 0 <= offset < len(text):
            raise BadData(
                f"a link to {side} token {offset} (counted from 0) of pair {pair.id!r}, whose {side} has "
                f"{len(text)} tokens"
            )
    return d, a


def one_word(token: str) -> str:
    """The token with ``_`` for white space, which a token that was given as such may hold."""
    return "_".join(token.split())
