"""Finds and reads lexicons: WordNet, a list of paraphrases, the ignore list."""

import functools
import hashlib
import os
import re
import zipfile
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

import numpy as np

from corpus_tools.base.errors import BadData, BadResource, NoParaphrases, NoWordNet
from corpus_tools.base.reading import numbered_lines
from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import SPECIAL_FORMS, Cache, load_nltk, normal_form

FilePlace = Path | zipfile.Path
"""A file or folder, on the disk or in an archive."""


def _nltk_folders() -> list[str]:
    """Return the folders in which NLTK searches."""
    load_nltk()
    import nltk.data

    return list(nltk.data.path)


def _on_nltk_path(package: str) -> Iterator[FilePlace]:
    """Yield the possible places of a package of NLTK: in each folder a folder or an archive.

    From version 3.10 on, NLTK's own search refuses hard links and files that others may write.
    """
    for folder in _nltk_folders():
        place = Path(folder, package)
        yield place
        archive = place.with_suffix(".zip")
        if zipfile.is_zipfile(archive):
            yield zipfile.Path(archive, f"{place.name}/")


LINE_KEY_BYTES = 8
"""The number of bytes at the beginning of a line that are its key, read as a number."""


class SortedLines:
    """The lines of a file, sorted by keys in arrays: an object for each line would be slow."""

    def __init__(self, content: bytes) -> None:
        ends = np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n"))
        starts = np.append(0, ends + 1)
        self._content = content + b"\n" * LINE_KEY_BYTES
        # The key at each byte of the file; lines need the keys at their starts.
        all_keys = np.ndarray(len(content) + 1, ">u8", self._content, strides=(1,))
        keys = all_keys[starts].astype(np.uint64)
        order = np.argsort(keys)
        # Single numbers are read faster from a ``memoryview`` than from an array.
        self._keys, self._starts = keys[order].data, starts[order].data

    def beginning_with(self, beginning: bytes) -> Iterator[bytes]:
        """Yield the lines with a beginning, in the order of their keys."""
        key = beginning[:LINE_KEY_BYTES]
        place = bisect_left(self._keys, int.from_bytes(key.ljust(LINE_KEY_BYTES, b"\0")))
        for start in self._starts[place:]:
            if self._content.startswith(beginning, start):
                yield self._content[start : self._content.index(b"\n", start)]
            elif not self._content.startswith(key, start):
                return


# WordNet

WORDNET_DIRECTORIES = ("$WNSEARCHDIR", "$WNHOME/dict", "/usr/share/wordnet")
"""The folders in which WordNet's own programs search (wnintro(1WN)), and Debian's."""

WAYS_TO_GET_WORDNET = ("`python -m nltk.downloader wordnet`", "`apt-get install wordnet-base`")

WORDNET_FILES = [
    f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")
]


def find_wordnet(path: str | None = None) -> FilePlace:
    """Find the WordNet in the directory ``path``, or else the first that is installed.

    The search goes through NLTK's data path (``corpora/wordnet``, a directory or a zip file),
    ``$WNSEARCHDIR``, ``$WNHOME/dict`` and ``/usr/share/wordnet``, in this order.

    Raises ``BadData`` if ``path`` is no WordNet, ``NoWordNet`` if none is installed.
    """
    if path is not None:
        if missing := _missing(_directory(path)):
            expected = f"expected a directory that also holds {', '.join(missing)}"
            raise BadData(f"is no WordNet: {expected}", path)
        return _directory(path)
    for place in (*_on_nltk_path("corpora/wordnet"), *map(_directory, WORDNET_DIRECTORIES)):
        if not _missing(place):
            return place
    raise NoWordNet(
        f"no WordNet found. Get it with {' or '.join(WAYS_TO_GET_WORDNET)}."
        f" Searched: corpora/wordnet in {', '.join(_nltk_folders())};"
        f" {', '.join(WORDNET_DIRECTORIES)}"
    )


def _directory(path: str) -> Path:
    return Path(os.path.expandvars(path)).expanduser().resolve()


def _missing(place: FilePlace) -> list[str]:
    return [file for file in WORDNET_FILES if not (place / file).is_file()]


# The list of paraphrases
#
# It is NLTK's package ``mwa_ppdb``: 210,372 pairs of words from PPDB 1.0 (Ganitkevitch, Van Durme
# and Callison-Burch 2013), as Sultan, Bethard and Sumner (2014) selected them for a word aligner.
# Any file of the same form will do: two words a line, with a tab between them.

SPELLINGS = {
    normal: [spelling for spelling, form in SPECIAL_FORMS.items() if form == normal]
    for normal in SPECIAL_FORMS.values()
}
"""The spellings of each special normal form."""

NEITHER_TAB_NOR_LINE_END = bytes(set(range(256)) - set(b"\t\n"))
BEYOND_ASCII = re.compile(rb"[\x80-\xff][^\t\n]*")


class Paraphrases(Cache[Sequence[str]]):
    """The paraphrases of a word: the second words of the lines that begin with it.

    All words are normal forms. A word that begins no line has no paraphrases.

    ``hash``  the first digits of the hash of the lines, which identifies the list.
    """

    def __init__(self, content: bytes) -> None:
        """Sort the lines. Each has one tab, and its ASCII letters are in lower case.

        Raises ``UnicodeDecodeError`` if the lines are not UTF-8.
        """
        super().__init__(self._second_words)
        self.hash = hashlib.sha256(content).hexdigest()[:8]
        # This changes letters as ``normal_form`` does, for all words at once. Words with special
        # normal forms are handled in the search.
        self._lines = SortedLines(BEYOND_ASCII.sub(_normalized, content))

    def _second_words(self, word: str) -> Sequence[str]:
        """Return the second words of the lines of a word."""
        seconds = []
        for spelling in (word, *SPELLINGS.get(word, ())):
            beginning = f"{spelling}\t".encode(errors="surrogatepass")
            lines = self._lines.beginning_with(beginning)
            words = sorted(line.removeprefix(beginning).decode() for line in lines)
            seconds += [SPECIAL_FORMS.get(second, second) for second in words]
        return tuple(seconds)


def _normalized(letters: re.Match[bytes]) -> bytes:
    """Return letters in lower case, with straight apostrophes."""
    lower = letters.group().decode().lower()
    return lower.replace("\u2018", "'").replace("\u2019", "'").encode()


PARAPHRASES_FILE = "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"
PARAPHRASES_PACKAGE = "misc/mwa_ppdb"
WAY_TO_GET_PARAPHRASES = "`python -m nltk.downloader mwa_ppdb`"


def find_paraphrases(path: str | None = None) -> FilePlace:
    """Find the list of paraphrases in a file or directory, or else on NLTK's data path.

    Raises ``BadResource`` if ``path`` is no list, ``NoParaphrases`` if no list is installed.
    """
    if path is None:
        places = [package / PARAPHRASES_FILE for package in _on_nltk_path(PARAPHRASES_PACKAGE)]
    else:
        resolved = Path(path).expanduser().resolve()
        places = [resolved, resolved / PARAPHRASES_FILE]
    for place in places:
        if place.is_file():
            return place
    if path is not None:
        raise BadResource(
            f"is no list of paraphrases: expected a file, or {PARAPHRASES_FILE} in it", path
        )
    raise NoParaphrases(
        f"no list of paraphrases found. Get it with {WAY_TO_GET_PARAPHRASES}."
        f" Searched: {PARAPHRASES_PACKAGE} in {', '.join(_nltk_folders())}"
    )


@functools.lru_cache(maxsize=1)
def paraphrases(path: str | None = None) -> Paraphrases:
    """Read the list of paraphrases that ``find_paraphrases`` finds.

    Raises the errors of ``find_paraphrases``, and ``BadResource`` for a file that is no such list.
    """
    place = find_paraphrases(path)
    try:
        content = place.read_bytes().lower()
        # A search for two characters takes as long as reading the list, so it is avoided.
        content = content.replace(b"\r\n", b"\n") if b"\r" in content else content
        content = content.removesuffix(b"\n")
        marks = content.translate(None, NEITHER_TAB_NOR_LINE_END) + b"\n"
        if content and marks != b"\t\n" * marks.count(b"\n"):
            tabs = (line.count(b"\t") for line in content.split(b"\n"))
            number = next(number for number, count in enumerate(tabs, start=1) if count != 1)
            problem = f"line {number}: expected two words with a tab between them"
            raise BadResource(problem, str(place))
        return Paraphrases(content)
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise BadResource(f"this list of paraphrases is damaged: {error}", str(place)) from error


# The ignore list: function words and punctuation
#
# Annotators disagree most about these words (Daumé III and Marcu 2005, sections 2.2 and 5).


def read_ignore_list(name_or_path: str = "default", code: str = ENGLISH) -> frozenset[str]:
    """Return the normal forms on an ignore list.

    ``name_or_path``  ``default`` (the list of the language; 58 forms for English), ``none``, or a
                      file with one token on each line.
    ``code``          the code of the language (``corpus_tools.languages``).

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
