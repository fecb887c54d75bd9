"""Imports NLTK without what it imports itself and this program does not use, and finds WordNet."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO
from zipfile import BadZipFile

from corpus_tools.errors import BadData, NoWordNet
from corpus_tools.packages import hidden

if TYPE_CHECKING:
    from nltk.data import PathPointer


@cache
def load_nltk() -> None:
    """Import NLTK, if nobody has, and stop its clocks: this comes before anything of it is used.

    NLTK imports scipy at its start, for one measure of collocations and for a parser that needs
    scikit-learn. That takes as long as everything else that aligns one pair from a cold start.

    From version 3.10 on, any of its regular expressions fails after five seconds. Texts are read,
    and parsed the same, however long they are and however busy the machine is.
    """
    if "nltk" not in sys.modules and find_spec("sklearn") is None:
        with hidden("scipy.stats", "scipy.sparse"):
            from nltk.metrics import association
        association.fisher_exact = _fisher_exact
    import nltk.data

    if hasattr(nltk, "redos"):
        nltk.redos.DEFAULT_TIMEOUT = None
    nltk.data.PathPointer.register(LocalPath)


def _fisher_exact(*arguments: Any, **keywords: Any) -> Any:
    """Give NLTK's measure what it would have imported."""
    from scipy.stats import fisher_exact

    return fisher_exact(*arguments, **keywords)


@dataclass(frozen=True)
class LocalPath:
    """Points NLTK to a file or directory anywhere on this machine.

    NLTK's own pointer to files refuses, from version 3.10, whatever is outside NLTK's data path.
    ``load_nltk`` says that this is a pointer too.
    """

    path: Path

    def open(self, encoding: str | None = None) -> BinaryIO | TextIO:
        """Open the file, as text if there is an encoding."""
        stream = self.path.open("rb")
        return io.TextIOWrapper(stream, encoding) if encoding else stream

    def file_size(self) -> int:
        """Return the size of the file in bytes."""
        return self.path.stat().st_size

    def join(self, fileid: str) -> LocalPath:
        """Return the pointer to a file in this directory."""
        return LocalPath(self.path / fileid)

    def __str__(self) -> str:
        return str(self.path)


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
