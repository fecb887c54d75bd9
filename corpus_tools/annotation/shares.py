"""Who annotates which pairs, where several people share them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def shares(ids: Sequence[str], people: int, overlap: int) -> list[set[str]]:
    """Return for each person the ids of the pairs to annotate.

    Pairs are drawn as if by lot, by a hash of their ids: their order and their texts do not matter.
    The first ``overlap`` are for everybody, the others are dealt out evenly, one to each person in
    turn. Whoever has a pair keeps it where ``overlap`` grows.
    """
    drawn = sorted(ids, key=lambda id: hashlib.sha256(id.encode("utf-8", "surrogatepass")).digest())
    common = set(drawn[:overlap])
    return [common | set(drawn[person::people]) for person in range(people)]
