"""Reads pairs of a document and its abstract, from files or from records of Python.

Reading has three layers. Each record has its place (``formats``, ``text_files``, ``given_pairs``).
The names of its fields tell which hold its id and its sides (``fields``). The fields become a pair
(``records``).

If there are many records, other processes make the pairs, with tokens, sentences and extracts. They
get some dozens of records at a time, and return the pairs in the order of the records. So neither
pairs nor errors depend on the number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import chain, islice

from corpus_tools.base.errors import BadData, SemiHmmWarning, first_of, number_of, warn_caller
from corpus_tools.base.files import STANDARD_STREAM, StrPath
from corpus_tools.base.parallel import in_processes
from corpus_tools.base.progress import showing_bars
from corpus_tools.base.reading import LineSpan, name_in_utf8
from corpus_tools.pairs.extract_methods import with_extracts
from corpus_tools.pairs.fields import Keys, side_key, side_keys
from corpus_tools.pairs.formats import iterate_records
from corpus_tools.pairs.pair import ExtractChoice, Pair, RawRecord, Source, place_of
from corpus_tools.pairs.records import RecordReading, pair_of
from corpus_tools.pairs.text_checks import Checks, RecordsAgain
from corpus_tools.pairs.text_files import pair_files, records_of_sides

SHOWN_EMPTY = 5
"""The number of empty records that a warning names."""


def read_pairs(
    path: StrPath | Sequence[StrPath],
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: StrPath | None = None,
    *,
    language: str | None = None,
    strip_markup: bool = False,
    skip_empty: bool = False,
    verbose: bool = False,
) -> list[Pair]:
    """Read all pairs of a file, or of several. Arguments and errors are those of ``iterate_pairs``.

    ``verbose``  whether a bar on stderr shows how much of the file is read.
    """
    with showing_bars() if verbose else nullcontext():
        keys = document_key, abstract_key
        how = partial(iterate_pairs, language=language, strip_markup=strip_markup)
        return list(how(path, tokenizer, *keys, abstracts, skip_empty=skip_empty))


def iterate_pairs(
    path: StrPath | Sequence[StrPath],
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: StrPath | None = None,
    one_of_several: bool = False,
    *,
    language: str | None = None,
    strip_markup: bool = False,
    skip_empty: bool = False,
    processes: int = 1,
    extracts: ExtractChoice | None = None,
    by: str | None = None,
    span: LineSpan | None = None,
    lone_documents: bool = False,
) -> Iterator[Pair]:
    """Yield the pairs of a file, or of several, one by one.

    ``path``            a file in one of ``corpus_tools.pairs.formats.RECORD_FORMATS``, a directory
                        of such files, or a list of both. With ``abstracts``, plain text: a document
                        on each line, or in each file of a directory.
    ``tokenizer``       one of ``TOKENIZERS``; ``None``: detected for each pair.
    ``document_key``    the field of the document; ``None``: the first one in
                        ``corpus_tools.pairs.fields.SIDE_KEYS``.
    ``abstract_key``    the same for the abstract.
    ``abstracts``       plain text with an abstract on each line; or a directory with an abstract in
                        each file, which has the name of its document apart from the ending.
    ``one_of_several``  whether pairs without an id are named as if there were other files.
    ``language``        the code of the language (``corpus_tools.languages``); ``None`` and
                        ``auto``: detected for each pair.
    ``strip_markup``    whether tags and entities of HTML and marks of summarizers, such as
                        ``<q>``, are removed (``corpus_tools.texts.marks``). Texts with links are
                        never changed.
    ``skip_empty``      whether records are left out whose document or abstract is null or has no
                        characters. A warning counts them.
    ``processes``       the number of processes that tokenize and choose extracts, after the first
                        million words. The pairs are the same for any number. A script that uses
                        several needs ``if __name__ == "__main__":``.
    ``extracts``        the extracts that the caller will need, if any: the processes choose them.
    ``by``              the field of a record with the pair's ``system``. Pairs of different systems
                        may have the same id. All records must have the field, unless it is
                        ``corpus_tools.pairs.fields.SYSTEM``.
    ``span``            the part of a single file that is read, one of
                        ``corpus_tools.pairs.formats.spans_of_file``; ``None``: the whole file.
    ``lone_documents``  whether a record without an abstract is a pair with an empty one.

    A side is a raw string, a list of sentence strings, or a list of lists of tokens, which are not
    changed. If there are several files, the name of a pair without an id contains the file, as in
    ``pairs-1.jsonl:line-3``.

    Raises ``BadData`` with file and line for a malformed file and for two pairs of one id,
    ``BadUsage`` for an unknown tokenizer or language. Warns once for each of these: texts of a
    script without spaces with a tokenizer that splits at spaces (``UnspacedText``), texts with tags
    or entities of HTML (``MarkupText``), and other fields that could be the texts.
    """
    # Files of plain text have no fields: keys mean nothing for them.
    keys = (document_key, abstract_key) if abstracts is None else (None, None)
    how = RecordReading(keys, tokenizer, language, strip_markup, by)
    again: RecordsAgain | None = None
    if abstracts is None:
        files = pair_files(path)
        records = _records_of(files, one_of_several or len(files) > 1, span)
        # Streams and pipes cannot be read several times.
        if all(file != STANDARD_STREAM and os.path.isfile(file) for file in files):
            again = partial(_records_of, files)
    else:
        records = records_of_sides(path, abstracts)
    if skip_empty:
        records = _filled(records, keys)
    if lone_documents:
        records = _with_abstracts(records, abstract_key)
    first: dict[tuple[str, str], Source | None] = {}
    for pair in checked_pairs(records, how, again, processes, extracts):
        # ``setdefault`` returns this very source, unless an earlier pair has the id.
        earlier = first.setdefault((pair.system, pair.id), pair.source)
        if earlier is not pair.source:
            raise BadData(f"the id {pair.id!r} is that of {earlier} too", *place_of(pair.source))
        yield pair


def _records_of(
    files: Sequence[str], are_several: bool = False, span: LineSpan | None = None
) -> Iterator[RawRecord]:
    """Yield the records of files. If they are several, the names of records contain the file."""
    for file in files:
        yield from iterate_records(file, span, f"{name_in_utf8(file)}:" if are_several else "")


def _filled(records: Iterable[RawRecord], keys: Keys) -> Iterator[RawRecord]:
    """Yield the records with both sides; warn of the number of the others."""
    names = []
    for record in records:
        sides = (record.fields[key] for key in side_keys(record.fields, keys) if key is not None)
        if any(map(_is_empty, sides)):
            names.append(str(record.source))
        else:
            yield record
    if names:
        problem = f"{number_of(len(names), 'pair')} with an empty document or abstract"
        warn_caller(SemiHmmWarning(f"left out: {problem} ({first_of(names, SHOWN_EMPTY)})"))


def _with_abstracts(records: Iterable[RawRecord], name: str | None) -> Iterator[RawRecord]:
    """Yield the records, with an empty abstract in place of none and of null."""
    for record in records:
        key = side_key(record.fields, "abstract", name) or name or "abstract"
        fields = {**record.fields, key: record.fields.get(key) or ""}
        yield record._replace(fields=fields)


def _is_empty(value: object) -> bool:
    """Tell whether a value is null, a missing number of a table, or a text without characters."""
    if isinstance(value, list):
        return all(map(_is_empty, value))
    return value is None or value != value or (isinstance(value, str) and not value.strip())


# From records to pairs, in several processes if there are many

START_WORDS = 1_300_000
"""The number of words after which processes start: three seconds of work.

A process takes half a second of a processor to start.
"""

BLOCK_RECORDS = 64
"""The number of records that a process gets at a time: a tenth of a second of work for news."""


def checked_pairs(
    records: Iterable[RawRecord | Pair],
    how: RecordReading,
    again: RecordsAgain | None = None,
    processes: int = 1,
    extracts: ExtractChoice | None = None,
) -> Iterator[Pair]:
    """Yield the pairs of records, which are checked (``Checks``), one by one.

    ``records``    the records; a ``Pair`` among them is yielded as it is.
    ``again``      as in ``Checks``.
    ``processes``, ``extracts``  as in ``iterate_pairs``.
    """
    checks = Checks(how, again)
    remaining = iter(records)
    words = 0
    for record in remaining:
        if isinstance(record, Pair):
            yield record
            continue
        first = checks.check_texts(pair_of(checks.check_fields(record), how))
        yield first
        words += len(first.document) + len(first.abstract)
        if processes > 1 and words > START_WORDS:
            # The blocks take all records that are left, which also ends the loop.
            work = partial(_pairs_of_block, how, extracts)
            rest = (checks.check_fields(raw) for raw in remaining if isinstance(raw, RawRecord))
            blocks = in_processes(work, _blocks(rest), processes, "reads pairs")
            for pair in chain.from_iterable(blocks):
                if isinstance(pair, BadData):
                    raise pair
                yield checks.check_texts(pair)
    checks.check_all()


def _blocks(records: Iterator[RawRecord]) -> Iterator[list[RawRecord | BadData]]:
    remaining = _with_error(records)
    while block := [*islice(remaining, BLOCK_RECORDS)]:
        yield block


def _with_error(records: Iterator[RawRecord]) -> Iterator[RawRecord | BadData]:
    """Yield the records and, in place of a wrong one, its error as the last item."""
    try:
        yield from records
    except BadData as error:
        yield error


def _pairs_of_block(
    how: RecordReading, choice: ExtractChoice | None, block: list[RawRecord | BadData]
) -> list[Pair | BadData]:
    """Return the pairs of a block, up to the first error, which is the last element."""
    pairs: list[Pair | BadData] = []
    try:
        for record in block:
            if isinstance(record, BadData):
                raise record
            pairs.append(with_extracts(pair_of(record, how), choice))
    except BadData as error:
        pairs.append(error)
    return pairs
