"""Defines the effect of signals on the program."""

import os
import signal
from contextlib import suppress
from types import FrameType

MESSAGES = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
"""The signals that end the program, with their messages."""

if hasattr(signal, "SIGHUP"):  # not on Windows
    MESSAGES[signal.SIGHUP] = "the terminal was closed"


class Stopped(KeyboardInterrupt):
    """A signal ends the program. ``number`` is the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class StopSignals:
    """Handles the signals that end the program.

    Before a command begins, a signal ends the program at once: there is nothing to clean up, and an
    import might catch an exception. While a command runs, the first signal raises ``Stopped``.
    Later ones are ignored, since ``timeout`` and closed terminals send two. At the exit, a signal
    has its usual effect.

    Python handles a signal between two of its instructions. A signal that arrives just before a
    read from a pipe is handled when data arrives, or at the next signal.

    ``received``  the numbers of the signals that arrived while a command ran.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self._working = False

    def handle(self) -> None:
        """Handle the signals from now on. Signals that the caller ignores stay ignored (nohup)."""
        for number in MESSAGES:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._stop)

    def begin_work(self) -> None:
        """Raise ``Stopped`` at a signal from now on: there may be something to clean up."""
        self._working = True

    def leave_to_the_system(self) -> None:
        """Let a signal end the process without a message: nothing is left to clean up."""
        for number in MESSAGES:
            if signal.getsignal(number) == self._stop:
                signal.signal(number, signal.SIG_DFL)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if not self._working:
            with suppress(OSError):
                os.write(2, f"semihmm: {MESSAGES[signal.Signals(number)]}\n".encode())
            os._exit(128 + number)
        self.received.append(number)
        if len(self.received) == 1:
            raise Stopped(number)
