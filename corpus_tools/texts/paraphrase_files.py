"""Finds and reads the list of paraphrases where it is installed.

It is NLTK's package ``mwa_ppdb``: 210,372 pairs of words from PPDB 1.0 (Ganitkevitch, Van Durme and
Callison-Burch 2013), as Sultan, Bethard and Sumner (2014) selected them for a word aligner. Any
file of the same form will do: two words a line, with a tab between them.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from corpus_tools.errors import BadResource, NoParaphrases
from corpus_tools.texts.nltk_package import LocalPath, load_nltk
from corpus_tools.texts.tokenizers import FORMS, Memo

if TYPE_CHECKING:
    from nltk.data import PathPointer

SPELLINGS = {
    normal: [spelling for spelling, form in FORMS.items() if form == normal]
    for normal in FORMS.values()
}
"""{normal form: its other spellings}."""


class Paraphrases(Memo[Sequence[str]]):
    """{first word of a line: the second words}, all in normal forms.

    A word that begins no line has none. The dictionary holds words that were looked up.

    ``hash``  the first digits of the hash of the lines, which tells lists apart.
    """

    def __init__(self, content: bytes) -> None:
        """Sort the lines, each of which has one tab.

        Raises ``UnicodeDecodeError`` if they are not UTF-8.
        """
        super().__init__(self._searched)
        self.hash = hashlib.sha256(content).hexdigest()[:8]
        # As ``normal_form`` does it, but for all words at once. What it does with whole words is
        # left to the search. A dictionary of all lines would take twice as long to make.
        text = content.decode().lower().replace("\u2018", "'").replace("\u2019", "'")
        self._lines = sorted(text.split("\n"))

    def _searched(self, word: str) -> Sequence[str]:
        """Return what the lines of a word have."""
        seconds = []
        for spelling in (word, *SPELLINGS.get(word, ())):
            # A line break is the character after the tab.
            first = bisect_left(self._lines, f"{spelling}\t")
            end = bisect_left(self._lines, f"{spelling}\n")
            for line in self._lines[first:end]:
                second = line.partition("\t")[2]
                seconds.append(FORMS.get(second, second))
        return tuple(seconds)


FILE = "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"
PACKAGE = "misc/mwa_ppdb"
WAY_TO_GET_IT = "`python -m nltk.downloader mwa_ppdb`"


def find_paraphrases(path: str | None = None) -> PathPointer:
    """Find the list in the file or directory ``path``, or else the one on NLTK's data path.

    Raises ``BadResource`` if there is none at ``path``, ``NoParaphrases`` if none is installed.
    """
    load_nltk()
    import nltk.data

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
            content = file.read().replace(b"\r\n", b"\n").lower().removesuffix(b"\n")
        _check(content, str(found))
        return Paraphrases(content)
    except (OSError, UnicodeDecodeError, BadZipFile) as error:
        raise BadResource(f"this list of paraphrases is damaged: {error}", str(found)) from error


def _check(content: bytes, file: str) -> None:
    """Check that each line has two words. Raises ``BadResource``."""
    for number, line in enumerate(content.split(b"\n") if content else (), start=1):
        words = line.count(b"\t") + 1
        if words != 2:
            problem = f"line {number}: expected two words with a tab between them, found {words}"
            raise BadResource(problem, file)
