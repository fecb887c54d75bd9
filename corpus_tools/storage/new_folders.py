"""Makes folders that go again if what they are for fails, and removes those that may be deleted."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corpus_tools.errors import BadData
from corpus_tools.storage.files import StrPath

MARK = ".made-by-semihmm"
"""The file in a folder that says that the folder may be deleted with all that is in it."""


@contextmanager
def no_empty_folders(path: StrPath | None) -> Iterator[None]:
    """Remove empty folders on the way to ``path`` that are made inside, if what is inside fails.

    ``None`` is no folder at all.
    """
    folders = [] if path is None else [Path(path), *Path(path).parents]
    missing = [folder for folder in folders if not folder.exists()]
    try:
        yield
    except BaseException:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


@contextmanager
def explaining_folder(folder: Path, what: str) -> Iterator[None]:
    """Turn ``OSError`` into ``BadData`` that says which folder cannot be made."""
    try:
        yield
    except OSError as error:
        raise BadData(f"cannot make {what}: {error.strerror or error}", folder) from error


def make_folder(folder: Path, what: str) -> None:
    """Make a folder, if it is not there. Raises ``BadData`` that says ``what`` it is."""
    with explaining_folder(folder, what):
        folder.mkdir(parents=True, exist_ok=True)


def make_unique_folder(parent: Path, prefix: str, what: str) -> Path:
    """Make a folder with a name of its own in ``parent``. Raises ``BadData``."""
    with explaining_folder(parent, what):
        return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))


def mark_folder(folder: Path, what: str, mark: str = MARK) -> None:
    """Put a mark into a folder. Raises ``BadData`` that says ``what`` it is."""
    with explaining_folder(folder, what):
        (folder / mark).touch()


def require_deletable(folder: Path) -> None:
    """Raise ``BadData`` for a folder with files that does not say that it may be deleted."""
    if not folder.exists() or (folder / MARK).exists():
        return
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise BadData(f"cannot be read: {error.strerror}", folder) from error
    if not names:
        return
    problem = "the folder was not made by semihmm, which would delete it: move it away"
    if all(name.startswith(("texts-", "encoded-")) for name in names):
        problem += (
            ", or remove it if it is what a killed training of an earlier version left "
            "(it looks like a training cache)"
        )
    raise BadData(problem, folder)


def make_deletable_folder(folder: Path, what: str) -> None:
    """Make a folder that may be deleted later, or take one that was made so, or an empty one.

    Raises ``BadData`` for a folder that somebody else made, and if it cannot be made.
    """
    require_deletable(folder)
    make_folder(folder, what)
    mark_folder(folder, what)


def remove_deletable_folder(folder: Path) -> None:
    """Remove a folder that may be deleted, as far as that is possible.

    The mark goes last: whatever is left of the folder can be removed the next time.
    """
    if not (folder / MARK).exists():
        # An interrupt may have come before the mark was made.
        with suppress(OSError):
            folder.rmdir()
        return
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name != MARK:
                remove_folder(path)
        if [path.name for path in folder.iterdir()] == [MARK]:
            (folder / MARK).unlink()
            folder.rmdir()


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it, or a file, as far as that is possible."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        remove_file(path)


def remove_file(path: Path) -> None:
    """Remove a file that is no longer needed, if that is possible."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the file system can do that."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for temporary files, which goes at the end. Raises ``BadData``."""
    what = "a folder for temporary files"
    try:
        parent = Path(tempfile.gettempdir())
    except OSError as error:
        raise BadData(f"cannot make {what}: {error.strerror or error}") from error
    folder = make_unique_folder(parent, "semihmm-", what)
    try:
        yield folder
    finally:
        remove_folder(folder)
