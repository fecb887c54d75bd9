"""Reads summaries and references from JSON lines or from plain text.

A file is JSON lines if the first of its lines that is not blank begins with a brace. All lines of
other files are texts, blank ones too.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from corpus_tools.alignments.alignment import require_same_ids
from corpus_tools.errors import BadData
from corpus_tools.measures.compressions import (
    Compressions,
    OfOneId,
    Sentences,
    SystemSummary,
    problem_of_positions,
    require_distinct,
    to_sentences,
)
from corpus_tools.pairs.pair import Source
from corpus_tools.pairs.read_pairs import pair_files
from corpus_tools.pairs.records import checked_id, record_id
from corpus_tools.storage.file_formats import PLAIN_TEXT, START_LINES, text_format
from corpus_tools.storage.files import (
    StrPath,
    in_line,
    numbered_lines,
    numbered_objects,
    shown_name,
)

FIELDS = "id|system|summary|references?|abstract|highlights"
"""The names of columns by which a table is told from text with commas."""

NO_TEXT = re.compile(
    rf"""\[\s*(?:[{{\["]|$)                        # a JSON array, not "[Reuters]"
    | <(?:\?xml|!doctype|html|doc|rouge|s\ sntno)  # markup, not "<unk>"
    | (?:.*[\t,;])?["'\ ]*(?:{FIELDS})["'\ ]*(?:[\t,;]|$)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How files of other formats begin, but no line of plain text."""

Record = Mapping[str, Any]
"""The fields of a summary or of references, not yet checked."""

# Summaries


def read_summaries(path: StrPath) -> list[SystemSummary]:
    """Read the summaries of all systems.

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
    summaries = []
    for file in pair_files(path):
        # The file's name without its endings, as .txt.gz or .jsonl.
        system = Path(shown_name(file).removesuffix(".gz")).stem
        for line, record in _records(file, "summary"):
            with in_line(line, file):
                summaries.append(_summary(record, Source(shown_name(file), line), system))
    require_distinct(summaries)
    return summaries


def _summary(record: Record, source: Source, system: str) -> SystemSummary:
    """Check a record. Raises ``BadData``."""
    identity = record_id(record, f"line-{source.line}")
    if "system" in record:
        system = checked_id(record["system"], "system")
    if "positions" not in record:
        sentences = _sentences(_field(record, "summary"), "'summary'")
        return SystemSummary(identity, system, sentences, source=source)
    if "summary" in record:
        raise BadData("found both 'summary' and 'positions', expected one of them")
    if problem := problem_of_positions(record["positions"]):
        raise BadData(f"'positions': {problem}")
    return SystemSummary(identity, system, (), tuple(record["positions"]), source)


# References


def read_references(paths: Sequence[StrPath]) -> dict[str, OfOneId]:
    """Read the references of all summaries by id: one or more of each.

    ``paths``  files of JSON lines ``{"id", "references"}``, where each reference is a string with
               a sentence a line or a list of sentences; or of plain text with a reference a line,
               where line N has the id ``line-N``. Several files have references for the same ids,
               each some of them. A file of JSON lines ``{"id", "words", "compressions"}`` has
               compressions: the words of the source and, for each subject, a list of positions,
               counted from 0.

    Raises ``BadData`` with file and line for what is wrong in a file, for a reference without
    text, and for files whose ids differ; ``BadUsage`` for a file that is named twice.
    """
    first, *others = pair_files(paths)
    references = _of_file(first)
    for path in others:
        own = _of_file(path)
        require_same_ids(shown_name(first), references.keys(), shown_name(path), own.keys())
        for identity, more in own.items():
            known = references[identity]
            if isinstance(known, Compressions) or isinstance(more, Compressions):
                problem = "compressions cannot be joined with the references of another file"
                raise BadData(problem, shown_name(path))
            references[identity] = [*known, *more]
    return references


def _of_file(path: StrPath) -> dict[str, OfOneId]:
    references: dict[str, OfOneId] = {}
    for line, record in _records(path, "references"):
        with in_line(line, path):
            identity = record_id(record, f"line-{line}")
            if identity in references:
                raise BadData(f"the id {identity!r} is that of an earlier line too")
            if "compressions" in record:
                references[identity] = _compressions(record, identity)
            else:
                references[identity] = _references(record)
    return references


def _references(record: Record) -> list[Sentences]:
    """Check the references of a record. Raises ``BadData``."""
    references = []
    for number, text in enumerate(_filled_list(record, "references"), start=1):
        references.append(_sentences(text, f"reference {number}"))
        if not any(map(str.strip, references[-1])):
            raise BadData(f"reference {number} is empty, expected a text")
    return references


def _compressions(record: Record, identity: str) -> Compressions:
    """Check the compressions of a record. Raises ``BadData``."""
    words = _filled_list(record, "words")
    if not all(isinstance(word, str) and word.strip() for word in words):
        raise BadData("'words' must be a list of strings, none empty")
    subjects = _filled_list(record, "compressions")
    for number, positions in enumerate(subjects, start=1):
        problem = problem_of_positions(positions, len(words))
        if problem or not positions:
            raise BadData(f"compression {number}: {problem or 'it is empty'}")
    return Compressions(identity, tuple(words), tuple(map(tuple, subjects)))


# Records of both


def _records(path: StrPath, key: str) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with their line numbers.

    ``path``  JSON lines or plain text, plain or gzip, or ``-`` for standard input.
    ``key``   of the text in the record that is made of a line of plain text.

    Raises ``BadData`` with file and line for a file that cannot be read, is empty or has another
    format.
    """
    lines = numbered_lines(path)
    ahead = list(islice(lines, START_LINES))
    filled = [line for _, line in ahead if not line.isspace()]
    if not ahead or (filled and filled[0].lstrip().startswith("{")):
        yield from numbered_objects(chain(ahead, lines), path)
        return
    looks = text_format(filled) if filled else PLAIN_TEXT
    if looks not in (None, PLAIN_TEXT) and NO_TEXT.match(filled[0].strip()):
        problem = f"expected JSON lines or plain text; the file looks like {looks}"
        raise BadData(problem, shown_name(path), ahead[0][0])
    for number, line in chain(ahead, lines):
        text = line.rstrip("\r\n")
        yield number, {key: [text] if key == "references" else text}


def _field(record: Record, key: str) -> Any:
    """Return a field of a record. Raises ``BadData`` for a record without it."""
    if key not in record:
        found = ", ".join(map(repr, record)) or "none"
        raise BadData(f"no {key!r}: found the keys {found}")
    return record[key]


def _filled_list(record: Record, key: str) -> list[Any]:
    value = _field(record, key)
    if not isinstance(value, list) or not value:
        raise BadData(f"{key!r} is {reprlib.repr(value)}, expected a list of one or more")
    return value


def _sentences(text: object, what: str) -> Sentences:
    """Return the sentences of a text. Raises ``BadData`` for what is no string and no list of them.

    ``what``  says in the message which text it is.
    """
    if not isinstance(text, str | list) or not all(isinstance(one, str) for one in text):
        raise BadData(
            f"{what} is {reprlib.repr(text)}, expected a string or a list of sentence strings"
        )
    return to_sentences(text)
