"""Reads summaries and references from JSON lines or from plain text.

A file is JSON lines if the first of its lines that is not blank begins with a brace. All lines of
other files are texts, blank ones too.
"""

from __future__ import annotations

import math
import os
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from corpus_tools.alignments.alignment import require_same_ids
from corpus_tools.errors import BadData
from corpus_tools.measures.compressions import (
    Compressions,
    References,
    Sentences,
    SystemSummary,
    check_positions,
    check_summary,
    to_sentences,
)
from corpus_tools.pairs.records import checked_id, record_id
from corpus_tools.storage.file_formats import PLAIN_TEXT, START_LINES, text_format
from corpus_tools.storage.files import (
    STANDARD_STREAM,
    StrPath,
    in_line,
    numbered_lines,
    numbered_objects,
    shown_name,
)

SHOWN_IDS = 3
"""How many ids of references an error names."""

NO_TEXT = re.compile(
    r"""\[\s*(?:[{\["]|$)                        # a JSON array, not "[Reuters]"
    | <(?:\?xml|!doctype|html|doc|rouge|s\ sntno)  # markup, not "<unk>"
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How files of other formats begin, but no line of plain text."""

FIELDS = frozenset({"id", "system", "summary", "reference", "references", "abstract", "highlights"})
"""The names of columns by which a table is told from text with commas."""

Record = Mapping[str, Any]
"""The fields of a summary or of references, not yet checked."""

ReadReferences = dict[str, Sequence[Sentences]]
"""The references by id: one or more of each."""

# Summaries


class LocatedSummary(NamedTuple):
    """A summary with the name of the file and the line where it stands."""

    summary: SystemSummary
    file: str
    line: int


def read_summaries(path: StrPath) -> list[SystemSummary]:
    """Read all summaries. Arguments and errors are those of ``located_summaries``."""
    return [located.summary for located in located_summaries(path)]


def located_summaries(path: StrPath) -> list[LocatedSummary]:
    """Read the summaries of all systems with the lines where they stand.

    ``path``  a file of JSON lines ``{"id", "system", "summary"}``, where the summary is a string
              with a sentence a line or a list of sentences; or a file of plain text with a summary
              a line; or a directory of such files, read in the order of their names. Without the
              field ``system``, and in plain text, the system has the file's name without its
              endings. Without the field ``id``, and in plain text, line N has the id ``line-N``.
              ``positions`` in place of ``summary`` are those of a compression's words in its
              source, counted from 0.

    A summary without words is kept. Raises ``BadData`` with file and line for what is wrong in a
    file, for two summaries of the same id by one system, and where there are none.
    """
    located: dict[tuple[str, str], LocatedSummary] = {}
    for file in _files(path):
        name = shown_name(file)
        # The file's name without its endings, as .txt.gz or .jsonl.
        system = Path(Path(name).name.removesuffix(".gz")).stem
        for line, record in _records(file, lambda text: {"summary": text}):
            with in_line(line, file):
                summary = _summary(record, line, system)
                one = LocatedSummary(summary, name, line)
                earlier = located.setdefault((summary.system, summary.id), one)
                if earlier is not one:
                    where = "" if earlier.file == name else f"{earlier.file}, "
                    raise BadData(
                        f"the system {summary.system!r} has another summary with the id "
                        f"{summary.id!r}: {where}line {earlier.line}"
                    )
    return list(located.values())


def _files(path: StrPath) -> Iterable[StrPath]:
    """Return the files of a directory by name, without hidden ones; or the file itself."""
    if os.fspath(path) == STANDARD_STREAM or not os.path.isdir(path):
        return [path]
    try:
        inside = sorted(file for file in Path(path).iterdir() if not file.name.startswith("."))
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", path) from error
    if not inside:
        raise BadData("the directory has no files with summaries", path)
    return inside


def _summary(record: Record, line: int, system: str) -> SystemSummary:
    """Check a record. Raises ``BadData``."""
    identity = record_id(record, f"line-{line}")
    if "system" in record:
        system = checked_id(record["system"], "system")
    if "positions" in record:
        if "summary" in record:
            raise BadData("found both 'summary' and 'positions', expected one of them")
        check_positions(record["positions"], math.inf, "'positions'")
        return SystemSummary(identity, system, (), tuple(record["positions"]))
    text = _required(record, "summary", "no summary", "'id', 'system', 'summary'")
    return SystemSummary(identity, system, _sentences(text, "'summary'"))


def require_references(
    located: Iterable[LocatedSummary], references: References, name: str
) -> None:
    """Raise ``BadData`` with file and line for a summary that its references do not fit.

    No reference has its id, or it has positions that its source does not have.

    ``name``  what the error calls the references: their file.
    """
    for summary, file, line in located:
        with in_line(line, file):
            if summary.id not in references:
                shown = ", ".join(map(repr, list(references)[:SHOWN_IDS]))
                more = ", ..." if len(references) > SHOWN_IDS else ""
                raise BadData(f"no reference has the id {summary.id!r}; {name} has {shown}{more}")
            check_summary(summary, references[summary.id])


# References


def read_references(paths: Sequence[StrPath]) -> ReadReferences:
    """Read the references of all summaries by id.

    ``paths``  files of JSON lines ``{"id", "references"}``, where each reference is a string with
               a sentence a line or a list of sentences; or of plain text with a reference a line,
               where line N has the id ``line-N``. Several files have references for the same ids,
               each some of them. A file of JSON lines ``{"id", "words", "compressions"}`` has
               compressions: the words of the source and, for each subject, a list of positions,
               counted from 0.

    Raises ``BadData`` with file and line for what is wrong in a file, for a reference without
    text, for files whose ids differ and for a file that is given twice.
    """
    real = [os.path.realpath(path) for path in paths]
    for number, path in enumerate(paths):
        if real[number] in real[:number]:
            raise BadData("the file is given twice as references", shown_name(path))
    references = _of_file(paths[0])
    for path in paths[1:]:
        own = _of_file(path)
        require_same_ids(shown_name(paths[0]), references.keys(), shown_name(path), own.keys())
        for identity, more in own.items():
            known = references[identity]
            if isinstance(known, Compressions) or isinstance(more, Compressions):
                problem = "compressions cannot be joined with the references of another file"
                raise BadData(problem, shown_name(path))
            references[identity] = [*known, *more]
    return references


def _of_file(path: StrPath) -> ReadReferences:
    references: ReadReferences = {}
    lines: dict[str, int] = {}
    for line, record in _records(path, lambda text: {"references": [text]}):
        with in_line(line, path):
            identity = record_id(record, f"line-{line}")
            if identity in references:
                raise BadData(f"the id {identity!r} is that of line {lines[identity]} too")
            lines[identity] = line
            if "compressions" in record:
                references[identity] = _compressions(record, identity)
            else:
                references[identity] = _references(record)
    return references


def _references(record: Record) -> list[Sentences]:
    """Check the references of a record. Raises ``BadData``."""
    expected = "'id', 'references' or 'id', 'words', 'compressions'"
    given = _required(record, "references", "no references", expected)
    if not isinstance(given, list):
        raise BadData(
            f"'references' is {reprlib.repr(given)}, expected a list of references, "
            "each a string or a list of sentence strings"
        )
    if not given:
        raise BadData("'references' is empty, expected one reference or more")
    references = []
    for number, text in enumerate(given, start=1):
        references.append(_sentences(text, f"reference {number}"))
        if not any(map(str.strip, references[-1])):
            raise BadData(f"reference {number} is empty, expected a text")
    return references


def _compressions(record: Record, identity: str) -> Compressions:
    """Check the compressions of a record. Raises ``BadData``."""
    words = _list(record, "words", "a list of strings, none empty")
    if not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise BadData("'words' must be a list of strings, at least one and none empty")
    subjects = _list(record, "compressions", "a list of positions for each subject")
    if not subjects:
        raise BadData("'compressions' is empty, expected a list of positions for each subject")
    for number, positions in enumerate(subjects, start=1):
        check_positions(positions, len(words), f"compression {number}")
        if not positions:
            raise BadData(f"compression {number} is empty: a subject chooses at least one word")
    return Compressions(identity, tuple(words), tuple(map(tuple, subjects)))


def _list(record: Record, key: str, expected: str) -> list[Any]:
    value = _required(record, key, f"no {key!r}", f"{key!r}: {expected}")
    if not isinstance(value, list):
        raise BadData(f"{key!r} is {reprlib.repr(value)}, expected {expected}")
    return value


# Records of both


def _records(path: StrPath, of_line: Callable[[str], Record]) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with their line numbers.

    ``path``     JSON lines or plain text, plain or gzip, or ``-`` for standard input.
    ``of_line``  makes a record of a line of plain text.

    Raises ``BadData`` with file and line for a file that cannot be read, is empty or has another
    format.
    """
    lines = numbered_lines(path)
    ahead = list(islice(lines, START_LINES))
    filled = [line for _, line in ahead if not line.isspace()]
    if filled and filled[0].lstrip().startswith("{"):
        yield from numbered_objects(chain(ahead, lines), path)
        return
    if not ahead:
        problem = "the file is empty, expected JSON lines, or plain text with one text a line"
        raise BadData(problem, shown_name(path))
    if filled:
        _refuse_other_formats(filled, path, ahead[0][0])
    for number, line in chain(ahead, lines):
        yield number, of_line(line.rstrip("\r\n"))


def _refuse_other_formats(lines: Sequence[str], path: StrPath, number: int) -> None:
    looks = text_format(lines)
    if looks is None or looks is PLAIN_TEXT:
        return
    first = lines[0].strip()
    columns = {name.strip("\" '").lower() for name in re.split("[\t,;]", first)}
    if NO_TEXT.match(first) or FIELDS & columns:
        problem = f"expected JSON lines or plain text; the file looks like {looks}"
        raise BadData(problem, shown_name(path), number)


def _required(record: Record, key: str, problem: str, expected: str) -> Any:
    """Return a field of a record. Raises ``BadData`` for a record without it."""
    if key not in record:
        found = ", ".join(map(repr, record)) or "none"
        raise BadData(f"{problem}: found the keys {found}; expected {expected}")
    return record[key]


def _sentences(text: object, what: str) -> Sentences:
    """Return the sentences of a text. Raises ``BadData`` for what is no string and no list of them.

    ``what``  says in the message which text it is.
    """
    if not isinstance(text, str | list) or not all(isinstance(one, str) for one in text):
        raise BadData(
            f"{what} is {reprlib.repr(text)}, expected a string or a list of sentence strings"
        )
    return to_sentences(text)
