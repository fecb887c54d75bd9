"""Checks records and makes pairs of them, wherever they come from.

A side of a pair is a string, sentences, or tokens. Ids of pairs, of alignments and of trees alike
are checked here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from corpus_tools.errors import BadData, BadUsage, MissingText, UnspacedText, number_of, warn_caller
from corpus_tools.pairs.pair import Pair, Source, WordLink, place_of, tokenizer_names
from corpus_tools.texts.detection import detect_tokenizer, unspaced_run
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import require_tokenizer, to_text

if TYPE_CHECKING:
    from typing_extensions import TypeIs

# Ids

ID_KEYS = ("id", "guid", "uid", "article_id")
"""The names that data sets use: a record's first one is taken."""


def first_key(keys: Iterable[str], fields: Mapping[str, Any]) -> str | None:
    """Return the first of the keys that a record has."""
    return next((key for key in keys if key in fields), None)


def record_id(fields: Mapping[str, Any], default: str) -> str:
    """Return the id of a record, or ``default`` for a record without.

    Raises ``BadData`` for an id that is neither a string nor a finite number.
    """
    key = first_key(ID_KEYS, fields)
    return default if key is None else checked_id(fields[key], key)


def checked_id(value: object, key: str = "id") -> str:
    """Return an id as a string. Raises ``BadData`` unless it is a string or a finite number.

    ``key``  what the error calls it.
    """
    if isinstance(value, str):
        return value
    # Python reads NaN and Infinity as numbers, which JSON does not know.
    if type(value) is int or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    given = "a list" if isinstance(value, list) else json_type(value)
    raise BadData(f"{key!r} is {given}, expected a string or a finite number")


JSON_TYPES = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list of something else",
    dict: "an object",
}


def json_type(value: object) -> str:
    """Return what JSON calls the value, for error messages."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value).replace("nan", "NaN").replace("inf", "Infinity")
    return JSON_TYPES.get(type(value), f"of type {type(value).__name__}")


# Sides

Side = str | list[str] | list[list[str]]
"""A raw string, sentence strings, or sentences of tokens."""

EXPECTED = "a string, a list of sentence strings or a list of lists of tokens (strings, none empty)"

FEWEST_TOKENS = 3
"""So many one-word strings are the tokens of a sentence. Set by hand: two may be headings."""

SINGLE_WORD = re.compile(r"[^\s\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff]+")
"""A string without blanks, and without letters of scripts whose sentences have none."""

SENTENCE_END = re.compile(r"\w.*[.!?:]$")
"""A word with a mark behind it, which may be a sentence."""

BARE_TOKENS = (
    "is a list of one-word strings, each of which would be a sentence: give tokens as a list of "
    "sentences, each a list of its tokens"
)
"""What errors say of tokens without sentences."""


def is_side(value: object) -> TypeGuard[Side]:
    """Tell whether a value is one side of a pair."""
    return (
        isinstance(value, str)
        or is_list_of(value, lambda sentence: isinstance(sentence, str))
        or is_list_of(value, _is_token_list)
    )


def _is_token_list(value: object) -> bool:
    return is_list_of(value, lambda token: isinstance(token, str) and token != "")


def is_list_of(value: object, accepts: Callable[[object], bool]) -> bool:
    """Tell whether a value is a list whose elements are all accepted."""
    return isinstance(value, list) and all(map(accepts, value))


def are_bare_tokens(side: Side) -> bool:
    """Tell whether a list of sentence strings holds single words, most without a mark behind it."""
    if isinstance(side, str) or len(side) < FEWEST_TOKENS or is_tokenized(side):
        return False
    if not all(map(SINGLE_WORD.fullmatch, side)):
        return False
    return 2 * sum(1 for _ in filter(SENTENCE_END.search, side)) < len(side)


def is_tokenized(side: Side) -> TypeIs[list[list[str]]]:
    """Tell whether a side is given as tokens."""
    return bool(side) and isinstance(side[0], list)


def _strings(side: str | list[str]) -> list[str]:
    """Return the strings of a side that is not tokenized."""
    return [side] if isinstance(side, str) else side


def _text(side: Side, tokenizer: str | None) -> tuple[Text, str]:
    """Return a side as a text, with the name of the tokenizer, empty where it was not needed."""
    if is_tokenized(side):
        return Text.from_sentences(side), ""
    name = tokenizer or detect_tokenizer(_strings(side))
    return to_text(side, name), name


SIDE_KEYS = {
    "document": ("document", "article", "text", "dialogue", "body", "source", "src"),
    "abstract": ("abstract", "summary", "highlights", "target", "tgt"),
}
"""The names that data sets use, the most specific first: a record's first one is taken."""


def side_of(fields: Mapping[str, Any], side: str, named: str | None, source: Source) -> Side:
    """Return one side of a record.

    ``side``    ``document`` or ``abstract``.
    ``named``   its field; ``None`` takes the first of ``SIDE_KEYS``.
    ``source``  where the record stands, for errors.

    Raises ``MissingText`` for a record without it, ``BadData`` for one that is no text.
    """
    keys = SIDE_KEYS[side] if named is None else (named,)
    key = first_key(keys, fields)
    if key is None:
        problem = (
            f"no {side}: found the keys {', '.join(map(repr, fields)) or 'none'}; "
            f"expected {' or '.join(map(repr, keys))}, or another that is named as the {side}'s key"
        )
        raise MissingText(problem, source.file, source.line)
    value = fields[key]
    if not is_side(value):
        problem = f"{key!r} is {json_type(value)}, expected {EXPECTED}"
        raise BadData(problem, source.file, source.line)
    if are_bare_tokens(value):
        raise BadData(f"{key!r} {BARE_TOKENS}", source.file, source.line)
    return value


# Records and pairs


class Record(NamedTuple):
    """A pair as it was given, both sides checked but not yet tokenized.

    ``source``  where it stands, or what names it in errors; ``None`` for a pair of two texts.
    ``fields``  the whole record, whose hand alignment is not yet checked.
    """

    source: Source | None
    id: str
    document: Side
    abstract: Side
    fields: Mapping[str, Any]

    def error(self, problem: str) -> BadData:
        """Make the error of a problem, which says where the record stands."""
        return BadData(f"pair {self.id!r}: {problem}", *place_of(self.source))


def make_pair(document: Side, abstract: Side, id: str = "1", tokenizer: str | None = None) -> Pair:
    """Make a pair of two texts.

    ``tokenizer``  one of ``TOKENIZERS``; ``None`` decides for each text by itself.

    Raises ``BadUsage`` for a side that is no text, and for an unknown tokenizer.
    """
    require_tokenizer(tokenizer)
    for name, side in (("document", document), ("abstract", abstract)):
        if not is_side(side):
            raise BadUsage(f"the {name} must be {EXPECTED}, not of type {type(side).__name__}")
        if are_bare_tokens(side):
            raise BadUsage(f"the {name} {BARE_TOKENS}")
    return pair_of(Record(None, id, document, abstract, {}), tokenizer)


SHOWN_RUN = 12
"""Characters that a warning shows of a run without spaces: enough to find it."""


def warns_of_unspaced_text(record: Record) -> bool:
    """Warn of a text in a script without spaces, and tell whether there was one."""
    for name, side in (("document", record.document), ("abstract", record.abstract)):
        run = None if is_tokenized(side) else unspaced_run(_strings(side))
        if run is not None:
            shown = run if len(run) <= SHOWN_RUN else f"{run[:SHOWN_RUN]}..."
            problem = (
                f"the {name} has long runs of letters without spaces ({shown}), each of which is "
                "one token; the tokenizer 'unicode' cuts at Unicode's word boundaries"
            )
            warn_caller(UnspacedText(str(record.error(problem))))
            return True
    return False


def pair_of(record: Record, tokenizer: str | None) -> Pair:
    """Make the pair of a record. Raises ``BadData`` for hand alignments that are none of it."""
    document, document_tokenizer = _text(record.document, tokenizer)
    abstract, abstract_tokenizer = _text(record.abstract, tokenizer)
    sure = _links(record, "sure", document, abstract)
    possible = _links(record, "possible", document, abstract)
    if sure is None and possible is not None:
        raise record.error("has 'possible' links but no 'sure', expected both or 'sure' alone")
    if sure is not None and possible is None:
        possible = frozenset()
    names = tokenizer_names((document_tokenizer, abstract_tokenizer))
    return Pair(record.id, document, abstract, sure, possible, names, source=record.source)


def _links(record: Record, key: str, document: Text, abstract: Text) -> frozenset[WordLink] | None:
    links = record.fields.get(key)
    if links is None:
        return None
    if not is_list_of(links, _is_link):
        raise record.error(f"{key!r} must be a list of links [d, a], two token numbers each")
    for link in links:
        for side, number, text in zip(SIDE_KEYS, link, (document, abstract), strict=True):
            if not 0 <= number < len(text):
                raise record.error(
                    f"link {link} of {key!r} is out of range: "
                    f"the {side} has {number_of(len(text), 'token')}, numbered from 0; "
                    "were they counted with another tokenizer?"
                )
    return frozenset((d, a) for d, a in links)


def _is_link(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(type(number) is int for number in value)


def row_of(pair: Pair) -> dict[str, Any]:
    """Return a pair as a record of JSON: sides as sentences of tokens, and its hand alignment."""
    row: dict[str, Any] = {
        "id": pair.id,
        "document": pair.document.sentences(),
        "abstract": pair.abstract.sentences(),
    }
    for name, links in (("sure", pair.sure), ("possible", pair.possible)):
        if links is not None:
            row[name] = sorted(links)
    return row
