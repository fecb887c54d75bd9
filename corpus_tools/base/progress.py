"""Shows how far long work is: a named bar on stderr for each phase, where bars are asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from weakref import WeakSet

from corpus_tools.base.errors import printable

if TYPE_CHECKING:
    from tqdm import tqdm

Item = TypeVar("Item")

FORMAT = "{l_bar}{bar}| {n_fmt}/{total_fmt}{unit} [{elapsed}<{remaining}{postfix}]"
"""A bar whose total is known: the time that is left says more than the rate."""

_open_bars: ContextVar[WeakSet[tqdm[NoReturn]] | None] = ContextVar("open bars", default=None)
"""The bars that may still be on the terminal; ``None`` where no bars are asked for."""

_quiet: list[bool] = [False]
"""Whether this process has been asked for no messages, the innermost last."""


@contextmanager
def asked_for_messages(*, quiet: bool) -> Iterator[None]:
    """Note for all threads whether messages are wanted inside."""
    _quiet.append(quiet)
    try:
        yield
    finally:
        _quiet.pop()


def is_quiet() -> bool:
    """Tell whether this process has been asked for no messages but warnings."""
    return _quiet[-1]


@contextmanager
def showing_bars() -> Iterator[None]:
    """Show a bar for each phase of the work inside. At the end no bar is left on the terminal.

    Other processes and other threads show none.
    """
    bars: WeakSet[tqdm[NoReturn]] = WeakSet()
    before = _open_bars.get()
    _open_bars.set(bars)
    try:
        yield
    finally:
        # Not by a token: a generator may end in another context than it began in.
        _open_bars.set(before)
        # An exception still holds the frames of the phases that it ended.
        for shown in list(bars):
            shown.close()


def write_beside_bars(line: str) -> None:
    """Write a line to stderr, above the bars if there are any."""
    line = printable(line)
    # It takes long to import, and whoever shows a bar has done so.
    if "tqdm" in sys.modules:
        from tqdm import tqdm

        tqdm.write(line, file=sys.stderr)
    else:
        print(line, file=sys.stderr)


def bar(phase: str, total: int | None = None, unit: str = "pairs", **more: Any) -> tqdm[NoReturn]:
    """Make the bar of a phase, a context manager. Its ``update(n)`` says that n more are done.

    ``total``  how many there will be; ``None``: nobody knows yet.
    ``more``   as tqdm calls them: ``initial``, how many were done before; ``unit_scale``, which
               writes 4.6M for 4,600,000; ``delay``, the seconds before the bar is shown.
    """
    from tqdm import tqdm  # slow to import

    bars = _open_bars.get()
    made: tqdm[NoReturn] = tqdm(
        desc=phase,
        total=total,
        unit=f" {unit}",
        bar_format=None if total is None else FORMAT,
        file=sys.stderr,
        disable=bars is None,
        leave=False,
        dynamic_ncols=True,
        **more,
    )
    if bars is not None:
        bars.add(made)
    return made


def counted(
    items: Iterable[Item], phase: str, total: int | None = None, unit: str = "pairs"
) -> Iterator[Item]:
    """Yield the items, with a bar that counts those that were used.

    ``total``  how many there will be; ``None``: as many as ``items`` has, if that is known.
    """
    if _open_bars.get() is None:
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items)
    with bar(phase, total, unit) as shown:
        for item in items:
            yield item
            shown.update()
