"""Work in executors."""

from concurrent.futures import Executor, Future

import pytest

from corpus_tools.base.parallel import in_order


class Slow(Executor):
    """Does the first task alone."""

    def __init__(self, outcome):
        self.outcome = outcome
        self.futures = []

    def submit(self, work, item):
        self.futures.append(Future())
        if len(self.futures) == 1:
            self.outcome(self.futures[0])
        return self.futures[-1]


def test_what_waits_is_left_to_whoever_ends_the_executor():
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


class TakenLater(Future):
    """A task that the executor takes only when it is asked about it for the fourth time."""

    asked = 0

    def running(self):
        self.asked += 1
        return self.asked > 3


class TakesLater(Slow):
    """Does the first task, and takes the others late."""

    def submit(self, work, item):
        future = super().submit(work, item)
        if len(self.futures) > 1:
            self.futures[-1] = future = TakenLater()
        return future


def test_tasks_are_taken_before_the_executor_is_ended():
    """The thread of joblib's executor ends with a traceback if some wait when it is ended."""
    executor = TakesLater(lambda future: future.set_exception(ValueError("first")))
    with pytest.raises(ValueError, match="first"):
        next(in_order(str, range(9), 2, executor))
    assert all(future.asked > 3 for future in executor.futures[1:])
