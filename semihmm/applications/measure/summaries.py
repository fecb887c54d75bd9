"""Defines and reads summaries, references and compressions.

A file is JSON lines if its first line that is not blank begins with a brace. In other files each
line is a text, even a blank one.
"""

from __future__ import annotations

import math
import os
import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from corpus_tools.alignments.alignment import require_same_ids
from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, number_of
from corpus_tools.pairs.fields import ID_KEYS, SIDE_KEYS, checked_id, first_key, record_id
from corpus_tools.pairs.pair import Source, place_of
from corpus_tools.pairs.pairs_file import PairsFile, pair_files
from corpus_tools.pairs.plain_texts import plain_text
from corpus_tools.pairs.sides import is_tokenized, shape_of
from corpus_tools.pairs.tables import ALL_SEPARATORS, is_table
from corpus_tools.texts.marks import sentences_at_marks, with_line_breaks, without_markup

UNKNOWN_POSITION = -1
"""The position of a summary word that the source lacks, or has in another order."""

Sentences = tuple[str, ...]
"""A text, sentence by sentence."""


@dataclass(frozen=True)
class SystemSummary:
    """A summary that is measured.

    ``id``         the id of what is summarized; its references have the same.
    ``system``     the name of the system that wrote it.
    ``positions``  the positions of its words in the source, counted from 0, if it is given by
                   these instead of sentences; its references are compressions of the same source.
    ``source``     its file and line, for errors; ``None`` if it was read from no file.
    ``given``      the text before it was split into sentences.
    """

    id: str
    system: str
    sentences: Sentences
    positions: tuple[int, ...] | None = None
    source: Source | None = field(default=None, compare=False, repr=False)
    given: str | list[str] | None = field(default=None, compare=False, repr=False)

    def error(self, problem: str) -> BadData:
        """Return the error of a problem, with the summary's id, system, file and line."""
        summary = f"the summary {self.id!r} of {self.system!r}"
        return BadData(f"{summary} {problem}", *place_of(self.source))


def to_sentences(text: str | Sequence[str]) -> Sentences:
    """Return the sentences of a text: the lines of a string that are not blank, or a list's items.

    ROUGE-1.5.5 reads plain text in the same way (format SPL). Marks such as ``<q>`` also end a
    sentence (``corpus_tools.texts.marks``).
    """
    if isinstance(text, str):
        return tuple(line for line in with_line_breaks(text).split("\n") if line.strip())
    return tuple(sentences_at_marks(text))


def require_distinct(summaries: Iterable[SystemSummary]) -> None:
    """Raise ``BadData``, with its place, for the second summary of an id by one system."""
    first: dict[tuple[str, str], SystemSummary] = {}
    for number, summary in enumerate(summaries):
        earlier = first.setdefault((summary.system, summary.id), summary)
        if len(first) <= number:
            where = f": the other is {earlier.source}" if earlier.source else ""
            raise summary.error(f"is given twice{where}")


@dataclass(frozen=True)
class Compressions:
    """A source and its compressions by several people (Hori et al. 2003, section 3.4).

    ``words``         the words of the source, in order.
    ``compressions``  for each subject the positions of the chosen words, counted from 0, at least
                      one, increasing.
    """

    id: str
    words: tuple[str, ...]
    compressions: tuple[tuple[int, ...], ...]

    def chosen(self, positions: tuple[int, ...]) -> Choice:
        """Return the choice of the words at some positions."""
        return Choice(self, positions, tuple(self.words[position] for position in positions))


class Choice(NamedTuple):
    """Words of a source, chosen by a subject or by a system.

    ``positions``  in the source, or ``UNKNOWN_POSITION`` for a word that the source lacks.
    ``words``      the word of each position.
    """

    source: Compressions
    positions: tuple[int, ...]
    words: tuple[str, ...]

    @property
    def sentences(self) -> Sentences:
        """The words as a text of one sentence, for measures of texts."""
        return (" ".join(self.words),)


ReferencesOfId = Sequence[Sentences] | Compressions
"""The references of an id: one or more."""

References = Mapping[str, ReferencesOfId]
"""The references of each id."""


def problem_of_positions(positions: object, size: float = math.inf) -> str:
    """Return why a value is no list of increasing positions; an empty text if it is one.

    ``size``  the number of the source's words; infinite if it is not known yet.
    """
    if not isinstance(positions, list) or any(type(position) is not int for position in positions):
        return "expected a list of positions, whole numbers"
    for before, position in pairwise([-1, *positions]):
        if not before < position < size:
            limit = f" and below {size}, the number of words" if size < math.inf else ""
            return f"position {position} follows {before}: expected larger ones, from 0 on{limit}"
    return ""


# Reading summaries

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

Record = Mapping[str, Any]
"""The fields of a summary or of references before they are checked."""


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
        # The file's name without its endings, as .txt.gz or .jsonl.
        system = Path(reading.shown_name(file).removesuffix(".gz")).stem
        for line, record in _records(file, "summary", strip_markup):
            with reading.in_line(line, file):
                summaries.append(_summary(record, Source(reading.shown_name(file), line), system))
    require_distinct(summaries)
    return summaries


def _summary(record: Record, source: Source, system: str) -> SystemSummary:
    """Return the summary of a record. Raises ``BadData`` for wrong fields."""
    identity = record_id(record, f"line-{source.line}")
    if "system" in record:
        system = checked_id(record["system"], "system")
    if "positions" not in record:
        sentences = _sentences(record.get("summary"), "'summary'")
        given = record["summary"]
        return SystemSummary(identity, system, sentences, source=source, given=given)
    if "summary" in record:
        raise BadData("found both 'summary' and 'positions', expected one of them")
    if problem := problem_of_positions(record["positions"]):
        raise BadData(f"'positions': {problem}")
    return SystemSummary(identity, system, (), tuple(record["positions"]), source)


# Reading references


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
        own, name = _file_references(path, strip_markup), reading.shown_name(path)
        require_same_ids(reading.shown_name(first), references.keys(), name, own.keys())
        for identity, more in own.items():
            known = references[identity]
            if isinstance(known, Compressions) or isinstance(more, Compressions):
                problem = "compressions cannot be joined with the references of another file"
                raise BadData(problem, name)
            references[identity] = [*known, *more]
    return references


def _file_references(path: files.StrPath, strip_markup: bool) -> dict[str, ReferencesOfId]:
    references: dict[str, ReferencesOfId] = {}
    for line, record in _records(path, "references", strip_markup):
        with reading.in_line(line, path):
            identity = record_id(record, f"line-{line}")
            if identity in references:
                raise BadData(f"the id {identity!r} is that of an earlier line too")
            if "compressions" in record:
                references[identity] = _compressions(record, identity)
            else:
                references[identity] = _references(record)
    return references


def _references(record: Record) -> list[Sentences]:
    """Return the references of a record, or a pair's abstract. Raises ``BadData``."""
    if "references" not in record:
        return [_abstract(record)]
    texts = enumerate(_filled_list(record, "references"), start=1)
    return [_reference(text, f"reference {number}") for number, text in texts]


def _abstract(record: Record) -> Sentences:
    """Return the abstract of a pair as a reference. Raises ``BadData`` if there is none."""
    keys = SIDE_KEYS["abstract"]
    key = first_key(keys, record)
    if key is None:
        found = ", ".join(map(repr, record)) or "none"
        expected = "'references', 'compressions' or the abstract of a pair"
        raise BadData(f"found the keys {found}; expected {expected} ({', '.join(keys)})")
    shape = shape_of(record[key])
    abstract = record[key] if shape is None else shape.side
    if shape is not None and is_tokenized(shape.side):
        abstract = [" ".join(sentence) for sentence in shape.side]
    return _reference(abstract, repr(key))


def _reference(text: object, name: str) -> Sentences:
    """Return the sentences of a reference. Raises ``BadData`` if it has no text."""
    reference = _sentences(text, name)
    if not any(map(str.strip, reference)):
        raise BadData(f"{name} is empty, expected a text")
    return reference


def _compressions(record: Record, identity: str) -> Compressions:
    """Return the compressions of a record. Raises ``BadData`` for wrong fields."""
    words = _filled_list(record, "words")
    if not all(isinstance(word, str) and word.strip() for word in words):
        raise BadData("'words' must be a list of strings, none empty")
    subjects = _filled_list(record, "compressions")
    for number, positions in enumerate(subjects, start=1):
        problem = problem_of_positions(positions, len(words))
        if problem or not positions:
            raise BadData(f"compression {number}: {problem or 'it is empty'}")
    return Compressions(identity, tuple(words), tuple(map(tuple, subjects)))


# Records of summaries and of references


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


def _filled_list(record: Record, key: str) -> list[Any]:
    """Return the list in a field. Raises ``BadData`` if it is empty or no list."""
    value = record.get(key)
    if not isinstance(value, list) or not value:
        raise BadData(f"{key!r} is {reprlib.repr(value)}, expected a list of one or more")
    return value


def _sentences(text: object, name: str) -> Sentences:
    """Return the sentences of a text: a string or a list of strings. Raises ``BadData`` otherwise.

    ``name``  the name of the text in the message.
    """
    if not isinstance(text, str | list) or not all(isinstance(one, str) for one in text):
        found = f"{name} is {reprlib.repr(text)}"
        raise BadData(f"{found}, expected a string or a list of sentence strings")
    return to_sentences(text)


# Folders of plain text, one text in each file
#
# Programs that call ROUGE write such files: ``decoded/000001.txt`` and ``reference/000001.txt``, or
# ``system/news.001.txt``, ``models/news.A.001.txt`` and ``models/news.B.001.txt``. A summary and
# its references are matched by the parts of their names. Endings, parts that all names of a folder
# share and the letter of an annotator do not count.

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
    for name, own in _folders(summaries):
        for parts, file in _with_name_parts(own):
            id = ".".join(parts)
            writer = name or system or os.path.basename(os.path.abspath(summaries))
            read.append(SystemSummary(id, writer, sentences(file), source=Source(file, None)))
    require_distinct(read)
    known = {summary.id for summary in read}
    texts: dict[str, list[Sentences]] = {}
    for path in references:
        for _, own in _folders(path):
            for parts, file in _with_name_parts(own):
                reference = sentences(file)
                if not reference:
                    raise BadData("the reference is empty, expected a text", file)
                texts.setdefault(_id_of(parts, known), []).append(reference)
    if known.isdisjoint(texts):
        shown = f"{next(iter(known))!r} and {next(iter(texts))!r}"
        counts = (
            f"{number_of(len(known), 'summary', 'summaries')} and {number_of(len(texts), 'id')}"
        )
        raise BadData(
            f"no summary has the name of a reference ({counts} of references, such as {shown}): "
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
    own = [tuple(part for part in parts if part not in common) for parts in split]
    if len({*own}) < len(own):
        own = [*map(tuple, split)]
    return list(zip(own, paths, strict=True))


def _id_of(parts: NameParts, known: Iterable[str]) -> str:
    """Return the id of a reference: the summary's, which may lack the letter of an annotator.

    ``known``  the ids of all summaries. Without a match the id is the whole name.
    """
    whole = ".".join(parts)
    without = (
        ".".join(parts[:n] + parts[n + 1 :])
        for n, part in enumerate(parts)
        if ANNOTATOR_LETTER.match(part)
    )
    return next((id for id in (whole, *without) if id in known), whole)
