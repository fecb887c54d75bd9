"""Ranges that are laid end to end, against loops over them."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.encoding.ranges import numbers_within, ranges, selected

SIZES: tuple[list[int], ...] = ([2, 0, 3], [0, 0], [1], [])


@pytest.mark.parametrize("sizes", SIZES)
def test_ranges_are_laid_end_to_end(sizes):
    begins = np.array([7 * row for row in range(len(sizes))], dtype=np.int64)
    expected = [
        number
        for begin, size in zip(begins, sizes, strict=True)
        for number in range(begin, begin + size)
    ]
    assert ranges(begins, np.array(sizes, dtype=np.int64)).tolist() == expected


@pytest.mark.parametrize("sizes", SIZES)
def test_numbers_start_anew_in_each_group(sizes):
    expected = [number for size in sizes for number in range(size)]
    assert numbers_within(np.array(sizes, dtype=np.int32)).tolist() == expected


def test_selected_groups_stand_in_the_wanted_order():
    rows, offsets = selected(np.array([0, 2, 2, 5]), [2, 1, 0, 2])
    assert rows.tolist() == [2, 3, 4, 0, 1, 2, 3, 4]
    assert offsets.tolist() == [0, 3, 3, 5, 8]
