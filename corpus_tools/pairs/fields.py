"""Finds the id and the texts of a record by the names of its fields, and the form of a text.

A side of a pair is a string, sentences, tokens, paragraphs, passages or turns. Paragraphs of
sentences become sentences. Passages and turns stay strings, each with sentences of its own, so that
it is known in which passage a word is.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from corpus_tools.base.errors import BadData
from corpus_tools.languages.detection import sample
from corpus_tools.texts import tokenizers

if TYPE_CHECKING:
    from typing_extensions import TypeIs

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


def side_keys(fields: Mapping[str, Any], names: Keys) -> list[str | None]:
    """Return the fields of document and abstract (``side_key``)."""
    return [side_key(fields, side, name) for side, name in zip(SIDE_KEYS, names, strict=True)]


def side_key(fields: Mapping[str, Any], side: str, name: str | None = None) -> str | None:
    """Return the field of a side: ``name``, or else the first one with a usual name."""
    return first_key(SIDE_KEYS[side] if name is None else (name,), fields)


SYSTEM = "system"
"""The field of the system that wrote the abstract, if there are several."""

TREES = "trees"
"""The field of the trees of the document, which ``semihmm parse`` writes."""

ALIGNMENT_KEYS = frozenset(("phrases", "document_tokens"))
"""Fields of alignments and of labels of words, which files of pairs do not have."""


# The forms of a side


Side = str | list[str] | list[list[str]]
"""A raw string, sentence strings, or sentences of tokens."""


class Shape(NamedTuple):
    """A side as it is read.

    ``side``      its texts.
    ``is_split``  whether each string has sentences of its own, as a passage or a turn does.
    ``passages``  the names of the strings, if they are passages; otherwise empty.
    """

    side: Side
    is_split: bool = False
    passages: tuple[str, ...] = ()

    def strings(self) -> Sequence[str]:
        """Return the raw strings; none of sentences of tokens."""
        if isinstance(self.side, str):
            return [self.side]
        return [] if is_tokenized(self.side) else self.side

    def beginning(self) -> str:
        """Return the beginning, from which language and tokenizer are detected."""
        parts = [self.side] if isinstance(self.side, str) else self.side
        return sample(" ".join(part) if isinstance(part, list) else part for part in parts)


TEXT_NAMES = ("text", "content", "page_content", "utterance", "passage", "value", "sentences")
"""The usual names of the text of a passage or a turn that is a record. The first is used."""

SPEAKERS = "speakers"
"""The field of the speakers of a document that is a list of what they said."""

SPEAKER_NAMES = ("speaker", "role", "from", "author", "name")
"""The usual names of the speaker of a turn."""

PASSAGE_IDS = ("id", "doc_id", "index", "idx")
"""The usual names of the id of a passage. Passages without are numbered from 1."""

LONGEST_SPEAKER = 4
"""The most words of the name of a speaker."""

INNER_BLANK = re.compile(r"[^ \t\r\n][ \t\r\n]")
"""A blank of ASCII within a string; tokens may have others."""

UNSPACED_SENTENCE = re.compile(rf"{tokenizers.UNSPACED_LETTER.pattern}.*[\u3002\uff01\uff1f]$")
"""A sentence of a script without spaces."""


def shape_of(value: object, are_passages: bool = False) -> Shape | None:
    """Return the form of a value; ``None`` if it is no side of a pair.

    Lists of strings in a list are tokens, paragraphs or turns. Tuples are tokens in any case: lines
    with bars have them.

    ``are_passages``  whether the strings of a list are passages, not sentences.
    """
    value = _records_of_columns(value) if isinstance(value, Mapping) else value
    if isinstance(value, Shape):
        return value
    if isinstance(value, str):
        return Shape(value)
    if not isinstance(value, list):
        return None
    if is_list_of(value, str):
        return _passages(value) if are_passages and value else Shape(value)
    if is_list_of(value, Mapping):
        return _shape_of_records(value)
    if is_list_of(value, tuple):
        return Shape([*map(list, value)])
    if not all(is_list_of(part, str) for part in value):
        return None
    if _are_turns(value):
        return Shape([f"{speaker}: {text}" for speaker, text in value], is_split=True)
    if _are_paragraphs(value):
        if are_passages:
            return _passages(["\n".join(sentences) for sentences in value])
        return Shape([*filter(str.strip, chain.from_iterable(value))])
    return None if any("" in tokens for tokens in value) else Shape(value)


def _passages(strings: Sequence[str], names: Sequence[str] = ()) -> Shape:
    numbers = [str(number) for number, _ in enumerate(strings, start=1)]
    return Shape([*strings], is_split=True, passages=tuple(names or numbers))


def _records_of_columns(columns: Mapping[str, Any]) -> object:
    """Return records in place of lists of one length, as data sets have them."""
    lists = [*columns.values()]
    if not all(isinstance(column, list) for column in lists) or len({*map(len, lists)}) != 1:
        return None
    return rows_of(columns)


def rows_of(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the records of columns of one length."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _shape_of_records(records: Sequence[Mapping[str, Any]]) -> Shape | None:
    """Return passages or turns that are records; ``None`` if one has no text."""
    texts = [_text_of(record) for record in records]
    strings = [text for text in texts if text is not None]
    if len(strings) < len(texts):
        return None
    speakers = [_value_of(record, SPEAKER_NAMES) for record in records]
    if any(speakers):
        spoken = zip(speakers, strings, strict=True)
        turns = [f"{speaker}: {text}" if speaker else text for speaker, text in spoken]
        return Shape(turns, is_split=True)
    names = [_value_of(record, PASSAGE_IDS) for record in records]
    are_ids = all(names) and len({*names}) == len(names)
    return _passages(strings, names if are_ids else ())


def _text_of(record: Mapping[str, Any]) -> str | None:
    """Return the text of a passage or a turn."""
    for name in TEXT_NAMES:
        value = record.get(name)
        if isinstance(value, str):
            return value
        if value and is_list_of(value, str):
            return "\n".join(value)
    return None


def _value_of(record: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the first of some fields that holds a string or a number; "" without one."""
    values = (record.get(name) for name in names)
    first = next((value for value in values if isinstance(value, str | int)), "")
    return " ".join(str(first).split())


def _is_running(string: str) -> bool:
    """Tell whether a string is running text: it has a blank, or is a sentence without blanks."""
    stripped = string.strip()
    return bool(INNER_BLANK.search(stripped) or UNSPACED_SENTENCE.match(stripped))


def _are_paragraphs(lists: Sequence[Sequence[str]]) -> bool:
    """Tell whether lists hold sentences, not tokens: running text has most of the characters.

    A few tokens may have a blank, as "New York" has.
    """
    running = sum(len(string) for strings in lists for string in strings if _is_running(string))
    return 2 * running > sum(len(string) for strings in lists for string in strings)


def _are_turns(lists: Sequence[Sequence[str]]) -> bool:
    """Tell whether lists are turns, each a speaker and what is said."""
    return (
        len(lists) > 1
        and all(len(turn) == 2 for turn in lists)
        and _are_paragraphs(lists)
        and all(map(_is_speaker, (turn[0] for turn in lists)))
    )


def _is_speaker(string: str) -> bool:
    words = string.split()
    return 0 < len(words) <= LONGEST_SPEAKER and string.strip()[-1] not in ".!?\u3002"


def is_list_of(value: object, kind: type) -> TypeGuard[list[Any]]:
    """Tell whether a value is a list whose elements are all of one type."""
    return isinstance(value, list) and all(isinstance(part, kind) for part in value)


def is_tokenized(side: Side) -> TypeIs[list[list[str]]]:
    """Tell whether a side is given as tokens."""
    return bool(side) and isinstance(side[0], list)


def is_single_word(value: object) -> bool:
    """Tell whether a value is a string of a single word, such as a name or an address."""
    if not isinstance(value, str) or len(value.split(maxsplit=1)) != 1:
        return False
    # A script that writes no spaces has several words in a string without any.
    return tokenizers.UNSPACED_LETTER.search(value) is None
