"""Finds and reads the list of paraphrases where it is installed.

It is NLTK's package ``mwa_ppdb``: 210,372 pairs of words from PPDB 1.0 (Ganitkevitch, Van Durme and
Callison-Burch 2013), as Sultan, Bethard and Sumner (2014) selected them for a word aligner. Any
file of the same form will do: two words a line, with a tab between them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from corpus_tools.errors import BadResource, NoParaphrases
from corpus_tools.texts.memo import Memo
from corpus_tools.texts.tokenizers import FORMS, normal_form

if TYPE_CHECKING:
    from nltk.data import PathPointer

NEWLINE, TAB = b"\n\t"
FIRST_BEYOND_ASCII = 128

KEY_BYTES = 8
"""How many bytes of a word its key has. A key is a uint64 number."""


class Paraphrases(Memo[Sequence[str]]):
    """{first word of a line: the second words}, all in normal forms.

    A word that begins no line has none. The dictionary holds words that were looked up.
    """

    def __init__(self, content: bytes) -> None:
        """Sort the lines. Each has one tab, and its ASCII letters are in lower case.

        Raises ``UnicodeDecodeError`` if they are not UTF-8.
        """
        super().__init__(self._searched)
        self._content = content
        codes = np.frombuffer(content, dtype=np.uint8)
        ends = np.flatnonzero(codes == NEWLINE)
        if content:
            ends = np.append(ends, len(content))
        starts = np.concatenate([[0], ends + 1])[:-1]
        beyond_ascii = np.searchsorted(ends, np.flatnonzero(codes >= FIRST_BEYOND_ASCII))
        rewritten = np.unique(beyond_ascii)
        self._rewritten = self._in_normal_forms(starts[rewritten], ends[rewritten])
        starts, ends = np.delete(starts, rewritten), np.delete(ends, rewritten)
        keys = _keys(codes, starts)
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._starts, self._ends = starts[order], ends[order]

    @cached_property
    def hash(self) -> str:
        """Return the first digits of the hash of the lines, which tells lists apart."""
        return hashlib.sha256(self._content).hexdigest()[:8]

    def _searched(self, word: str) -> Sequence[str]:
        """Return what the lines of a word have."""
        seconds = [
            FORMS.get(second, second)
            for spelling in (word, *SPELLINGS.get(word, ()))
            for second in self._seconds(spelling)
        ]
        return (*seconds, *self._rewritten.get(word, ()))

    def _seconds(self, spelling: str) -> Iterator[str]:
        """Yield the second words of the lines that begin with a word, as they are spelled."""
        word = spelling.encode()
        key = np.uint64(int.from_bytes(word[:KEY_BYTES].ljust(KEY_BYTES, b"\0"), "big"))
        low = np.searchsorted(self._keys, key, "left")
        high = np.searchsorted(self._keys, key, "right")
        for line in range(low, high):
            first, second = self._content[self._starts[line] : self._ends[line]].split(b"\t")
            if first == word:
                yield second.decode()

    def _in_normal_forms(self, starts: np.ndarray, ends: np.ndarray) -> dict[str, list[str]]:
        """Return {first word: second words} of lines, in normal forms."""
        seconds: dict[str, list[str]] = {}
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            first, second = map(normal_form, self._content[start:end].decode().split("\t"))
            seconds.setdefault(first, []).append(second)
        return seconds


def _spellings() -> dict[str, list[str]]:
    """Return {normal form: its other spellings}."""
    spellings: dict[str, list[str]] = {}
    for spelling, normal in FORMS.items():
        spellings.setdefault(normal, []).append(spelling)
    return spellings


SPELLINGS = _spellings()


def _keys(codes: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return uint64 [lines], the first bytes of each line's first word as a number.

    The first byte has the most weight. A shorter word is filled with zeros.

    ``codes``   uint8, the bytes of the list.
    ``starts``  int64 [lines], where the lines start.
    """
    keys = np.zeros(len(starts), dtype=np.uint64)
    in_word = np.ones(len(starts), dtype=bool)
    for index in range(KEY_BYTES):
        # A line may be shorter, but its tab ends the word before.
        letters = codes.take(starts + index, mode="clip")
        in_word &= letters != TAB
        keys = keys << np.uint64(8) | np.where(in_word, letters, 0).astype(np.uint64)
    return keys


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
