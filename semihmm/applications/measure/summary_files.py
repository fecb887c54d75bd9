"""Reads files and folders of summaries, of references and of compressions.

Programs that call ROUGE write folders with a text in each file: ``decoded/000001.txt`` and
``reference/000001.txt``, or ``system/news.001.txt``, ``models/news.A.001.txt`` and
``models/news.B.001.txt``. A summary and its references are matched by the parts of their names.
Endings, parts that all names of a folder share and the letter of an annotator do not count.
"""

from __future__ import annotations

import os
import re
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corpus_tools.alignments.formats import require_same_ids
from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, number_of
from corpus_tools.pairs.fields import ID_KEYS, record_id
from corpus_tools.pairs.pair import Source
from corpus_tools.pairs.tables import ALL_SEPARATORS, is_table
from corpus_tools.pairs.text_files import PairsFile, file_stem, pair_files, plain_text
from corpus_tools.texts.marks import without_markup
from semihmm.applications.measure.summaries import (
    Compressions,
    Record,
    ReferencesOfId,
    Sentences,
    SystemSummary,
    references_of,
    require_distinct,
    summary_of,
    to_sentences,
)

TEXT_FIELDS = "id|system|summary|references?|abstract|highlights"
"""Names of columns. A first line with one of them is the head of a table, not text with commas."""


NO_TEXT_PATTERN = re.compile(
    rf"""\[\s*(?:[{{\["]|$)                        # a JSON array, not "[Reuters]"
    | <(?:\?xml|!doctype|html|doc|rouge|s\ sntno)  # markup, not "<unk>"
    | (?:.*[\t,;])?["'\ ]*(?:{TEXT_FIELDS})["'\ ]*(?:[\t,;]|$)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The first lines of files in other formats: no plain text begins so."""


def read_summaries(path: files.StrPath, *, strip_markup: bool = False) -> list[SystemSummary]:
    """Read the summaries of all systems.

    ``path``  a file of JSON lines ``{"id", "system", "summary"}``, where the summary is a string
              with a sentence a line or a list of sentences; or a file of plain text with a summary
              a line; or a directory of such files, read in the order of their names. Without the
              field ``system``, and in plain text, the system has the file's name without its
              endings. Without the field ``id``, and in plain text, line N has the id ``line-N``.
              A compression has ``positions`` in place of ``summary``: the positions of its words
              in its source, counted from 0.

    A summary without words is kept. Raises ``BadData`` with file and line for a wrong line, for two
    summaries of the same id by one system, and if there are none.
    """
    summaries = []
    for file in pair_files(path):
        system = file_stem(reading.shown_name(file))
        for line, record in _records(file, "summary", strip_markup):
            with reading.in_line(line, file):
                summaries.append(summary_of(record, Source(reading.shown_name(file), line), system))
    require_distinct(summaries)
    return summaries


def read_references(
    paths: Sequence[files.StrPath], *, strip_markup: bool = False
) -> dict[str, ReferencesOfId]:
    """Read the references of all summaries, one or more for each id.

    ``paths``  files of JSON lines ``{"id", "references"}``, where each reference is a string with
               a sentence a line or a list of sentences; or of plain text with a reference a line,
               where line N has the id ``line-N``. Several files must have the same ids: their
               references of an id are joined. A file of JSON lines ``{"id", "words",
               "compressions"}`` has compressions: the words of the source and, for each subject,
               a list of positions, counted from 0. In JSON lines of pairs the abstract is the one
               reference of an id.

    Raises ``BadData`` with file and line for a wrong line, for a reference without text, and for
    files whose ids differ; ``BadUsage`` for a file that is named twice.
    """
    first, *others = pair_files(paths)
    references = _file_references(first, strip_markup)
    for path in others:
        more_references, name = _file_references(path, strip_markup), reading.shown_name(path)
        require_same_ids(reading.shown_name(first), references.keys(), name, more_references.keys())
        for identity, more in more_references.items():
            joined = references[identity]
            if isinstance(joined, Compressions) or isinstance(more, Compressions):
                problem = "compressions cannot be joined with the references of another file"
                raise BadData(problem, name)
            references[identity] = [*joined, *more]
    return references


def _file_references(path: files.StrPath, strip_markup: bool) -> dict[str, ReferencesOfId]:
    references: dict[str, ReferencesOfId] = {}
    for line, record in _records(path, "references", strip_markup):
        with reading.in_line(line, path):
            identity = record_id(record, f"line-{line}")
            if identity in references:
                raise BadData(f"the id {identity!r} is that of an earlier line too")
            references[identity] = references_of(record, identity)
    return references


def _records(path: files.StrPath, key: str, strip_markup: bool) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with their line numbers.

    ``path``          JSON lines or plain text, plain or gzip, or ``-`` for standard input.
    ``key``           the field of the text in records of plain text.
    ``strip_markup``  whether tags and marks are removed from all texts.

    Raises ``BadData`` with file and line for a file that cannot be read, is empty or has another
    format.
    """
    file = PairsFile(path)
    first = file.head[0].strip()
    if first.startswith("{"):
        for number, record in reading.numbered_objects(file.lines(), path):
            yield number, (_stripped(record) if strip_markup else record)
        return
    tables = (is_table(file.head, separator) for separator in ALL_SEPARATORS)
    if NO_TEXT_PATTERN.match(first) and (first[0] in "[<" or any(tables)):
        problem = f"expected JSON lines or plain text, not {reprlib.repr(first)}"
        raise BadData(problem, reading.shown_name(path), 1)
    number = 0
    for number, line in file.lines():
        text = line.rstrip("\r\n")
        text = without_markup(text) if strip_markup else text
        yield number, {key: [text] if key == "references" else text}
    if not number:
        raise BadData(
            "the file is empty, expected JSON lines or plain text", reading.shown_name(path)
        )


def _stripped(record: Record) -> Record:
    """Return a record without tags and marks in its texts."""

    def stripped(value: Any) -> Any:
        if isinstance(value, list):
            return [*map(stripped, value)]
        return without_markup(value) if isinstance(value, str) else value

    names = (*ID_KEYS, "system")
    return {key: value if key in names else stripped(value) for key, value in record.items()}


# Folders with a text in each file

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

    def files_of(path: files.StrPath) -> Iterator[tuple[str, NameParts, str, Sentences]]:
        for folder, paths in _folders(path):
            for parts, file in _with_name_parts(paths):
                yield folder, parts, file, _plain_sentences(file, strip_markup)

    named = system or os.path.basename(os.path.abspath(summaries))
    read = [
        SystemSummary(".".join(parts), folder or named, sentences, source=Source(file, None))
        for folder, parts, file, sentences in files_of(summaries)
    ]
    require_distinct(read)
    ids = {summary.id for summary in read}
    texts: dict[str, list[Sentences]] = {}
    for path in references:
        for _, parts, file, reference in files_of(path):
            if not reference:
                raise BadData("the reference is empty, expected a text", file)
            texts.setdefault(_id_of(parts, ids), []).append(reference)
    if ids.isdisjoint(texts):
        both = f"{read[0].id!r} and {next(iter(texts))!r}"
        counts = f"{number_of(len(ids), 'summary', 'summaries')} and {number_of(len(texts), 'id')}"
        raise BadData(
            f"no summary has the name of a reference ({counts} of references, such as {both}): "
            "each file of a directory is one text; if it has a text on each line, name the file"
        )
    return read, texts


def _plain_sentences(file: str, strip_markup: bool) -> Sentences:
    """Return the sentences of a file. Raises ``BadData`` if it is no plain text."""
    text = plain_text(file, needs_words=False)
    first = text.lstrip().partition("\n")[0]
    if NO_TEXT_PATTERN.match(first) and first[0] in "[<":
        raise BadData("expected plain text with a sentence a line", file, 1)
    return to_sentences(without_markup(text) if strip_markup else text)


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
    split = [NAME_SEPARATORS.split(file_stem(path)) for path in paths]
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
