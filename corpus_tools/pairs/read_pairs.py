"""Reads pairs of a document and its abstract from JSON lines or from parallel plain text."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from corpus_tools.errors import BadData, MissingText, PlainTextPairs, UnspacedText, choose
from corpus_tools.pairs.pair import Pair, Source, WordLink, tokenizer_names
from corpus_tools.pairs.record_id import json_type, record_id
from corpus_tools.pairs.sides import (
    EXPECTED,
    Side,
    is_list_of,
    is_side,
    is_tokenized,
    side_strings,
    side_text,
)
from corpus_tools.storage.files import (
    StrPath,
    in_line,
    numbered_json_lines,
    open_text,
    shown_name,
)
from corpus_tools.texts.detection import unspaced_run
from corpus_tools.texts.tokenizers import TOKENIZERS

SIDE_KEYS = {
    "document": ("document", "article", "text", "dialogue", "body", "source", "src"),
    "abstract": ("abstract", "summary", "highlights", "target", "tgt"),
}
"""The names that data sets use, the most specific first: a record's first one is taken."""


SHOWN_RUN = 12
"""Characters that a warning shows of a run without spaces: enough to find it."""


class _Record(NamedTuple):
    """A pair as it stands in its file, both sides checked but not yet tokenized.

    ``fields``  the whole record, whose hand alignment is not yet checked.
    """

    file: str
    line: int
    id: str
    document: Side
    abstract: Side
    fields: dict[str, Any]

    def error(self, problem: str) -> BadData:
        return BadData(f"pair {self.id!r}: {problem}", self.file, self.line)


def read_pairs(
    path: StrPath,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: StrPath | None = None,
) -> list[Pair]:
    """Read all pairs of a file. Arguments and errors are those of ``iterate_pairs``."""
    return list(iterate_pairs(path, tokenizer, document_key, abstract_key, abstracts))


def iterate_pairs(
    path: StrPath,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: StrPath | None = None,
) -> Iterator[Pair]:
    """Yield the pairs of a file one by one.

    ``path``          JSON lines or, with ``abstracts``, plain text with one document a line.
    ``tokenizer``     one of ``TOKENIZERS``. ``None`` decides for each text by itself: its tokens
                      do not depend on other texts.
    ``document_key``  the field of the document; ``None`` takes the first of ``SIDE_KEYS``.
    ``abstract_key``  the same for the abstract.
    ``abstracts``     plain text with one abstract a line.

    A side in JSON is a raw string, a list of sentence strings, or a list of lists of tokens, which
    are taken as they are. Raises ``BadData`` with file and line for what is wrong in a file,
    ``BadUsage`` for an unknown tokenizer. Warns once with ``UnspacedText`` of texts whose scripts
    write no spaces under a tokenizer that cuts at spaces.
    """
    if tokenizer is not None:
        choose("tokenizer", tokenizer, TOKENIZERS)
    given = (
        _parallel_records(path, abstracts)
        if abstracts
        else _json_records(path, document_key, abstract_key)
    )
    warned = tokenizer == "unicode"
    for record in _without_duplicates(given):
        warned = warned or _warns_of_unspaced_text(record)
        yield _pair(record, tokenizer)


def _json_records(
    path: StrPath, document_key: str | None, abstract_key: str | None
) -> Iterator[_Record]:
    file = shown_name(path)
    for line, fields in numbered_json_lines(path, PlainTextPairs):
        with in_line(line, path):
            identity = record_id(fields, line)
        document = _side(fields, "document", document_key, file, line)
        abstract = _side(fields, "abstract", abstract_key, file, line)
        yield _Record(file, line, identity, document, abstract, fields)


def _parallel_records(path: StrPath, abstracts: StrPath) -> list[_Record]:
    documents = _lines(path)
    abstract_lines = _lines(abstracts)
    if len(documents) != len(abstract_lines):
        problem = (
            f"{len(documents)} lines, but {shown_name(abstracts)} has {len(abstract_lines)}: "
            "parallel files must agree line by line"
        )
        raise BadData(problem, shown_name(path))
    file = shown_name(path)
    both = zip(documents, abstract_lines, strict=True)
    return [
        _Record(file, line, f"line-{line}", document, abstract, {})
        for line, (document, abstract) in enumerate(both, start=1)
    ]


def _lines(path: StrPath) -> list[str]:
    with open_text(path) as stream:
        lines = [line.rstrip("\r\n") for line in stream]
    if not lines:
        raise BadData("the file is empty, expected one text a line", shown_name(path))
    if _is_json_object(lines[0]):
        problem = "the file looks like JSON lines, which hold both sides; expected one text a line"
        raise BadData(problem, shown_name(path), 1)
    if len(lines) == 1 and "\r" in lines[0]:
        problem = "the lines end in carriage returns: convert them: tr '\\r' '\\n' < FILE > NEW"
        raise BadData(problem, shown_name(path), 1)
    return lines


def _is_json_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _side(fields: dict[str, Any], side: str, named: str | None, file: str, line: int) -> Side:
    keys = SIDE_KEYS[side] if named is None else (named,)
    key = next((key for key in keys if key in fields), None)
    if key is None:
        if wrapping := _field_of_records(fields):
            program = f"jq -c '.[{json.dumps(wrapping)}][]' FILE > NEW"
            problem = f"the field {wrapping!r} has a list of records: put them on lines: {program}"
            raise BadData(problem, file, line)
        problem = (
            f"no {side}: found the keys {', '.join(map(repr, fields)) or 'none'}; "
            f"expected {' or '.join(map(repr, keys))}, or another that is named as the {side}'s key"
        )
        raise MissingText(problem, file, line)
    value = fields[key]
    if is_side(value):
        return value
    problem = f"{key!r} is {json_type(value)}, expected {EXPECTED}"
    raise BadData(problem, file, line)


def _field_of_records(fields: dict[str, Any]) -> str | None:
    """Return the field that holds the pairs of a file that is one JSON object."""
    for name, value in fields.items():
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            return name
    return None


def _without_duplicates(records: Iterable[_Record]) -> Iterator[_Record]:
    first: dict[str, int] = {}
    for record in records:
        line = first.setdefault(record.id, record.line)
        if line != record.line:
            problem = f"the id {record.id!r} is that of line {line} too"
            raise BadData(problem, record.file, record.line)
        yield record


def _warns_of_unspaced_text(record: _Record) -> bool:
    """Warn of a text in a script without spaces, and tell whether there was one."""
    for name, side in (("document", record.document), ("abstract", record.abstract)):
        run = None if is_tokenized(side) else unspaced_run(side_strings(side))
        if run is not None:
            shown = run if len(run) <= SHOWN_RUN else f"{run[:SHOWN_RUN]}..."
            problem = (
                f"{record.file}, line {record.line}: pair {record.id!r}: the {name} has long runs "
                f"of letters without spaces ({shown}), each of which is one token; "
                "the tokenizer 'unicode' cuts at Unicode's word boundaries"
            )
            warnings.warn(UnspacedText(problem), stacklevel=3)
            return True
    return False


def _pair(record: _Record, tokenizer: str | None) -> Pair:
    document, document_tokenizer = side_text(record.document, tokenizer)
    abstract, abstract_tokenizer = side_text(record.abstract, tokenizer)
    sure = _links(record, "sure", len(document), len(abstract))
    possible = _links(record, "possible", len(document), len(abstract))
    if sure is None and possible is not None:
        raise record.error("has 'possible' links but no 'sure', expected both or 'sure' alone")
    if sure is not None and possible is None:
        possible = frozenset()
    names = tokenizer_names((document_tokenizer, abstract_tokenizer))
    source = Source(record.file, record.line)
    return Pair(record.id, document, abstract, sure, possible, names, source=source)


def _links(record: _Record, key: str, n: int, m: int) -> frozenset[WordLink] | None:
    links = record.fields.get(key)
    if links is None:
        return None
    if not is_list_of(links, _is_link):
        raise record.error(f"{key!r} must be a list of links [d, a], two token numbers each")
    _check_range(record, key, links, n, m)
    return frozenset((d, a) for d, a in links)


def _is_link(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(type(number) is int for number in value)


def _check_range(record: _Record, key: str, links: Iterable[list[int]], n: int, m: int) -> None:
    for d, a in links:
        for side, offset, size in (("document", d, n), ("abstract", a, m)):
            if not 0 <= offset < size:
                raise record.error(
                    f"link {[d, a]} of {key!r} is out of range: the {side} has {size} tokens, "
                    "numbered from 0; were they counted with another tokenizer?"
                )
