"""Warnings of workers come back to the process that started them."""

import warnings

import pytest

from corpus_tools.base.errors import ImpossiblePair, MarkupText
from corpus_tools.base.parallel import warn_once, with_warnings

GIVEN = (MarkupText("tags"), ImpossiblePair("one"), MarkupText("more"), ImpossiblePair("two"))


def work(number):
    for one in (*GIVEN, UserWarning("of a library")):
        warnings.warn(one, stacklevel=1)
    return number + 1


def test_the_first_of_a_kind_stands_for_all_and_each_impossible_pair_is_named():
    result, given = with_warnings(work, 1)
    assert result == 2 and list(map(str, given)) == ["tags", "one", "more", "two"]
    kinds = set()
    for more, expected in ((given, ["tags", "one", "two"]), (given[:2], ["one"])):
        with pytest.warns() as shown:
            warn_once(more, kinds)
        assert [str(one.message) for one in shown] == expected
