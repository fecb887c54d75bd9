"""Opens an address in the browser of the user, where there is one with a window."""

from __future__ import annotations

import os
import sys
import webbrowser

from semihmm.cli.messages import say


def open_in_browser(address: str) -> None:
    """Open an address, or say that the user must."""
    if not (_has_windows() and webbrowser.open(address)):
        say("no browser was opened: open the address in one")


def _has_windows() -> bool:
    """Tell whether a browser would have a window: others take the terminal."""
    if sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
