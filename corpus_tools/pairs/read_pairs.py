"""Reads pairs of a document and its abstract from files, in several processes if there are many.

This process reads the records of the files. The others make pairs of them, with tokens, sentences
and extracts: they get some hundred thousand characters at a time, and the pairs come out
in the order of the records. So neither pairs nor errors depend on the number of processes.

``ReadingStats`` counts pairs, words, languages and tokenizers while pairs are read.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from os import PathLike

from corpus_tools.base.errors import BadData, BadPair, BadUsage
from corpus_tools.base.files import STANDARD_STREAM, StrPath
from corpus_tools.base.parallel import in_processes
from corpus_tools.base.progress import showing_bars
from corpus_tools.base.reading import LineSpan, name_in_utf8
from corpus_tools.pairs.extract_methods import choose_extracts
from corpus_tools.pairs.formats import (
    iterate_records,
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
from corpus_tools.pairs.text_checks import Checks

SKIPPED_NAME_STARTS = (".", "_")
"""What the names of files begin with that are passed over in a directory.

Programs that write many files mark the end of their work with such ones, as ``_SUCCESS``.
"""


def pair_files(paths: StrPath | Sequence[StrPath]) -> list[str]:
    """Return the files that are named, in this order, and for a directory the files in it.

    Files of a directory are sorted by name, character by character: ``10`` stands before ``9``.
    Hidden files are passed over, and those whose names begin with ``_``. A name that is no
    directory is returned as it is, ``-`` for standard input included.

    Raises ``BadData`` for a directory without files or that cannot be read; ``BadUsage`` for a file
    that is named twice.
    """
    # By their real names: a link and its target would give the same pairs twice.
    files: dict[str, str] = {}
    for given in [paths] if isinstance(paths, str | PathLike) else paths:
        path = os.fspath(given)
        is_directory = path != STANDARD_STREAM and os.path.isdir(path)
        for file in _files_in(path) if is_directory else [path]:
            real = os.path.realpath(file)
            if real in files:
                raise BadUsage(f"the file {file} is named twice")
            files[real] = file
    return list(files.values())


def _files_in(directory: str) -> list[str]:
    try:
        names = sorted(
            name for name in os.listdir(directory) if not name.startswith(SKIPPED_NAME_STARTS)
        )
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", directory) from error
    if not names:
        raise BadData("the directory has no files", directory)
    files = [os.path.join(directory, name) for name in names]
    for file in files:
        # Nobody named it: a pipe would wait for ever, a device never end.
        if not os.path.isfile(file):
            raise BadData("not a file, in a directory whose files are read", file)
    return files


def read_pairs(
    path: StrPath | Sequence[StrPath],
    tokenizer: str | None = None,
    document_key: str | None = None,
    abstract_key: str | None = None,
    abstracts: StrPath | None = None,
    *,
    language: str | None = None,
    strip_markup: bool = False,
    verbose: bool = False,
) -> list[Pair]:
    """Read all pairs of a file, or of several. Arguments and errors are those of ``iterate_pairs``.

    ``verbose``  whether a bar on stderr shows how much of the file is read.
    """
    with showing_bars() if verbose else nullcontext():
        keys = document_key, abstract_key
        how = partial(iterate_pairs, language=language, strip_markup=strip_markup)
        return list(how(path, tokenizer, *keys, abstracts))


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
    processes: int = 1,
    extracts: ExtractChoice | None = None,
    by: str | None = None,
    span: LineSpan | None = None,
) -> Iterator[Pair]:
    """Yield the pairs of a file, or of several, one by one.

    ``path``            a file in one of ``corpus_tools.pairs.formats.RECORD_FORMATS``, a directory
                        of such files, or a list of both (``corpus_tools.pairs.read_pairs``). With
                        ``abstracts``, plain text: one document a line, or one a file.
    ``tokenizer``       one of ``TOKENIZERS``. ``None`` decides for each pair by itself: its tokens
                        do not depend on other pairs.
    ``document_key``    the field of the document; ``None`` takes the first of
                        ``corpus_tools.pairs.records.SIDE_KEYS``.
    ``abstract_key``    the same for the abstract.
    ``abstracts``       plain text with one abstract a line; or a directory with one abstract a
                        file, which has the name of its document but for the ending.
    ``one_of_several``  whether the pairs are called as if there were other files.
    ``language``        its code (``corpus_tools.languages``). ``None`` and ``auto`` look at each
                        pair.
    ``strip_markup``    whether tags and entities of HTML and the marks of summarizers are taken out
                        (``corpus_tools.texts.marks``), but for texts that come with links.
    ``processes``       how many tokenize and choose extracts, after the first million words. The
                        pairs are the same for any number. A script that asks for several needs
                        ``if __name__ == "__main__":``.
    ``extracts``        those that the caller is going to choose, if any: the processes choose them.
    ``by``              the field of records that has the pair's ``system``: pairs of different
                        systems may have the same id. All must have it, if it is not ``SYSTEM``.

    ``span``            the part of a single file that is read, one of
                        ``corpus_tools.pairs.formats.spans_of_file``; ``None``: the whole file.

    A side is a raw string, a list of sentence strings, or a list of lists of tokens, which
    are taken as they are. Where there are several files, a pair without an id is called by the file
    too, as in ``pairs-1.jsonl:line-3``.

    Raises ``BadData`` with file and line for what is wrong in a file, two pairs of one id included,
    ``BadUsage`` for an unknown tokenizer or language. Warns if processes are lost, and once each of
    texts whose scripts write no spaces under a tokenizer that cuts at spaces (``UnspacedText``), of
    texts with tags or entities of HTML (``MarkupText``), and of fields that could be the texts as
    well as those that are read.
    """
    # Plain texts have one side each, whatever the fields of other files are called.
    how = RecordReading(
        (document_key, abstract_key) if abstracts is None else (None, None),
        tokenizer,
        language,
        strip_markup,
        by,
    )
    files = pair_files(path)
    records: Iterator[RawRecord]
    if abstracts is None:
        several = one_of_several or len(files) > 1
        records = chain.from_iterable(_named_records(file, several, span) for file in files)
    elif os.path.isdir(abstracts):
        records = parallel_files(files, pair_files(abstracts))
    elif len(files) == 1:
        records = parallel_lines(files[0], abstracts)
    else:
        raise BadUsage("a separate file of abstracts needs a single file of documents")
    first: dict[tuple[str, str], Source | None] = {}
    checks = Checks(how)
    for pair in _pairs_of(map(checks.of_fields, records), how, extracts, processes):
        # This pair's own source, unless an earlier pair had the id.
        other = first.setdefault((pair.system, pair.id), pair.source)
        if other is not pair.source:
            raise BadData(f"the id {pair.id!r} is that of {other} too", *place_of(pair.source))
        yield checks.of_texts(pair)


def _named_records(path: str, several: bool, span: LineSpan | None) -> Iterator[RawRecord]:
    """Yield the records of a file. ``several`` says whether there are others."""
    for record in iterate_records(path, span):
        name = f"{name_in_utf8(path)}:{record.name}" if several else record.name
        yield record._replace(name=name)


# In several processes

START_CHARACTERS = 8_000_000
"""Processes are started after so many characters: 1.3 million words, or three seconds of work.

To start a process takes half a second of a processor.
"""

BLOCK_RECORDS = 64
"""Records that a process gets at a time: a tenth of a second of work, if they are of news."""


def _pairs_of(
    records: Iterator[RawRecord], how: RecordReading, choice: ExtractChoice | None, processes: int
) -> Iterator[Pair]:
    """Yield the pairs of records, which processes make once there are many.

    ``choice``  the extracts that will be asked for: pairs that a process makes have them.
    """
    characters = 0
    for record in records:
        yield pair_of(record, how)
        characters += sum(len(str(value)) for value in record.fields.values())
        if processes > 1 and characters > START_CHARACTERS:
            work = partial(_pairs_of_block, how, choice)
            for pairs in in_processes(work, _blocks(records), processes, "reads pairs"):
                for pair in pairs:
                    if isinstance(pair, BadData):
                        raise pair
                    yield pair


def _blocks(records: Iterator[RawRecord]) -> Iterator[list[RawRecord | BadData]]:
    """Yield the records in blocks. An error stands in the place of the record that is wrong."""
    block: list[RawRecord | BadData] = []
    try:
        for record in records:
            block.append(record)
            if len(block) == BLOCK_RECORDS:
                yield block
                block = []
    except BadData as error:
        block.append(error)
    if block:
        yield block


def _pairs_of_block(
    how: RecordReading, choice: ExtractChoice | None, block: list[RawRecord | BadData]
) -> list[Pair | BadData]:
    """Make the pairs of a block, in a process, up to an error, which is the last one."""
    made: list[Pair | BadData] = []
    try:
        for record in block:
            if isinstance(record, BadData):
                raise record
            pair = pair_of(record, how)
            if choice is not None and choice.sentences and can_be_aligned(pair):
                # Whoever asks for the extracts of a pair that is too large gets the error.
                with suppress(BadPair):
                    chosen = ChosenExtracts(choice, choose_extracts(pair, *choice))
                    pair = replace(pair, extracts=chosen)
            made.append(pair)
    except BadData as error:
        made.append(error)
    return made


# What is seen of pairs in files, which any process can read by itself

SPAN_BYTES = 8 << 20
"""A file of JSON lines is read by several workers in spans of so many bytes.

These are some 1,500 pairs of news: some seconds of work.
"""

Reading = partial[Iterator[Pair]]
"""How files are read: ``iterate_pairs`` with the arguments that are the same for all files."""


@dataclass
class ReadingStats:
    """What is seen of pairs on their way.

    ``hashes``      of their ids, in order, of 64 bits.
    ``tokenizers``  the names of their tokenizers.
    ``languages``   how many are in each language, by code.
    ``words``       how many words the abstracts have.
    ``empty``       ids of those without words on one side.
    """

    hashes: list[int] = field(default_factory=list)
    tokenizers: list[str] = field(default_factory=list)
    languages: dict[str, int] = field(default_factory=dict)
    words: int = 0
    empty: list[str] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Note a pair."""
        # JSON can hold halves of characters, which are no UTF-8.
        name = pair.id.encode("utf-8", "surrogatepass")
        # Eight bytes a pair, however long its id: clusters send these, not the ids.
        self.hashes.append(int.from_bytes(hashlib.blake2b(name, digest_size=8).digest()))
        if pair.tokenizer not in self.tokenizers:
            self.tokenizers.append(pair.tokenizer)
        self.languages[pair.language] = self.languages.get(pair.language, 0) + 1
        self.words += len(pair.abstract)
        if not can_be_aligned(pair):
            self.empty.append(pair.id)

    def count(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Note the pairs while they pass."""
        for pair in pairs:
            self.add(pair)
            yield pair

    @property
    def pairs(self) -> int:
        """Return how many pairs there were."""
        return len(self.hashes)

    @classmethod
    def of_parts(cls, parts: Sequence[ReadingStats]) -> ReadingStats:
        """Return what was seen of the pairs of several parts, in their order."""
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
    """The files of a corpus and how they are read: pairs that a cluster reads file by file.

    ``report``  is told what was seen of each file, once a cluster has read them.

    Without a cluster it is an iterable of the pairs.
    """

    files: tuple[str, ...]
    reading: Reading = field(default_factory=lambda: partial(iterate_pairs))
    report: Callable[[Sequence[ReadingStats]], None] | None = None

    def __iter__(self) -> Iterator[Pair]:
        """Yield all pairs, file after file."""
        return self.reading(self.files)

    def spans(self) -> Iterator[tuple[str, LineSpan | None]]:
        """Yield the files with their spans, which can be read apart; ``None``: the whole file.

        The names are whole: another process may have another working directory.
        """
        for file in map(os.path.abspath, self.files):
            spans = spans_of_file(file, SPAN_BYTES)
            yield from ((file, span) for span in spans)
            if not spans:
                yield file, None


def require_unique_ids(
    seen: Sequence[ReadingStats], files: Sequence[str], reading: Reading
) -> None:
    """Raise ``BadData`` for the first id that an earlier file, or part of one, has too.

    ``seen``   of the pairs of each file, or of each part of one.
    ``files``  the file of each.

    Where hashes are the same, the two files are read again: ids may differ, and the error names
    the lines.
    """
    first: dict[int, int] = {}
    for index, of_part in enumerate(seen):
        for number in of_part.hashes:
            if (other := first.setdefault(number, index)) != index:
                # Reading both raises the error if the ids are equal, and not only their hashes.
                for _ in reading([*dict.fromkeys((files[other], files[index]))]):
                    pass
