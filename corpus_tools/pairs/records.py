"""Makes pairs of records: of files, and of what people have in Python.

A side of a pair is a string, sentences, or tokens. Ids of pairs, of alignments and of trees alike
are checked here.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from corpus_tools.base.errors import (
    BadData,
    BadUsage,
    MissingText,
    SemiHmmWarning,
    number_of,
    warn_caller,
)
from corpus_tools.languages.detection import detect_language, sample
from corpus_tools.languages.language import AUTO, require_language
from corpus_tools.pairs.pair import Pair, Source, WordLink
from corpus_tools.pairs.text_checks import Checks
from corpus_tools.texts import tokenizers
from corpus_tools.texts.marks import sentences_at_marks, unwrapped, with_line_breaks, without_markup
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import Tree, read_tree

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
    raise BadData(f"{key!r} is {reprlib.repr(value)}, expected a string or a finite number")


# Sides

Side = str | list[str] | list[list[str]]
"""A raw string, sentence strings, or sentences of tokens."""

Keys = tuple[str | None, str | None]
"""The fields of document and abstract, ``None`` for the first one that is named as such."""

FEWEST_TOKENS = 3
"""So many one-word strings are the tokens of a sentence. Two may be headings."""

SINGLE_WORD = re.compile(rf"[^\s{tokenizers.UNSPACED}]+")
"""A string without blanks, and without letters of scripts whose sentences have none."""

SENTENCE_END = re.compile(r"\w.*[.!?:]$")
"""A word with a mark behind it, which may be a sentence."""


def is_side(value: object) -> TypeGuard[Side]:
    """Tell whether a value is one side of a pair."""
    if isinstance(value, str) or is_list_of(value, _is_string):
        return True
    return is_list_of(value, lambda part: is_list_of(part, _is_string) and "" not in part)


def is_list_of(value: object, accepts: Callable[[object], bool]) -> TypeGuard[list[Any]]:
    """Tell whether a value is a list whose elements are all accepted."""
    return isinstance(value, list) and all(map(accepts, value))


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def is_tokenized(side: Side) -> TypeIs[list[list[str]]]:
    """Tell whether a side is given as tokens."""
    return bool(side) and isinstance(side[0], list)


def _are_bare_tokens(side: Side) -> bool:
    """Tell whether a list of sentence strings holds single words, most without a mark behind it."""
    if isinstance(side, str) or len(side) < FEWEST_TOKENS or is_tokenized(side):
        return False
    if not all(map(SINGLE_WORD.fullmatch, side)):
        return False
    # A word with a mark attached may be a sentence ("Yes."); most tokens have none.
    ended = sum(SENTENCE_END.search(string) is not None for string in side)
    return 2 * ended < len(side)


SIDE_KEYS = {
    "document": ("document", "article", "text", "dialogue", "body", "content", "source", "src"),
    "abstract": ("abstract", "summary", "highlights", "target", "tgt"),
}
"""The names that data sets use, the most specific first: a record's first one is taken."""

SYSTEM = "system"
"""The field that names who wrote the abstract, where there are several."""

TREES = "trees"
"""The field of the trees of the document, which ``semihmm parse`` writes."""

ALIGNMENT_KEYS = frozenset(("phrases", "document_tokens"))
"""Of the fields that alignments have in JSON lines and as labels, one that no pair needs."""


NAME = re.compile(r"\S*[/_\\\d]\S*|\S+\.[A-Za-z]\w{1,4}")
"""What is no text of one word, but a number, a name of a file, an address."""


def _is_text(value: object) -> bool:
    """Tell whether a value is a side of more than one word."""
    if not is_side(value) or not isinstance(value, str):
        return is_side(value) and len(value) > 0
    return not value.strip() or re.fullmatch(SINGLE_WORD, value.strip()) is None


def texts_of_side(fields: Mapping[str, Any], side: str) -> list[str]:
    """Return the fields that could be a side: those of its usual names that hold texts."""
    return [key for key in SIDE_KEYS[side] if key in fields and _is_text(fields[key])]


ALTERNATIVES = {"rouge_scores", "source_labels"}
"""Fields of SciTLDR, in which the list ``target`` has several abstracts of one document."""


def warn_of_fields(fields: Mapping[str, Any], source: object, keys: Keys, said: set[str]) -> None:
    """Warn of fields that could be sides as well as those that are read, once of each.

    ``said``  those of which nothing more is to be said.
    """
    for (side, names), named in zip(SIDE_KEYS.items(), keys, strict=True):
        read, *others = (named or first_key(names, fields), *texts_of_side(fields, side))
        problem = ""
        if named is None and read in others and len(others) > 1:
            problem = f"not {', '.join(map(repr, others[1:]))}: name its field if that is another"
        elif read == "target" and len(fields[read]) > 1 and not ALTERNATIVES.isdisjoint(fields):
            problem = (
                "as the sentences of one: those of SciTLDR are alternatives, of which to keep one"
            )
        if problem and read not in said:
            said.add(str(read))
            warn_caller(SemiHmmWarning(f"{source}: {read!r} is read as the {side}, {problem}"))


def _require_text(fields: Mapping[str, Any], side: str, key: str) -> None:
    """Raise ``MissingText`` where a field is no text, and another one could be the side."""
    value = fields[key]
    if _is_text(value) or not isinstance(value, str):
        return
    others = texts_of_side(fields, side)
    if NAME.fullmatch(value.strip()):
        known = {*chain.from_iterable(SIDE_KEYS.values()), *ID_KEYS}
        others += [name for name in fields if name not in known and _is_text(fields[name])]
    if others:
        problem = f"{key!r} is {reprlib.repr(value)}, which is no text, and {others[0]!r} is one"
        raise MissingText(f"{problem}: name the field of the {side}")


def _side_of(fields: Mapping[str, Any], side: str, named: str | None) -> Side:
    """Return one side of a record.

    ``side``   ``document`` or ``abstract``.
    ``named``  its field; ``None`` takes the first of ``SIDE_KEYS``.

    Raises ``MissingText`` for a record without it, ``BadData`` for one that is no text.
    """
    names = SIDE_KEYS[side] if named is None else (named,)
    key = first_key(names, fields)
    if key is None:
        # Other names of fields would not help.
        if not ALIGNMENT_KEYS.isdisjoint(fields):
            raise BadData("this is an alignment: expected the pairs that it belongs to")
        found = ", ".join(map(repr, fields)) or "none"
        raise MissingText(
            f"no {side}: found the keys {found}; expected {' or '.join(map(repr, names))}, "
            f"or another that is named as the {side}'s key"
        )
    value = fields[key]
    if not is_side(value):
        raise BadData(
            f"{key!r} is {reprlib.repr(value)}, expected a string, a list of sentence strings or "
            "a list of lists of tokens (strings, none empty)"
        )
    if named is None:
        _require_text(fields, side, key)
    if _are_bare_tokens(value):
        raise BadData(
            f"{key!r} is a list of one-word strings, each of which would be a sentence: "
            "give tokens as a list of sentences, each a list of its tokens"
        )
    return value


# Records and pairs


def pair_of(
    fields: Mapping[str, Any],
    source: Source,
    number: str,
    keys: Keys = (None, None),
    tokenizer: str | None = None,
    language: str | None = None,
    strip_markup: bool = False,
    by: str | None = None,
) -> Pair:
    """Make the pair of a record.

    ``source``     where the record stands, or what names it in errors.
    ``number``     the id of a record without.
    ``tokenizer``  one of ``TOKENIZERS``; ``None`` decides by both texts.
    ``language``   its code; ``None`` and ``AUTO`` decide by both texts.
    ``strip_markup``  whether tags and marks are taken out (``corpus_tools.texts.marks``).
    ``by``         the field that has the pair's ``system``.

    Raises ``BadData`` with the source for what is wrong, ``MissingText`` for a missing side.
    """
    try:
        id = record_id(fields, number)
        # Links count tokens: texts that come with links were tokenized when these were made.
        has_links = fields.get("sure") is not None
        sides = [_side_of(fields, *side) for side in zip(SIDE_KEYS, keys, strict=True)]
        if not has_links:
            sides = [_cleaned(side, strip_markup) for side in sides]
        # Both texts together: one alone may be too short to tell its language.
        beginnings = [*map(_beginning, sides)]
        if language is None or language == AUTO:
            language = detect_language(" ".join(beginnings))
        both = zip(sides, beginnings, strict=True)
        raw = [beginning for side, beginning in both if side and not is_tokenized(side)]
        used = tokenizer or tokenizers.choose_tokenizer(raw, language, has_links)
        document, abstract = (
            Text.from_sentences(side)
            if is_tokenized(side)
            else tokenizers.to_text(side, used, language)
            for side in sides
        )
        texts = document, abstract
        sure, possible = (_links(fields, key, id, texts) for key in ("sure", "possible"))
        trees = None if fields.get(TREES) is None else _trees(fields[TREES], document, id)
        if sure is None and possible is not None:
            problem = "has 'possible' links but no 'sure', expected both or 'sure' alone"
            raise BadData(f"pair {id!r}: {problem}")
        system = _group(fields, by)
    except BadData as error:
        raise type(error)(error.problem, *source[:2]) from None
    if sure is not None and possible is None:
        possible = frozenset()
    made_by = used if raw else "whitespace"
    return Pair(
        id, document, abstract, sure, possible, made_by, language, trees, source, system=system
    )


def _group(fields: Mapping[str, Any], by: str | None) -> str:
    """Return what a field has; "" if none is asked for, or no ``SYSTEM`` is there.

    Raises ``BadData`` without another field, and for what is no string or number.
    """
    if by is None or (by == SYSTEM and by not in fields):
        return ""
    if by not in fields:
        raise BadData(f"no field {by!r}: found {', '.join(map(repr, fields))}")
    return checked_id(fields[by], by)


def _cleaned(side: Side, strip_markup: bool) -> Side:
    """Return a side without the marks and line breaks that are no part of its text.

    Sentences of tokens are taken as they are unless all markup is to be stripped.
    """
    if is_tokenized(side):
        if not strip_markup:
            return side
        every = (without_markup("\n".join(sentence)).split() for sentence in side)
        return [sentence for sentence in every if sentence]
    clean = without_markup if strip_markup else with_line_breaks
    if isinstance(side, str):
        return unwrapped(clean(side))
    cut = sentences_at_marks(side)
    return [*map(without_markup, cut)] if strip_markup else cut


def _beginning(side: Side) -> str:
    """Return the beginning of a side, which tells its language and its tokenizer."""
    parts = [side] if isinstance(side, str) else side
    return sample(" ".join(part) if isinstance(part, list) else part for part in parts)


def _links(
    fields: Mapping[str, Any], key: str, id: str, texts: tuple[Text, Text]
) -> frozenset[WordLink] | None:
    """Return the word links of a record. Raises ``BadData`` for what is none of its texts."""
    links = fields.get(key)
    if links is None:
        return None
    # Python's records may have tuples and sets, which files do not have. ``True`` is no number.
    if not isinstance(links, list | tuple | set | frozenset) or not all(
        isinstance(link, list | tuple) and [*map(type, link)] == [int, int] for link in links
    ):
        problem = f"{key!r} must be a list of links [d, a], two token numbers each"
        raise BadData(f"pair {id!r}: {problem}")
    # Python's negative indices would count from the end, in silence.
    for link in links:
        for side, number, text in zip(SIDE_KEYS, link, texts, strict=True):
            if not 0 <= number < len(text):
                raise BadData(
                    f"pair {id!r}: link {list(link)} of {key!r} is out of range: "
                    f"the {side} has {number_of(len(text), 'token')}, numbered from 0; "
                    "were they counted with another tokenizer?"
                )
    return frozenset((d, a) for d, a in links)


def _trees(given: object, document: Text, id: str) -> tuple[Tree | None, ...]:
    """Read the trees of a record, one for each sentence. Raises ``BadData`` for other trees."""
    sentences = document.sentences()
    if not is_list_of(given, _is_string) or len(given) != len(sentences):
        raise BadData(
            f"pair {id!r}: the field {TREES!r} is {reprlib.repr(given)}, expected a list of "
            f"bracketed strings, one for each of the {len(sentences)} sentences of the document"
        )
    trees = []
    for number, (text, sentence) in enumerate(zip(given, sentences, strict=True), start=1):
        try:
            trees.append(read_tree(text, sentence))
        except BadData as error:
            where = f"pair {id!r}, sentence {number} of the document"
            raise BadData(f"{where}: {error.problem}") from error
    return tuple(trees)


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


def make_pair(
    document: Side,
    abstract: Side,
    id: str = "1",
    tokenizer: str | None = None,
    language: str | None = None,
) -> Pair:
    """Make a pair of two texts.

    ``tokenizer``, ``language``  as in ``pair_of``.

    Raises ``BadData`` for a side that is no text, ``BadUsage`` for an unknown tokenizer or
    language.
    """
    tokenizers.require_tokenizer(tokenizer)
    require_language(language)
    fields = {"document": document, "abstract": abstract}
    return pair_of(fields, Source("the pair", None), id, (None, None), tokenizer, language)


# What people have in Python: tuples, dictionaries, data frames, data sets


class DataFrame(Protocol):
    """A table with named columns, as those of pandas and polars."""

    @property
    def columns(self) -> Any:
        """Return the columns, or their names."""
        ...


PairLike = Pair | tuple[Side, Side] | Mapping[str, Any]
"""One pair: a tuple (document, abstract), or a record with the names that fields of files have."""

PairsLike = Iterable[PairLike] | DataFrame
"""Several pairs. A dictionary of columns has the type of a record."""

EXPECTED_PAIRS = (
    "Pair objects, tuples (document, abstract), dictionaries, or a data frame, data set or "
    "dictionary with a column for each side"
)


def as_pairs(
    given: PairLike | PairsLike,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    language: str | None = None,
) -> list[Pair]:
    """Make pairs of what is given. Arguments and errors are those of ``iterate_as_pairs``."""
    return list(iterate_as_pairs(given, tokenizer, document_key, abstract_key, language))


def iterate_as_pairs(
    given: PairLike | PairsLike,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    language: str | None = None,
) -> Iterator[Pair]:
    """Yield pairs of what is given, one by one.

    ``given``         pairs, tuples (document, abstract), records (dictionaries, named tuples, rows
                      of data frames); a data frame, a data set or a dictionary of columns; or one
                      pair in one of these forms.
    ``tokenizer``     one of ``TOKENIZERS``; ``None`` decides for each pair by itself. Pairs have
                      their tokens already.
    ``document_key``  the field of the document in a record; ``None`` takes the first of
                      ``corpus_tools.pairs.records.SIDE_KEYS``.
    ``abstract_key``  the same for the abstract.
    ``language``      its code; ``None`` and ``AUTO`` look at each pair.

    A side is what ``corpus_tools.pairs.records.Side`` says. Without an id, pairs are numbered from
    1. Raises ``BadUsage`` for what is no pair, and for an unknown tokenizer or language;
    ``BadData`` for a record that is wrong. Both name its index, as in ``pairs[3]``. Warns as
    ``read_pairs`` does.
    """
    tokenizers.require_tokenizer(tokenizer)
    require_language(language)
    keys = document_key, abstract_key
    is_single = is_one_pair(given, keys)
    checks, said = Checks(tokenizer), set[str]()
    for index, item in enumerate([given] if is_single else _items(given)):
        if isinstance(item, Pair):
            yield item
            continue
        where = "the pair" if is_single else f"pairs[{index}]"
        fields = _fields(item, where, keys)
        warn_of_fields(fields, where, keys, said)
        pair = pair_of(fields, Source(where, None), str(index + 1), keys, tokenizer, language)
        checks.warn_of(pair)
        yield pair


def is_one_pair(given: PairLike | PairsLike, keys: Keys = (None, None)) -> TypeIs[PairLike]:
    """Tell whether this is one pair, and not several.

    A tuple is a pair if it is one of two texts. A dictionary is a pair unless it holds columns:
    then both sides are lists with an element for each pair, and so are the ids. A document and an
    abstract of equally many sentences look the same; a list makes them a pair: ``[{...}]``.
    """
    if isinstance(given, tuple) and not _is_row(given):
        return len(given) == 2 and all(is_side(_plain(side)) for side in given)
    if isinstance(given, Mapping):
        return not _are_columns(given, keys)
    return isinstance(given, Pair) or _is_row(given)


def _are_columns(fields: Mapping[str, Any], keys: Keys) -> bool:
    """Tell whether the sides of a dictionary are those of several pairs."""
    sides = zip(SIDE_KEYS.values(), keys, strict=True)
    names = [first_key(usual if named is None else (named,), fields) for usual, named in sides]
    id = first_key(ID_KEYS, fields)
    if None in names:
        return False
    columns = [_plain(fields[key]) for key in (*names, id) if key is not None]
    if not all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
        return False
    sides = columns[0] + columns[1]
    # Sentences of tokens belong to one pair; lists of sentences have blanks.
    tokens = all(map(is_tokenized, columns[:2])) and not any(
        isinstance(part, list) or " " in part for side in sides for part in side
    )
    return not tokens and all(map(is_side, sides))


def _items(given: Any) -> Iterable[object]:
    """Return the pairs of a data frame, or of anything that can be iterated over."""
    if isinstance(given, Mapping):
        columns = [_plain(column) for column in given.values()]
        return [dict(zip(given, row, strict=True)) for row in zip(*columns, strict=True)]
    rows: Any = given
    if hasattr(given, "to_dicts"):  # polars
        rows = given.to_dicts()
    elif hasattr(given, "to_dict") and hasattr(given, "columns"):  # pandas
        # An index without such a name only numbers the rows.
        ids_in_index = given.index.name in ID_KEYS
        rows = (given.reset_index() if ids_in_index else given).to_dict("records")
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise BadUsage(
            f"expected {EXPECTED_PAIRS}, not of type {type(given).__name__}; "
            "read_pairs reads the pairs of a file"
        )
    return rows


def _is_row(item: object) -> bool:
    """Tell whether this is a named tuple, or a row of a data frame."""
    table = hasattr(item, "columns") or hasattr(item, "column_names")
    return hasattr(item, "_asdict") or (hasattr(item, "to_dict") and not table)


def _fields(item: Any, where: str, keys: Keys) -> Mapping[str, Any]:
    """Return the fields of a record. Raises ``BadUsage`` for what is none."""
    if _is_row(item):
        item = item._asdict() if hasattr(item, "_asdict") else item.to_dict()
    elif isinstance(item, tuple) and len(item) == 2:
        names = (key or side for side, key in zip(SIDE_KEYS, keys, strict=True))
        item = dict(zip(names, item, strict=True))
    if not isinstance(item, Mapping):
        raise BadUsage(f"{where} is of type {type(item).__name__}, expected {EXPECTED_PAIRS}")
    return {key: _plain(value) for key, value in item.items()}


def _plain(value: Any) -> Any:
    """Return a value with lists for arrays, which tables that were read from Parquet hold."""
    if hasattr(value, "tolist"):
        value = value.tolist()
        if isinstance(value, list):
            # Arrays of arrays: sentences of tokens.
            return [_plain(part) for part in value]
    return value
