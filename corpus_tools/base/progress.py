"""Shows the progress of long work: a named bar on stderr for each phase, if bars are wanted."""

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

BAR_FORMAT = "{l_bar}{bar}| {n_fmt}/{total_fmt}{unit} [{elapsed}<{remaining}{postfix}]"
"""The format of a bar with a known total. It shows the time that is left, not the rate."""

_open_bars: ContextVar[WeakSet[tqdm[NoReturn]] | None] = ContextVar("open bars", default=None)
"""The bars that may still be on the terminal; ``None`` if no bars are wanted."""

_quiet: list[bool] = [False]
"""Whether messages are unwanted, one entry for each nested ``setting_quiet``."""


@contextmanager
def setting_quiet(*, quiet: bool) -> Iterator[None]:
    """Set for all threads whether only warnings are wanted inside, no other messages."""
    _quiet.append(quiet)
    try:
        yield
    finally:
        _quiet.pop()


def is_quiet() -> bool:
    """Tell whether only warnings are wanted, no other messages."""
    return _quiet[-1]


@contextmanager
def showing_bars() -> Iterator[None]:
    """Show a bar for each phase of the work inside. At the end no bar is left on the terminal.

    Other processes and other threads show no bars.
    """
    bars: WeakSet[tqdm[NoReturn]] = WeakSet()
    before = _open_bars.get()
    _open_bars.set(bars)
    try:
        yield
    finally:
        # ``reset`` with a token would fail: a generator may end in another context.
        _open_bars.set(before)
        # After an exception, whose traceback refers to them, bars may still be open.
        for open_bar in list(bars):
            open_bar.close()


def write_above_bars(line: str) -> None:
    """Write a line to stderr, above the bars if there are any."""
    line = printable(line)
    # tqdm is slow to import. If it is not imported, there are no bars.
    if "tqdm" in sys.modules:
        from tqdm import tqdm

        tqdm.write(line, file=sys.stderr)
    else:
        print(line, file=sys.stderr)


def bar(phase: str, total: int | None = None, unit: str = "pairs", **more: Any) -> tqdm[NoReturn]:
    """Make the bar of a phase, a context manager. Call its ``update(n)`` after n more items.

    ``total``  the number of items; ``None`` if it is not known yet.
    ``more``   options of tqdm: ``initial``, the number of items that were done before;
               ``unit_scale``, which writes 4.6M for 4,600,000; ``delay``, the seconds before the
               bar appears.
    """
    from tqdm import tqdm  # slow to import

    bars = _open_bars.get()
    phase_bar: tqdm[NoReturn] = tqdm(
        desc=phase,
        total=total,
        unit=f" {unit}",
        bar_format=None if total is None else BAR_FORMAT,
        file=sys.stderr,
        disable=bars is None,
        leave=False,
        dynamic_ncols=True,
        **more,
    )
    if bars is not None:
        bars.add(phase_bar)
    return phase_bar


def counted(
    items: Iterable[Item], phase: str, total: int | None = None, unit: str = "pairs"
) -> Iterator[Item]:
    """Yield the items, with a bar that counts the items that the caller has finished.

    ``total``  the number of items; ``None``: the length of ``items``, if it has one.
    """
    if _open_bars.get() is None:
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items)
    with bar(phase, total, unit) as items_bar:
        for item in items:
            yield item
            items_bar.update()
