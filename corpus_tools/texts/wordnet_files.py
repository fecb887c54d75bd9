"""Finds WordNet where it is installed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from corpus_tools.errors import BadData, NoWordNet
from corpus_tools.texts.nltk_package import load_nltk

if TYPE_CHECKING:
    from nltk.data import PathPointer

DIRECTORIES = ("$WNSEARCHDIR", "$WNHOME/dict", "/usr/share/wordnet")
"""Where WordNet's own programs search (wnintro(1WN)) and where Debian installs it."""

WAYS_TO_GET_IT = ("`python -m nltk.downloader wordnet`", "`apt-get install wordnet-base`")

FILES = [f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")]


def find_wordnet(path: str | None = None) -> PathPointer:
    """Find the WordNet in the directory ``path``, or else the first that is installed.

    Searched, in this order: NLTK's data path (``corpora/wordnet``, a directory or a zip file),
    ``$WNSEARCHDIR``, ``$WNHOME/dict``, ``/usr/share/wordnet``.

    Raises ``BadData`` if ``path`` is no WordNet, ``NoWordNet`` if none is installed.
    """
    load_nltk()
    import nltk.data

    from corpus_tools.texts.local_path import LocalPath

    if path is not None:
        if missing := _missing(_directory(path)):
            expected = f"expected a directory that also holds {', '.join(missing)}"
            raise BadData(f"is no WordNet: {expected}", path)
        return LocalPath(_directory(path))
    with suppress(LookupError, BadZipFile, OSError):
        # Without the last slash NLTK does not search in zip files.
        found = nltk.data.find("corpora/wordnet/")
        # NLTK's own pointer to files refuses hard links.
        return LocalPath(Path(str(found))) if os.path.isdir(str(found)) else found
    for directory in map(_directory, DIRECTORIES):
        if not _missing(directory):
            return LocalPath(directory)
    raise NoWordNet(
        f"no WordNet found. Get it with {' or '.join(WAYS_TO_GET_IT)}."
        f" Searched: corpora/wordnet in {', '.join(nltk.data.path)}; {', '.join(DIRECTORIES)}"
    )


def _directory(path: str) -> Path:
    return Path(os.path.expandvars(path)).expanduser().resolve()


def _missing(directory: Path) -> list[str]:
    return [file for file in FILES if not (directory / file).is_file()]
