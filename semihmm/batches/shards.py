"""Keeps batches on disk, one a file, so that a corpus may be larger than memory.

``semihmm.batches.value_file`` says what a file holds. The vocabulary, which all batches share, is
not written.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar, overload

from corpus_tools.encoding.batch import Batch, WordVectors
from corpus_tools.encoding.document_sentences import DocumentSentences
from corpus_tools.encoding.trees import Trees
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData, SemiHmmWarning
from rewrite_models.mixture import Cells
from semihmm.batches.value_file import Layout, names_of, read_value, require_whole, write_value
from semihmm.model.semi_hmm import Encoded
from semihmm.settings import registered

V = TypeVar("V")


def layout(vocabulary: Vocabulary | None) -> Layout:
    """Return what shards may be made of."""
    of_batches = (Batch, DocumentSentences, Trees, WordVectors, Encoded, Cells)
    of_parts = [getattr(plugin, "evidence_types", ()) for plugin in registered()]
    return Layout(names_of(chain(of_batches, *of_parts)), (Vocabulary, vocabulary))


class Replaceable(Protocol[V]):
    """A sequence of a fixed length whose values can be replaced: a list, or ``Shards``."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[V]: ...
    def __getitem__(self, index: int, /) -> V: ...
    def __setitem__(self, index: int, value: V, /) -> None: ...


@dataclass(frozen=True)
class Shards(Sequence[V]):
    """A sequence on disk: value number 7 is the file ``00000007`` of the folder.

    Threads and processes may share it. ``vocabulary`` is what the batches in it are given.
    """

    folder: Path
    size: int
    vocabulary: Vocabulary | None = None

    def path(self, index: int) -> Path:
        """Return the file of a value."""
        return self.folder / f"{index:08d}"

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[V]:
        return (self._read(index) for index in range(self.size))

    @overload
    def __getitem__(self, index: int, /) -> V: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[V]: ...
    def __getitem__(self, index: int | slice, /) -> V | list[V]:
        if isinstance(index, slice):
            return [self._read(number) for number in range(*index.indices(self.size))]
        return self._read(index)

    def _read(self, index: int) -> V:
        if not 0 <= index < self.size:
            raise IndexError(index)
        try:
            value: V = read_value(self.path(index), layout(self.vocabulary))
        except (OSError, ValueError) as error:
            problem = f"the training cache cannot be read: {error}"
            hint = "is its folder the same on all machines?"
            raise BadData(f"{problem}; {hint}", self.path(index)) from error
        return value

    def __setitem__(self, index: int, value: V, /) -> None:
        write_value(self.path(index), value, layout(self.vocabulary))

    def has(self, index: int) -> bool:
        """Tell whether the value was written whole, and is what was written.

        A damaged file is reported as a warning: it will be made anew.
        """
        try:
            require_whole(self.path(index))
        except FileNotFoundError:
            return False
        except (OSError, ValueError) as error:
            problem = f"{self.path(index)}: the training cache is damaged ({error})"
            warnings.warn(SemiHmmWarning(f"{problem}: it is made anew"), stacklevel=2)
            return False
        return True
