"""Makes pairs of what people have in Python: tuples, dictionaries, data frames, data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair, Source
from corpus_tools.pairs.records import (
    ID_KEYS,
    SIDE_KEYS,
    Record,
    Side,
    first_key,
    is_side,
    is_tokenized,
    pair_of,
    record_id,
    side_of,
    warns_of_unspaced_text,
)
from corpus_tools.storage.files import in_line
from corpus_tools.texts.tokenizers import require_tokenizer

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

    A side is what ``corpus_tools.pairs.records.Side`` says. Without an id, pairs are numbered from
    1. Raises ``BadUsage`` for what is no pair, for pairs of several kinds, and for an unknown
    tokenizer; ``BadData`` for a record that is wrong. Both name its index, as in ``pairs[3]``.
    Warns as ``read_pairs`` does.
    """
    require_tokenizer(tokenizer)
    keys = {"document": document_key, "abstract": abstract_key}
    one = is_one_pair(given, keys)
    first, warned = "", tokenizer == "unicode"
    for index, item in enumerate([given] if one else _items(given)):
        where = "the pair" if one else f"pairs[{index}]"
        kind, fields = _opened(item, where)
        first = first or kind
        if kind != first:
            raise BadUsage(f"{where} is {kind}, but pairs[0] is {first}: give all in the same form")
        if isinstance(item, Pair):
            yield item
            continue
        named = BY_FIELD_NAMES if kind == "a tuple" else keys
        record = _record(fields, where, str(index + 1), named)
        warned = warned or warns_of_unspaced_text(record)
        yield pair_of(record, tokenizer)


BY_FIELD_NAMES: Mapping[str, str | None] = dict.fromkeys(SIDE_KEYS)
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
    names = [first_key((key,) if key else SIDE_KEYS[side], fields) for side, key in keys.items()]
    found = [name for name in (*names, first_key(ID_KEYS, fields)) if name is not None]
    columns = [_plain(fields[name]) for name in found]
    lists = all(isinstance(column, list) for column in columns)
    if None in names or not lists or len(set(map(len, columns))) > 1:
        return False
    sides = columns[0] + columns[1]
    # Sentences of tokens belong to one pair; lists of sentences have blanks.
    tokens = all(map(is_tokenized, columns[:2])) and not any(
        isinstance(part, list) or " " in part for side in sides for part in side
    )
    return not tokens and all(map(is_side, sides))


def _items(given: Any) -> Iterable[object]:
    """Return the pairs of a data frame, or of anything that can be iterated over."""
    if isinstance(given, str | bytes) or hasattr(given, "__fspath__"):
        raise BadUsage(
            f"expected {EXPECTED_PAIRS}, not one text; read_pairs reads the pairs of a file"
        )
    rows: Iterable[object]
    if isinstance(given, Mapping):
        columns = [_plain(column) for column in given.values()]
        rows = [dict(zip(given, row, strict=True)) for row in zip(*columns, strict=True)]
    elif hasattr(given, "to_dicts"):  # polars
        rows = given.to_dicts()
    elif hasattr(given, "to_pylist"):  # pyarrow
        rows = given.to_pylist()
    elif hasattr(given, "to_dict") and hasattr(given, "columns"):  # pandas
        ids_in_index = given.index.name in ID_KEYS
        rows = (given.reset_index() if ids_in_index else given).to_dict("records")
    elif isinstance(given, Iterable):
        rows = given
    else:
        raise BadUsage(f"expected {EXPECTED_PAIRS}, not of type {type(given).__name__}")
    return rows


def _opened(item: Any, where: str) -> tuple[str, Mapping[str, Any]]:
    """Return what an item is, as errors say it, and its fields, none for a pair.

    Raises ``BadUsage`` for what is no pair, and no record of one.
    """
    if isinstance(item, Pair):
        return "a Pair", {}
    if isinstance(item, tuple) and not _is_row(item):
        if len(item) != 2:
            raise BadUsage(f"{where} is a tuple of {len(item)}, expected (document, abstract)")
        return "a tuple", dict(zip(SIDE_KEYS, item, strict=True))
    if _is_row(item):
        item = item._asdict() if hasattr(item, "_asdict") else item.to_dict()
    if not isinstance(item, Mapping):
        raise BadUsage(f"{where} is of type {type(item).__name__}, expected {EXPECTED_PAIRS}")
    if not all(isinstance(name, str) for name in item):
        raise BadUsage(f"{where} has fields whose names are no strings")
    splits = [name for name, value in item.items() if hasattr(value, "column_names")]
    if splits:
        raise BadUsage(f"{where} is a dictionary of data sets: choose one of {', '.join(splits)}")
    return "a record", item


def _is_row(item: object) -> bool:
    """Tell whether this is a named tuple, or a row of a data frame."""
    table = hasattr(item, "columns") or hasattr(item, "column_names")
    return hasattr(item, "_asdict") or (hasattr(item, "to_dict") and not table)


def _record(
    given: Mapping[str, Any], where: str, number: str, keys: Mapping[str, str | None]
) -> Record:
    """Check the fields of a record. ``number`` is the id of one without."""
    fields = {key: _plain(value) for key, value in given.items()}
    with in_line(None, where):
        identity = record_id(fields, number)
    for key in {"sure", "possible"} & set(fields):
        fields[key] = _lists(fields[key])
    source = Source(where, None)
    document, abstract = (side_of(fields, side, keys[side], source) for side in keys)
    return Record(source, identity, document, abstract, fields)


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
