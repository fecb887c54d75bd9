"""The training cache: the batches of a training, as shards on disk.

A corpus may be larger than memory. A shard is a pickle in a folder of the user: a cache is trusted
like code. Whole numbers take the fewest bytes that hold them: most are offsets within a batch, so a
pair takes half the bytes. The vocabulary, which all batches share, is not written.

There are two folders:

``texts-*``    the batches of one training, from the first pass over the pairs. Files may be read in
               any order and by any process: each numbers its words by itself. When all files are
               read, one vocabulary is made in the order of the files, and each file gets the
               numbers of its words there. A batch has these as soon as it is read.
``encoded-*``  the batches with the features of the model's parts. The name is a hash of the texts,
               the settings and the program's own source: any change of these starts a new folder,
               and shards that exist are not made again. The shards keep the words' vectors, which
               the E-step does not read: a shard with a bad pair is encoded again without it.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import pickle
import re
import secrets
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from corpus_tools.base import files
from corpus_tools.base.errors import PACKAGES, BadData, BadPair, InUse, SemiHmmWarning
from corpus_tools.languages.language import AUTO, commonest
from corpus_tools.model_parts.encoding import Batch, Totals, Vocabulary, WordIndexer
from semihmm.model.settings import Settings, all_options, registered
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


def is_whole(path: Path) -> bool:
    """Tell whether a shard exists and can be read. Warns of a damaged one."""
    if not path.exists():
        return False
    try:
        read_shard(path)
    except BadData as error:
        damage = f"{path}: {CACHE_TITLE} is damaged ({error.problem}): it is made anew"
        warnings.warn(SemiHmmWarning(damage), stacklevel=2)
        return False
    return True


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

    def path(self, index: int) -> Path:
        """Return the file of a value."""
        return self.folder / f"{index:08d}"

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any, /) -> Any:
        """Return the value of an index."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        return read_shard(self.path(index), self.vocabulary)

    def __setitem__(self, index: int, value: Any, /) -> None:
        write_shard(self.path(index), value)


# Batches of texts

KEPT_BATCHES = 20
"""The number of batches, read first, that stay in memory: 400,000 words.

The initial model is made from them, so the results of ``cached_per_batch`` are used again.
"""

WORDS_NAME, NUMBERS_NAME = "words", "numbers"
"""The names of what a file of pairs has beside its batches: its words with their stems and totals,
and the numbers of its words in the corpus.
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
    """

    files: tuple[FileBatches, ...] = ()
    totals: Totals | None = None
    _kept: dict[int, Batch] = field(init=False, repr=False, default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process."""
        return super().__getstate__() | {"totals": None, "_kept": {}}

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

    def __getitem__(self, index: Any, /) -> Any:
        """Return the batch of an index."""
        batch = self._kept.get(index)
        if batch is None:
            batch = self._read(index)
            if len(self._kept) < KEPT_BATCHES:
                self._kept[index] = batch
        return batch

    def _read(self, index: int) -> Batch:
        """Read a batch. Its words get their numbers in the corpus in place of those in its file."""
        if not 0 <= index < self.size:
            raise IndexError(index)
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


CACHE_FOLDER_NAME = ".semihmm-cache"
"""The name of the cache in a model's directory, which is removed when training ends."""


@dataclass(frozen=True)
class TrainingCache:
    """The folders of a training.

    ``folder``  the folder of the cache.
    ``texts``   the folder of the texts in it, which is removed when training ends.
    """

    folder: Path
    texts: Path

    def encoded(
        self, texts: CorpusBatches, fingerprint: str, settings: Settings, skip: bool
    ) -> Shards:
        """Return the encoded shards of these texts; some of them may not exist yet.

        ``fingerprint``  that of the texts, and the identity of the model that training starts from,
                         if any.
        ``skip``         whether bad pairs are left out.
        """
        # Settings that features depend on. The fingerprint stands for texts and starting model.
        options = all_options()
        used = {name: own for name, own in settings.as_json().items() if options[name].is_encoded}
        content = json.dumps([fingerprint, used, skip, program_source()])
        key = hashlib.sha256(content.encode()).hexdigest()[:16]
        folder = self.folder / f"encoded-{key}"
        files.own_folder(folder, CACHE_TITLE)
        files.remove_left_behind(folder)
        return Shards(folder, len(texts), texts.vocabulary)


@contextmanager
def training_cache(
    kept: str | PathLike[str] | None, beside: str | PathLike[str] | None
) -> Iterator[TrainingCache]:
    """Open the cache of one training.

    ``kept``    the folder whose shards are kept for the next training. Without it the folder is
                removed when training ends, also by an error.
    ``beside``  the directory in which that folder is made, if given: a training that was killed
                finds its shards there again.

    Several trainings may share a folder that is kept. Raises ``BadData`` if the folder cannot be
    made.
    """
    with ExitStack() as stack:
        if kept is not None:
            folder = Path(kept).resolve()
        elif beside is not None:
            # A link in place of this folder is not followed: no other folder is cleared.
            folder = Path(beside).resolve() / CACHE_FOLDER_NAME
            files.own_folder(folder, CACHE_TITLE)
            stack.callback(_clear, folder)
        else:
            folder = stack.enter_context(files.scratch_folder())
        files.make_folder(folder, CACHE_TITLE)
        yield TrainingCache(folder, stack.enter_context(_folder_of_texts(folder)))


TEXTS_FOLDER_NAME = re.compile(r"texts-[0-9a-f]{16}")
"""The names of folders of texts."""

ENCODED_FOLDER_NAME = re.compile(r"encoded-[0-9a-f]{16}")
"""The names of folders of encoded shards."""

CACHE_FILE_NAME = re.compile(
    rf"\d{{8}}|\d+-(\d+|{WORDS_NAME}|{NUMBERS_NAME})|model-[0-9a-f]{{32}}"
    rf"|\..+{re.escape(files.TEMPORARY)}"
)
"""The names of the files in these folders."""


def _clear(folder: Path) -> None:
    """Remove the cache in a model's directory, but only files that the program made."""
    for inside in folder.iterdir():
        if ENCODED_FOLDER_NAME.fullmatch(inside.name):
            files.clear_folder(inside, CACHE_FILE_NAME)
    files.clear_folder(folder, re.compile(rf"{TEXTS_FOLDER_NAME.pattern}\.lock"))


@contextmanager
def _folder_of_texts(folder: Path) -> Iterator[Path]:
    """Make a folder for the texts of one training, and remove it at the end.

    A lock beside the folder is held while training runs. A folder without a held lock was left
    behind by a training that was killed, and is removed.
    """
    for left in folder.iterdir():
        if TEXTS_FOLDER_NAME.fullmatch(left.name) and files.is_marked(left):
            with suppress(InUse, BadData), files.locked(left.with_suffix(".lock"), CACHE_TITLE):
                files.clear_folder(left, CACHE_FILE_NAME)
    texts = folder / f"texts-{secrets.token_hex(8)}"
    # Another training may hold the lock for a moment, while it looks for folders left behind.
    with files.locked(texts.with_suffix(".lock"), f"{CACHE_TITLE} in {folder}", wait=-1):
        files.own_folder(texts, CACHE_TITLE)
        try:
            yield texts
        finally:
            files.clear_folder(texts, CACHE_FILE_NAME)


@cache
def program_source() -> str:
    """Hash the program's source, and that of the plug-ins of other packages."""
    digest = hashlib.sha256()
    for plugin in sorted(registered(), key=lambda plugin: plugin.__module__):
        if plugin.__module__.partition(".")[0] not in PACKAGES:
            digest.update(Path(inspect.getfile(plugin)).read_bytes())
    for package in PACKAGES:
        folder = Path(__file__).parents[2] / package
        for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            digest.update(file.read_bytes())
    return digest.hexdigest()
