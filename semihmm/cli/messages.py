"""Writes messages and warnings to stderr, and results to stdout."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from corpus_tools.errors import SemiHmmWarning, shortened
from corpus_tools.printable import printable
from corpus_tools.progress import (
    asked_for_messages,
    is_quiet,
    showing_bars,
    write_beside_bars,
)
from corpus_tools.storage.files import STANDARD_STREAM, replacing
from semihmm.cli.run_command import hint

if TYPE_CHECKING:
    from semihmm.training.em import Iteration

SHOWN_IDS = 5
"""A warning names so many pairs, at most: they fit in a line."""


@contextmanager
def reporting(*, quiet: bool) -> Iterator[None]:
    """Show bars, where stderr is a terminal, and warnings about data as messages.

    ``quiet``  shows neither bars nor messages, but warnings.
    """
    has_bars = sys.stderr.isatty() and not quiet
    with (
        asked_for_messages(quiet=quiet),
        warnings_as_messages(),
        showing_bars() if has_bars else nullcontext(),
    ):
        yield


def say(message: str, *, needed: bool = False) -> None:
    """Write a line to stderr.

    ``needed``  writes it even if the user wants no messages.
    """
    if needed or not is_quiet():
        _write(message)


def warn(message: str) -> None:
    """Write a warning to stderr."""
    _write(f"warning: {message}")


def _write(message: str) -> None:
    write_beside_bars(f"semihmm: {shortened(message)}")


def print_result(text: str) -> None:
    """Write a result for people to stdout. Raises ``BadData`` if it cannot be written."""
    _print(printable(text))


class Report(Protocol):
    """Figures, as a table and for JSON."""

    def as_dict(self) -> dict[str, Any]: ...

    def table(self) -> str: ...


def print_report(report: Report, as_json: bool) -> None:
    """Write a table, or JSON, to stdout. Raises ``BadData`` if it cannot be written."""
    if as_json:
        _print(json.dumps(report.as_dict(), indent=1))
    else:
        print_result(report.table())


def _print(text: str) -> None:
    with replacing(STANDARD_STREAM) as stream:
        stream.write(text + "\n")


def warn_of_empty(ids: Sequence[str]) -> None:
    """Warn of pairs that have no words on one side."""
    if not ids:
        return
    warn(
        "pairs with an empty document or abstract, which get an empty alignment: "
        f"{len(ids)} ({shown_names(ids)})"
    )


def shown_names(names: Sequence[str]) -> str:
    """Return the first few of some names for a message."""
    return ", ".join(names[:SHOWN_IDS]) + (", ..." if len(names) > SHOWN_IDS else "")


@contextmanager
def warnings_as_messages() -> Iterator[None]:
    """Show every warning about data as a message of the command line."""
    show_other = warnings.showwarning

    def show(message: Warning | str, *place: Any, **more: Any) -> None:
        if isinstance(message, SemiHmmWarning):
            warn(f"{message}{hint(message)}")
        else:
            show_other(message, *place, **more)

    with warnings.catch_warnings():
        warnings.simplefilter("always", SemiHmmWarning)
        warnings.showwarning = show
        yield


class IterationLines:
    """Writes a line for each iteration of EM.

    It has the objective, its gain, the null probability, the mixture weights and the seconds.
    """

    def __init__(self) -> None:
        self._before: float | None = None

    def report(self, iteration: Iteration) -> None:
        """Write the line of an iteration that has ended."""
        gain = "" if self._before is None else f" ({iteration.objective - self._before:+.1f})"
        weights = ", ".join(f"{name} {weight:.3f}" for name, weight in iteration.weights.items())
        say(
            f"iteration {iteration.number}: objective {iteration.objective:.1f}{gain}, "
            f"null {iteration.null:.3f}, {weights}, {iteration.seconds:.1f} s"
        )
        self._before = iteration.objective
