"""Finds the id and the texts of a record by the names of its fields."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.sides import is_empty, is_single_word, is_tokenized, shape_of
from corpus_tools.texts.sentences import split_sentences

# Ids

ID_KEYS = ("id", "guid", "uid", "article_id")
"""The usual names of the field of the id. The first name that a record has is used."""


def first_key(keys: Iterable[str], fields: Mapping[str, Any]) -> str | None:
    """Return the first of the keys that a record has, or else with other capitals: "Article"."""
    names = [*keys]
    first = next((key for key in names if key in fields), None)
    # Nearly all records have fields in small letters.
    if first is None and any(isinstance(key, str) and not key.islower() for key in fields):
        by_form = {key.lower(): key for key in reversed([*fields]) if isinstance(key, str)}
        first = next((by_form[key] for key in names if key in by_form), None)
    return first


def record_id(fields: Mapping[str, Any], default: str) -> str:
    """Return the id of a record, or ``default`` for a record without.

    Raises ``BadData`` for an id that is neither a string nor a finite number.
    """
    key = first_key(ID_KEYS, fields)
    return default if key is None else checked_id(fields[key], key)


def checked_id(value: object, key: str = "id") -> str:
    """Return an id as a string. Raises ``BadData`` unless it is a string or a finite number.

    ``key``  the name of the field in the error.
    """
    if isinstance(value, str):
        return value
    # Python reads NaN and Infinity as numbers, which JSON does not know.
    if type(value) is int or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise BadData(f"{key!r} is {reprlib.repr(value)}, expected a string or a finite number")


# Sides

Keys = tuple[str | None, str | None]
"""The fields of document and abstract; ``None``: the first one in ``SIDE_KEYS``."""

PASSAGE_KEYS = (
    *("contexts", "retrieved_contexts", "retrieved_context", "context"),
    *("passages", "retrieved_passages", "documents", "docs"),
)
"""The usual names of a field with several passages that together are the document."""

PARAGRAPH_KEYS = ("article_text", "sections")
"""The usual names of a field with paragraphs, or with sections, that are lists of sentences."""

TURN_KEYS = ("turns", "utterances", "messages", "conversation")
"""The usual names of a field with what several speakers said."""

SIDE_KEYS = {
    "document": (
        *("document", "article", "text", "dialogue", "body", "content", "src_txt", "source", "src"),
        *PARAGRAPH_KEYS,
        *("report", "transcript", *PASSAGE_KEYS, *TURN_KEYS, "complex", "input"),
    ),
    "abstract": (
        *("abstract", "summary", "highlights", "tgt_txt", "target", "tgt"),
        *("abstract_text", "response", "answer", "simple", "output"),
    ),
}
"""The usual names of the fields of the sides, the most specific first. The first name that a record
has is used."""


def side_key(fields: Mapping[str, Any], side: str, name: str | None = None) -> str | None:
    """Return the field of a side: ``name``, or else the first one with a usual name."""
    return first_key(SIDE_KEYS[side] if name is None else (name,), fields)


SYSTEM = "system"
"""The field of the system that wrote the abstract, if there are several."""

TREES = "trees"
"""The field of the trees of the document, which ``semihmm parse`` writes."""

ALIGNMENT_KEYS = frozenset(("phrases", "document_tokens"))
"""Fields of alignments and of labels of words, which files of pairs do not have."""

ADDRESS_OR_NUMBER = re.compile(r"[^\s/_\\\d]*+[/_\\\d]\S*+|\S+\.[A-Za-z]\w{1,4}")
"""A number, the name of a file or an address: one word that is no text."""


def _is_text(value: object) -> bool:
    """Tell whether a value is a side, and no string of a single word. A blank string is a side."""
    if not isinstance(value, str):
        shape = shape_of(value)
        return shape is not None and len(shape.side) > 0
    return not is_single_word(value)


def texts_of_side(fields: Mapping[str, Any], side: str) -> list[str]:
    """Return the fields that have a usual name of a side and hold a text."""
    return [key for key in SIDE_KEYS[side] if key in fields and _is_text(fields[key])]


SCITLDR_FIELDS = {"rouge_scores", "source_labels"}
"""Fields by which SciTLDR is recognized: its list ``target`` has alternative abstracts."""


def doubts_of_fields(fields: Mapping[str, Any], keys: Keys) -> Iterator[tuple[str, str]]:
    """Yield each field that is read as a side although another field could be it, and a warning."""
    for (side, names), name in zip(SIDE_KEYS.items(), keys, strict=True):
        read = side_key(fields, side, name)
        # Values are read only where there is a choice.
        has_choice = name is None and sum(key in fields for key in names) > 1
        candidates = texts_of_side(fields, side) if has_choice else []
        problem = ""
        if read in candidates and len(candidates) > 1:
            unread = [key for key in candidates if key != read]
            problem = f"not {', '.join(map(repr, unread))}: name the field if this is wrong"
        elif read == "target" and len(fields[read]) > 1 and not SCITLDR_FIELDS.isdisjoint(fields):
            problem = "as its sentences: in SciTLDR they are alternative abstracts, so keep one"
        if problem:
            yield str(read), f"{read!r} is read as the {side}, {problem}"


def text_beside(fields: Mapping[str, Any], side: str, key: str) -> str | None:
    """Return another field that could be the side, if the one that is read is a single word.

    ``key``  the field that is read.
    """
    value = fields[key]
    if not is_single_word(value):
        return None
    texts = texts_of_side(fields, side)
    if ADDRESS_OR_NUMBER.fullmatch(value.strip()):
        usual_names = {*chain.from_iterable(SIDE_KEYS.values()), *ID_KEYS}
        texts += [name for name in fields if name not in usual_names and _is_text(fields[name])]
    return next(iter(texts), None)


def has_empty_side(fields: Mapping[str, Any], keys: Keys) -> bool:
    """Tell whether the document or the abstract of a record is null or has no characters."""
    sides = zip(SIDE_KEYS, keys, strict=True)
    side_keys = (side_key(fields, side, name) for side, name in sides)
    return any(key is not None and key in fields and is_empty(fields[key]) for key in side_keys)


def are_columns(fields: Mapping[str, Any], keys: Keys = (None, None)) -> bool:
    """Tell whether a dictionary holds columns, with the sides of several pairs.

    Both sides, and the ids if there are any, are lists of one length.
    """
    sides = zip(SIDE_KEYS, keys, strict=True)
    names = [side_key(fields, side, name) for side, name in sides]
    if None in names:
        return False
    names.append(first_key(ID_KEYS, fields))
    columns = [fields[key] for key in names if key is not None]
    if not all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
        return False
    cells = [shape_of(cell) for cell in columns[0] + columns[1]]
    if not all(cells):
        return False
    # Lists of lists may be a pair of tokenized sides, or columns of sides that are lists of
    # sentences. Sentences have blanks, tokens do not.
    if all(map(is_tokenized, columns[:2])):
        parts = [part for column in columns[:2] for cell in column for part in cell]
        return any(isinstance(part, list) or " " in part for part in parts)
    return True


def rows_of_columns(fields: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the records of an object that clearly holds columns; ``None`` for another object.

    Columns are lists, or objects with the same keys. As a document and an abstract may have equally
    many sentences, there must be a column of ids, or a document of several sentences.
    """
    columns = {name: _column(value) for name, value in fields.items()}
    if not are_columns(columns):
        return None
    key = side_key(columns, "document")
    is_clear = first_key(ID_KEYS, columns) is not None or any(
        isinstance(cell, list) or len(split_sentences(cell)) > 1 for cell in columns[str(key)]
    )
    length = len(columns[str(key)])
    table = {
        name: column
        for name, column in columns.items()
        if isinstance(column, list) and len(column) == length
    }
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    return rows if is_clear else None


def _column(value: Any) -> Any:
    """Return the values of an object whose keys are numbers of rows, as pandas writes it."""
    if isinstance(value, Mapping) and value and all(map(str.isdecimal, map(str, value))):
        return [*value.values()]
    return value
