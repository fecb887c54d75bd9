"""Finds WordNet where it is installed and opens it with NLTK's reader."""

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from corpus_tools.errors import BadData, BadUsage

if TYPE_CHECKING:
    from nltk.data import PathPointer

    from rewrite_models.wordnet_access.nltk_reader import WordNetReader

DIRECTORIES = ("$WNSEARCHDIR", "$WNHOME/dict", "/usr/share/wordnet")
"""Where WordNet's own programs search (wnintro(1WN)) and where Debian installs it."""

FILES = [f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")]


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet in the directory ``path``, or else the first that is installed.

    Searched, in this order: NLTK's data path (``corpora/wordnet``, a directory or a zip file),
    ``$WNSEARCHDIR``, ``$WNHOME/dict``, ``/usr/share/wordnet``. The reader seeks in files: threads
    share it under a lock (``shared_reader.reading``), forked processes must not.

    Raises ``BadData`` if ``path`` is no WordNet or NLTK cannot read it, ``BadUsage`` if no WordNet
    is installed.
    """
    import nltk.data

    if path is not None:
        if missing := _missing(_directory(path)):
            expected = f"expected a directory that also holds {', '.join(missing)}"
            raise BadData(f"is no WordNet: {expected}", path)
        return _open_directory(_directory(path))
    with suppress(LookupError, BadZipFile):
        # Without the last slash NLTK does not search in zip files.
        return _open(nltk.data.find("corpora/wordnet/"))
    for directory in map(_directory, DIRECTORIES):
        if not _missing(directory):
            return _open_directory(directory)
    raise BadUsage(
        "no WordNet found. Get it with `python -m nltk.downloader wordnet`"
        " or `apt-get install wordnet-base`."
        f" Searched: corpora/wordnet in {', '.join(nltk.data.path)}; {', '.join(DIRECTORIES)}"
    )


def _directory(path: str) -> Path:
    return Path(os.path.expandvars(path)).expanduser().resolve()


def _missing(directory: Path) -> list[str]:
    return [file for file in FILES if not (directory / file).is_file()]


def _open_directory(directory: Path) -> WordNetReader:
    from rewrite_models.wordnet_access.nltk_reader import LocalPath

    return _open(LocalPath(directory))


def _open(root: PathPointer) -> WordNetReader:
    from nltk.corpus.reader.wordnet import WordNetError

    from rewrite_models.wordnet_access.nltk_reader import WordNetReader

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore", message="The multilingual functions are not available"
            )
            return WordNetReader(root)
    except (OSError, ValueError, LookupError, StopIteration, WordNetError) as error:
        raise BadData(
            f"NLTK cannot read this WordNet: {type(error).__name__}: {error}", str(root)
        ) from error
