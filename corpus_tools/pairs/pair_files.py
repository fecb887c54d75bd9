"""Finds the files of a corpus that is in several."""

from __future__ import annotations

import os
from collections.abc import Sequence
from os import PathLike

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.storage.files import STANDARD_STREAM, StrPath

NO_PAIRS = (".", "_")
"""What the names of files begin with that are passed over in a directory.

Programs that write many files mark the end of their work with such ones, as ``_SUCCESS``.
"""


def pair_files(paths: StrPath | Sequence[StrPath]) -> list[str]:
    """Return the files that are named, in this order, and for a directory the files in it.

    Files of a directory are sorted by name, character by character: ``10`` stands before ``9``.
    Hidden files are passed over, and those whose names begin with ``_``. A name that is no
    directory is returned as it is, ``-`` for standard input included.

    Raises ``BadData`` for a directory without files, with a directory inside, or that cannot be
    read; ``BadUsage`` for a file that is named twice.
    """
    named = [paths] if isinstance(paths, str | PathLike) else paths
    files: list[str] = []
    for path in (os.fspath(one) for one in named):
        files += _files_in(path) if _is_directory(path) else [path]
    _refuse_repeated(files)
    return files


def _is_directory(path: str) -> bool:
    return path != STANDARD_STREAM and os.path.isdir(path)


def _files_in(directory: str) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(directory) if not name.startswith(NO_PAIRS))
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", directory) from error
    if not names:
        raise BadData("the directory has no files of pairs", directory)
    files = [os.path.join(directory, name) for name in names]
    inside = next(filter(os.path.isdir, files), None)
    if inside is not None:
        problem = f"holds the directory {os.path.basename(inside)}: expected files of pairs alone"
        raise BadData(problem, directory)
    return files


def _refuse_repeated(files: Sequence[str]) -> None:
    first: dict[str, str] = {}
    for file in files:
        real = file if file == STANDARD_STREAM else os.path.realpath(file)
        other = first.setdefault(real, file)
        if other is not file:
            same = "" if other == file else f", which is the file {other} too"
            raise BadUsage(f"the pairs of {file}{same} are named twice")
