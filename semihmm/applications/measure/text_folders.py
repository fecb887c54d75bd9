"""Reads folders of plain text, with one summary or one reference in each file.

Programs that call ROUGE write such files: ``decoded/000001.txt`` and ``reference/000001.txt``, or
``system/news.001.txt``, ``models/news.A.001.txt`` and ``models/news.B.001.txt``. A summary and
its references are matched by the parts of their names. Endings, parts that all names of a folder
share and the letter of an annotator do not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, number_of
from corpus_tools.pairs.pair import Source
from corpus_tools.pairs.text_files import pair_files, plain_text
from corpus_tools.texts.marks import without_markup
from semihmm.applications.measure.summaries import (
    Sentences,
    SystemSummary,
    require_distinct,
    to_sentences,
)
from semihmm.applications.measure.summary_files import NO_TEXT_PATTERN

NAME_SEPARATORS = re.compile(r"[._-]+")
"""The marks between the parts of a name."""


ANNOTATOR_LETTER = re.compile("[A-Z]")
"""The part of a name that says which annotator wrote the reference."""


NameParts = tuple[str, ...]
"""The parts of a file's name that not all files of its folder share."""


def is_folder_of_texts(path: files.StrPath) -> bool:
    """Tell whether a path is a directory of plain text, or of folders of plain text."""
    if os.fspath(path) == files.STANDARD_STREAM or not os.path.isdir(path):
        return False
    _, paths = _folders(path)[0]
    start = next((line for _, line in reading.numbered_lines(paths[0]) if not line.isspace()), "")
    return not start.lstrip().startswith("{")


def read_text_files(
    summaries: files.StrPath,
    references: Sequence[files.StrPath],
    system: str | None = None,
    *,
    strip_markup: bool = False,
) -> tuple[list[SystemSummary], dict[str, list[Sentences]]]:
    """Read summaries and references from files of plain text with a sentence a line.

    ``summaries``   a directory of summaries, or of folders, one for each system.
    ``references``  directories of references, or of folders, one for each annotator.
    ``system``      the name of the only system; ``None``: the name of the directory.

    An id consists of the parts of a name that not all names share. Raises ``BadData`` for a file
    that is no plain text, for a reference without words, for two files of one name, and if no
    summary has the name of a reference.
    """

    def sentences(file: str) -> Sentences:
        text = plain_text(file, needs_words=False)
        first = text.lstrip().partition("\n")[0]
        if NO_TEXT_PATTERN.match(first) and first[0] in "[<":
            raise BadData("expected plain text with a sentence a line", file, 1)
        return to_sentences(without_markup(text) if strip_markup else text)

    read = []
    for name, files_of_folder in _folders(summaries):
        for parts, file in _with_name_parts(files_of_folder):
            id = ".".join(parts)
            writer = name or system or os.path.basename(os.path.abspath(summaries))
            read.append(SystemSummary(id, writer, sentences(file), source=Source(file, None)))
    require_distinct(read)
    ids = {summary.id for summary in read}
    texts: dict[str, list[Sentences]] = {}
    for path in references:
        for _, files_of_folder in _folders(path):
            for parts, file in _with_name_parts(files_of_folder):
                reference = sentences(file)
                if not reference:
                    raise BadData("the reference is empty, expected a text", file)
                texts.setdefault(_id_of(parts, ids), []).append(reference)
    if ids.isdisjoint(texts):
        both = f"{next(iter(ids))!r} and {next(iter(texts))!r}"
        counts = f"{number_of(len(ids), 'summary', 'summaries')} and {number_of(len(texts), 'id')}"
        raise BadData(
            f"no summary has the name of a reference ({counts} of references, such as {both}): "
            "each file of a directory is one text; if it has a text on each line, name the file"
        )
    return read, texts


def _folders(path: files.StrPath) -> list[tuple[str, list[str]]]:
    """Return the folders of a directory and their files; without folders, its files under ``""``.

    Raises ``BadData`` for a directory with both.
    """
    names = sorted(name for name in os.listdir(path) if not name.startswith((".", "_")))
    folders = [name for name in names if os.path.isdir(os.path.join(path, name))]
    if folders and len(folders) < len(names):
        raise BadData("has both files and folders, expected a folder for each system", path)
    if not folders:
        return [("", pair_files(path))]
    return [(name, pair_files(os.path.join(path, name))) for name in folders]


def _with_name_parts(paths: Sequence[str]) -> list[tuple[NameParts, str]]:
    """Return the files of a folder with the parts of their names that not all share."""
    stems = [PurePath(reading.name_in_utf8(path).removesuffix(".gz")).stem for path in paths]
    split = [NAME_SEPARATORS.split(stem) for stem in stems]
    common = set(split[0]).intersection(*split[1:]) if len(paths) > 1 else set[str]()
    distinct = [tuple(part for part in parts if part not in common) for parts in split]
    if len({*distinct}) < len(distinct):
        distinct = [*map(tuple, split)]
    return list(zip(distinct, paths, strict=True))


def _id_of(parts: NameParts, ids: Iterable[str]) -> str:
    """Return the id of a reference: the summary's, which may lack the letter of an annotator.

    ``ids``  the ids of all summaries. Without a match the id is the whole name.
    """
    whole = ".".join(parts)
    without = (
        ".".join(parts[:n] + parts[n + 1 :])
        for n, part in enumerate(parts)
        if ANNOTATOR_LETTER.match(part)
    )
    return next((id for id in (whole, *without) if id in ids), whole)
