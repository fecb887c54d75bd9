"""Matches alignments with the pairs that they are of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.digests import check_digests
from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.as_pairs import PairLike, PairsLike, as_pairs

if TYPE_CHECKING:
    from corpus_tools.pairs.pair import Pair


Alignments = Mapping[str, Alignment] | Iterable[Alignment]
"""Alignments by id, or one after another."""


def check(alignment: Alignment, pair: Pair) -> None:
    """Raise ``BadData`` if ``alignment`` cannot be of ``pair``.

    Its digests, if it has any, must be those of the pair, and no position may lie outside the
    texts.
    """
    if alignment.digests is not None:
        check_digests(alignment.id, alignment.digests, pair)
    for link in alignment.phrases:
        _check_end(alignment.id, "document", link.document[1], len(pair.document))
        _check_end(alignment.id, "abstract", link.abstract[1], len(pair.abstract))
    for token in alignment.null:
        _check_end(alignment.id, "abstract", token + 1, len(pair.abstract))


def _check_end(id: str, side: str, end: int, length: int) -> None:
    if end > length:
        raise BadData(
            f"alignment {id!r} refers to {side} token {end - 1}, "
            f"but the {side} has {number_of(length, 'token')}, numbered from 0; "
            "was it made from the same text with the same tokenizer?"
        )


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
