"""Finds the folder in which results that are expensive to compute are kept."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from corpus_tools.errors import BadData


def cache_folder() -> Path:
    """Return the cache folder of this project, and make it if it is not there.

    It is ``$XDG_CACHE_HOME/semihmm`` or, where that is not to be had, a folder in the system's
    folder for temporary files. Only this user may write there: compiled kernels are pickles.

    Raises ``BadData`` if neither can be had.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        home.mkdir(parents=True, exist_ok=True)
        return _own((home / "semihmm").resolve())
    except OSError:
        pass
    try:
        return _own(Path(tempfile.gettempdir()) / f"semihmm-{os.getuid()}")
    except OSError as error:
        problem = "there is no folder for what is computed once: set XDG_CACHE_HOME to one"
        raise BadData(f"{problem} ({error})") from error


def _own(folder: Path) -> Path:
    """Make a folder, if it is not there. Raises ``OSError`` unless it is this user's alone."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{folder} belongs to another user, or others may write there")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written")
    return folder
