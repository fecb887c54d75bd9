"""Reads pairs of a document and its abstract from files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import chain
from os import PathLike
from pathlib import PurePath

from corpus_tools.errors import BadData, BadUsage, MissingText, number_of
from corpus_tools.pairs.formats import iterate_records
from corpus_tools.pairs.pair import ExtractChoice, Pair, Source
from corpus_tools.pairs.pairs_in_processes import pairs_of
from corpus_tools.pairs.records import Record, record_id, side_of, warns_of_unspaced_text
from corpus_tools.progress import showing_bars
from corpus_tools.storage.file_formats import is_json
from corpus_tools.storage.files import STANDARD_STREAM, StrPath, in_line, open_text, shown_name
from corpus_tools.texts.tokenizers import require_tokenizer

NO_PAIRS = (".", "_")
"""What the names of files begin with that are passed over in a directory.

Programs that write many files mark the end of their work with such ones, as ``_SUCCESS``.
"""


def pair_files(paths: StrPath | Sequence[StrPath]) -> list[str]:
    """Return the files that are named, in this order, and for a directory the files in it.

    Files of a directory are sorted by name, character by character: ``10`` stands before ``9``.
    Hidden files are passed over, and those whose names begin with ``_``. A name that is no
    directory is returned as it is, ``-`` for standard input included.

    Raises ``BadData`` for a directory without files, with a directory inside, or that cannot be
    read; ``BadUsage`` for a file that is named twice.
    """
    named = [paths] if isinstance(paths, str | PathLike) else paths
    files: list[str] = []
    for path in (os.fspath(one) for one in named):
        is_directory = path != STANDARD_STREAM and os.path.isdir(path)
        files += _files_in(path) if is_directory else [path]
    first: dict[str, str] = {}
    for file in files:
        real = file if file == STANDARD_STREAM else os.path.realpath(file)
        other = first.setdefault(real, file)
        if other is not file:
            same = "" if other == file else f", which is the file {other} too"
            raise BadUsage(f"the pairs of {file}{same} are named twice")
    return files


def _files_in(directory: str) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(directory) if not name.startswith(NO_PAIRS))
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", directory) from error
    if not names:
        raise BadData("the directory has no files of pairs", directory)
    files = [os.path.join(directory, name) for name in names]
    inside = next(filter(os.path.isdir, files), None)
    if inside is not None:
        problem = f"holds the directory {os.path.basename(inside)}: expected files of pairs alone"
        raise BadData(problem, directory)
    return files


ALIGNMENT_KEYS = frozenset(("phrases", "document_tokens"))
"""Of the fields that alignments have in JSON lines and as labels, one that no pair needs."""


def read_pairs(
    path: StrPath | Sequence[StrPath],
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: StrPath | None = None,
    *,
    verbose: bool = False,
) -> list[Pair]:
    """Read all pairs of a file, or of several. Arguments and errors are those of ``iterate_pairs``.

    ``verbose``  whether a bar on stderr shows how much of the file is read.
    """
    with showing_bars() if verbose else nullcontext():
        return list(iterate_pairs(path, tokenizer, document_key, abstract_key, abstracts))


def iterate_pairs(
    path: StrPath | Sequence[StrPath],
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: StrPath | None = None,
    one_of_several: bool = False,
    *,
    processes: int = 1,
    extracts: ExtractChoice | None = None,
) -> Iterator[Pair]:
    """Yield the pairs of a file, or of several, one by one.

    ``path``            a file in one of ``corpus_tools.pairs.formats.FORMATS``, a directory of such
                        files, or a list of both (``corpus_tools.pairs.read_pairs``). With
                        ``abstracts``, plain text with one document a line.
    ``tokenizer``       one of ``TOKENIZERS``. ``None`` decides for each text by itself: its tokens
                        do not depend on other texts.
    ``document_key``    the field of the document; ``None`` takes the first of
                        ``corpus_tools.pairs.records.SIDE_KEYS``.
    ``abstract_key``    the same for the abstract.
    ``abstracts``       plain text with one abstract a line.
    ``one_of_several``  whether the pairs are called as if there were other files.
    ``processes``       how many tokenize and choose extracts, after the first million words. The
                        pairs are the same for any number. A script that asks for several needs
                        ``if __name__ == "__main__":``.
    ``extracts``        those that the caller is going to choose, if any: the processes choose them.

    A side is a raw string, a list of sentence strings, or a list of lists of tokens, which
    are taken as they are. Where there are several files, a pair without an id is called by the file
    too, as in ``pairs-1.jsonl:line-3``.

    Raises ``BadData`` with file and line for what is wrong in a file, two pairs of one id included,
    ``BadUsage`` for an unknown tokenizer. Warns once with ``UnspacedText`` of texts whose scripts
    write no spaces under a tokenizer that cuts at spaces.
    """
    require_tokenizer(tokenizer)
    files = pair_files(path)
    records: Iterator[Record]
    if abstracts is None:
        several = one_of_several or len(files) > 1
        given = (_file_records(file, document_key, abstract_key, several) for file in files)
        records = chain.from_iterable(given)
    elif len(files) == 1:
        records = _parallel_records(files[0], abstracts)
    else:
        raise BadUsage("abstracts in a file of their own belong to one file of documents")
    records = _without_duplicates(records)
    if tokenizer != "unicode":
        records = _warning_of_unspaced_text(records)
    yield from pairs_of(records, tokenizer, extracts, processes)


def _warning_of_unspaced_text(records: Iterable[Record]) -> Iterator[Record]:
    warned = False
    for record in records:
        warned = warned or warns_of_unspaced_text(record)
        yield record


def _file_records(
    path: StrPath, document_key: str | None, abstract_key: str | None, several: bool
) -> Iterator[Record]:
    """Yield the records of a file. ``several`` says whether there are others."""
    for source, place, fields in iterate_records(path):
        default = f"{PurePath(path).name}:{place}" if several else place
        with in_line(source.line, source.file):
            identity = record_id(fields, default)
        try:
            document = side_of(fields, "document", document_key, source)
            abstract = side_of(fields, "abstract", abstract_key, source)
        except MissingText:
            if not ALIGNMENT_KEYS.isdisjoint(fields):
                problem = "this is an alignment: expected the pairs that it belongs to"
                raise BadData(problem, source.file, source.line) from None
            raise
        yield Record(source, identity, document, abstract, fields)


def _parallel_records(path: StrPath, abstracts: StrPath) -> Iterator[Record]:
    """Yield the records of two files of plain text."""
    documents = _lines(path)
    abstract_lines = _lines(abstracts)
    file = shown_name(path)
    if len(documents) != len(abstract_lines):
        problem = (
            f"{number_of(len(documents), 'line')}, "
            f"but {shown_name(abstracts)} has {len(abstract_lines)}: "
            "parallel files must agree line by line"
        )
        raise BadData(problem, file)
    both = zip(documents, abstract_lines, strict=True)
    for line, (document, abstract) in enumerate(both, start=1):
        yield Record(Source(file, line, file), f"line-{line}", document, abstract, {})


def _lines(path: StrPath) -> list[str]:
    with open_text(path) as stream:
        lines = [line.rstrip("\r\n") for line in stream]
    if not lines:
        raise BadData("the file is empty, expected one text a line", shown_name(path))
    if lines[0].startswith("{") and is_json(lines[0]):
        problem = "the file looks like JSON lines, which hold both sides; expected one text a line"
        raise BadData(problem, shown_name(path), 1)
    return lines


def _without_duplicates(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records. Raises ``BadData`` for an id that is there twice."""
    first: dict[str, Source] = {}
    for record in records:
        source = record.source
        assert source is not None  # records of files have one
        other = first.setdefault(record.id, source)
        if other is not source:
            shown = str(other)
            if other.path == source.path:
                shown = shown.removeprefix(f"{other.path}, ")
            raise BadData(f"the id {record.id!r} is that of {shown} too", source.file, source.line)
        yield record
