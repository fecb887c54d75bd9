"""Pairs of a document and its abstract, read from JSON lines or from parallel plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_tools.errors import BadData, choose
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.storage.files import numbered_json_lines, open_text, shown_name
from corpus_tools.texts.sentences import TRAINING_CHARACTERS, Splitter, train_splitter
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import TOKENIZERS, detect_tokenizer, to_text

if TYPE_CHECKING:
    pass

ID_KEYS = ("id", "guid", "uid", "article_id")
# The names that data sets use, the most specific first: where a record has several, the first is taken.
SIDE_KEYS = {
    "document": ("document", "article", "text", "dialogue", "body", "source", "src"),
    "abstract": ("abstract", "summary", "highlights", "target", "tgt"),
}

Side = str | list[str] | list[list[str]]


class _Record(NamedTuple):
    """A pair as it stands in its file, both sides checked but not yet tokenized."""

    file: str
    line: int
    id: str
    document: Side
    abstract: Side
    fields: dict[str, Any]

    def error(self, problem: str) -> BadData:
        return BadData(f"pair {self.id!r}: {problem}", self.file, self.line)


def read_pairs(
    path: str | PathLike,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: str | PathLike | None = None,
) -> list[Pair]:
    """All pairs of a file. The same as ``iterate_pairs``."""
    return list(iterate_pairs(path, tokenizer, document_key, abstract_key, abstracts))


def iterate_pairs(
    path: str | PathLike,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: str | PathLike | None = None,
) -> Iterator[Pair]:
    """The pairs of a JSON lines file, or of two plain text files with one document and one abstract a line, one by one.

    A side is a raw string, a list of sentence strings or a list of lists of tokens (taken as they are).
    ``tokenizer`` is one of ``TOKENIZERS``; ``None`` decides for the whole file by its beginning, a million characters,
    from which the splitter of sentences learns too.
    Raises ``BadData`` with file and line for what is wrong in a file, ``BadUsage`` for an unknown tokenizer.
    """
    if tokenizer is not None:
        choose("tokenizer", tokenizer, TOKENIZERS)
    given = (
        _parallel_records(path, abstracts)
        if abstracts
        else _json_records(path, document_key, abstract_key)
    )
    records = _without_duplicates(given)
    first = _beginning(records)
    tokenizer = tokenizer or detect_tokenizer(_strings(first))
    split = _splitter(first)
    for record in chain(first, records):
        yield _pair(record, tokenizer, split)


def _beginning(records: Iterator[_Record]) -> list[_Record]:
    """The first records, by which the rest is read."""
    first, characters = [], 0
    for record in records:
        first.append(record)
        characters += _characters([record.document, record.abstract])
        if characters >= TRAINING_CHARACTERS:
            break
    return first


def _characters(side: Side) -> int:
    return len(side) if isinstance(side, str) else sum(map(_characters, side))


def _json_records(
    path: str | PathLike, document_key: str | None, abstract_key: str | None
) -> Iterator[_Record]:
    file = shown_name(path)
    for line, fields in numbered_json_lines(path):
        identity = _identity(fields, file, line)
        document = _side(fields, "document", document_key, file, line)
        abstract = _side(fields, "abstract", abstract_key, file, line)
        yield _Record(file, line, identity, document, abstract, fields)


def _parallel_records(path: str | PathLike, abstracts: str | PathLike) -> list[_Record]:
    documents, summaries = _lines(path), _lines(abstracts)
    if len(documents) != len(summaries):
        problem = (
            f"{len(documents)} lines, but {shown_name(abstracts)} has {len(summaries)}: "
            "parallel files must agree line by line"
        )
        raise BadData(problem, shown_name(path))
    file = shown_name(path)
    return [
        _Record(file, line, f"line-{line}", document, abstract, {})
        for line, (document, abstract) in enumerate(zip(documents, summaries, strict=True), start=1)
    ]


def _lines(path: str | PathLike) -> list[str]:
    with open_text(path) as lines:
        found = [line.rstrip("\r\n") for line in lines]
    if not found:
        raise BadData("the file is empty, expected one text a line", shown_name(path))
    return found


def _identity(fields: dict[str, Any], file: str, line: int) -> str:
    key = next((key for key in ID_KEYS if key in fields), None)
    if key is None:
        return f"line-{line}"
    value = fields[key]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadData(f"{key!r} is {_kind(value)}, expected a string or a number", file, line)
    return str(value)


def _side(fields: dict[str, Any], side: str, named: str | None, file: str, line: int) -> Side:
    keys = SIDE_KEYS[side] if named is None else (named,)
    key = next((key for key in keys if key in fields), None)
    if key is None:
        problem = (
            f"no {side}: found the keys {', '.join(map(repr, fields)) or 'none'}; "
            f"expected {' or '.join(map(repr, keys))}, or another that --{side}-key names"
        )
        raise BadData(problem, file, line)
    value = fields[key]
    if not (
        isinstance(value, str)
        or _is_list_of(value, _is_string)
        or _is_list_of(value, _is_token_list)
    ):
        problem = (
            f"{key!r} is {_kind(value)}, "
            "expected a string, a list of sentence strings or a list of lists of tokens (strings, none empty)"
        )
        raise BadData(problem, file, line)
    return value


def _is_list_of(value: Any, accepts) -> bool:
    return isinstance(value, list) and all(map(accepts, value))


def _is_string(value: Any) -> bool:
    return isinstance(value, str)


def _is_token_list(value: Any) -> bool:
    return _is_list_of(value, lambda token: isinstance(token, str) and token != "")


def _kind(value: Any) -> str:
    """What JSON calls the value."""
    kinds = {
        type(None): "null",
        bool: "a truth value",
        int: "a number",
        float: "a number",
        str: "a string",
    }
    return kinds.get(type(value)) or (
        "an object" if isinstance(value, dict) else "a list of something else"
    )


def _without_duplicates(records: Iterable[_Record]) -> Iterator[_Record]:
    first: dict[str, int] = {}
    for record in records:
        line = first.setdefault(record.id, record.line)
        if line != record.line:
            raise BadData(
                f"the id {record.id!r} is that of line {line} too", record.file, record.line
            )
        yield record


def _strings(records: list[_Record]) -> Iterator[str]:
    for record in records:
        for side in (record.document, record.abstract):
            if isinstance(side, str):
                yield side
            else:
                yield from filter(_is_string, side)


def _splitter(records: list[_Record]) -> Splitter:
    raw = [
        side
        for record in records
        for side in (record.document, record.abstract)
        if isinstance(side, str)
    ]
    # Loading and training Punkt takes a second: not for a corpus whose sentences are given.
    return train_splitter(raw) if raw else lambda string: [(0, len(string))]


def _pair(record: _Record, tokenizer: str, split: Splitter) -> Pair:
    document, abstract = (
        Text.from_sentences(side)
        if side and isinstance(side[0], list)
        else to_text(side, tokenizer, split)
        for side in (record.document, record.abstract)
    )
    sure, possible = (
        _links(record, key, len(document), len(abstract)) for key in ("sure", "possible")
    )
    if sure is None and possible is not None:
        raise record.error("has 'possible' links but no 'sure', expected both or 'sure' alone")
    if sure is not None and possible is None:
        possible = frozenset()
    return Pair(record.id, document, abstract, sure, possible, tokenizer)


def _links(record: _Record, key: str, n: int, m: int) -> frozenset[WordLink] | None:
    links = record.fields.get(key)
    if links is None:
        return None
    if not _is_list_of(links, _is_link):
        raise record.error(f"{key!r} must be a list of links [d, a], two token numbers each")
    _check_range(record, key, links, n, m)
    return frozenset((d, a) for d, a in links)


def _is_link(value: Any) -> bool:
    return _is_list_of(value, lambda number: type(number) is int) and len(value) == 2


def _check_range(record: _Record, key: str, links: Iterable[list[int]], n: int, m: int) -> None:
    for d, a in links:
        for side, offset, size in (("document", d, n), ("abstract", a, m)):
            if not 0 <= offset < size:
                raise record.error(
                    f"link {[d, a]} of {key!r} is out of range: the {side} has {size} tokens, "
                    "numbered from 0; were they counted with another tokenizer?"
                )
