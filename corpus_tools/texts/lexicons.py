"""Finds and reads what is known of words: WordNet, a list of paraphrases, the ignore list."""

from __future__ import annotations

import functools
import hashlib
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO
from zipfile import BadZipFile

import numpy as np

from corpus_tools.base.errors import BadData, BadResource, NoParaphrases, NoWordNet
from corpus_tools.base.reading import numbered_lines
from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import FORMS, Cache, load_nltk, normal_form

if TYPE_CHECKING:
    from nltk.data import PathPointer


@dataclass(frozen=True)
class LocalPath:
    """Points NLTK to a file or directory anywhere on this machine.

    NLTK's own pointer to files refuses, from version 3.10, whatever is outside NLTK's data path.
    ``_searched`` says that this is a pointer too.
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


def _searched() -> list[str]:
    """Return the folders in which NLTK searches, and let it open files of ours."""
    load_nltk()
    import nltk.data

    nltk.data.PathPointer.register(LocalPath)
    return nltk.data.path


def _installed(name: str) -> PathPointer | None:
    """Return what is on NLTK's data path by this name, if it is there and whole."""
    import nltk.data

    with suppress(LookupError, BadZipFile, OSError):
        return nltk.data.find(name)
    return None


# WordNet

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
    searched = _searched()
    if path is not None:
        if missing := _missing(_directory(path)):
            expected = f"expected a directory that also holds {', '.join(missing)}"
            raise BadData(f"is no WordNet: {expected}", path)
        return LocalPath(_directory(path))
    # Without the last slash NLTK does not search in zip files.
    if found := _installed("corpora/wordnet/"):
        # NLTK's own pointer to files refuses hard links.
        return LocalPath(Path(str(found))) if os.path.isdir(str(found)) else found
    for directory in map(_directory, DIRECTORIES):
        if not _missing(directory):
            return LocalPath(directory)
    raise NoWordNet(
        f"no WordNet found. Get it with {' or '.join(WAYS_TO_GET_IT)}."
        f" Searched: corpora/wordnet in {', '.join(searched)}; {', '.join(DIRECTORIES)}"
    )


def _directory(path: str) -> Path:
    return Path(os.path.expandvars(path)).expanduser().resolve()


def _missing(directory: Path) -> list[str]:
    return [file for file in FILES if not (directory / file).is_file()]


# The list of paraphrases
#
# It is NLTK's package ``mwa_ppdb``: 210,372 pairs of words from PPDB 1.0 (Ganitkevitch, Van Durme
# and Callison-Burch 2013), as Sultan, Bethard and Sumner (2014) selected them for a word aligner.
# Any file of the same form will do: two words a line, with a tab between them.

SPELLINGS = {
    normal: [spelling for spelling, form in FORMS.items() if form == normal]
    for normal in FORMS.values()
}
"""{normal form: its other spellings}."""


NO_MARKS = bytes(set(range(256)) - set(b"\t\n"))
BEYOND_ASCII = re.compile(rb"[\x80-\xff][^\t\n]*")

KEY_BYTES = 8
"""How many bytes of a line its key has, a uint64 number."""


class Paraphrases(Cache[Sequence[str]]):
    """{first word of a line: the second words}, all in normal forms.

    A word that begins no line has none. The dictionary holds words that were looked up.

    ``hash``  the first digits of the hash of the lines, which tells lists apart.
    """

    def __init__(self, content: bytes) -> None:
        """Sort the lines by their keys: to make objects of all takes longer than to align a pair.

        Each line has one tab, and its ASCII letters are in lower case. Raises
        ``UnicodeDecodeError`` if the lines are not UTF-8.
        """
        super().__init__(self._searched)
        self.hash = hashlib.sha256(content).hexdigest()[:8]
        # As ``normal_form`` does it, but for all words at once. What it does with whole words is
        # left to the search.
        lines = BEYOND_ASCII.sub(_straight, content)
        starts = np.append(0, np.flatnonzero(np.frombuffer(lines, np.uint8) == ord("\n")) + 1)
        self._lines = lines + b"\n" * KEY_BYTES
        # The key of every byte, of which lines need those that they begin with.
        keys = np.ndarray(len(lines) + 1, ">u8", self._lines, strides=(1,))[starts]
        order = np.argsort(keys.astype(np.uint64))
        self._keys, self._starts = keys[order].astype(np.uint64), starts[order]

    def _searched(self, word: str) -> Sequence[str]:
        """Return what the lines of a word have."""
        seconds = []
        for spelling in (word, *SPELLINGS.get(word, ())):
            found = sorted(self._seconds(f"{spelling}\t".encode(errors="surrogatepass")))
            seconds += [FORMS.get(second, second) for second in found]
        return tuple(seconds)

    def _seconds(self, beginning: bytes) -> Iterator[str]:
        """Yield how the lines go on that begin so."""
        key = beginning[:KEY_BYTES]
        least = int.from_bytes(key.ljust(KEY_BYTES, b"\0"))
        beyond = least + (1 << 8 * (KEY_BYTES - len(key)))
        first, end = self._keys.searchsorted(np.array([least, beyond], np.uint64))
        for start in self._starts[first:end].tolist():
            if self._lines.startswith(beginning, start):
                second = start + len(beginning)
                yield self._lines[second : self._lines.index(b"\n", second)].decode()


def _straight(letters: re.Match[bytes]) -> bytes:
    """Return letters in lower case, with straight apostrophes."""
    lower = letters.group().decode().lower()
    return lower.replace("\u2018", "'").replace("\u2019", "'").encode()


FILE = "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"
PACKAGE = "misc/mwa_ppdb"
WAY_TO_GET_IT = "`python -m nltk.downloader mwa_ppdb`"


def find_paraphrases(path: str | None = None) -> PathPointer:
    """Find the list in the file or directory ``path``, or else the one on NLTK's data path.

    Raises ``BadResource`` if there is none at ``path``, ``NoParaphrases`` if none is installed.
    """
    searched = _searched()
    if path is not None:
        place = Path(path).expanduser().resolve()
        file = place / FILE if place.is_dir() else place
        if not file.is_file():
            raise BadResource(f"is no list of paraphrases: expected a file, or {FILE} in it", path)
        return LocalPath(file)
    if found := _installed(f"{PACKAGE}/{FILE}"):
        return found
    raise NoParaphrases(
        f"no list of paraphrases found. Get it with {WAY_TO_GET_IT}."
        f" Searched: {PACKAGE} in {', '.join(searched)}"
    )


@functools.lru_cache(maxsize=1)
def paraphrases(path: str | None = None) -> Paraphrases:
    """Read the list that ``find_paraphrases`` finds. A pair stands under its first word alone.

    Raises the errors of ``find_paraphrases``, and ``BadResource`` for a file that is no such list.
    """
    found = find_paraphrases(path)
    try:
        with found.open() as file:
            content = file.read().lower()
        # Searching the list for two characters takes as long as reading it.
        content = content.replace(b"\r\n", b"\n") if b"\r" in content else content
        content = content.removesuffix(b"\n")
        marks = content.translate(None, NO_MARKS) + b"\n"
        if content and marks != b"\t\n" * marks.count(b"\n"):
            tabs = (line.count(b"\t") for line in content.split(b"\n"))
            number = next(number for number, count in enumerate(tabs, start=1) if count != 1)
            problem = f"line {number}: expected two words with a tab between them"
            raise BadResource(problem, str(found))
        return Paraphrases(content)
    except (OSError, UnicodeDecodeError, BadZipFile) as error:
        raise BadResource(f"this list of paraphrases is damaged: {error}", str(found)) from error


# The ignore list: function words and punctuation
#
# Annotators disagree most about these words (Daumé III and Marcu 2005, sections 2.2 and 5).


def read_ignore_list(name_or_path: str = "default", code: str = ENGLISH) -> frozenset[str]:
    """Return the normal forms on an ignore list.

    ``name_or_path``  ``default`` (that of the language; 58 forms for English), ``none``, or a file
                      with one token a line.
    ``code``          that of the language (``corpus_tools.languages``).

    A line that starts with ``# `` (with the blank) is a comment. Raises ``BadData`` for a file that
    cannot be read.
    """
    if name_or_path == "none":
        return frozenset()
    if name_or_path == "default":
        return frozenset(map(normal_form, language(code).ignore_list))
    return frozenset(
        normal_form(line.strip())
        for _, line in numbered_lines(name_or_path)
        if line.strip() and not line.startswith("# ")
    )


def content_tokens(tokens: Iterable[str], ignored: AbstractSet[str]) -> set[int]:
    """Return the positions of the tokens whose normal forms are not on the ignore list."""
    return {position for position, token in enumerate(tokens) if normal_form(token) not in ignored}
