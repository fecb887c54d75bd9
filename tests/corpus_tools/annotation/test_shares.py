"""Tests of who annotates which pairs."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.annotation.session import shares

IDS = st.lists(st.text(max_size=3), unique=True, max_size=20)


@given(IDS, st.integers(1, 4), st.integers(0, 9), st.randoms())
def test_pairs_are_shared_evenly_whatever_their_order(ids, people, overlap, random):
    own = shares(ids, people, overlap)
    common = set.intersection(*own)
    assert set.union(*own) == set(ids)
    assert people == 1 or len(common) == min(overlap, len(ids))
    assert all(one & other == common for one, other in combinations(own, 2))
    assert max(map(len, own)) - min(map(len, own)) <= 1
    assert own == shares(random.sample(ids, len(ids)), people, overlap)
    # Nobody loses a pair where more are given to all.
    more = shares(ids, people, overlap + 1)
    assert all(before <= after for before, after in zip(own, more, strict=True))
