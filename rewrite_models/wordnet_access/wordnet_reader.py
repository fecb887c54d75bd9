"""Finds WordNet where it is installed and opens it with NLTK's reader."""

from __future__ import annotations

import io
import os
import warnings
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from corpus_tools.errors import BadData, BadUsage
from rewrite_models.wordnet_access.wordnet_index import Index

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.data import PathPointer

# Where WordNet's own programs look (wnintro(1WN)) and where Debian puts it.
DIRECTORIES = ("$WNSEARCHDIR", "$WNHOME/dict", "/usr/share/wordnet")
FILES = [f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")]
# In the order of their numbers, lexnames(5WN), which has a third field that NLTK makes no use of.
LEXICOGRAPHER_FILES = """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body
    noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive
    noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity
    noun.relation noun.shape noun.state noun.substance noun.time verb.body verb.change verb.cognition
    verb.communication verb.competition verb.consumption verb.contact verb.creation verb.emotion verb.motion
    verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl
"""
LEXNAMES = "".join(
    f"{number:02d} {name} -\n" for number, name in enumerate(LEXICOGRAPHER_FILES.split())
)


def open_wordnet(path: str | None = None) -> WordNetCorpusReader:
    """NLTK's reader of the WordNet in the directory ``path``, or else of the first that is installed.

    The places, in order: NLTK's data path (``corpora/wordnet``, a directory or a zip file), ``$WNSEARCHDIR``,
    ``$WNHOME/dict``, ``/usr/share/wordnet``. Forked processes must not share a reader: it seeks in files.
    Raises ``BadData`` if ``path`` is no WordNet or NLTK cannot read what is there, ``BadUsage`` if there is
    none anywhere.
    """
    import nltk.data

    if path is not None:
        if missing := _missing(_directory(path)):
            raise BadData(
                f"is no WordNet: expected a directory that also holds {', '.join(missing)}", path
            )
        return _open(str(_directory(path)))
    with suppress(LookupError, BadZipFile):
        return _open(nltk.data.find("corpora/wordnet/"))  # without the last slash not in a zip file
    for directory in map(_directory, DIRECTORIES):
        if not _missing(directory):
            return _open(str(directory))
    raise BadUsage(
        "no WordNet found. Get it with `python -m nltk.downloader wordnet` or `apt-get install wordnet-base`."
        f" Searched: corpora/wordnet in {', '.join(nltk.data.path)}; {', '.join(DIRECTORIES)}"
    )


def describe_wordnet(wordnet: WordNetCorpusReader) -> str:
    """Version and place of a WordNet, for a model's provenance: ``WordNet 3.0 in /usr/share/wordnet``."""
    return f"WordNet {wordnet.get_version() or 'of unknown version'} in {wordnet.root}"


def _directory(path: str) -> Path:
    return Path(os.path.expandvars(path)).expanduser().resolve()


def _missing(directory: Path) -> list[str]:
    return [file for file in FILES if not (directory / file).is_file()]


def _open(root: PathPointer | str) -> WordNetCorpusReader:
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetError

    # NLTK 3.10 reads nothing outside its data path; to add to the path is its documented way to allow it.
    if isinstance(root, str) and str(root) not in nltk.data.path:
        nltk.data.path.append(str(root))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore", message="The multilingual functions are not available"
            )
            return _reader_class()(root, omw_reader=None)
    except (OSError, ValueError, LookupError, StopIteration, WordNetError) as error:
        raise BadData(
            f"NLTK cannot read this WordNet: {type(error).__name__}: {error}", str(root)
        ) from error


def _reader_class() -> type[WordNetCorpusReader]:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class WordNetReader(WordNetCorpusReader):
        """NLTK's reader, faster, and without need of ``lexnames`` and ``index.sense``, which Debian leaves out."""

        def open(self, file: str) -> io.TextIOBase:
            if file == "lexnames":
                return io.StringIO(LEXNAMES)
            # NLTK's own stream would take a second to read it all.
            return io.TextIOWrapper(self.root.join(file).open(), encoding="utf-8")

        def index_sense(self, version: str | None = None) -> dict[str, str]:
            return {}  # only wordnets of other languages need it

        def _scan_satellites(self) -> None:
            pass  # when the index needs them

        @cached_property
        def satellite_offsets(self) -> set[int]:
            with self.open("data.adj") as file:
                lines = file.read().split("\n")
            return {int(line[:8]) for line in lines if line[12:13] == "s" and line[0] != " "}

        def _load_lemma_pos_offset_map(self) -> None:
            self._lemma_pos_offset_map = Index(self.satellite_offsets, str(self.root))
            for suffix in self._FILEMAP.values():
                with self.open(f"index.{suffix}") as file:
                    self._lemma_pos_offset_map.add(file)

    return WordNetReader
