"""Makes this process the program: its streams, signals and warnings are the command line's."""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

from semihmm.cli.stop_signals import StopSignals

GARBAGE_THRESHOLDS = (100_000, 20, 100)
"""When Python looks for objects in circles (``gc.set_threshold``).

By its own (700, 10, 10) it goes through the tuples of all texts again and again, which is a quarter
of the time of reading. Peak memory stays the same: the program makes few circles.
"""


def run_program() -> int:
    """Run the command that the arguments of this process name; return the exit status."""
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    # Work is divided among threads of our own, and numpy starts none at its import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signals = StopSignals()
    signals.handle()
    # From here on a signal is answered: what takes long to import comes later.
    from semihmm.cli.streams import drop_output, set_up_streams

    set_up_streams()
    _silence_libraries()
    from semihmm.cli.run_command import run_command

    try:
        status = run_command(sys.argv[1:], signals)
    finally:
        drop_output()
        signals.leave_to_the_system()
    if signals.received is not None:
        # Contexts that the signal left behind are closed. Then nothing is worth waiting for: a
        # thread may be in the midst of a long kernel, and its results are for nobody.
        gc.collect()
        os._exit(status)
    return status


def _silence_libraries() -> None:
    """Keep everything from the user that libraries and Python itself say.

    ``semihmm.cli.messages`` shows the project's own warnings.
    """
    import threading
    import warnings

    # Whatever PYTHONWARNINGS says. Python passes these options on to other processes.
    sys.warnoptions[:] = ["ignore"]
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    # For filters that a library sets later.
    warnings.showwarning = _say_nothing
    sys.unraisablehook = _say_nothing
    threading.excepthook = _say_nothing


def _say_nothing(*_: Any, **__: Any) -> None:
    """Take the place of a hook that would write to stderr."""
