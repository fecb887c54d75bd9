"""Work in executors, and the warnings that come back from it."""

import warnings
from concurrent.futures import Executor, Future

import pytest

from corpus_tools.base.errors import ImpossiblePair, MarkupText
from corpus_tools.base.parallel import in_order, warn_once, with_warnings


class TakenLater(Future):
    """A task that the executor takes only when it is asked about it for the fourth time."""

    asked = 0

    def running(self):
        self.asked += 1
        return self.asked > 3


class Slow(Executor):
    """Does the first task alone, and takes the others late."""

    def __init__(self, outcome):
        self.outcome = outcome
        self.futures = []

    def submit(self, work, item):
        self.futures.append(TakenLater() if self.futures else Future())
        if len(self.futures) == 1:
            self.outcome(self.futures[0])
        return self.futures[-1]


def test_what_waits_is_taken_and_left_to_whoever_ends_the_executor():
    """Joblib's processes end with a traceback, or not at all, where it was cancelled."""
    slow = Slow(lambda future: future.set_result("done"))
    results = in_order(str, range(9), 2, slow)
    assert next(results) == "done"
    results.close()
    failing = Slow(lambda future: future.set_exception(ValueError("first")))
    with pytest.raises(ValueError, match="first"):
        next(in_order(str, range(9), 2, failing))
    for executor in (slow, failing):
        assert len(executor.futures) == 5
        assert not any(future.cancelled() for future in executor.futures)
        assert all(future.asked > 3 for future in executor.futures[1:])


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
