"""The training cache: the batches of a training, in memory or as shards on disk.

A corpus of up to ``IN_MEMORY_WORDS`` document words stays in memory, unless its shards are to be
kept or other processes are to read them. On disk there are two folders:

``texts-*``    the batches of one training, from the first pass over the pairs, which also makes the
               vocabulary.
``encoded-*``  the same with the evidence of the model's parts. The name is a hash of the texts, the
               settings and the program's own source: whatever changes there starts a new folder,
               and what is there already is not made again. The shards keep the words' vectors,
               though the E-step reads none: without its bad pairs a shard is encoded anew.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from os import PathLike
from pathlib import Path

import numpy as np

from corpus_tools.encoding.batch import Batch, Totals
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.storage.locks import locked, locked_if_free
from corpus_tools.storage.new_folders import (
    make_folder,
    make_unique_folder,
    remove_folder,
    scratch_folder,
)
from corpus_tools.storage.temporary_files import remove_left_behind
from semihmm.batches.batches import FileTexts
from semihmm.batches.shards import Replaceable, Shards
from semihmm.batches.texts import (
    MergedTexts,
    Texts,
    TextShards,
    folder_of,
    renumbered,
    write_numbers,
)
from semihmm.batches.units import AlignmentUnit
from semihmm.model.semi_hmm import Encoded
from semihmm.settings import Settings, registered


class TextStore:
    """Takes the batches of file after file.

    ``make_folder``  makes the folder of the batches on disk.
    ``most``         the document words that are kept in memory.
    """

    def __init__(self, make_folder: Callable[[], Path], most: int) -> None:
        self._make_folder = make_folder
        self._most = most
        self._folder: Path | None = None
        self._sizes: list[int] = []
        self._words = 0
        self._in_memory: list[list[Batch]] = []
        self._numbers: list[np.ndarray] = []

    def begin_file(self) -> None:
        """Begin with the batches of the next file."""
        self._sizes.append(0)
        if self._folder is None:
            self._in_memory.append([])
        else:
            self._begin_folder(len(self._sizes) - 1)

    def add(self, batch: Batch) -> None:
        """Add a batch of the file, which has the numbers of the file."""
        self._sizes[-1] += 1
        self._words += len(batch.document)
        if self._folder is not None:
            self._write(len(self._sizes) - 1, self._sizes[-1] - 1, batch)
            return
        self._in_memory[-1].append(batch)
        if self._words > self._most:
            self._move_to_disk()

    def end_file(self, numbers: np.ndarray) -> None:
        """Note the numbers of the file's words in the vocabulary of all."""
        if self._folder is None:
            self._numbers.append(numbers)
        else:
            write_numbers(self._folder_of_file(len(self._sizes) - 1), numbers)

    def batches(self, vocabulary: Vocabulary, totals: Totals) -> Sequence[Batch]:
        """Return the batches of all files, once all have ended, with what is known of all."""
        if self._folder is not None:
            return TextShards(self._folder, tuple(self._sizes), vocabulary, totals)
        return [
            renumbered(batch, numbers, vocabulary)
            for own, numbers in zip(self._in_memory, self._numbers, strict=True)
            for batch in own
        ]

    def _move_to_disk(self) -> None:
        """Write the batches made so far. All others will be written as they come."""
        self._folder = self._make_folder()
        for file, batches in enumerate(self._in_memory):
            self._begin_folder(file)
            for index, batch in enumerate(batches):
                self._write(file, index, batch)
        for file, numbers in enumerate(self._numbers):
            write_numbers(self._folder_of_file(file), numbers)
        self._in_memory = []
        self._numbers = []

    def _folder_of_file(self, file: int) -> Path:
        assert self._folder is not None, "nothing is on disk yet"
        return folder_of(self._folder, file)

    def _begin_folder(self, file: int) -> None:
        make_folder(self._folder_of_file(file), "the training cache")

    def _write(self, file: int, index: int, batch: Batch) -> None:
        shards: Shards[Batch] = Shards(self._folder_of_file(file), index + 1)
        shards[index] = batch


PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")

WHAT = "the training cache"

BESIDE = ".semihmm-cache"
"""The name of a cache beside a model, which is removed when training ends."""

IN_MEMORY_WORDS = 400_000
"""A larger corpus goes to disk. With their evidence, so many document words take some 200 MB."""


@dataclass(frozen=True)
class TrainingCache:
    """Where the batches of a training are.

    ``folder``   for the shards. It is made when the first of them is written.
    ``on_disk``  whether even a small corpus goes to disk.
    ``name``     of this training: with it begin the names of the folders that go when it ends.
    """

    folder: Path
    on_disk: bool
    name: str = ""

    def add_texts(self, units: Iterable[AlignmentUnit], encoder: str = "") -> Texts:
        """Make the vocabulary and the batches, in one pass over the units.

        No batch has pairs of two files: each file makes the batches that it makes by itself.

        ``encoder``  the name of the encoder of the word vectors, if they have any.
        """
        store = TextStore(self.make_folder_of_texts, 0 if self.on_disk else IN_MEMORY_WORDS)
        merged = MergedTexts()
        for _, of_file in groupby(units, _file_of):
            file = FileTexts(encoder)
            store.begin_file()
            for batch in file.batches(of_file):
                store.add(batch)
            store.end_file(merged.add(file.vocabulary, file.totals, file.fingerprint))
        return merged.texts(store.batches(merged.vocabulary, merged.totals))

    def make_folder_of_texts(self) -> Path:
        """Make a folder for the batches of this training. Raises ``BadData``."""
        make_folder(self.folder, WHAT)
        return make_unique_folder(self.folder, f"texts-{self.name}", WHAT)

    def encoded(
        self, texts: Texts, fingerprint: str, settings: Settings, skip: bool
    ) -> Replaceable[Encoded | None]:
        """Return the encoded shards of these texts, of which some may still have to be made.

        ``fingerprint`` is that of the texts, and of the model that training started from, if any;
        ``skip`` tells whether bad pairs are left out.
        """
        size = len(texts.batches)
        if not isinstance(texts.batches, TextShards):
            nothing_yet: list[Encoded | None] = [None] * size
            return nothing_yet
        folder = self.folder / f"encoded-{_encoding_key(fingerprint, settings, skip)}"
        make_folder(folder, WHAT)
        remove_left_behind(folder)
        return Shards(folder, size, texts.vocabulary)


def _file_of(unit: AlignmentUnit) -> str | None:
    source = unit.original.source
    return None if source is None else source.path


@contextmanager
def training_cache(
    kept: str | PathLike[str] | None, beside: str | PathLike[str] | None, shared: bool = False
) -> Iterator[TrainingCache]:
    """Open the cache of one training.

    ``kept``    the folder whose shards are kept for the next time. Without it the folder goes when
                training ends, however it ends.
    ``beside``  the directory in which that folder is, if given: there a training that was killed
                finds its shards again.
    ``shared``  whether other processes read the shards.

    Several trainings may share a folder that is kept. Raises ``BadData`` if the folder cannot be
    made.
    """
    if kept is not None:
        with _kept_cache(Path(kept).resolve()) as cache:
            yield cache
    elif beside is not None:
        folder = (Path(beside) / BESIDE).resolve()
        try:
            yield TrainingCache(folder, shared)
        finally:
            remove_folder(folder)
    else:
        with scratch_folder() as folder:
            yield TrainingCache(folder, shared)


@contextmanager
def _kept_cache(folder: Path) -> Iterator[TrainingCache]:
    """Open a folder that is kept, and remove what killed trainings left in it.

    A training locks the file ``NAME.lock``. The names of its texts begin with ``texts-NAME``.
    """
    make_folder(folder, WHAT)
    for lock in folder.glob("training-*.lock"):
        with locked_if_free(lock) as free:
            if free:
                _remove_texts(folder, lock.stem)
    name = f"training-{secrets.token_hex(8)}"
    with locked(folder / f"{name}.lock", f"{WHAT} in {folder}", wait=-1):
        try:
            yield TrainingCache(folder, on_disk=True, name=f"{name}-")
        finally:
            _remove_texts(folder, name)


def _remove_texts(folder: Path, name: str) -> None:
    """Remove the texts of a training that has ended, however it ended."""
    for texts in folder.glob(f"texts-{name}-*"):
        remove_folder(texts)


@cache
def program_source() -> str:
    """Hash the program's source, and that of the plug-ins of other packages."""
    digest = hashlib.sha256()
    for plugin in sorted(registered(), key=lambda plugin: plugin.__module__):
        if plugin.__module__.partition(".")[0] not in PACKAGES:
            digest.update(Path(inspect.getfile(plugin)).read_bytes())
    for package in PACKAGES:
        for file in sorted((Path(__file__).parents[2] / package).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _encoding_key(fingerprint: str, settings: Settings, skip: bool) -> str:
    """Hash all that the evidence of a corpus depends on."""
    # The texts are hashed themselves, and so is the model that training starts from.
    options = settings.described_all()
    used = {name: value for name, value in settings.as_json().items() if options[name].encoded}
    content = json.dumps([fingerprint, used, skip, program_source()])
    return hashlib.sha256(content.encode()).hexdigest()[:16]
