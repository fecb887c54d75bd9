"""Finds WordNet where it is installed and opens it with NLTK's reader."""

from __future__ import annotations

import functools
import io
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from corpus_tools.errors import BadData, BadUsage

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.data import PathPointer

# Where WordNet's own programs look (wnintro(1WN)) and Debian installs; NLTK's data path comes before them.
DIRECTORIES = ("$WNSEARCHDIR", "$WNHOME/dict", "/usr/share/wordnet")

FILES = tuple(
    file
    for part_of_speech in ("noun", "verb", "adj", "adv")
    for file in (f"data.{part_of_speech}", f"index.{part_of_speech}", f"{part_of_speech}.exc")
)

# lexnames(5WN): number of the part of speech, its name, and its lexicographer files in their order.
LEXICOGRAPHER_FILES = (
    (3, "adj", "all pert"),
    (4, "adv", "all"),
    (1, "noun", "Tops act animal artifact attribute body cognition communication event feeling food group"),
    (1, "noun", "location motive object person phenomenon plant possession process quantity relation shape"),
    (1, "noun", "state substance time"),
    (2, "verb", "body change cognition communication competition consumption contact creation emotion"),
    (2, "verb", "motion perception possession social stative weather"),
    (3, "adj", "ppl"),
)


def open_wordnet(path: str | None = None) -> WordNetCorpusReader:
    """NLTK's reader of the WordNet in the directory ``path``, or else of the first that is installed.

    The places, in order: NLTK's data path (``corpora/wordnet``, a directory or a zip file), ``$WNSEARCHDIR``,
    ``$WNHOME/dict``, ``/usr/share/wordnet``. Forked processes must not share a reader: it seeks in open files.
    Raises ``BadData`` where ``path`` is no WordNet or NLTK cannot read what is there, ``BadUsage`` where
    nothing was found.
    """
    if path is not None:
        return _open(_given(path))
    searched = []
    for place, root in _places():
        if root is not None and not _missing(root):
            return _open(root)
        searched.append(place)
    raise BadUsage(
        "no WordNet found. Get it with `python -m nltk.downloader wordnet` or "
        f"`apt-get install wordnet-base`. Searched: {'; '.join(searched)}"
    )


def describe_wordnet(wordnet: WordNetCorpusReader) -> str:
    """Version and place of a WordNet, for a model's provenance: ``WordNet 3.0 in /usr/share/wordnet``."""
    return f"WordNet {wordnet.get_version() or 'of unknown version'} in {wordnet.root}"


def _given(path: str) -> PathPointer:
    root = _directory(path)
    missing = FILES if root is None else _missing(root)
    if missing:
        raise BadData(f"is no WordNet: expected a directory that also holds {', '.join(missing)}", path)
    return root


def _places() -> Iterator[tuple[str, PathPointer | None]]:
    """The places to search: how an error message names each, and what is there."""
    import nltk.data

    yield f"corpora/wordnet in {', '.join(nltk.data.path)}", _in_nltk_data()
    for place in DIRECTORIES:
        path = os.path.expandvars(place)
        yield (place if path == place else f"{place} ({path})"), _directory(path)


def _in_nltk_data() -> PathPointer | None:
    import nltk.data

    try:
        return nltk.data.find("corpora/wordnet/")  # a directory in a zip file needs the last slash
    except LookupError:
        return None
    except BadZipFile as error:
        raise BadData(f"corpora/wordnet.zip in NLTK's data path: {error}; delete it, download it again") from error


def _directory(path: str) -> PathPointer | None:
    from nltk.data import FileSystemPathPointer

    directory = Path(path).expanduser().resolve()
    return FileSystemPathPointer(str(directory)) if directory.is_dir() else None


def _missing(root: PathPointer) -> list[str]:
    def is_missing(file: str) -> bool:
        try:
            root.join(file)
        except OSError:
            return True
        return False

    return [file for file in FILES if is_missing(file)]


def _open(root: PathPointer) -> WordNetCorpusReader:
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetError

    # NLTK 3.10 reads nothing outside its data path; to add to the path is its documented way to allow it.
    if isinstance(root, str) and str(root) not in nltk.data.path:
        nltk.data.path.append(str(root))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The multilingual functions are not available")
            return _reader_class()(root, omw_reader=None)
    except (OSError, ValueError, LookupError, StopIteration, WordNetError) as error:
        raise BadData(f"NLTK cannot read this WordNet: {error or type(error).__name__}", str(root)) from error


@functools.cache
def _reader_class() -> type[WordNetCorpusReader]:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class WordNetReader(WordNetCorpusReader):
        """NLTK's reader without need of ``lexnames`` and ``index.sense``, which Debian leaves out."""

        def open(self, file: str) -> io.TextIOBase:
            return io.StringIO(_lexnames()) if file == "lexnames" else super().open(file)

        def index_sense(self, version: str | None = None) -> dict[str, str]:
            return {}  # only wordnets of other languages need it

    return WordNetReader


def _lexnames() -> str:
    files = [(f"{name}.{file}", part) for part, name, files in LEXICOGRAPHER_FILES for file in files.split()]
    return "".join(f"{number:02d}\t{file}\t{part}\n" for number, (file, part) in enumerate(files))
