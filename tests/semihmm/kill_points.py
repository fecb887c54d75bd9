"""Points in training at which a process kills itself, as if it were killed from outside."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from semihmm.model.semi_hmm import SemiHmm

KINDS = (
    "before encoding",
    "before the E-step",
    "before the M-step",
    "a file half written",
    "before replacing a file",
    "after replacing a file",
)


def kill_at(
    monkeypatch: pytest.MonkeyPatch, number: int, log: Path, with_signal: int = signal.SIGKILL
) -> None:
    """Make this process send itself a signal at the point of this number.

    The log gets a line with the kind of the point. The points come in the same order in every run
    with one thread. So the number says exactly what was done before, whatever the speed of the
    machine.
    """
    numbers = count(1)

    def reached(kind: str) -> bool:
        # Who survives the signal goes on to further points.
        if next(numbers) != number:
            return False
        with log.open("a") as stream:
            stream.write(f"{kind}\n")
        return True

    def point(kind: str) -> None:
        if reached(kind):
            os.kill(os.getpid(), with_signal)

    def before(owner: Any, name: str, kind: str) -> Callable[..., Any]:
        intact = getattr(owner, name)

        def wrapped(*arguments: Any) -> Any:
            point(kind)
            return intact(*arguments)

        monkeypatch.setattr(owner, name, wrapped)
        return wrapped

    def fsync(file: int) -> None:
        # Folders are synchronised too.
        if stat.S_ISREG(os.fstat(file).st_mode) and reached("a file half written"):
            os.ftruncate(file, os.fstat(file).st_size // 2)
            os.kill(os.getpid(), with_signal)

    before(SemiHmm, "encode", "before encoding")
    before(SemiHmm, "expected_counts", "before the E-step")
    before(SemiHmm, "m_step", "before the M-step")
    monkeypatch.setattr(os, "fsync", fsync)
    replace = before(os, "replace", "before replacing a file")

    def replaced(*arguments: Any) -> None:
        replace(*arguments)
        point("after replacing a file")

    monkeypatch.setattr(os, "replace", replaced)
