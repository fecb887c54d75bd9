"""Makes folders that go again if what they are for fails, and marks those that may be deleted."""

from __future__ import annotations

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


def make_deletable_folder(folder: Path) -> None:
    """Make a folder that may be deleted later, or take one that was made so, or an empty one.

    Raises ``BadData`` for a folder that somebody else made, and ``OSError``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / MARK).exists():
        if any(folder.iterdir()):
            problem = "the folder was not made by training, which would delete it: move it away"
            raise BadData(problem, folder)
        (folder / MARK).touch()
