"""Matches alignments with their pairs, and checks that they belong together."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from corpus_tools.alignments.alignment import Alignment, Alignments, PairDigests, pair_digests
from corpus_tools.base.errors import BadData, first_of, number_of
from corpus_tools.pairs.given_pairs import PairLike, PairsLike, as_pairs
from corpus_tools.pairs.pair import Pair

MOST_WORD_LINKS = 1_000_000
"""The most word links of a phrase link. They take 100 MB; whole texts would have 100 times more."""


def check(alignment: Alignment, pair: Pair) -> None:
    """Raise ``BadData`` if ``alignment`` cannot be an alignment of ``pair``.

    The digests, if it has any, must be those of the pair. All positions must be in the texts. A
    phrase link may have at most ``MOST_WORD_LINKS`` word links.
    """
    if alignment.digests is not None:
        check_digests(alignment.id, alignment.digests, pair)
    documents = [link.document[1] for link in alignment.phrases]
    abstracts = [link.abstract[1] for link in alignment.phrases]
    abstracts += [token + 1 for token in alignment.null]
    for side, ends in (("document", documents), ("abstract", abstracts)):
        end, length = max(ends, default=0), len(getattr(pair, side))
        if end > length:
            raise BadData(
                f"alignment {alignment.id!r} refers to {side} token {end - 1}, "
                f"but the {side} has {number_of(length, 'token')}, numbered from 0; "
                "was it made from the same text with the same tokenizer?"
            )
    for (a, a_end), (d, d_end), _ in alignment.phrases:
        if (a_end - a) * (d_end - d) > MOST_WORD_LINKS:
            raise BadData(
                f"alignment {alignment.id!r} links {a_end - a:,} abstract words with "
                f"{d_end - d:,} document words: no phrase is so long"
            )


def check_digests(id: str, digests: PairDigests, pair: Pair) -> None:
    """Raise ``BadData`` if the digests of an alignment are not those of the pair."""
    for side, before, now in zip(PairDigests._fields, digests, pair_digests(pair), strict=True):
        if before != now:
            raise BadData(
                f"alignment {id!r} was made from another {side}: that one had "
                f"{number_of(before.tokens, 'token')}, the {side} of the pair has {now.tokens} "
                "other ones; did the text or the tokenizer change?"
            )


def check_consistency(alignment: Alignment) -> None:
    """Raise ``BadData`` for repeated phrases, repeated null tokens, and null tokens in a phrase."""
    phrases = [(link.abstract, link.document) for link in alignment.phrases]
    entries = {"phrase (abstract, document)": phrases, "'null': abstract token": alignment.null}
    for name, values in entries.items():
        for entry, count in Counter(values).items():
            if count > 1:
                raise BadData(f"{name} {entry} occurs twice")
    # A wrong file may have spans of any length: a set of their tokens could fill the memory.
    null = sorted(alignment.null)
    for (start, end), _, _ in alignment.phrases:
        first = bisect_left(null, start)
        if first < len(null) and null[first] < end:
            raise BadData(f"abstract token {null[first]} is both in 'null' and in a phrase")


def match(pairs: PairLike | PairsLike, alignments: Alignments) -> list[tuple[Pair, Alignment]]:
    """Return each pair with the alignment of its id, in the order of the pairs.

    Raises ``BadData`` if an id is on one side only, if two alignments have the same id, or if an
    alignment does not fit its pair (``check``).
    """
    all_pairs = as_pairs(pairs)
    if not isinstance(alignments, Mapping):
        alignments = list(alignments)
        if twice := [id for id, count in Counter(a.id for a in alignments).items() if count > 1]:
            raise BadData(f"two alignments have the id {twice[0]!r}")
        alignments = {alignment.id: alignment for alignment in alignments}
    require_same_ids("pairs", {pair.id for pair in all_pairs}, "alignments", alignments.keys())
    matched = [(pair, alignments[pair.id]) for pair in all_pairs]
    for pair, alignment in matched:
        check(alignment, pair)
    return matched


def require_same_ids(
    name: str, ids: AbstractSet[str], other_name: str, other_ids: AbstractSet[str]
) -> None:
    """Raise ``BadData`` unless both sides have the same ids.

    ``name``, ``other_name``  the names of the sides. The error says how many ids only one side has,
                              and names a few.
    """
    if ids != other_ids:
        raise BadData(
            f"the ids of {name} and {other_name} do not match: {_only_in(name, ids - other_ids)}, "
            f"{_only_in(other_name, other_ids - ids)}; both must cover the same texts"
        )


def _only_in(name: str, ids: AbstractSet[str]) -> str:
    return f"{len(ids)} only in the {name}" + (f" ({first_of(sorted(ids))})" if ids else "")
