"""Reads pairs from plain text: two files with a text a line, or two directories with one a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.formats import Given
from corpus_tools.pairs.pair import Source
from corpus_tools.storage.file_formats import is_json
from corpus_tools.storage.files import StrPath, name_in_utf8, open_text, shown_name


def parallel_lines(path: StrPath, abstracts: StrPath) -> Iterator[Given]:
    """Yield the records of two files of plain text."""
    both = [plain_text(one).removesuffix("\n").split("\n") for one in (path, abstracts)]
    counts = [len(lines) for lines in both]
    if counts[0] != counts[1]:
        problem = (
            f"{counts[0]} lines, but {shown_name(abstracts)} has {counts[1]}: "
            "parallel files must agree line by line"
        )
        raise BadData(problem, shown_name(path))
    file = shown_name(path)
    for line, sides in enumerate(zip(*both, strict=True), start=1):
        document, abstract = (side.rstrip("\r") for side in sides)
        fields = {"document": document, "abstract": abstract}
        yield fields, Source(file, line, file), f"line-{line}"


def parallel_files(documents: Sequence[str], abstracts: Sequence[str]) -> Iterator[Given]:
    """Yield the records of files of plain text, in the order of the documents.

    Each two files that have the same name, but for endings, are a pair, with the name as its id.
    Raises ``BadData`` for a file that has no other, and for two of one name on the same side.
    """
    of_documents, of_abstracts = _by_name(documents), _by_name(abstracts)
    _require_partners(of_documents, "document", of_abstracts, "abstract")
    _require_partners(of_abstracts, "abstract", of_documents, "document")
    for name, file in of_documents.items():
        document, abstract = (plain_text(one, False) for one in (file, of_abstracts[name]))
        yield {"document": document, "abstract": abstract}, Source(file, None, file), name


def _by_name(files: Sequence[str]) -> dict[str, str]:
    """Return files by their names without endings. Raises ``BadData`` for two of one name."""
    by_name: dict[str, str] = {}
    for file in files:
        name = PurePath(name_in_utf8(file).removesuffix(".gz")).stem
        if name in by_name:
            raise BadData(f"{by_name[name]} has the same name: each pair needs its own", file)
        by_name[name] = file
    return by_name


def _require_partners(
    own: Mapping[str, str], side: str, others: Mapping[str, str], other: str
) -> None:
    """Raise ``BadData`` if a file of a side has none of the other side."""
    if alone := [file for name, file in own.items() if name not in others]:
        folder = os.path.dirname(next(iter(others.values())))
        more = f", and {number_of(len(alone) - 1, f'other {side}')}" if len(alone) > 1 else ""
        raise BadData(f"no {other} of this name in {folder}{more}", alone[0])


def plain_text(path: StrPath, needs_words: bool = True) -> str:
    """Read a file of plain text.

    Raises ``BadData`` for JSON lines and, if it ``needs_words``, for a file without any.
    """
    with open_text(path) as stream:
        text = stream.read()
    if needs_words and not text.strip():
        raise BadData("the file is empty, expected plain text", shown_name(path))
    # Texts may begin with a brace, too.
    first = text.lstrip().partition("\n")[0]
    if first.startswith("{") and is_json(first):
        raise BadData("the file looks like JSON lines, expected plain text", shown_name(path), 1)
    return text
