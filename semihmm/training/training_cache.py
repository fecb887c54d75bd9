"""The training cache: the batches of a training, as shards on disk.

A corpus may be larger than memory. A file has a line of JSON, the structure of a value and the
kinds of its arrays, and then these arrays, which are mapped into memory. Whole numbers take as few
bytes as hold them: most are offsets within a batch, so a pair takes half the room. No code is read
from a file, nor the name of a type beyond those that shards may have. A value is made of arrays,
numbers, texts, ``None``, tuples, lists, dictionaries, and the NamedTuples and dataclasses of
batches and features. The vocabulary, which all batches share, is not written.

There are two folders:

``texts-*``    the batches of one training, from the first pass over the pairs, which also makes the
               vocabulary. Words are numbered file by file, so that files may be read in any order
               and by any process. When all are read, their vocabularies are merged in the order of
               the files: a word has the number that it would have if the files were read one after
               another. The batches keep the numbers of their file, which are exchanged when a batch
               is read.
``encoded-*``  the same with the features of the model's parts. The name is a hash of the texts, the
               settings and the program's own source: whatever changes there starts a new folder,
               and what is there already is not made again. The shards keep the words' vectors,
               though the E-step reads none: without its bad pairs a shard is encoded anew.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import math
import re
import secrets
import warnings
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import accumulate, chain, groupby
from os import PathLike
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np

from corpus_tools.base import files
from corpus_tools.base.errors import PACKAGES, BadData, InUse, SemiHmmWarning
from corpus_tools.languages.language import commonest
from corpus_tools.model_parts import encoding
from corpus_tools.model_parts.encoding import Batch, Numbering, Totals, Vocabulary
from rewrite_models.emissions import CandidatePairs
from semihmm.model.semi_hmm import Encoded
from semihmm.model.settings import Settings, all_options, registered
from semihmm.model.units import AlignmentUnit, batch_of, batched_units

WHAT = "the training cache"

MAGIC = b"semihmm5 "

CHECKSUM = 8
"""The digits of the checksum, which follows the magic number and is of all behind it."""

ALIGNMENT = 64
"""Arrays begin at multiples of so many bytes: a cache line, and enough for NumPy's widest types."""

KINDS = "fiubU"
"""The kinds of data that arrays may have: floats, integers, truth values, texts."""


@cache
def _types() -> Mapping[str, type]:
    """Return the NamedTuples and dataclasses that values may have, by name."""
    of_batches = (Batch, Encoded, CandidatePairs)
    inside = (encoding.Capitals, encoding.DocumentSentences, encoding.Trees, encoding.WordVectors)
    of_parts = [getattr(plugin, "feature_types", ()) for plugin in registered()]
    return {part.__name__: part for part in chain(of_batches, inside, *of_parts)}


def write_value(path: Path, value: Any) -> None:
    """Write a value; the file is replaced as a whole or not at all.

    Raises ``TypeError`` for a value of another type, ``BadData`` if the file cannot be written.
    """
    arrays: list[np.ndarray] = []
    structure = _encoded(value, arrays)
    written = list(map(_narrowed, arrays))
    # How the elements of an array are laid out: numba compiles a kernel for each.
    orders: list[Literal["C", "F"]] = ["F" if narrow.flags.fnc else "C" for narrow in written]
    kinds = [
        (array.dtype.str, narrow.dtype.str, array.shape, order)
        for array, narrow, order in zip(arrays, written, orders, strict=True)
    ]
    pieces: list[bytes | memoryview] = [json.dumps([structure, kinds]).encode() + b"\n"]
    size = len(MAGIC) + CHECKSUM + len(pieces[0])
    for array, order in zip(written, orders, strict=True):
        content = array.ravel(order).view(np.uint8).data
        pieces += [bytes(-size % ALIGNMENT), content]
        size += -size % ALIGNMENT + len(content)
    checksum = 1
    for piece in pieces:
        # Adler-32 is the fastest checksum of the library: 2.9 ms for 8.5 MB, CRC-32 6.5 ms.
        checksum = zlib.adler32(piece, checksum)
    # A machine that fails may lose the content of the file: the checksum tells.
    with files.replacing_bytes(path, WHAT, durable=False) as file:
        file.writelines([MAGIC, b"%08x" % checksum, *pieces])


def read_value(path: Path, vocabulary: Vocabulary | None = None) -> Any:
    """Return the value of a file; its arrays are views of a private mapping, unless they were wide.

    ``vocabulary``  what batches are given.

    Raises ``BadData`` for a file that cannot be read, or is no such file.
    """
    try:
        with open(path, "rb") as file:
            _stated(file)
            structure, kinds = json.loads(file.readline())
            begin = file.tell()
            # A private mapping can be written to. For arrays that cannot, numba would compile the
            # kernels once more.
            content = np.asarray(np.memmap(file, np.uint8, "c"))
        arrays = []
        for *names, shape, order in kinds:
            dtype, written = map(np.dtype, names)
            if {dtype.kind, written.kind} - set(KINDS):
                raise ValueError(f"an array of {dtype} as {written}")
            begin += -begin % ALIGNMENT
            end = begin + written.itemsize * math.prod(shape)
            array = content[begin:end].view(written).reshape(shape, order=order)
            arrays.append(array.astype(dtype, copy=False))
            begin = end
        return _decoded(structure, arrays, vocabulary)
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        problem = f"{WHAT} cannot be read: {error}; is its folder the same on all machines?"
        raise BadData(problem, path) from error


def _narrowed(array: np.ndarray) -> np.ndarray:
    """Return whole numbers in the fewest bytes that hold them; most are offsets within a batch."""
    if array.dtype.kind not in "iu" or not array.size:
        return array
    least, most = (np.min_scalar_type(int(end)) for end in (array.min(), array.max()))
    narrow = np.result_type(least, most)
    return array.astype(narrow) if narrow.itemsize < array.itemsize else array


def is_whole(path: Path) -> bool:
    """Tell whether a value was written whole, and is what was written.

    A damaged file is reported as a warning: it will be made anew.
    """
    try:
        with open(path, "rb") as file:
            if _stated(file) == zlib.adler32(file.read()):
                return True
        problem = "its checksum is wrong"
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        problem = str(error)
    damage = f"{path}: {WHAT} is damaged ({problem}): it is made anew"
    warnings.warn(SemiHmmWarning(damage), stacklevel=2)
    return False


def _stated(file: IO[bytes]) -> int:
    """Read the magic number, and return the checksum. Raises ``ValueError``."""
    if file.read(len(MAGIC)) != MAGIC:
        raise ValueError("not a shard")
    return int(file.read(CHECKSUM), 16)


def _encoded(value: Any, arrays: list[np.ndarray]) -> Any:
    """Return the structure of a value. Its arrays are added to the list."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    name = type(value).__name__
    if isinstance(value, np.ndarray) and value.dtype.kind in KINDS:
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, Vocabulary):
        return {"vocabulary": None}
    if type(value) in (tuple, list):
        return {name: [_encoded(item, arrays) for item in value]}
    if type(value) is dict:
        return {name: {key: _encoded(item, arrays) for key, item in value.items()}}
    if _types().get(name) is not type(value):
        raise TypeError(f"a shard cannot hold {name}: list it in the part's feature_types")
    known: Any = value
    fields = getattr(known, "_fields", None) or [field.name for field in dataclasses.fields(known)]
    return {name: {field: _encoded(getattr(value, field), arrays) for field in fields}}


def _decoded(node: Any, arrays: Sequence[np.ndarray], vocabulary: Vocabulary | None) -> Any:
    """Return the value of a structure. Raises what Python raises for what is none."""
    if not isinstance(node, dict):
        return node
    ((name, content),) = node.items()
    if name == "array":
        return arrays[content]
    if name == "vocabulary":
        return vocabulary
    if name in {"tuple", "list"}:
        items = [_decoded(item, arrays, vocabulary) for item in content]
        return tuple(items) if name == "tuple" else items
    named = {key: _decoded(node, arrays, vocabulary) for key, node in content.items()}
    return named if name == "dict" else _types()[name](**named)


def numbered(folder: Path, number: int) -> Path:
    """Return the path of a file or folder that is known by its number."""
    return folder / f"{number:08d}"


@dataclass(frozen=True)
class Shards(Sequence[Any]):
    """A sequence on disk: value number 7 is the file ``00000007`` of the folder.

    Threads and processes may share it. ``vocabulary`` is what the batches in it are given.
    """

    folder: Path
    size: int
    vocabulary: Vocabulary | None = None

    def path(self, index: int) -> Path:
        """Return the file of a value."""
        return numbered(self.folder, index)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any, /) -> Any:
        """Return the value of an index."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        return read_value(self.path(index), self.vocabulary)

    def __setitem__(self, index: int, value: Any, /) -> None:
        write_value(self.path(index), value)


KEPT_BATCHES = 20
"""The batches that stay in memory, those that are read first: 400,000 words.

They are those that the first model is made of. What models searched in them is known again.
"""

NUMBERS = "numbers"
"""The name of the file with the numbers of a file's words in the vocabulary of all."""

WORDS_FILE = "words"
"""The name of the file with the words of a file, their stems and totals."""


class FileBatches(NamedTuple):
    """What is known of the batches of a file.

    ``fingerprint``     a hash of all that training sees of them.
    ``tokenizers``      the names of those that made them.
    ``languages``       how many pairs are in each language, by code.
    ``size``            how many there are.
    ``pairs``           how many pairs the file has with words on both sides.
    ``document_words``  how many document words the alignment units have.
    ``abstract_words``  how many abstract words they have.
    """

    fingerprint: str
    tokenizers: frozenset[str]
    languages: Mapping[str, int]
    size: int = 0
    pairs: int = 0
    document_words: int = 0
    abstract_words: int = 0


@dataclass(frozen=True)
class Texts(Sequence[Batch]):
    """The batches of a training on disk, file by file of the pairs.

    ``folder``       has a folder for each file, by number: its batches by number, and ``NUMBERS``.
    ``files``        what is known of each file's batches.
    ``vocabulary``   of all files, which the batches are given.
    ``totals``       of all batches; ``None`` in a worker.
    ``fingerprint``  of the corpus: that of its file, or a hash of those of its files.
    """

    folder: Path
    files: tuple[FileBatches, ...]
    vocabulary: Vocabulary
    totals: Totals | None
    fingerprint: str
    _kept: dict[int, Batch] = field(init=False, repr=False, default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process gets: not what grows with the vocabulary, which it knows."""
        left_out: dict[str, Any] = {"vocabulary": Vocabulary.empty(), "totals": None, "_kept": {}}
        return {**self.__dict__, **left_out}

    def known_to(self, vocabulary: Vocabulary) -> Texts:
        """Return the texts with a vocabulary that begins with theirs and may have more words."""
        return self if vocabulary is self.vocabulary else replace(self, vocabulary=vocabulary)

    @property
    def language(self) -> str:
        """Return the code of the language of most pairs."""
        return commonest(sum((Counter(file.languages) for file in self.files), Counter[str]()))

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(file.size for file in self.files))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index: Any, /) -> Any:
        """Return the batch of an index."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index in self._kept:
            return self._kept[index]
        file = bisect_right(self._ends, index)
        first = self._ends[file] - self.files[file].size
        own = numbered(self.folder, file)
        batch: Batch = read_value(numbered(own, index - first), self.vocabulary)
        numbers = read_value(own / NUMBERS)
        batch = replace(batch, abstract=numbers[batch.abstract], document=numbers[batch.document])
        if len(self._kept) < KEPT_BATCHES:
            self._kept[index] = batch
        return batch


def write_file(folder: Path, units: Iterable[AlignmentUnit], encoder: str = "") -> FileBatches:
    """Write the batches of a file's units into the folder, and its words.

    ``encoder``  the name of the encoder of the word vectors, if they have any.

    Words are numbered by first appearance. The fingerprint is a hash of all that training sees of
    the texts, trees included, and of the encoder's name. Vectors are left out, because they may
    differ in the last digit when they are computed again.
    """
    # Where training has failed meanwhile, its folder is gone: it must not come back.
    files.make_folder(folder, WHAT, parents=False)
    digest = hashlib.sha256(encoder.encode())
    numbering = Numbering(Vocabulary.empty())
    totals = Totals()
    sizes: Counter[str] = Counter()
    tokenizers: set[str] = set()
    languages: Counter[str] = Counter()
    for number, group in enumerate(batched_units(units)):
        batch = batch_of(group, numbering)
        for content in _hashed(batch):
            digest.update(content)
        totals = totals.plus(Totals.from_batch(batch))
        write_value(numbered(folder, number), batch)
        sizes.update(
            size=1,
            pairs=sum(unit.last for unit in group),
            document_words=len(batch.document),
            abstract_words=len(batch.abstract),
        )
        tokenizers.update(unit.original.tokenizer for unit in group)
        languages.update(unit.original.language for unit in group if unit.last)
    known = numbering.vocabulary()
    digest.update("\n".join(known.words).encode())
    words = {"words": list(known.words), "stems": list(known.stems), "stem_of": known.stem_of}
    write_value(folder / WORDS_FILE, {**words, **totals._asdict()})
    return FileBatches(digest.hexdigest(), frozenset(tokenizers), languages, **sizes)


def _hashed(batch: Batch) -> Iterator[bytes]:
    """Yield what training sees of the texts of a batch."""
    labels, *brackets = batch.trees or ((),)
    offsets = batch.abstract_offsets, batch.document_offsets
    arrays = (batch.abstract, batch.document, *offsets, *(batch.capitals or ()))
    yield "\n".join(batch.ids).encode()
    yield from (array.tobytes() for array in arrays)
    yield "\n".join(labels).encode()
    yield from (array.tobytes() for array in brackets)


def merged_texts(folder: Path, read: Sequence[FileBatches]) -> Texts:
    """Merge the vocabularies of the files; give each the numbers that its words have in all."""
    totals = Totals()
    merged = Numbering(Vocabulary.empty())
    for index, file in enumerate(read):
        if not file.size:
            continue
        own = numbered(folder, index)
        content = read_value(own / WORDS_FILE)
        words, stems = (
            {name: number for number, name in enumerate(content[key])} for key in ("words", "stems")
        )
        numbers = merged.add(Vocabulary(words, stems, content["stem_of"]))
        of_file = Totals(content["abstract_counts"], content["labels"])
        totals = totals.plus(of_file.renumbered(numbers))
        write_value(own / NUMBERS, numbers)
    fingerprints = [file.fingerprint for file in read if file.size]
    fingerprint = "\n".join(fingerprints)
    if len(fingerprints) > 1:
        fingerprint = hashlib.sha256(fingerprint.encode()).hexdigest()
    return Texts(folder, tuple(read), merged.vocabulary(), totals, fingerprint)


def texts_of(units: Iterable[AlignmentUnit], folder: Path, encoder: str = "") -> Texts:
    """Make the vocabulary and the batches, in one pass over the units.

    No batch has pairs of two files: each file makes the batches that it makes by itself.
    """
    by_file = groupby(units, lambda unit: getattr(unit.original.source, "path", None))
    read = [
        write_file(numbered(folder, number), own, encoder)
        for number, (_, own) in enumerate(by_file)
    ]
    return merged_texts(folder, read)


BESIDE = ".semihmm-cache"
"""The name of a cache beside a model, which is removed when training ends."""


@dataclass(frozen=True)
class TrainingCache:
    """Where the batches of a training are.

    ``folder``  for the shards.
    ``texts``   the folder for the texts, which goes when training ends.
    """

    folder: Path
    texts: Path

    def encoded(self, texts: Texts, fingerprint: str, settings: Settings, skip: bool) -> Shards:
        """Return the encoded shards of these texts, of which some may still have to be made.

        ``fingerprint`` is that of the texts, and of the model that training started from, if any;
        ``skip`` tells whether bad pairs are left out.
        """
        # The texts are hashed themselves, and so is the model that training starts from.
        options = all_options()
        used = {name: own for name, own in settings.as_json().items() if options[name].is_encoded}
        content = json.dumps([fingerprint, used, skip, program_source()])
        key = hashlib.sha256(content.encode()).hexdigest()[:16]
        folder = self.folder / f"encoded-{key}"
        files.own_folder(folder, WHAT)
        files.remove_left_behind(folder)
        return Shards(folder, len(texts))


@contextmanager
def training_cache(
    kept: str | PathLike[str] | None, beside: str | PathLike[str] | None
) -> Iterator[TrainingCache]:
    """Open the cache of one training.

    ``kept``    the folder whose shards are kept for the next time. Without it the folder goes when
                training ends, however it ends.
    ``beside``  the directory in which that folder is, if given: there a training that was killed
                finds its shards again.

    Several trainings may share a folder that is kept. Raises ``BadData`` if the folder cannot be
    made.
    """
    with ExitStack() as stack:
        if kept is not None:
            folder = Path(kept).resolve()
        elif beside is not None:
            # Not the path without links: a folder that somebody else names is not cleared.
            folder = Path(beside).resolve() / BESIDE
            files.own_folder(folder, WHAT)
            stack.callback(_clear, folder)
        else:
            folder = stack.enter_context(files.scratch_folder())
        files.make_folder(folder, WHAT)
        yield TrainingCache(folder, stack.enter_context(_folder_of_texts(folder)))


OF_TEXTS = re.compile(r"texts-[0-9a-f]{16}")
"""The names of folders of texts."""

OF_ENCODED = re.compile(r"encoded-[0-9a-f]{16}")
"""The names of folders of encoded shards."""

OUR_FILES = re.compile(
    rf"\d{{8}}|{NUMBERS}|{WORDS_FILE}|model-[0-9a-f]{{32}}|\..+{re.escape(files.TEMPORARY)}"
)
"""The names of files in these folders, and of the folders of files of pairs in those of texts."""


def _clear(folder: Path) -> None:
    """Remove a cache beside a model, as far as the program made it."""
    for inside in folder.iterdir():
        if OF_ENCODED.fullmatch(inside.name):
            files.clear_folder(inside, OUR_FILES)
    files.clear_folder(folder, re.compile(rf"{OF_TEXTS.pattern}\.lock"))


@contextmanager
def _folder_of_texts(folder: Path) -> Iterator[Path]:
    """Make a folder for the texts of one training, which goes at the end.

    While training lasts it holds a lock beside its folder. What is not locked was left behind by
    one that was killed, and is removed.
    """
    for left in folder.iterdir():
        if OF_TEXTS.fullmatch(left.name) and files.is_marked(left):
            with suppress(InUse, BadData), files.locked(left.with_suffix(".lock"), WHAT):
                files.clear_folder(left, OUR_FILES, OUR_FILES)
    texts = folder / f"texts-{secrets.token_hex(8)}"
    # Another training may hold it for a moment, to see whether it was left behind.
    with files.locked(texts.with_suffix(".lock"), f"{WHAT} in {folder}", wait=-1):
        files.own_folder(texts, WHAT)
        try:
            yield texts
        finally:
            files.clear_folder(texts, OUR_FILES, OUR_FILES)


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
