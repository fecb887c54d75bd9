"""Makes pairs of what people have in Python: tuples, dictionaries, data frames, data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from corpus_tools.errors import BadData, BadUsage, choose
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.record_id import ID_KEYS, checked_id
from corpus_tools.pairs.records import (
    SIDE_KEYS,
    Record,
    pair_of,
    side_of,
    warns_of_unspaced_text,
)
from corpus_tools.pairs.sides import Side, is_side, is_tokenized
from corpus_tools.texts.tokenizers import TOKENIZERS

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class DataFrame(Protocol):
    """A table with named columns, as those of pandas, polars and pyarrow."""

    @property
    def columns(self) -> Any:
        """Return the columns, or their names."""
        ...


PairLike = Pair | tuple[Side, Side] | Mapping[str, Any]
"""One pair: a tuple (document, abstract), or a record with the names that fields of files have."""

PairsLike = Iterable[PairLike] | DataFrame
"""Several pairs, all given in the same way. A dictionary of columns has the type of a record."""

EXPECTED_PAIRS = (
    "Pair objects, tuples (document, abstract), dictionaries, or a data frame, data set or "
    "dictionary with a column for each side"
)


def as_pairs(
    given: PairLike | PairsLike,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
) -> list[Pair]:
    """Make pairs of what is given. Arguments and errors are those of ``iterate_as_pairs``."""
    return list(iterate_as_pairs(given, tokenizer, document_key, abstract_key))


def iterate_as_pairs(
    given: PairLike | PairsLike,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
) -> Iterator[Pair]:
    """Yield pairs of what is given, one by one.

    ``given``         pairs, tuples (document, abstract), records (dictionaries, named tuples, rows
                      of data frames), all of the same kind; a data frame, a data set or a
                      dictionary of columns; or one pair in one of these forms.
    ``tokenizer``     one of ``TOKENIZERS``; ``None`` decides for each text by itself. Pairs have
                      their tokens already.
    ``document_key``  the field of the document in a record; ``None`` takes the first of
                      ``corpus_tools.pairs.records.SIDE_KEYS``.
    ``abstract_key``  the same for the abstract.

    A side is what ``corpus_tools.pairs.sides.Side`` says. Without an id, pairs are numbered from
    1. Raises ``BadUsage`` for what is no pair, for pairs of several kinds, and for an unknown
    tokenizer; ``BadData`` for a record that is wrong. Both name its index, as in ``pairs[3]``.
    Warns as ``read_pairs`` does.
    """
    if tokenizer is not None:
        choose("tokenizer", tokenizer, TOKENIZERS)
    keys = {"document": document_key, "abstract": abstract_key}
    one = is_one_pair(given, keys)
    first, warned = "", tokenizer == "unicode"
    for index, item in enumerate([given] if one else _items(given)):
        where = "the pair" if one else f"pairs[{index}]"
        kind = _kind(item, where)
        first = first or kind
        if kind != first:
            raise BadUsage(f"{where} is {kind}, but pairs[0] is {first}: give all in the same form")
        if isinstance(item, Pair):
            yield item
            continue
        record = _record(item, where, index, keys)
        warned = warned or warns_of_unspaced_text(record)
        yield pair_of(record, tokenizer)


BY_FIELD_NAMES: Mapping[str, str | None] = {"document": None, "abstract": None}
"""The fields of the sides, where they are found by their names."""


def is_one_pair(
    given: PairLike | PairsLike, keys: Mapping[str, str | None] = BY_FIELD_NAMES
) -> TypeIs[PairLike]:
    """Tell whether this is one pair, and not several.

    A tuple is a pair if it is one of two texts. A dictionary is a pair unless it holds columns:
    then both sides are lists with an element for each pair, and so are the ids. A document and an
    abstract of equally many sentences look the same; a list makes them a pair: ``[{...}]``.

    ``keys``  the field of each side, ``None`` for the first that is named as one.
    """
    if isinstance(given, tuple) and not hasattr(given, "_asdict"):
        return len(given) == 2 and all(is_side(_plain(side)) for side in given)
    if isinstance(given, Mapping):
        return not _are_columns(given, keys)
    return isinstance(given, Pair) or _is_row(given)


def _are_columns(fields: Mapping[str, Any], keys: Mapping[str, str | None]) -> bool:
    """Tell whether the sides of a dictionary are those of several pairs."""
    names = [
        next((name for name in ([key] if key else SIDE_KEYS[side]) if name in fields), None)
        for side, key in keys.items()
    ]
    ids = [name for name in ID_KEYS if name in fields][:1]
    columns = [_plain(fields[name]) for name in (*names, *ids) if name is not None]
    lists = all(isinstance(column, list) for column in columns)
    if None in names or not lists or len({len(column) for column in columns}) > 1:
        return False
    document, abstract, *_ = columns
    # Sentences of tokens belong to one pair; lists of sentences have blanks.
    tokens = all(map(is_tokenized, (document, abstract))) and not any(
        isinstance(part, list) or " " in part for one in document + abstract for part in one
    )
    return not tokens and all(map(is_side, document + abstract))


def _items(given: object) -> Iterable[object]:
    """Return the pairs of a data frame, or of anything that can be iterated over."""
    if isinstance(given, str | bytes) or hasattr(given, "__fspath__"):
        raise BadUsage(
            f"expected {EXPECTED_PAIRS}, not one text; read_pairs reads the pairs of a file"
        )
    if isinstance(given, Mapping):
        columns = {name: _plain(column) for name, column in given.items()}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    method = next((name for name in ("to_dicts", "to_pylist") if hasattr(given, name)), None)
    if method is not None:  # polars, pyarrow
        rows: Iterable[object] = getattr(given, method)()
        return rows
    if hasattr(given, "to_dict") and hasattr(given, "columns"):
        return _pandas_rows(given)
    if not isinstance(given, Iterable):
        raise BadUsage(f"expected {EXPECTED_PAIRS}, not of type {type(given).__name__}")
    return given


def _pandas_rows(frame: Any) -> Iterable[object]:
    """Return the rows of a pandas data frame, which may have its ids in the index."""
    if frame.index.name in ID_KEYS:
        frame = frame.reset_index()
    rows: Iterable[object] = frame.to_dict("records")
    return rows


def _kind(item: object, where: str) -> str:
    if isinstance(item, Pair):
        return "a Pair"
    if isinstance(item, Mapping) or _is_row(item):
        return "a record"
    if isinstance(item, tuple):
        if len(item) == 2:
            return "a tuple"
        raise BadUsage(f"{where} is a tuple of {len(item)}, expected (document, abstract)")
    raise BadUsage(f"{where} is of type {type(item).__name__}, expected {EXPECTED_PAIRS}")


def _is_row(item: object) -> bool:
    """Tell whether this is a named tuple, or a row of a data frame."""
    table = hasattr(item, "columns") or hasattr(item, "column_names")
    return hasattr(item, "_asdict") or (hasattr(item, "to_dict") and not table)


def _record(item: Any, where: str, index: int, keys: Mapping[str, str | None]) -> Record:
    if isinstance(item, tuple) and not _is_row(item):
        fields = dict(zip(keys, map(_plain, item), strict=True))
        keys = dict.fromkeys(keys)
    else:
        fields = {key: _plain(value) for key, value in _fields(item, where).items()}
    key = next((key for key in ID_KEYS if key in fields), None)
    try:
        identity = str(index + 1) if key is None else checked_id(fields[key], key)
    except BadData as error:
        raise BadData(error.problem, where) from None
    for key in {"sure", "possible"} & set(fields):
        fields[key] = _lists(fields[key])
    document, abstract = (side_of(fields, side, keys[side], where) for side in keys)
    return Record(where, None, identity, document, abstract, fields)


def _fields(item: Any, where: str) -> Mapping[str, Any]:
    """Return the fields of a record. Raises ``BadUsage`` for one that is no record of a pair."""
    if isinstance(item, Mapping):
        fields = item
    else:
        fields = item._asdict() if hasattr(item, "_asdict") else item.to_dict()
    if not all(isinstance(name, str) for name in fields):
        raise BadUsage(f"{where} has fields whose names are no strings")
    splits = [name for name, value in fields.items() if hasattr(value, "column_names")]
    if splits:
        raise BadUsage(f"{where} is a dictionary of data sets: choose one of {', '.join(splits)}")
    return fields


def _plain(value: Any) -> Any:
    """Return a value with lists for arrays, which tables that were read from Parquet hold."""
    if hasattr(value, "tolist"):
        value = value.tolist()
        if isinstance(value, list):
            return [_plain(one) for one in value]
    return value


def _lists(links: Any) -> Any:
    """Return word links with lists for tuples and sets, which files do not have."""
    if isinstance(links, list | tuple | set | frozenset):
        return [list(link) if isinstance(link, tuple) else link for link in links]
    return links
