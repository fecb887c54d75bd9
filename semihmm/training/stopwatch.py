"""Measures how long the phases of a training take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


class Spent(NamedTuple):
    """Seconds of wall time, and of all processors that this process used."""

    wall: float
    processor: float


class Stopwatch:
    """Measures phases of work.

    ``phases`` has the time that each phase has taken so far, in the order in which they first
    ended.
    """

    def __init__(self) -> None:
        self.phases: dict[str, Spent] = {}
        self._last = self._now()

    def _now(self) -> Spent:
        return Spent(time.perf_counter(), time.process_time())

    def lap(self, phase: str) -> None:
        """Add all time since the last lap to this phase."""
        now = self._now()
        wall, processor = self.phases.get(phase, Spent(0.0, 0.0))
        self.phases[phase] = Spent(
            wall + now.wall - self._last.wall, processor + now.processor - self._last.processor
        )
        self._last = now

    def timed(self, phase: str, work: Callable[Given, Result]) -> Callable[Given, Result]:
        """Return the work with a lap behind it."""

        def with_lap(*given: Given.args, **named: Given.kwargs) -> Result:
            result = work(*given, **named)
            self.lap(phase)
            return result

        return with_lap

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {spent.wall:.1f} ({spent.processor:.1f})"
            for name, spent in self.phases.items()
        )
