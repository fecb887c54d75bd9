"""Reads the references of summaries from JSON lines or plain text."""

from __future__ import annotations

import os
from collections.abc import Sequence

from corpus_tools.alignments.matching import require_same_ids
from corpus_tools.errors import BadData
from corpus_tools.measures.compressions import (
    Compressions,
    Sentences,
    compressions_of,
    to_sentences,
)
from corpus_tools.measures.text_records import Record, is_text, numbered_records
from corpus_tools.pairs.record_id import json_type, record_id
from corpus_tools.storage.files import StrPath, in_line, shown_name

ReadReferences = dict[str, Sequence[Sentences]]
"""The references by id: one or more of each."""


def read_references(paths: Sequence[StrPath]) -> ReadReferences:
    """Read the references of all summaries by id.

    ``paths``  files of JSON lines ``{"id", "references"}``, where each reference is a string with
               a sentence a line or a list of sentences; or of plain text with a reference a line,
               where line N has the id ``line-N``. Several files have references for the same ids,
               each some of them. A file of JSON lines ``{"id", "words", "compressions"}`` has
               compressions, which ``compressions_of`` describes.

    Raises ``BadData`` with file and line for what is wrong in a file, for a reference without
    text, for files whose ids differ and for a file that is given twice.
    """
    _refuse_twice(paths)
    references = _of_file(paths[0])
    for path in paths[1:]:
        own = _of_file(path)
        require_same_ids(shown_name(paths[0]), references.keys(), shown_name(path), own.keys())
        for identity, more in own.items():
            references[identity] = _joined(references[identity], more, path)
    return references


def _refuse_twice(paths: Sequence[StrPath]) -> None:
    """Raise ``BadData`` for a file that is given twice: its references would count twice."""
    seen: set[str] = set()
    for path in paths:
        file = os.path.realpath(path)
        if file in seen:
            raise BadData("the file is given twice as references", shown_name(path))
        seen.add(file)


def _joined(
    references: Sequence[Sentences], more: Sequence[Sentences], path: StrPath
) -> Sequence[Sentences]:
    if isinstance(references, Compressions) or isinstance(more, Compressions):
        problem = "compressions cannot be joined with the references of another file"
        raise BadData(problem, shown_name(path))
    return [*references, *more]


def _of_file(path: StrPath) -> ReadReferences:
    references: ReadReferences = {}
    lines: dict[str, int] = {}
    for line, record in numbered_records(path, _plain_record):
        with in_line(line, path):
            identity = record_id(record, line)
            if identity in references:
                problem = f"the id {identity!r} is that of line {lines[identity]} too"
                raise BadData(problem)
            lines[identity] = line
            compressed = "compressions" in record
            references[identity] = (
                compressions_of(record, line) if compressed else _references(record)
            )
    return references


def _plain_record(line: int, text: str) -> Record:
    return {"references": [text]}


def _references(record: Record) -> list[Sentences]:
    """Check the references of a record. Raises ``BadData``."""
    if "references" not in record:
        shown = ", ".join(map(repr, record)) or "none"
        raise BadData(
            f"no references: found the keys {shown}; expected 'id', 'references' "
            "or 'id', 'words', 'compressions'"
        )
    given = record["references"]
    if not isinstance(given, list):
        raise BadData(
            f"'references' is {json_type(given)}, expected a list of references, "
            "each a string or a list of sentence strings"
        )
    if not given:
        raise BadData("'references' is empty, expected one reference or more")
    return [_reference(one, number) for number, one in enumerate(given, start=1)]


def _reference(value: object, number: int) -> Sentences:
    if not is_text(value):
        raise BadData(
            f"reference {number} is {json_type(value)}, expected a string or "
            "a list of sentence strings"
        )
    sentences = to_sentences(value)
    if not any(map(str.strip, sentences)):
        raise BadData(f"reference {number} is empty, expected a text")
    return sentences
