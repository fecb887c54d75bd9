"""Finds the folder in which results that are expensive to compute are kept."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from corpus_tools.errors import BadData


def cache_folder() -> Path:
    """Return the cache folder of this project, and make it if it is not there.

    It is ``$XDG_CACHE_HOME/semihmm`` or, where that cannot be written, a folder of this user alone
    in the system's folder for temporary files.

    Raises ``BadData`` if neither can be had: others must not put files there.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if _writable(home / "semihmm"):
        return home / "semihmm"
    problem = "there is no folder for what is computed once: set XDG_CACHE_HOME to one"
    try:
        folder = Path(tempfile.gettempdir()) / f"semihmm-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise BadData(f"{problem} ({error})") from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise BadData(f"{problem} ({folder} belongs to another user)")
    return folder


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
