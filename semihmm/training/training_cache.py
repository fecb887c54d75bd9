"""The training cache: the batches of a training, as shards on disk, and the words of the corpus.

A corpus may be larger than memory. A shard is a pickle in a folder that this run makes for itself
(``corpus_tools.base.folders.scratch_folder``): no run reads the shards of another one. Numbers
take the fewest bytes that hold them: most are offsets within a batch, so a pair takes half the
bytes. The vocabulary, which all batches share, is not written.

Files may be read in any order and by any process: each numbers its words by itself. When all files
are read, one vocabulary is made in the order of the files, and each file gets the numbers of its
words there. A batch has these as soon as it is read.
"""

from __future__ import annotations

import hashlib
import pickle
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from corpus_tools.base import files
from corpus_tools.base.errors import BadData, BadPair
from corpus_tools.languages.language import AUTO, commonest
from corpus_tools.model_parts.encoding import Batch, Totals
from corpus_tools.model_parts.text_arrays import Vocabulary, WordIndexer
from semihmm.model.units import AlignmentUnit, batch_of, batched_units

CACHE_TITLE = "the training cache"


class _ShardPickler(pickle.Pickler):
    """Pickles batches without the vocabulary, and whole numbers in the fewest bytes."""

    def persistent_id(self, value: Any) -> str | None:
        return "vocabulary" if isinstance(value, Vocabulary) else None

    def reducer_override(self, value: Any) -> Any:
        if type(value) is np.ndarray and value.dtype.kind in "iu" and value.size:
            least, most = (np.min_scalar_type(int(end)) for end in (value.min(), value.max()))
            narrow = np.result_type(least, most)
            if narrow.itemsize < value.itemsize:
                return np.ndarray.astype, (value.astype(narrow), value.dtype)
        return NotImplemented


class _ShardUnpickler(pickle.Unpickler):
    """Unpickles batches, and puts a vocabulary into them."""

    vocabulary: Vocabulary | None = None

    def persistent_load(self, pid: Any) -> Vocabulary | None:
        return self.vocabulary


def write_shard(path: Path, value: Any) -> None:
    """Write a value; the file is replaced as a whole or not at all.

    Raises ``BadData`` if the file cannot be written.
    """
    with files.replacing_bytes(path, CACHE_TITLE, durable=False) as file:
        _ShardPickler(file, pickle.HIGHEST_PROTOCOL).dump(value)


def read_shard(path: Path, vocabulary: Vocabulary | None = None) -> Any:
    """Return the value of a file. Its batches get the ``vocabulary``.

    Raises ``BadData`` for a file that cannot be read.
    """
    try:
        with open(path, "rb") as file:
            unpickler = _ShardUnpickler(file)
            unpickler.vocabulary = vocabulary
            return unpickler.load()
    except MemoryError:
        raise
    except Exception as error:  # a damaged pickle may raise anything
        problem = f"{CACHE_TITLE} cannot be read: {error}; is its folder the same on all machines?"
        raise BadData(problem, path) from error


@dataclass(frozen=True)
class Shards(Sequence[Any]):
    """A sequence on disk: value number 7 is the file ``00000007`` of the folder.

    Threads and processes may share it. Its batches get the ``vocabulary``.
    """

    folder: Path
    size: int
    vocabulary: Vocabulary = field(default_factory=Vocabulary.empty)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process, which has the vocabulary from the model."""
        return self.__dict__ | {"vocabulary": Vocabulary.empty()}

    def known_to(self, vocabulary: Vocabulary) -> Self:
        """Return the sequence with a vocabulary that begins with its own and may have more."""
        return self if vocabulary is self.vocabulary else replace(self, vocabulary=vocabulary)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any, /) -> Any:
        """Return the value of an index."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        return read_shard(self.folder / f"{index:08d}", self.vocabulary)

    def __setitem__(self, index: int, value: Any, /) -> None:
        write_shard(self.folder / f"{index:08d}", value)


KEPT_BATCHES = 20
"""The number of batches, the first ones, that stay in memory: 400,000 words.

The initial model is made from them, so the results of ``cached_per_batch`` are used again.
"""

WORDS_NAME, NUMBERS_NAME = "words", "numbers"
"""The names of what a file of pairs has in addition to its batches: its words with their stems and
totals, and the numbers of its words in the corpus.
"""


def text_file(folder: Path, file: int, name: int | str) -> Path:
    """Return the path of what belongs to a file of pairs: a batch by its number, or a name."""
    return folder / f"{file}-{name}"


class FileBatches(NamedTuple):
    """Counts and a fingerprint of the batches of a file.

    ``fingerprint``     a hash of all that training reads in the batches.
    ``tokenizers``      the names of the tokenizers of the pairs.
    ``languages``       the number of pairs in each language, by code.
    ``size``            the number of batches.
    ``pairs``           the number of pairs with words on both sides.
    ``document_words``  the number of document words of the alignment units.
    ``abstract_words``  the number of their abstract words.
    ``refused``         the ids of the pairs that were left out, since they take too much memory.
    """

    fingerprint: str
    tokenizers: frozenset[str]
    languages: Mapping[str, int]
    refused: tuple[str, ...] = ()
    size: int = 0
    pairs: int = 0
    document_words: int = 0
    abstract_words: int = 0


@dataclass(frozen=True)
class CorpusBatches(Shards):
    """The batches of a training on disk, in the order of the files of pairs.

    ``files``   counts and a fingerprint of each file's batches.
    ``totals``  the totals of all batches; ``None`` in a worker.
    ``first``   the batches that stay in memory (``with_first_in_memory``).
    """

    files: tuple[FileBatches, ...] = ()
    totals: Totals | None = None
    first: tuple[Batch, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process."""
        return super().__getstate__() | {"totals": None, "first": ()}

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the file that has batches, or a hash of those of several."""
        fingerprints = [file.fingerprint for file in self.files if file.size]
        if len(fingerprints) == 1:
            return fingerprints[0]
        return hashlib.sha256("\n".join(fingerprints).encode()).hexdigest()

    @property
    def language(self) -> str:
        """Return the code of the language of most pairs."""
        return commonest(sum((Counter(file.languages) for file in self.files), Counter[str]()))

    def known_to(self, vocabulary: Vocabulary) -> Self:
        """Return the batches with a vocabulary that begins with their own and may have more."""
        is_same = vocabulary is self.vocabulary
        return self if is_same else replace(self, vocabulary=vocabulary, first=())

    def with_first_in_memory(self) -> Self:
        """Return the batches, of which the first ``KEPT_BATCHES`` stay in memory."""
        return replace(self, first=tuple(islice(self, KEPT_BATCHES)))

    def __getitem__(self, index: Any, /) -> Any:
        """Return the batch of an index."""
        if 0 <= index < len(self.first):
            return self.first[index]
        if not 0 <= index < self.size:
            raise IndexError(index)
        # Words get their numbers in the corpus in place of those in their file.
        firsts = [0, *accumulate(file.size for file in self.files)]
        file = bisect_right(firsts, index) - 1
        path = text_file(self.folder, file, index - firsts[file])
        batch: Batch = read_shard(path, self.vocabulary)
        numbers = _numbers_in_corpus(text_file(self.folder, file, NUMBERS_NAME))
        return replace(batch, abstract=numbers[batch.abstract], document=numbers[batch.document])


@lru_cache(maxsize=1)
def _numbers_in_corpus(path: Path) -> np.ndarray:
    """Return int32 [words], the numbers of a file's words in the corpus. Batches come in order."""
    numbers: np.ndarray = read_shard(path)
    return numbers


def write_batches(
    folder: Path, file: int, units: Iterable[AlignmentUnit], skip: bool, encoder: str = ""
) -> FileBatches:
    """Write the batches of a file's units into the folder of texts, and its words.

    ``file``     the number of the file.
    ``skip``     whether pairs that take too much memory are left out. Otherwise the first of them
                 raises ``BadPair``.
    ``encoder``  the name of the encoder of the word vectors, if they have any.

    Words are numbered by first appearance. The fingerprint is a hash of all that training reads in
    the texts, trees included, and of the encoder's name. Vectors are left out, because they may
    differ in the last digit when they are computed again.
    """
    digest = hashlib.sha256(encoder.encode())
    indexer = WordIndexer(Vocabulary.empty())
    totals = Totals()
    sizes: Counter[str] = Counter()
    tokenizers: set[str] = set()
    languages: Counter[str] = Counter()
    refused: list[str] = []
    for of_batch in batched_units(units):
        for unit in of_batch:
            if isinstance(unit.outcome, BadPair):
                if not skip:
                    raise unit.outcome
                refused.append(unit.original.id)
        group = [unit for unit in of_batch if unit.outcome is None]
        if not group:
            continue
        batch = batch_of(group, indexer)
        for content in _hashed(batch):
            digest.update(content)
        totals = totals.plus(Totals.from_batch(batch))
        write_shard(text_file(folder, file, sizes["size"]), batch)
        sizes.update(
            size=1,
            pairs=sum(unit.last for unit in group),
            document_words=len(batch.document),
            abstract_words=len(batch.abstract),
        )
        tokenizers.update(unit.original.tokenizer for unit in group)
        languages.update(unit.original.language for unit in group if unit.last)
    known = indexer.vocabulary()
    digest.update("\n".join(known.words).encode())
    numbered = known.words, known.stems, known.stem_of, totals
    write_shard(text_file(folder, file, WORDS_NAME), numbered)
    return FileBatches(
        digest.hexdigest(), frozenset(tokenizers), languages, tuple(refused), **sizes
    )


def _hashed(batch: Batch) -> Iterator[bytes]:
    """Yield all that training reads in the texts of a batch, as bytes."""
    labels, *brackets = batch.trees or ((),)
    offsets = batch.abstract_offsets, batch.document_offsets
    arrays = (batch.abstract, batch.document, *offsets, *(batch.capitals or ()))
    yield "\n".join(batch.ids).encode()
    yield from (array.tobytes() for array in arrays)
    yield "\n".join(labels).encode()
    yield from (array.tobytes() for array in brackets)


def one_vocabulary(folder: Path, read: Sequence[FileBatches], code: str) -> CorpusBatches:
    """Make the vocabulary of all files, and return the texts.

    A word gets the number that it would have if the files were read one after another.

    ``code``  the code of the language; ``AUTO``: the language of most pairs.
    """
    totals = Totals()
    indexer = WordIndexer(Vocabulary.empty())
    for file in range(len(read)):
        *words, of_file = read_shard(text_file(folder, file, WORDS_NAME))
        numbers = indexer.add(Vocabulary(*words))
        totals = totals.plus(of_file.renumbered(numbers))
        write_shard(text_file(folder, file, NUMBERS_NAME), numbers)
    size = sum(file.size for file in read)
    texts = CorpusBatches(folder, size, indexer.vocabulary(), tuple(read), totals)
    if size and code == AUTO:
        code = texts.language
    return texts.known_to(replace(texts.vocabulary, code=code))
