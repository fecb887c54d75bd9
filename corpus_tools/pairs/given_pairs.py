"""Makes pairs from Python objects: tuples, dictionaries, data frames, data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.fields import ID_KEYS, SIDE_KEYS, Keys, Side, rows_of, shape_of
from corpus_tools.pairs.formats import are_columns
from corpus_tools.pairs.pair import Pair, RawRecord, Source
from corpus_tools.pairs.read_pairs import checked_pairs
from corpus_tools.pairs.records import RecordReading

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class DataFrame(Protocol):
    """A table with named columns, as in pandas and polars."""

    @property
    def columns(self) -> Any:
        """Return the columns, or their names."""
        ...


PairLike = Pair | tuple[Side, Side] | Mapping[str, Any]
"""One pair: a tuple (document, abstract), or a record with the same field names as in files."""

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
    """Return all pairs in a list. Arguments and errors are those of ``iterate_as_pairs``."""
    return list(iterate_as_pairs(given, tokenizer, document_key, abstract_key, language))


def iterate_as_pairs(
    given: PairLike | PairsLike,
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    language: str | None = None,
) -> Iterator[Pair]:
    """Yield pairs made from Python objects, one by one.

    ``given``         pairs, tuples (document, abstract), records (dictionaries, named tuples, rows
                      of data frames); a data frame, a data set or a dictionary of columns; or one
                      pair in one of these forms.
    ``tokenizer``     one of ``TOKENIZERS``; ``None``: detected for each pair. A ``Pair`` keeps its
                      tokens.
    ``document_key``  the field of the document in a record; ``None``: the first one in
                      ``corpus_tools.pairs.fields.SIDE_KEYS``.
    ``abstract_key``  the same for the abstract.
    ``language``      the code of the language; ``None`` and ``AUTO``: detected for each pair.

    ``corpus_tools.pairs.fields`` lists the forms of a side. Without an id, pairs are numbered
    from 1. Raises ``BadUsage`` for an object that is no pair, and for an unknown tokenizer or
    language; ``BadData`` for a wrong record. Both name its index, as in ``pairs[3]``. Warns as
    ``read_pairs`` does.
    """
    require_no_splits(given)
    how = RecordReading((document_key, abstract_key), tokenizer, language)
    is_single = is_one_pair(given, how.keys)
    items = [given] if is_single else _items(given)

    records = partial(_records, items, how.keys, is_single)
    # An iterator yields its items once only.
    again = None if isinstance(items, Iterator) else records
    yield from checked_pairs(records(), how, again)


def _records(items: Iterable[object], keys: Keys, is_single: bool) -> Iterator[RawRecord | Pair]:
    """Yield records of Python, whose place is their index, and pairs as they are."""
    for index, item in enumerate(items):
        where = "the pair" if is_single else f"pairs[{index}]"
        yield (
            item
            if isinstance(item, Pair)
            else RawRecord(_fields(item, where, keys), Source(where, None), str(index + 1))
        )


def require_no_splits(data: object) -> None:
    """Raise ``BadUsage`` for a dictionary of data sets, such as the splits of one."""
    if isinstance(data, Mapping):
        tables = [name for name, value in data.items() if _is_table(value)]
        if tables:
            problem = f"this is a dictionary of tables ({', '.join(map(str, tables))})"
            raise BadUsage(f"{problem}: take one of them, as in data[{tables[0]!r}]")


def _is_table(item: object) -> bool:
    """Tell whether an object is a data set or a data frame, and no column of one."""
    return hasattr(item, "column_names") or hasattr(item, "columns")


def is_one_pair(data: PairLike | PairsLike, keys: Keys = (None, None)) -> TypeIs[PairLike]:
    """Tell whether an object is one pair, not several.

    A tuple of two texts is a pair. A dictionary is a pair unless it holds columns: both sides, and
    the ids if there are any, are lists of one length. A document and an abstract with the same
    number of sentences look like columns; a list marks them as a pair: ``[{...}]``.
    """
    if isinstance(data, tuple) and not _is_row(data):
        return len(data) == 2 and all(shape_of(_plain(side)) is not None for side in data)
    if isinstance(data, Mapping):
        return not are_columns({key: _plain(value) for key, value in data.items()}, keys)
    return isinstance(data, Pair) or _is_row(data)


def _items(table: Any) -> Iterable[object]:
    """Return the pairs of a data frame, or of anything that can be iterated over."""
    if isinstance(table, Mapping):
        return rows_of({name: _plain(column) for name, column in table.items()})
    rows: Any = table
    if hasattr(table, "to_dicts"):  # polars
        rows = table.to_dicts()
    elif hasattr(table, "to_dict") and hasattr(table, "columns"):  # pandas
        # An index with another name only numbers the rows.
        ids_in_index = table.index.name in ID_KEYS
        rows = (table.reset_index() if ids_in_index else table).to_dict("records")
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise BadUsage(
            f"expected {EXPECTED_PAIRS}, not of type {type(table).__name__}; "
            "read_pairs reads the pairs of a file"
        )
    return rows


def _is_row(item: object) -> bool:
    """Tell whether an object is a named tuple, or a row of a data frame."""
    return hasattr(item, "_asdict") or (hasattr(item, "to_dict") and not _is_table(item))


def _fields(item: Any, where: str, keys: Keys) -> Mapping[str, Any]:
    """Return the fields of a record. Raises ``BadUsage`` for an object of another type."""
    if _is_row(item):
        item = item._asdict() if hasattr(item, "_asdict") else item.to_dict()
    elif isinstance(item, tuple | list) and len(item) == 2:
        names = (key or side for side, key in zip(SIDE_KEYS, keys, strict=True))
        item = dict(zip(names, item, strict=True))
    if not isinstance(item, Mapping):
        raise BadUsage(f"{where} is of type {type(item).__name__}, expected {EXPECTED_PAIRS}")
    return {key: _plain(value) for key, value in item.items()}


def _plain(value: Any) -> Any:
    """Return a value with lists in place of arrays. Tables from Parquet files have arrays."""
    if hasattr(value, "tolist"):
        value = value.tolist()
        if isinstance(value, list):
            # Arrays of arrays: sentences of tokens.
            return [_plain(part) for part in value]
    return value
