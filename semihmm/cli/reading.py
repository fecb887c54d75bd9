"""Reads the pairs, the alignments and the texts that a command line names."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from corpus_tools.alignments import formats
from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.formats import require_same_ids
from corpus_tools.base.errors import BadData, BadUsage, first_of, number_of
from corpus_tools.base.files import STANDARD_STREAM
from corpus_tools.base.reading import shown_name
from corpus_tools.languages.language import language
from corpus_tools.pairs.corpus_files import FilesOfPairs, Reading, ReadingStats
from corpus_tools.pairs.pair import ExtractChoice, Pair, RawRecord, tokenizer_names
from corpus_tools.pairs.read_pairs import iterate_pairs, read_pairs
from corpus_tools.pairs.records import RecordReading, document_as_read, pair_of
from corpus_tools.pairs.text_files import pair_files, plain_text
from corpus_tools.texts.marks import without_markup
from semihmm.cli import arguments
from semihmm.cli.command import Options, refuse_unused
from semihmm.cli.messages import info, warn
from semihmm.registry import application

KEYS = ("document_key", "abstract_key")

TEXT_OPTIONS = ("tokenizer", "language", "strip_markup", *KEYS)
"""The options that say how records become pairs, whichever file they are in."""

PAIR_OPTIONS = (*KEYS, "abstracts", "skip_empty")
"""The options for reading PAIRS."""


def iterate_summaries(options: Options) -> Iterator[Pair]:
    """Yield the summaries of several systems with their documents, and report their number.

    Raises ``BadData`` for a summary without a document or a text.
    """
    summaries_of = application("measure")

    read = reading_of(options)
    documents = {pair.id: pair for pair in read(options.documents, lone_documents=True)}
    summaries = [summary for path in options.pairs for summary in summaries_of.read_summaries(path)]
    summaries_of.require_distinct(summaries)
    how = RecordReading((None, None), options.tokenizer, options.language, options.strip_markup)
    stats = ReadingStats()
    for summary in summaries:
        if summary.given is None:
            raise summary.error("has positions, but no text")
        if summary.id not in documents:
            examples = first_of([*map(repr, documents)])
            raise summary.error(
                f"has no document: the {number_of(len(documents), 'document')} have other ids "
                f"({examples})"
            )
        document = documents[summary.id]
        assert summary.source is not None
        sides = {"document": document_as_read(document), "abstract": summary.given}
        pair = pair_of(RawRecord(sides, summary.source, summary.id), how)
        stats.add(pair)
        yield replace(pair, system=summary.system)
    report_pairs(options, stats)


SHOWN_IDS = 5
"""The largest number of pairs that a warning names: they fit in a line."""


def iterate_command_pairs(
    options: Options,
    tokenizer: str | None = None,
    extracts: ExtractChoice | None = None,
    processes: int = 1,
) -> Iterator[Pair]:
    """Yield the pairs one by one; at the end report their number.

    ``tokenizer``  the tokenizer if the command line names none.
    ``extracts``   the extracts that the command needs, if any.
    ``processes``  the number of processes that tokenize and choose extracts of many pairs.
    """
    if getattr(options, "documents", None) is not None:
        yield from iterate_summaries(options)
        return
    reading = reading_of(options, tokenizer=tokenizer)
    stats = ReadingStats()
    yield from stats.count(reading(options.pairs, extracts=extracts, processes=processes))
    report_pairs(options, stats)


def reading_of(options: Options, several: bool = False, tokenizer: str | None = None) -> Reading:
    """Return the function that reads one of the files that a command line names.

    ``several``    whether there are other files.
    ``tokenizer``  the tokenizer if the command line names none.

    Raises ``BadUsage`` for keys of plain text, and for one key of both sides.
    """
    if options.abstracts is not None:
        refuse_unused(KEYS, "with --abstracts the files are plain text, without fields")
    if options.document_key is not None and options.document_key == options.abstract_key:
        raise BadUsage(f"--document-key and --abstract-key are both {options.document_key!r}")
    values = _given(options, (*TEXT_OPTIONS, *PAIR_OPTIONS), tokenizer)
    return partial(iterate_pairs, one_of_several=several, by=getattr(options, "by", None), **values)


def read_beside(options: Options, path: str, tokenizer: str | None = None) -> list[Pair]:
    """Read pairs of another file, such as judged ones, with the options for the texts of PAIRS.

    ``tokenizer``  the tokenizer if the command line names none.
    """
    return read_pairs(path, **_given(options, TEXT_OPTIONS, tokenizer))


def _given(options: Options, names: Iterable[str], tokenizer: str | None) -> dict[str, Any]:
    """Return the values of options, and the tokenizer if the command line names none."""
    values = {name: getattr(options, name) for name in names}
    return values | {"tokenizer": options.tokenizer or tokenizer}


def files_of_pairs(options: Options, tokenizer: str | None = None) -> FilesOfPairs | None:
    """Return the files of PAIRS if the workers of a cluster can read them, each by itself.

    They cannot read standard input, nor documents and abstracts from two files.

    ``tokenizer``  the tokenizer if the command line names none.
    """
    paths = pair_files(options.pairs)
    if options.abstracts or getattr(options, "documents", None) or STANDARD_STREAM in paths:
        return None
    how = reading_of(options, len(paths) > 1, tokenizer)
    return FilesOfPairs(
        tuple(paths), how, lambda parts: report_pairs(options, ReadingStats.of_parts(parts))
    )


def report_pairs(options: Options, stats: ReadingStats) -> None:
    """Report the number of pairs; warn of empty sides, and if no text used the tokenizer."""
    names = tokenizer_names(stats.tokenizers)
    number = number_of(stats.pairs, "pair")
    codes = [code for code, _ in Counter(stats.languages).most_common()]
    spoken = ", ".join(language(code).name for code in codes) or "no language"
    info(f"{number} read, tokenizer {names}, {spoken}")
    if options.tokenizer is not None and options.tokenizer not in names.split("+"):
        warn(f"nothing uses --tokenizer {options.tokenizer}: all texts are lists of tokens")
    if stats.empty:
        examples = first_of(stats.empty, SHOWN_IDS)
        warn(f"pairs with an empty document or abstract: {len(stats.empty)} ({examples})")


def read_command_pairs(options: Options) -> list[Pair]:
    """Read all pairs."""
    return list(iterate_command_pairs(options))


def read_decided(options: Options) -> tuple[list[Pair], dict[str, Alignment]]:
    """Read the pairs that have hand alignments, and their alignments; warn of other pairs.

    If no pair has one, all are returned, and the caller raises an error that names them.
    """
    pairs = read_command_pairs(options)
    alignments = read_alignments(options, options.alignments, pairs, options.format)
    gold = [pair for pair in pairs if pair.sure is not None] or pairs
    if left := len(pairs) - len(gold):
        examples = first_of([pair.id for pair in pairs if pair.sure is None], SHOWN_IDS)
        warn(f"left out: {number_of(left, 'pair')} without 'sure' links, undecided ({examples})")
    return gold, {pair.id: alignments[pair.id] for pair in gold}


def read_alignments(
    options: Options, path: str, pairs: Sequence[Pair], form: str = "jsonl"
) -> dict[str, Alignment]:
    """Read the alignments of the pairs by id; the file may have alignments of other pairs too.

    Raises ``BadData`` if a pair has no alignment, or one of another text.
    """
    ids = {pair.id for pair in pairs}
    with naming_both(options.pairs, path):
        alignments = formats.read(form, path, pairs)
        if not ids <= alignments.keys():
            require_same_ids("the pairs", ids, "the alignments", alignments.keys())
    if others := len(alignments) - len(ids):
        left_out = f"{number_of(others, 'alignment')} of {shown_name(path)} left out"
        info(f"{left_out}: their pairs are not in {options.pairs}")
    return {id: alignment for id, alignment in alignments.items() if id in ids}


@contextmanager
def naming_both(first: str, second: str) -> Iterator[None]:
    """Add the names of both files to errors that name none."""
    try:
        yield
    except BadData as error:
        if error.file is None:
            problem = f"{shown_name(first)} and {shown_name(second)} do not match: {error.problem}"
            raise BadData(problem) from error
        raise


# Texts

FILE_NAME_PATTERN = re.compile(
    r"[^\s/]*+/\S*+|\S+\.[A-Za-z]\w{1,7}|.*\.(?:csv|docx|gz|html?|jsonl?|md|pdf|tsv|txt|xml)",
    re.IGNORECASE,
)
"""A text that looks like the name of a file. It is refused if there is no such file."""


def text_or_file(text: str) -> str:
    """Check an argument: a text must be UTF-8, the name of a file need not."""
    return text if _is_file(text) else arguments.text_in_utf8(text)


def given_text(options: Options, name: str) -> str:
    """Return the text of an option, or the text of the file that it names.

    ``name``  the name of the option, without its dashes.

    Raises ``BadUsage`` for the name of a file that does not exist, ``BadData`` for a file that
    cannot be read, has no words, or holds JSON.
    """
    value = getattr(options, name)
    if not _is_file(value) and FILE_NAME_PATTERN.fullmatch(value.strip()):
        raise BadUsage(
            f"--{name}: there is no file {value}; if it is the text itself, write it to a file or "
            "to standard input (-)"
        )
    text = plain_text(value) if _is_file(value) else value
    return without_markup(text) if options.strip_markup else text


def _is_file(text: str) -> bool:
    return text == STANDARD_STREAM or (os.path.exists(text) and not os.path.isdir(text))
