"""Where what is dear to make is kept for the next time."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/semihmm``, or a folder for temporary files where that cannot be written; made if need be."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if _writable(home / "semihmm"):
        return home / "semihmm"
    folder = Path(tempfile.gettempdir()) / "semihmm"
    folder.mkdir(exist_ok=True)
    return folder


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
