"""Ends the program in order when a signal asks it to.

Until a command begins there is nothing to put in order, and an exception in the midst of an import
may be taken for something else: the program ends at once. While a command runs, the first signal
raises ``Stopped``. The second is ignored, since ``timeout`` and closed terminals send two. Whoever
sends a third does not want to wait for the tidying up. At the exit a signal has its usual effect.

Python handles a signal between two of its instructions. One that comes just before a read begins is
handled when the read ends: never, if it is from a pipe that stays open. So a thread looks whether
each signal was handled, and sends it again if not, which interrupts the read.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from types import FrameType

from corpus_tools.address_space import address_limit

MESSAGES = {
    signal.SIGINT: "interrupted; what was saved stays",
    signal.SIGTERM: "terminated; what was saved stays",
    signal.SIGHUP: "the terminal was closed; what was saved stays",
}
"""The signals that end the program, and what it says then."""


REMINDER = 0.5
"""Seconds after which a signal that was not handled is sent again, by hand."""


class Stopped(KeyboardInterrupt):
    """A signal that ends the program. ``number`` is that of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class StopSignals:
    """What the program does when a signal asks it to end.

    ``received``  the number of the first signal that came while a command ran.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        self._count = 0
        self._working = False

    def handle(self) -> None:
        """Handle the signals from now on. Those that the caller ignores stay ignored (nohup)."""
        for number in MESSAGES:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._stop)

    def begin_work(self) -> None:
        """Raise ``Stopped`` at a signal from now on: there may be something to be put in order."""
        self._working = True
        handled = any(signal.getsignal(number) == self._stop for number in MESSAGES)
        # A thread takes 70 MB of addresses, which others need more where there are few. Without it
        # signals are handled all the same, almost always.
        if handled and address_limit() is None:
            with suppress(RuntimeError, OSError):
                self._look_after()

    def _look_after(self) -> None:
        """Start the thread that sends signals again. Raises ``RuntimeError`` if none can start."""
        arrived, arrives = os.pipe()
        os.set_blocking(arrives, False)
        main = threading.get_ident()
        threading.Thread(target=self._remind, args=(arrived, main), daemon=True).start()
        # From now on the interpreter writes the number of each signal as it comes.
        signal.set_wakeup_fd(arrives, warn_on_full_buffer=False)

    def _remind(self, arrived: int, main: int) -> None:
        """Send each signal to the main thread again until one was handled."""
        while number := os.read(arrived, 1):
            time.sleep(REMINDER)
            if self.received is None and number[0] in MESSAGES:
                signal.pthread_kill(main, number[0])

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
        self._count += 1
        if self.received is None:
            self.received = number
        if self._count != 2:
            raise Stopped(number)
