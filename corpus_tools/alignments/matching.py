"""Matches alignments with the pairs that they are of, and refuses those that contradict either."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from corpus_tools.alignments.alignment import Alignment, PairDigests, pair_digests
from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.as_pairs import PairLike, PairsLike, as_pairs
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import StrPath, shown_name

Alignments = Mapping[str, Alignment] | Iterable[Alignment]
"""Alignments by id, or one after another."""


def check(alignment: Alignment, pair: Pair) -> None:
    """Raise ``BadData`` if ``alignment`` cannot be of ``pair``.

    Its digests, if it has any, must be those of the pair, and no position may lie outside the
    texts.
    """
    if alignment.digests is not None:
        check_digests(alignment.id, alignment.digests, pair)
    documents = [link.document[1] for link in alignment.phrases]
    abstracts = [link.abstract[1] for link in alignment.phrases]
    abstracts += [token + 1 for token in alignment.null]
    for side, text, ends in (
        ("document", pair.document, documents),
        ("abstract", pair.abstract, abstracts),
    ):
        end = max(ends, default=0)
        if end > len(text):
            raise BadData(
                f"alignment {alignment.id!r} refers to {side} token {end - 1}, "
                f"but the {side} has {number_of(len(text), 'token')}, numbered from 0; "
                "was it made from the same text with the same tokenizer?"
            )


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


def check_consistency(alignment: Alignment) -> None:
    """Raise ``BadData`` for phrases or null tokens that stand twice, and for tokens in both."""
    phrases = Counter((phrase.abstract, phrase.document) for phrase in alignment.phrases)
    for (abstract, document), count in phrases.items():
        if count > 1:
            raise BadData(
                f"the phrase of abstract {list(abstract)} and document {list(document)} "
                "stands twice"
            )
    for token, count in Counter(alignment.null).items():
        if count > 1:
            raise BadData(f"abstract token {token} stands twice in 'null'")
    # Not by the sets of all tokens: a span may be as long as the file claims.
    null = sorted(alignment.null)
    for start, end in (phrase.abstract for phrase in alignment.phrases):
        first = bisect_left(null, start)
        if first < len(null) and null[first] < end:
            raise BadData(f"abstract token {null[first]} stands both in 'null' and in a phrase")


def match(pairs: PairLike | PairsLike, alignments: Alignments) -> list[tuple[Pair, Alignment]]:
    """Return each pair with the alignment of its id, in the order of the pairs.

    Raises ``BadData`` if an id is on one side only or two alignments have it, or an alignment is
    not of its pair.
    """
    known = as_pairs(pairs)
    named = alignments if isinstance(alignments, Mapping) else _by_id(alignments)
    require_same_ids("pairs", {pair.id for pair in known}, "alignments", named.keys())
    matched = [(pair, named[pair.id]) for pair in known]
    for pair, alignment in matched:
        check(alignment, pair)
    return matched


def _by_id(alignments: Iterable[Alignment]) -> dict[str, Alignment]:
    named: dict[str, Alignment] = {}
    for alignment in alignments:
        if alignment.id in named:
            raise BadData(f"two alignments have the id {alignment.id!r}")
        named[alignment.id] = alignment
    return named


def require_same_ids(
    name: str, ids: AbstractSet[str], other_name: str, other_ids: AbstractSet[str]
) -> None:
    """Raise ``BadData`` unless both sides have the same ids.

    ``name``, ``other_name``  what the error calls the sides. It says how many ids are on one side
                              only, and names the first few.
    """
    if ids != other_ids:
        raise BadData(
            f"the ids of {name} and {other_name} do not match: {_only_in(name, ids - other_ids)}, "
            f"{_only_in(other_name, other_ids - ids)}; both must cover the same texts"
        )


def _only_in(name: str, ids: AbstractSet[str]) -> str:
    some = ", ".join(sorted(ids)[:3]) + (", ..." if len(ids) > 3 else "")
    return f"{len(ids)} only in the {name}" + (f" ({some})" if ids else "")


def require_count(entries: int, pairs: Sequence[Pair], path: StrPath) -> None:
    """Raise ``BadData`` unless a file without ids has one entry a pair."""
    if entries != len(pairs):
        raise BadData(
            f"alignments of {number_of(entries, 'pair')} for {number_of(len(pairs), 'pair')}: "
            "expected one each, in order",
            shown_name(path),
        )
