"""Finds and reads the list of paraphrases where it is installed.

It is NLTK's package ``mwa_ppdb``: 210,372 pairs of words from PPDB 1.0 (Ganitkevitch, Van Durme and
Callison-Burch 2013), as Sultan, Bethard and Sumner (2014) selected them for a word aligner. Any
file of the same form will do: two words a line, with a tab between them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from corpus_tools.errors import BadResource, NoParaphrases
from corpus_tools.texts.paraphrase_list import Paraphrases

if TYPE_CHECKING:
    from nltk.data import PathPointer

FILE = "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"
PACKAGE = "misc/mwa_ppdb"
NO_SEPARATORS = bytes(set(range(256)) - {*b"\t\n"})
"""All bytes that separate no words."""
WAY_TO_GET_IT = "`python -m nltk.downloader mwa_ppdb`"


def find_paraphrases(path: str | None = None) -> PathPointer:
    """Find the list in the file or directory ``path``, or else the one on NLTK's data path.

    Raises ``BadResource`` if there is none at ``path``, ``NoParaphrases`` if none is installed.
    """
    import nltk.data

    from corpus_tools.texts.local_path import LocalPath

    if path is not None:
        place = Path(path).expanduser().resolve()
        file = place / FILE if place.is_dir() else place
        if not file.is_file():
            raise BadResource(f"is no list of paraphrases: expected a file, or {FILE} in it", path)
        return LocalPath(file)
    with suppress(LookupError, BadZipFile, OSError):
        return nltk.data.find(f"{PACKAGE}/{FILE}")
    raise NoParaphrases(
        f"no list of paraphrases found. Get it with {WAY_TO_GET_IT}."
        f" Searched: {PACKAGE} in {', '.join(nltk.data.path)}"
    )


@lru_cache(maxsize=1)
def paraphrases(path: str | None = None) -> Paraphrases:
    """Read the list that ``find_paraphrases`` finds. A pair stands under its first word alone.

    Raises the errors of ``find_paraphrases``, and ``BadResource`` for a file that is no such list.
    """
    found = find_paraphrases(path)
    try:
        with found.open() as file:
            return _read(file.read(), str(found))
    except (OSError, UnicodeDecodeError, BadZipFile) as error:
        raise BadResource(f"this list of paraphrases is damaged: {error}", str(found)) from error


def _read(content: bytes, file: str) -> Paraphrases:
    content = content.replace(b"\r\n", b"\n").lower().removesuffix(b"\n")
    _check(content, file)
    return Paraphrases(content)


def _check(content: bytes, file: str) -> None:
    """Check that each line, in lower case, has two words. Raises ``BadResource``."""
    lines = content.count(b"\n") + 1
    separators = content.translate(None, NO_SEPARATORS) + b"\n"
    if not content or separators == b"\t\n" * lines:
        return
    for number, line in enumerate(content.split(b"\n"), start=1):
        words = line.count(b"\t") + 1
        if words != 2:
            raise BadResource(
                f"line {number}: expected two words with a tab between them, found {words}", file
            )
