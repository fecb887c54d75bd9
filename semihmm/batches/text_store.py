"""Keeps the batches of a training in memory until they are too many, and then on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.totals import Totals
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.storage.new_folders import make_folder
from semihmm.batches.shards import Shards
from semihmm.batches.texts import TextShards, folder_of, renumbered, write_numbers


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
