"""Says what signals do to the program."""

import os
import signal
from contextlib import suppress
from types import FrameType

MESSAGES = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
"""The signals that end the program, and what it says then."""

if hasattr(signal, "SIGHUP"):  # not on Windows
    MESSAGES[signal.SIGHUP] = "the terminal was closed"


class Stopped(KeyboardInterrupt):
    """A signal that ends the program. ``number`` is that of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class StopSignals:
    """What the program does when a signal asks it to end.

    Until a command begins there is nothing to put in order, and an exception in the midst of an
    import may be taken for something else: the program ends at once. While a command runs, the
    first signal raises ``Stopped``. Others are ignored, since ``timeout`` and closed terminals send
    two. At the exit a signal has its usual effect.

    Python handles a signal between two of its instructions. One that comes just before a read from
    a pipe begins is handled when something comes through the pipe, or at the next signal.

    ``received``  the numbers of the signals that came while a command ran.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self._working = False

    def handle(self) -> None:
        """Handle the signals from now on. Those that the caller ignores stay ignored (nohup)."""
        for number in MESSAGES:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._stop)

    def begin_work(self) -> None:
        """Raise ``Stopped`` at a signal from now on: there may be something to be put in order."""
        self._working = True

    def leave_to_the_system(self) -> None:
        """Let a signal end the process without a word: nothing is left to be put in order."""
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
