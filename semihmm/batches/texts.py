"""The texts of a training: the batches of all files with the vocabulary of all.

Words are numbered file by file, so that files may be read in any order and by any process. When all
are read, their vocabularies are merged in the order of the files: a word has the number that it
would have if the files were read one after another. What is on disk keeps the numbers of its file;
they are exchanged when a batch is read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, overload

import numpy as np

from corpus_tools.encoding.batch import Batch, Tally, TotalledBatches, Totals
from corpus_tools.encoding.vocabulary import MergedVocabulary, Vocabulary
from corpus_tools.errors import BadData
from corpus_tools.storage.new_folders import remove_folder
from semihmm.batches.batches import joined_fingerprint
from semihmm.batches.shards import Shards, layout
from semihmm.batches.value_file import read_value, write_value

KEPT_NUMBERS = 16
"""The files whose numbers a process keeps: threads read batches of neighbouring files."""


@dataclass(frozen=True)
class TextShards(TotalledBatches):
    """Batches on disk, file by file of the pairs.

    ``folder``      has a folder for each file: ``Shards``, and a file with the numbers of the words
                    of the file in the vocabulary of all.
    ``sizes``       how many batches each file has.
    ``vocabulary``  what the batches are given.
    ``totals``      of all batches. They grow with the vocabulary: workers get neither (``bare``).
    """

    folder: Path
    sizes: tuple[int, ...]
    vocabulary: Vocabulary | None = None
    totals: Totals | None = None

    @property
    def known_totals(self) -> Totals | None:
        """Return the totals of all batches; ``None`` in a worker."""
        return self.totals

    def bare(self) -> TextShards:
        """Return the same for a worker, which knows the vocabulary."""
        return replace(self, vocabulary=None, totals=None)

    def shards(self, file: int) -> Shards[Batch]:
        """Return the batches of a file, with the numbers of the file."""
        return Shards(folder_of(self.folder, file), self.sizes[file])

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(self.sizes))

    def __len__(self) -> int:
        return sum(self.sizes)

    @overload
    def __getitem__(self, index: int, /) -> Batch: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Batch]: ...
    def __getitem__(self, index: int | slice, /) -> Batch | list[Batch]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        file = bisect_right(self._ends, index)
        shards = self.shards(file)
        batch = shards[index - self._ends[file] + self.sizes[file]]
        return renumbered(batch, _numbers(shards.folder), self.vocabulary)


def folder_of(folder: Path, file: int) -> Path:
    """Return the folder of the batches of a file."""
    return folder / f"{file:08d}"


def renumbered(batch: Batch, numbers: np.ndarray, vocabulary: Vocabulary | None) -> Batch:
    """Return a batch of a file with the words of all files.

    ``numbers``  int32 [V], the numbers of the file's words in the vocabulary of all.
    """
    abstract, document = numbers[batch.abstract], numbers[batch.document]
    # Shards that travel to a worker have no vocabulary, which the worker knows.
    known = batch.vocabulary if vocabulary is None else vocabulary
    return replace(batch, abstract=abstract, document=document, vocabulary=known)


def write_numbers(folder: Path, numbers: np.ndarray) -> None:
    """Keep the numbers of the words of the file whose batches are in the folder."""
    write_value(_numbers_file(folder), numbers, layout(None))


def _numbers_file(folder: Path) -> Path:
    return folder / "numbers"


@lru_cache(maxsize=KEPT_NUMBERS)
def _numbers(folder: Path) -> np.ndarray:
    numbers: np.ndarray = read_cached(_numbers_file(folder))
    return numbers


def read_cached(path: Path) -> Any:
    """Read a value of the training cache that is no batch. Raises ``BadData``."""
    try:
        return read_value(path, layout(None))
    except (OSError, ValueError) as error:
        problem = f"the training cache cannot be read: {error}"
        raise BadData(f"{problem}; is its folder the same on all machines?", path) from error


@dataclass(frozen=True)
class Texts:
    """The batches of a training, in a list or on disk, with the vocabulary of all.

    ``fingerprint``  of the corpus (``semihmm.batches.batches.Fingerprint``).
    """

    batches: Sequence[Batch]
    vocabulary: Vocabulary
    fingerprint: str

    def known_to(self, vocabulary: Vocabulary) -> Texts:
        """Return the texts with a vocabulary that begins with theirs and may have more words."""
        if vocabulary is self.vocabulary:
            # Rewrite models know again what they have searched already.
            return self
        batches: Sequence[Batch]
        if isinstance(self.batches, TextShards):
            batches = replace(self.batches, vocabulary=vocabulary)
        else:
            batches = [replace(one, vocabulary=vocabulary) for one in self.batches]
        return replace(self, batches=batches, vocabulary=vocabulary)

    def remove(self) -> None:
        """Remove the shards, if there are any: training has ended."""
        if isinstance(self.batches, TextShards):
            remove_folder(self.batches.folder)


class MergedTexts:
    """Merges what is known of files, in the order of the files."""

    def __init__(self) -> None:
        self._tally = Tally()
        self._merged = MergedVocabulary()
        self._fingerprints: list[str] = []

    def add(self, vocabulary: Vocabulary, totals: Totals, fingerprint: str) -> np.ndarray:
        """Add a file with words; return int32 [V], the numbers of its words among all."""
        self._fingerprints.append(fingerprint)
        numbers = self._merged.add(vocabulary)
        self._tally.add_file(totals, numbers)
        return numbers

    @property
    def totals(self) -> Totals:
        """Return the totals of all files, once all are added."""
        return self._tally.totals()

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return the vocabulary of all files, once all are added."""
        return self._merged.vocabulary()

    def texts(self, batches: Sequence[Batch]) -> Texts:
        """Return the texts whose batches these are."""
        return Texts(batches, self.vocabulary, joined_fingerprint(self._fingerprints))
