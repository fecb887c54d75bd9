"""Finds WordNet where it is installed and opens it with NLTK's reader."""

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from corpus_tools.errors import BadData, NoWordNet
from rewrite_models.wordnet_access.damage import damage_named

if TYPE_CHECKING:
    from nltk.data import PathPointer

    from rewrite_models.wordnet_access.nltk_reader import WordNetReader

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
    import nltk.data

    from rewrite_models.wordnet_access.nltk_reader import LocalPath

    if path is not None:
        if missing := _missing(_directory(path)):
            expected = f"expected a directory that also holds {', '.join(missing)}"
            raise BadData(f"is no WordNet: {expected}", path)
        return LocalPath(_directory(path))
    with suppress(LookupError, BadZipFile, OSError):
        # Without the last slash NLTK does not search in zip files.
        return nltk.data.find("corpora/wordnet/")
    for directory in map(_directory, DIRECTORIES):
        if not _missing(directory):
            return LocalPath(directory)
    raise NoWordNet(
        f"no WordNet found. Get it with {' or '.join(WAYS_TO_GET_IT)}."
        f" Searched: corpora/wordnet in {', '.join(nltk.data.path)}; {', '.join(DIRECTORIES)}"
    )


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    The reader seeks in files: threads share it under a lock (``shared_reader.reading``), forked
    processes must not.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if NLTK cannot read the files.
    """
    return _open(find_wordnet(path))


def _directory(path: str) -> Path:
    return Path(os.path.expandvars(path)).expanduser().resolve()


def _missing(directory: Path) -> list[str]:
    return [file for file in FILES if not (directory / file).is_file()]


def _open(root: PathPointer) -> WordNetReader:
    from rewrite_models.wordnet_access.nltk_reader import WordNetReader

    with damage_named(root), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The multilingual functions are not available")
        return WordNetReader(root)
