"""Reads the files of a corpus on a cluster.

Each file is a task. It checks the pairs, tokenizes them, chooses extracts and writes batches to the
training cache, with the words numbered as the file has them first. A file beside them has these
words and the hashes of the ids. When all are read, this process merges the vocabularies in the
order of the files, and compares the ids. Nothing but counts goes through the scheduler.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Totals
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData, SemiHmmError
from corpus_tools.pairs.files_of_pairs import (
    FilesOfPairs,
    PairsRead,
    Reading,
    require_unique_ids,
)
from corpus_tools.pairs.pair import tokenizer_names
from corpus_tools.storage.new_folders import make_folder
from semihmm.batches.batches import FileTexts
from semihmm.batches.shards import Shards, layout
from semihmm.batches.texts import (
    MergedTexts,
    Texts,
    TextShards,
    folder_of,
    read_cached,
    write_numbers,
)
from semihmm.batches.training_cache import WHAT, TrainingCache
from semihmm.batches.units import extract_choice, units_for
from semihmm.batches.value_file import write_value
from semihmm.cluster.tasks import KILLED, PairsSeen, run_tasks
from semihmm.settings import Settings
from semihmm.training.census import Census

if TYPE_CHECKING:
    from distributed import Client


IDS = "ids"
"""The name of the file with the hashes of the ids of a file's pairs."""

WORDS = "words"
"""The name of the file with the words of a file, their stems and totals."""


def read_files(
    client: Client, files: FilesOfPairs, settings: Settings, cache: TrainingCache, skip: bool
) -> tuple[Texts, Census]:
    """Read the files and return their texts, with what is seen of the pairs.

    ``skip``  leaves out pairs that take too much memory.

    Raises the errors, and gives the warnings, that reading the files one after another would.
    """
    folder = cache.make_folder_of_texts()
    work = partial(_read_file, files.reading, settings, folder, skip)
    items = [_File(index, os.path.abspath(name), name) for index, name in enumerate(files.files)]
    results, error = run_tasks(client, work, items, "reading", "files", _killed)
    # The file with the error has ids too, of the pairs before it.
    reached = range(len(results) if error is None else len(results) + 1)
    hashes = [_hashes(folder_of(folder, index)) for index in reached]
    require_unique_ids(hashes, files.files, files.reading)
    if error is not None:
        raise error
    _report(files, results)
    census = Census()
    for one in results:
        census.add(one.census)
    return _merged(folder, results), census


class _File(NamedTuple):
    """A file of pairs: its number, its path, and how the user named it."""

    number: int
    path: str
    name: str


def _killed(file: _File) -> BadData:
    return BadData(KILLED, file.name)


class _FileRead(NamedTuple):
    """What was read of a file, beside what the training cache has of it.

    ``batches``  how many it makes.
    """

    batches: int
    fingerprint: str
    read: PairsRead
    census: Census


def _read_file(
    reading: Reading, settings: Settings, folder: Path, skip: bool, file: _File
) -> _FileRead:
    """Read a file, in a worker, and write its batches."""
    own = folder_of(folder, file.number)
    make_folder(own, WHAT)
    seen = PairsSeen()
    census = Census()
    texts = FileTexts()
    size = 0
    try:
        pairs = seen.count(reading.pairs(file.path, extract_choice(settings)))
        units = units_for(pairs, settings, census.refuse if skip else None)
        for batch in texts.batches(census.count(units)):
            shards: Shards[Any] = Shards(own, size + 1)
            shards[size] = batch
            size += 1
    except SemiHmmError as error:
        raise _as_named(error, file) from error
    finally:
        # If there is an error: an id that an earlier file has too may come before it.
        write_value(own / IDS, np.array(seen.hashes, dtype=np.uint64), layout(None))
    _write_words(own, texts.vocabulary, texts.totals)
    return _FileRead(size, texts.fingerprint, seen.read(), census)


def _as_named(error: SemiHmmError, file: _File) -> SemiHmmError:
    """Return an error that calls the file as the user does."""
    named = copy.copy(error)
    named.args = tuple(str(part).replace(file.path, file.name) for part in error.args)
    if isinstance(named, BadData) and named.file is not None:
        named.file = os.fspath(named.file).replace(file.path, file.name)
    return named


def _write_words(folder: Path, vocabulary: Vocabulary, totals: Totals) -> None:
    content = {
        "words": list(vocabulary.words),
        "stems": list(vocabulary.stems),
        "stem_of": vocabulary.stem_of,
        **totals._asdict(),
    }
    write_value(folder / WORDS, content, layout(None))


def _read_words(folder: Path) -> tuple[Vocabulary, Totals]:
    content = read_cached(folder / WORDS)
    words, stems = (
        {name: number for number, name in enumerate(content[key])} for key in ("words", "stems")
    )
    totals = Totals(content["abstract_counts"], content["labels"])
    return Vocabulary(words, stems, content["stem_of"]), totals


def _hashes(folder: Path) -> np.ndarray:
    """Return the hashes of a file's ids; none if the file was not read at all."""
    if not (folder / IDS).exists():
        return np.zeros(0, dtype=np.uint64)
    hashes: np.ndarray = read_cached(folder / IDS)
    return hashes


def _report(files: FilesOfPairs, results: Sequence[_FileRead]) -> None:
    """Tell what was read, if anybody asks."""
    if files.report is None:
        return
    read = [one.read for one in results]
    names = tokenizer_names(one.tokenizer for one in read)
    empty = tuple(identity for one in read for identity in one.empty)
    files.report(PairsRead(sum(one.pairs for one in read), names, empty))


def _merged(folder: Path, results: Sequence[_FileRead]) -> Texts:
    """Merge the vocabularies of the files; give each the numbers that its words have in all."""
    merged = MergedTexts()
    for index, one in enumerate(results):
        if not one.batches:
            continue
        own = folder_of(folder, index)
        write_numbers(own, merged.add(*_read_words(own), one.fingerprint))
    sizes = tuple(one.batches for one in results)
    return merged.texts(TextShards(folder, sizes, merged.vocabulary, merged.totals))
