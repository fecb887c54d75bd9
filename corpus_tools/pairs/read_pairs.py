"""Reads pairs of a document and its abstract from files, in several processes if there are many.

This process reads the records of the files. The other processes make pairs of them, with tokens,
sentences and extracts. They get some dozens of records at a time, and return the pairs in
the order of the records. So neither pairs nor errors depend on the number of processes.

``ReadingStats`` counts pairs, words, languages and tokenizers while pairs are read.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from os import PathLike
from typing import Any

from corpus_tools.base.errors import (
    BadData,
    BadPair,
    BadUsage,
    SemiHmmWarning,
    first_of,
    number_of,
    warn_caller,
)
from corpus_tools.base.files import STANDARD_STREAM, StrPath
from corpus_tools.base.parallel import in_processes
from corpus_tools.base.progress import showing_bars
from corpus_tools.base.reading import LineSpan, name_in_utf8
from corpus_tools.pairs.extract_methods import choose_extracts
from corpus_tools.pairs.fields import Keys, has_empty_side
from corpus_tools.pairs.formats import (
    iterate_records,
    names_below,
    parallel_files,
    parallel_lines,
    spans_of_file,
)
from corpus_tools.pairs.pair import (
    ChosenExtracts,
    ExtractChoice,
    Pair,
    RawRecord,
    Source,
    can_be_aligned,
    place_of,
)
from corpus_tools.pairs.records import RecordReading, pair_of
from corpus_tools.pairs.text_checks import Checks, FieldsOfCorpus

SHOWN_EMPTY = 5
"""The number of empty records that a warning names."""

SKIPPED_NAME_STARTS = (".", "_")
"""The first characters of the names of files that are skipped in a directory.

Programs that write many files mark the end of their work with a file such as ``_SUCCESS``.
"""


def pair_files(paths: StrPath | Sequence[StrPath], *, deep: bool = False) -> list[str]:
    """Return the named files in their order; a directory stands for the files in it.

    Files of a directory are sorted by name, character by character: ``10`` comes before ``9``.
    Hidden files and files whose names begin with ``_`` are skipped. ``-`` is standard input.

    ``deep``  whether the folders of a directory are read, too; links to folders are not.

    Raises ``BadData`` for a directory that has no files or cannot be read; ``BadUsage`` for a file
    that is named twice.
    """
    # Real names are compared, since a link and its target would give the same pairs twice.
    files: dict[str, str] = {}
    for given in [paths] if isinstance(paths, str | PathLike) else paths:
        path = os.fspath(given)
        is_directory = path != STANDARD_STREAM and os.path.isdir(path)
        for file in _files_in(path, deep) if is_directory else [path]:
            real = os.path.realpath(file)
            if real in files:
                raise BadUsage(f"the file {file} is named twice")
            files[real] = file
    return list(files.values())


def _files_in(directory: str, deep: bool) -> list[str]:
    files = [*_entries(directory, deep)]
    if not files:
        raise BadData("the directory has no files", directory)
    for file in files:
        # The user has not named it, and a pipe or a device would never end.
        if not os.path.isfile(file):
            raise BadData("not a file, in a directory whose files are read", file)
    return files


def _entries(directory: str, deep: bool) -> Iterator[str]:
    try:
        names = sorted(
            name for name in os.listdir(directory) if not name.startswith(SKIPPED_NAME_STARTS)
        )
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", directory) from error
    for name in names:
        entry = os.path.join(directory, name)
        if deep and os.path.isdir(entry) and not os.path.islink(entry):
            yield from _entries(entry, deep)
        else:
            yield entry


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

    A side is a raw string, a list of sentence strings, or a list of lists of tokens, which are not
    changed. If there are several files, the name of a pair without an id contains the file, as in
    ``pairs-1.jsonl:line-3``.

    Raises ``BadData`` with file and line for a malformed file and for two pairs of one id,
    ``BadUsage`` for an unknown tokenizer or language. Warns once for each of these: texts of a
    script without spaces with a tokenizer that splits at spaces (``UnspacedText``), texts with tags
    or entities of HTML (``MarkupText``), and other fields that could be the texts.
    """
    # Files of plain text have no fields: keys mean nothing for them.
    how = RecordReading(
        (document_key, abstract_key) if abstracts is None else (None, None),
        tokenizer,
        language,
        strip_markup,
        by,
    )
    files = pair_files(path, deep=abstracts is not None)
    records: Iterator[RawRecord]
    corpus: FieldsOfCorpus | None = None
    if abstracts is None:
        several = one_of_several or len(files) > 1
        records = chain.from_iterable(
            iterate_records(file, span, f"{name_in_utf8(file)}:" if several else "")
            for file in files
        )
        corpus = partial(_all_fields, files) if all(map(_is_on_disk, files)) else None
    elif os.path.isdir(abstracts):
        folder = path if isinstance(path, str | PathLike) else os.path.dirname(files[0])
        others = names_below(abstracts, pair_files(abstracts, deep=True))
        records = parallel_files(names_below(folder, files), others)
    elif len(files) == 1:
        records = parallel_lines(files[0], abstracts)
    else:
        raise BadUsage("a separate file of abstracts needs a single file of documents")
    first: dict[tuple[str, str], Source | None] = {}
    if skip_empty:
        records = _filled(records, how.keys)
    checks = Checks(how, corpus)
    for pair in _pairs_of(map(checks.check_fields, records), how, extracts, processes):
        # ``setdefault`` returns this very source, unless an earlier pair has the id.
        other = first.setdefault((pair.system, pair.id), pair.source)
        if other is not pair.source:
            raise BadData(f"the id {pair.id!r} is that of {other} too", *place_of(pair.source))
        yield checks.check_texts(pair)
    checks.check_all()


def _filled(records: Iterable[RawRecord], keys: Keys) -> Iterator[RawRecord]:
    """Yield the records with both sides; warn of the number of the others."""
    names = []
    for record in records:
        if has_empty_side(record.fields, keys):
            names.append(str(record.source))
        else:
            yield record
    if names:
        left_out = number_of(len(names), "pair")
        shown = first_of(names, SHOWN_EMPTY)
        warn_caller(
            SemiHmmWarning(f"left out: {left_out} with an empty document or abstract ({shown})")
        )


def _is_on_disk(file: str) -> bool:
    """Tell whether a file can be read several times, which streams and pipes cannot."""
    return file != STANDARD_STREAM and os.path.isfile(file)


def _all_fields(files: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    return (record.fields for file in files for record in iterate_records(file))


# In several processes

START_WORDS = 1_300_000
"""The number of words after which processes start: three seconds of work.

A process takes half a second of a processor to start.
"""

BLOCK_RECORDS = 64
"""The number of records that a process gets at a time: a tenth of a second of work for news."""


def _pairs_of(
    records: Iterator[RawRecord], how: RecordReading, choice: ExtractChoice | None, processes: int
) -> Iterator[Pair]:
    """Yield the pairs of records; several processes make them if there are many.

    ``choice``  the extracts that the caller will need: the other processes choose them.
    """
    words = 0
    for record in records:
        first = pair_of(record, how)
        yield first
        words += len(first.document) + len(first.abstract)
        if processes > 1 and words > START_WORDS:
            # The blocks take all records that are left, which also ends the outer loop.
            work = partial(_pairs_of_block, how, choice)
            for pairs in in_processes(work, _blocks(records), processes, "reads pairs"):
                for pair in pairs:
                    if isinstance(pair, BadData):
                        raise pair
                    yield pair


def _blocks(records: Iterator[RawRecord]) -> Iterator[list[RawRecord | BadData]]:
    left = _with_error(records)
    while block := [*islice(left, BLOCK_RECORDS)]:
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
    made: list[Pair | BadData] = []
    for record in block:
        try:
            if isinstance(record, BadData):
                raise record
            pair = pair_of(record, how)
        except BadData as error:
            return [*made, error]
        if choice is not None and choice.sentences and can_be_aligned(pair):
            # If the pair is too large, the error is raised when the caller needs the extracts.
            with suppress(BadPair):
                chosen = ChosenExtracts(choice, choose_extracts(pair, *choice))
                pair = replace(pair, extracts=chosen)
        made.append(pair)
    return made


# Statistics of pairs, and files that any process can read

SPAN_BYTES = 8 << 20
"""The number of bytes of a span, if several workers read a file of JSON lines.

They are some 1,500 pairs of news: some seconds of work.
"""

Reading = partial[Iterator[Pair]]
"""A function that reads files: ``iterate_pairs`` with the arguments that all files share."""


@dataclass
class ReadingStats:
    """Statistics of pairs, which are collected while they are read.

    ``hashes``      the hashes of the ids, of 64 bits, in order.
    ``tokenizers``  the names of the tokenizers.
    ``languages``   the number of pairs in each language, by code.
    ``words``       the number of words in all abstracts.
    ``empty``       the ids of pairs without words on one side.
    """

    hashes: list[int] = field(default_factory=list)
    tokenizers: list[str] = field(default_factory=list)
    languages: dict[str, int] = field(default_factory=dict)
    words: int = 0
    empty: list[str] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Add a pair to the statistics."""
        # JSON can hold lone surrogates, which are no UTF-8.
        name = pair.id.encode("utf-8", "surrogatepass")
        # Machines of a cluster send these eight bytes, however long the id is.
        self.hashes.append(int.from_bytes(hashlib.blake2b(name, digest_size=8).digest()))
        if pair.tokenizer not in self.tokenizers:
            self.tokenizers.append(pair.tokenizer)
        self.languages[pair.language] = self.languages.get(pair.language, 0) + 1
        self.words += len(pair.abstract)
        if not can_be_aligned(pair):
            self.empty.append(pair.id)

    def count(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Yield the pairs, and add each to the statistics."""
        for pair in pairs:
            self.add(pair)
            yield pair

    @property
    def pairs(self) -> int:
        """Return the number of pairs."""
        return len(self.hashes)

    @classmethod
    def of_parts(cls, parts: Sequence[ReadingStats]) -> ReadingStats:
        """Return the statistics of several parts together, in their order."""
        languages = sum((Counter(part.languages) for part in parts), Counter[str]())
        return cls(
            [number for part in parts for number in part.hashes],
            [*dict.fromkeys(name for part in parts for name in part.tokenizers)],
            languages,
            sum(part.words for part in parts),
            [identity for part in parts for identity in part.empty],
        )


@dataclass(frozen=True)
class FilesOfPairs:
    """The files of a corpus, which the workers of a cluster can read, each by itself.

    ``reading``  the function that reads a file.
    ``report``   receives the statistics of all files after a cluster has read them.

    Without a cluster it is an iterable of the pairs.
    """

    files: tuple[str, ...]
    reading: Reading = field(default_factory=lambda: partial(iterate_pairs))
    report: Callable[[Sequence[ReadingStats]], None] | None = None

    def __iter__(self) -> Iterator[Pair]:
        """Yield all pairs, file after file."""
        return self.reading(self.files)

    def spans(self) -> Iterator[tuple[str, LineSpan | None]]:
        """Yield each file with each of its spans, or with ``None`` for the whole file.

        Paths are absolute, since another process may have another working directory.
        """
        for file in map(os.path.abspath, self.files):
            spans = spans_of_file(file, SPAN_BYTES)
            yield from ((file, span) for span in spans)
            if not spans:
                yield file, None


def require_unique_ids(
    stats: Sequence[ReadingStats], files: Sequence[str], reading: Reading
) -> None:
    """Raise ``BadData`` for the first id that two files, or two parts of a file, have.

    ``stats``  the statistics of each file or part.
    ``files``  the file of each.
    """
    first: dict[int, int] = {}
    for index, part in enumerate(stats):
        for number in part.hashes:
            if (other := first.setdefault(number, index)) != index:
                # Different ids may have one hash. Reading both files again raises the error, with
                # the lines, if the ids are equal.
                for _ in reading([*dict.fromkeys((files[other], files[index]))]):
                    pass
