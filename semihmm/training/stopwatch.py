"""Measures the phases of a training."""

import time
from collections import defaultdict


class Stopwatch:
    """Measures phases of work.

    ``wall``       seconds that each phase has taken so far, in the order in which they first ended.
    ``processor``  seconds of all processors that this process used in them.
    """

    def __init__(self) -> None:
        self.wall: defaultdict[str, float] = defaultdict(float)
        self.processor: defaultdict[str, float] = defaultdict(float)
        self._last = time.perf_counter(), time.process_time()

    def lap(self, phase: str) -> None:
        """Add all time since the last lap to this phase."""
        wall, processor = self._last
        self._last = time.perf_counter(), time.process_time()
        self.wall[phase] += self._last[0] - wall
        self.processor[phase] += self._last[1] - processor

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {wall:.1f} ({self.processor[name]:.1f})" for name, wall in self.wall.items()
        )
