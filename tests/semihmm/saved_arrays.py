"""The files of directories, to be compared."""

from __future__ import annotations

from pathlib import Path


def contents(directory: Path) -> dict[str, bytes]:
    """Return the files of a directory by name."""
    return {file.name: file.read_bytes() for file in sorted(directory.iterdir())}
