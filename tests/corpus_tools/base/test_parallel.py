"""Work in executors, and the warnings that come back from it."""

import os
import warnings
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from threading import Event

import pytest

from corpus_tools.base import parallel
from corpus_tools.base.errors import ImpossiblePair, MarkupText
from corpus_tools.base.parallel import in_order, in_processes, warn_once, with_warnings


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


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_order_and_items_are_taken_a_little_ahead(workers):
    taken = []

    def items():
        for number in range(20):
            taken.append(number)
            yield number

    def half(number):
        return 1 / (18 - number)

    results = in_order(half, items(), workers)
    ahead = 2 * workers if workers > 1 else 0
    for number in range(18):
        assert next(results) == 1 / (18 - number)
        assert len(taken) == min(number + 1 + ahead, 20)
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_an_executor_that_is_dead_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(parallel, "ALIVE_CHECK_SECONDS", 0.001)
    answers = [True, True, False]
    executor = Slow(lambda future: None)
    with pytest.raises(CancelledError):
        next(in_order(str, range(9), 2, executor, lambda: answers.pop(0)))
    assert not answers


def test_one_process_is_this_one():
    results = in_processes(lambda number: (number, os.getpid()), range(2), 1, "counts")
    assert [*results] == [(0, os.getpid()), (1, os.getpid())]


@pytest.mark.parametrize("fails", [False, True])
def test_what_has_not_begun_is_left_when_the_caller_stops_or_an_item_fails(monkeypatch, fails):
    """It is not waited for: that would never end."""
    begun, ended = [], Event()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, *arguments, **named):
            super().shutdown(*arguments, **named)
            ended.set()

    def work(item):
        begun.append(item)
        return ended.wait() if item else 1 / (not fails)

    monkeypatch.setattr(parallel, "ThreadPoolExecutor", Pool)
    results = in_order(work, range(9), 2)
    if fails:
        with pytest.raises(ZeroDivisionError):
            next(results)
    else:
        assert next(results) == 1
    results.close()
    # Two threads were at work at the next two of five items.
    assert {*begun} <= {0, 1, 2}
