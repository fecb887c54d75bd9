"""Reads records of summaries or references from JSON lines or from plain text.

A file is JSON lines if the first of its lines that is not blank begins with a brace. All lines of
other files are texts, blank ones too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, TypeGuard

from corpus_tools.errors import BadData
from corpus_tools.storage.file_formats import START_LINES, text_format
from corpus_tools.storage.files import StrPath, numbered_lines, numbered_objects, shown_name

Record = dict[str, Any]
"""The fields of a summary or of references, not yet checked."""

TextField = str | list[str]
"""A text as it stands in JSON: a string, or its sentences."""

NO_TEXT = re.compile(
    r"""\[\s*(?:[{\["]|$)                        # a JSON array, not "[Reuters]"
    | <(?:\?xml|!doctype|html|doc|rouge|s\ sntno)  # markup, not "<unk>"
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How files of other formats begin, but no line of plain text."""

FIELDS = frozenset({"id", "system", "summary", "reference", "references", "abstract", "highlights"})
"""The names of columns by which a table is told from text with commas."""


def numbered_records(
    path: StrPath, of_line: Callable[[int, str], Record]
) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with their line numbers.

    ``path``     JSON lines or plain text, plain or gzip, or ``-`` for standard input.
    ``of_line``  makes a record of the number and the text of a line of plain text.

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
        yield number, of_line(number, line.rstrip("\r\n"))


def _refuse_other_formats(lines: Sequence[str], path: StrPath, number: int) -> None:
    looks = text_format(lines)
    if looks is None or looks.plain_text:
        return
    first = lines[0].strip()
    columns = {name.strip("\" '").lower() for name in re.split("[\t,;]", first)}
    if NO_TEXT.match(first) or FIELDS & columns:
        raise BadData(f"expected JSON lines or plain text; {looks}", shown_name(path), number)


def is_text(value: object) -> TypeGuard[TextField]:
    """Tell whether a value is a string or a list of strings."""
    if isinstance(value, list):
        return all(isinstance(sentence, str) for sentence in value)
    return isinstance(value, str)
