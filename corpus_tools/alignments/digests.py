"""Digests of texts, which alignments carry: they tell whether offsets count the same tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.pair import Pair

HASH_BYTES = 8
"""Bytes of a hash, 16 hexadecimal digits.

Chosen by hand: in a million texts two others have the same hash with a probability of 3e-8.
"""


class TextDigest(NamedTuple):
    """What identifies the tokens of a text.

    ``tokens``  how many there are.
    ``hash``    the hexadecimal BLAKE2b hash, of 8 bytes, of the tokens as they are in the text, in
                UTF-8, with a byte 0 after each.
    """

    tokens: int
    hash: str


class PairDigests(NamedTuple):
    """The digests of the two sides of a pair."""

    document: TextDigest
    abstract: TextDigest


def text_digest(tokens: Sequence[str]) -> TextDigest:
    """Return the digest of the tokens of a text. Sentences and characters do not matter."""
    # Texts from Python may hold what is no character in UTF-8.
    content = "".join(f"{token}\0" for token in tokens).encode("utf-8", "surrogatepass")
    return TextDigest(len(tokens), hashlib.blake2b(content, digest_size=HASH_BYTES).hexdigest())


def pair_digests(pair: Pair) -> PairDigests:
    """Return the digests of both sides of a pair."""
    return PairDigests(text_digest(pair.document.tokens), text_digest(pair.abstract.tokens))


def check_digests(id: str, digests: PairDigests, pair: Pair) -> None:
    """Raise ``BadData`` if the digests of an alignment are not those of the pair."""
    for side, before, now in zip(PairDigests._fields, digests, pair_digests(pair), strict=True):
        if before != now:
            counts = (
                f"both have {number_of(now.tokens, 'token')}, but not the same ones"
                if before.tokens == now.tokens
                else f"that one had {number_of(before.tokens, 'token')}, "
                f"the {side} of the pair has {now.tokens}"
            )
            raise BadData(
                f"alignment {id!r} was made from another {side}: {counts}; "
                "was the text changed, or is the tokenizer another one?"
            )


def read_digests(row: Any) -> PairDigests:
    """Return the digests of a JSON object. Raises ``BadData`` for anything malformed."""
    try:
        sides = [TextDigest(row[side]["tokens"], row[side]["hash"]) for side in PairDigests._fields]
    except (KeyError, TypeError):
        raise BadData(
            f"'digests' is {row!r}, expected an object {{'document', 'abstract'}}, "
            "a number of 'tokens' and a 'hash' in each"
        ) from None
    return PairDigests(*sides)
