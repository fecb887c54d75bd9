"""Reads records from plain text: two files with a text on each line, or two folders of texts."""

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from os import PathLike
from pathlib import PurePath

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.base.files import StrPath
from corpus_tools.pairs.pair import RawRecord, Source
from corpus_tools.pairs.pairs_file import is_object, pair_files, require_text
from corpus_tools.texts.marks import SUBTITLE_ENDINGS, text_of_subtitles


def records_of_sides(
    documents: StrPath | Sequence[StrPath], abstracts: StrPath
) -> Iterator[RawRecord]:
    """Return the records of documents and abstracts that are in files of their own.

    ``documents``  a file with a text on each line, or files or a folder with a text each.
    ``abstracts``  a file with a text on each line, or a folder with a text in each file.

    Raises ``BadUsage`` for several files of documents with a single file of abstracts.
    """
    files = pair_files(documents, deep=True)
    if os.path.isdir(abstracts):
        folder = documents if isinstance(documents, str | PathLike) else os.path.dirname(files[0])
        abstract_files = pair_files(abstracts, deep=True)
        return _parallel_files(_names_below(folder, files), _names_below(abstracts, abstract_files))
    if len(files) > 1:
        raise BadUsage("a separate file of abstracts needs a single file of documents")
    return _parallel_lines(files[0], abstracts)


def _parallel_lines(path: StrPath, abstracts: StrPath) -> Iterator[RawRecord]:
    """Yield the records of two files of plain text."""
    lines_of_sides = [plain_text(side).removesuffix("\n").split("\n") for side in (path, abstracts)]
    counts = [len(lines) for lines in lines_of_sides]
    file, abstract_file = reading.shown_name(path), reading.shown_name(abstracts)
    if counts[0] != counts[1]:
        problem = "parallel files must agree line by line"
        raise BadData(f"{counts[0]} lines, but {abstract_file} has {counts[1]}: {problem}", file)
    for line, sides in enumerate(zip(*lines_of_sides, strict=True), start=1):
        document, abstract = (side.rstrip("\r") for side in sides)
        fields = {"document": document, "abstract": abstract}
        yield RawRecord(fields, Source(file, line, file), f"line-{line}")


def _parallel_files(
    documents: Mapping[str, str], abstracts: Mapping[str, str]
) -> Iterator[RawRecord]:
    """Yield the records of files of plain text, in the order of the documents.

    ``documents``, ``abstracts``  files by their names (``_names_below``).

    Two files with the same name are a pair; the name is its id. Raises ``BadData`` for a file
    without a counterpart.
    """
    sides = {"document": documents, "abstract": abstracts}
    for side, counterpart in permutations(sides):
        if alone := [file for name, file in sides[side].items() if name not in sides[counterpart]]:
            folder = os.path.dirname(next(iter(sides[counterpart].values())))
            more = f", and {number_of(len(alone) - 1, f'other {side}')}" if len(alone) > 1 else ""
            raise BadData(f"no {counterpart} of this name in {folder}{more}", alone[0])
    for name, file in documents.items():
        fields = {side: plain_text(files[name], False) for side, files in sides.items()}
        yield RawRecord(fields, Source(file, None, file), name)


def _names_below(folder: StrPath, paths: Sequence[str]) -> dict[str, str]:
    """Return files by their names without endings, with the folders below a folder.

    Raises ``BadData`` for two of one name.
    """
    by_name: dict[str, str] = {}
    for file in paths:
        inner = PurePath(os.path.relpath(os.path.dirname(file), folder)).as_posix()
        stem = file_stem(file)
        name = stem if inner.startswith(".") else f"{_composed(inner)}/{stem}"
        earlier = by_name.setdefault(name, file)
        if earlier != file:
            raise BadData(f"{earlier} has the same name: each pair needs its own", file)
    return by_name


def file_stem(path: StrPath) -> str:
    """Return the name of a file without its endings."""
    return _composed(PurePath(reading.name_in_utf8(path).removesuffix(".gz")).stem)


def _composed(name: str) -> str:
    """Return a name in one form: some systems write a letter with an accent as two characters."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())


def plain_text(path: StrPath, needs_words: bool = True) -> str:
    """Read a file of plain text.

    ``needs_words``  whether a file without words is an error.

    Raises ``BadData`` for JSON lines, and for a file without words if it needs some.
    """
    with reading.in_line(None, path):
        require_text(path)
        text = reading.read_text(path)
        if os.fspath(path).lower().removesuffix(".gz").endswith(SUBTITLE_ENDINGS):
            text = text_of_subtitles(text)
        if needs_words and not text.strip():
            raise BadData("the file is empty, expected plain text")
        # A brace alone is no sign of JSON: texts may begin with one.
        if is_object(text.lstrip().partition("\n")[0]):
            raise BadData("the file looks like JSON lines, expected plain text", line=1)
    return text
