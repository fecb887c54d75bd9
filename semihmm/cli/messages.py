"""The talk on stderr: messages, progress bars, the monitor of EM."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from tqdm import tqdm

from semihmm.training.em import Iteration


def say(message: str) -> None:
    """One line for the person at the terminal."""
    tqdm.write(f"semihmm: {message}", file=sys.stderr)


def progress(items: Iterable[Any], what: str, total: int | None = None) -> Iterator[Any]:
    """The items, with a bar that tells how far they are."""
    return iter(
        tqdm(
            items, desc=what, total=total, unit=" pairs", file=sys.stderr, disable=None, leave=False
        )
    )


class TrainingBar:
    """A bar over the iterations of EM, and a line for each: objective, gain, null probability, mixture weights, seconds."""

    def __init__(self, iterations: int, done: int = 0):
        self._bar = tqdm(
            total=iterations, initial=done, desc="EM", file=sys.stderr, disable=None, leave=False
        )
        self._before: float | None = None

    def __enter__(self) -> TrainingBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def report(self, iteration: Iteration) -> None:
        """Show an iteration that has ended."""
        gain = "" if self._before is None else f" ({iteration.objective - self._before:+.1f})"
        weights = ", ".join(f"{name} {weight:.3f}" for name, weight in iteration.weights.items())
        say(
            f"iteration {iteration.number}: objective {iteration.objective:.1f}{gain}, null {iteration.null:.3f}, "
            f"{weights}, {iteration.seconds:.1f} s"
        )
        self._before = iteration.objective
        self._bar.update()
