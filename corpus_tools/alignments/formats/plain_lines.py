"""Checks that formats of plain lines share: they have no ids, and words without white space."""

from __future__ import annotations

from collections.abc import Sequence

from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import StrPath, shown_name


def require_count(entries: int, pairs: Sequence[Pair], path: StrPath) -> None:
    """Raise ``BadData`` unless the file has one entry a pair."""
    if entries != len(pairs):
        raise BadData(
            f"alignments of {number_of(entries, 'pair')} for {number_of(len(pairs), 'pair')}: "
            "expected one each, in order",
            shown_name(path),
        )


def checked_link(d: int, a: int, pair: Pair) -> WordLink:
    """Return the link ``(d, a)``. Raises ``BadData`` if it lies outside the texts of ``pair``."""
    for side, token, text in (("document", d, pair.document), ("abstract", a, pair.abstract)):
        if not 0 <= token < len(text):
            raise BadData(
                f"a link to {side} token {token} (counted from 0) of pair {pair.id!r}, "
                f"whose {side} has {number_of(len(text), 'token')}"
            )
    return d, a


def one_word(token: str) -> str:
    """Return the token with ``_`` for white space, which a token from the input may hold or be."""
    return "_".join(token.split()) or "_"
