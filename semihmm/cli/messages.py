"""Writes messages, warnings and progress bars to stderr, and results to stdout."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

from tqdm import tqdm

from corpus_tools.errors import SemiHmmWarning, shortened
from corpus_tools.storage.files import STANDARD_STREAM, replacing
from semihmm.cli.hints import hint

if TYPE_CHECKING:
    from semihmm.training.em import Iteration

Item = TypeVar("Item")

SHOWN_IDS = 5
"""A warning names so many pairs, at most: they fit in a line."""


def say(message: str) -> None:
    """Write a line to stderr."""
    tqdm.write(f"semihmm: {shortened(message)}", file=sys.stderr)


def print_result(text: str) -> None:
    """Write a result to stdout. Raises ``BadData`` if it cannot be written."""
    with replacing(STANDARD_STREAM) as stream:
        stream.write(text + "\n")


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Give the items, with a progress bar if stderr is a terminal."""
    bar = tqdm(
        items, desc=what, total=total, unit=" pairs", file=sys.stderr, disable=None, leave=False
    )
    return iter(bar)


def warn_of_empty(ids: Sequence[str]) -> None:
    """Warn of pairs that have no words on one side."""
    if not ids:
        return
    say(
        "warning: pairs with an empty document or abstract, which get an empty alignment: "
        f"{len(ids)} ({shown_names(ids)})"
    )


def shown_names(names: Sequence[str]) -> str:
    """Return the first few of some names for a message."""
    return ", ".join(names[:SHOWN_IDS]) + (", ..." if len(names) > SHOWN_IDS else "")


def warn_of_compilation() -> None:
    """Say that the kernels will be compiled, if they are not in the cache."""
    from corpus_tools.compiled_kernels import FOLDER

    if not any(FOLDER.glob("**/*.nbi")):
        say("compiling the kernels; this happens once and takes about half a minute")


@contextmanager
def warnings_as_messages() -> Iterator[None]:
    """Show every warning about data as a message of the command line."""
    show_other = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if isinstance(message, SemiHmmWarning):
            say(f"warning: {message}{hint(message)}")
        else:
            show_other(message, category, filename, lineno, file, line)

    with warnings.catch_warnings():
        warnings.simplefilter("always", SemiHmmWarning)
        warnings.showwarning = show
        yield


class TrainingBar:
    """Shows a bar over the iterations of EM, and a line for each of them.

    A line has the objective, its gain, the null probability, the mixture weights and the seconds.
    """

    def __init__(self, iterations: int, done: int = 0) -> None:
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
            f"iteration {iteration.number}: objective {iteration.objective:.1f}{gain}, "
            f"null {iteration.null:.3f}, {weights}, {iteration.seconds:.1f} s"
        )
        self._before = iteration.objective
        self._bar.update()
