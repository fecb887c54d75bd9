"""WordNet as arrays: made of its files once, kept in the cache folder, and mapped into memory.

NLTK's reader parses WordNet's indexes at each start, and makes objects of what a synset has. That
takes seconds. The files are those of wndb(5WN).
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from corpus_tools.base.errors import BadData, BadResource, described
from corpus_tools.base.files import cache_folder, replacing_bytes

if TYPE_CHECKING:
    from nltk.data import PathPointer

Row = TypeVar("Row")

SUFFIXES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""What the names of files end in, by part of speech."""

FILE_OF = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
"""The index in ``SUFFIXES`` of each part of speech. Satellites share the adjectives' file."""
FILE_SIZE = 10**8
"""More bytes than a data file has: offsets have eight digits.

The place of a synset is its offset in its file, after so many for each file before.
"""

HYPERNYMS = ("@", "@i")
NEAR = frozenset((*HYPERNYMS, "&", "^", "$", "=", "*", ">"))
"""Pointers that lead one step away, wninput(5WN).

Beside hypernyms, what adjectives and verbs have instead: similar, see also, verb group, attribute,
entailment, cause. Never antonyms.
"""
DERIVATIONS = ("+", "\\")
"""Pointers to derivationally related forms, wninput(5WN), and from adverbs to their adjectives."""

INSTANCE = "@i"
"""The pointer from people and places to what they are."""

WHOLE_SYNSET = "0000"
"""Source and target of a pointer that holds for all words of both synsets."""

KEY_BYTES = 8
"""How many bytes of a lemma its key has."""

END = b"\xff"
"""Stands behind each lemma: UTF-8 has no such byte."""

SMALLEST = 1 << 20
"""A WordNet of fewer bytes is not kept: it is read in a moment."""


class Rows(NamedTuple):
    """Rows of numbers, end to end.

    ``begins``  int32 [R + 1], where each row begins.
    ``values``  int32.
    """

    begins: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Rows:
        """Lay rows end to end."""
        begins = np.cumsum([0, *map(len, rows)])
        values = np.fromiter((value for row in rows for value in row), np.int64, begins[-1])
        return cls(begins.astype(np.int32), values)


class Tables(NamedTuple):
    """The L lines of the indexes, sorted by lemma, and the S synsets, sorted by place.

    ``text``       uint8, the lemma of each line in UTF-8, with ``END`` behind.
    ``starts``     int32 [L + 1], where each begins.
    ``keys``       uint64 [L], its first ``KEY_BYTES``: numbers in the order of the lemmas.
    ``parts``      "S1" [L], its part of speech.
    ``senses``     L rows, its synsets, the most frequent one first.
    ``derived``    L rows, where the ``DERIVATIONS`` of the lemma lead in these synsets.
    ``names``      "S10" [S], offset and part of speech, as in "02084071-n".
    ``near``       S rows, where the pointers ``NEAR`` of the whole synset lead.
    ``hypernyms``  S rows, the hypernyms among these, then the instance hypernyms, as in the file.
    ``instances``  bool [S], whether there is an instance hypernym.
    """

    text: np.ndarray
    starts: np.ndarray
    keys: np.ndarray
    parts: np.ndarray
    senses: Rows
    derived: Rows
    names: np.ndarray
    near: Rows
    hypernyms: Rows
    instances: np.ndarray


def tables_of(root: PathPointer) -> Tables:
    """Return the arrays of the WordNet in a directory or zip file.

    Raises ``BadResource`` for a damaged file.
    """
    place = Path(str(root))
    sources = [place / name for name in _names()]
    if not place.is_dir():
        sources = [next(folder for folder in place.parents if folder.is_file())]
    stats = [(str(source), source.stat()) for source in sources]
    if sum(stat.st_size for _, stat in stats) < SMALLEST:
        return _made(root)
    stamps = [(source, stat.st_size, stat.st_mtime_ns) for source, stat in stats]
    known = repr(stamps).encode() + Path(__file__).read_bytes()
    try:
        path = cache_folder() / f"wordnet-{hashlib.sha256(known).hexdigest()[:16]}.npy"
        with suppress(OSError, ValueError):
            return _mapped(path)
        with replacing_bytes(path, "the arrays of WordNet") as file:
            np.save(file, _record(_made(root)))
        return _mapped(path)
    except BadResource:
        raise
    except BadData:  # no file can be written
        return _made(root)


def _names() -> list[str]:
    return [f"{kind}.{suffix}" for kind in ("data", "index") for suffix in SUFFIXES.values()]


def _record(tables: Tables) -> np.ndarray:
    """Return all arrays as the fields of one, so that one file has them and can be mapped."""
    fields = {
        f"{name}.{inner}" if inner else name: array
        for name, value in tables._asdict().items()
        for inner, array in (value._asdict() if isinstance(value, Rows) else {"": value}).items()
    }
    types = [(name, array.dtype, array.shape) for name, array in fields.items()]
    record = np.zeros(1, np.dtype(types, align=True))
    for name, array in fields.items():
        record[name] = array
    return record


def _mapped(path: Path) -> Tables:
    # The class of mapped arrays would make each look-up slower.
    record = np.asarray(np.load(path, mmap_mode="r"))

    def field(name: str) -> Any:
        if name in (record.dtype.names or ()):
            return record[name][0]
        return Rows(record[f"{name}.begins"][0], record[f"{name}.values"][0])

    return Tables(*map(field, Tables._fields))


@dataclass
class _Reached:
    """The line of a file that is being read, counted from 1."""

    line: int | None = None


@contextmanager
def naming_damage(file: object) -> Iterator[_Reached]:
    """Turn what a damaged file raises into ``BadResource``: almost any of Python's errors.

    The error names the line that was reached.
    """
    reached = _Reached()
    try:
        yield reached
    except MemoryError:
        raise
    except Exception as error:
        problem = f"this WordNet is damaged: {described(error)}"
        raise BadResource(
            f"{problem}; install it again, or go without it", str(file), reached.line
        ) from error


class _Synset(NamedTuple):
    """What the line of a synset says. Others stand by their places."""

    place: int
    name: str
    near: list[int]
    hypernyms: list[int]
    derivations: Mapping[str, list[int]]
    is_instance: bool


@contextmanager
def _garbage_waits() -> Iterator[None]:
    """Collect no garbage: there is none, and a look through a million new lists costs a second."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_garbage_waits()
def _made(root: PathPointer) -> Tables:
    """Make the arrays of WordNet's files."""
    synsets = [
        synset for suffix in SUFFIXES.values() for synset in _rows(root, f"data.{suffix}", _synset)
    ]
    lines = sorted(
        line for suffix in SUFFIXES.values() for line in _rows(root, f"index.{suffix}", _index_line)
    )
    with naming_damage(root):
        places = np.array([synset.place for synset in synsets], dtype=np.int64)
        derived = {
            (synset.place, word): targets
            for synset in synsets
            for word, targets in synset.derivations.items()
        }
        lemmas = [lemma for lemma, *_ in lines]
        text = b"".join(lemma + END for lemma in lemmas)
        of_lemma = [
            [target for place in row for target in derived.get((place, lemma.decode()), ())]
            for lemma, _, row in lines
        ]
        return Tables(
            np.frombuffer(text, np.uint8),
            np.cumsum([0, *(len(lemma) + len(END) for lemma in lemmas)]).astype(np.int32),
            np.array([key_of(lemma) for lemma in lemmas], np.uint64),
            np.array([part for _, part, _ in lines], "S1"),
            _numbered([row for *_, row in lines], places),
            _numbered(of_lemma, places),
            np.array([synset.name for synset in synsets], "S10"),
            _numbered([synset.near for synset in synsets], places),
            _numbered([synset.hypernyms for synset in synsets], places),
            np.array([synset.is_instance for synset in synsets], bool),
        )


def key_of(lemma: bytes) -> int:
    """Return the first bytes of a lemma as a number."""
    return int.from_bytes(lemma[:KEY_BYTES].ljust(KEY_BYTES, b"\0"))


def _numbered(rows: Sequence[Sequence[int]], places: np.ndarray) -> Rows:
    """Return rows of places as rows of the numbers of synsets, int32."""
    begins, values = Rows.of(rows)
    numbers = places.searchsorted(values)
    there = np.append(places, -1)[numbers] == values
    if not there.all():
        file, offset = divmod(int(values[~there][0]), FILE_SIZE)
        raise ValueError(f"there is no synset at offset {offset} of {_names()[file]}")
    return Rows(begins, numbers.astype(np.int32))


def _rows(root: PathPointer, name: str, parsed: Callable[[bytes], Row]) -> Iterator[Row]:
    """Yield what the lines of a file say."""
    path = root.join(name)
    with naming_damage(path) as reached:
        with path.open() as file:
            lines: list[bytes] = file.read().splitlines()
        for number, line in enumerate(lines, start=1):
            # Lines of the licence begin with a blank.
            if line[:1].strip():
                reached.line = number
                yield parsed(line)


def _index_line(line: bytes) -> tuple[bytes, str, list[int]]:
    """Return what a line of an index says: lemma, part of speech, the places of its synsets."""
    lemma, part, size, pointers, *rest = line.decode().split()
    senses, _, *offsets = rest[int(pointers) :]
    if not int(senses) == int(size) == len(offsets) > 0:
        raise ValueError("the line does not have its number of senses")
    first = FILE_OF[part] * FILE_SIZE
    return lemma.encode(), part, [first + int(offset) for offset in offsets]


def _synset(line: bytes) -> _Synset:
    """Return what the line of a synset says."""
    # The gloss stands after the bar.
    fields = line[: line.index(b"|")].decode().split()
    near: list[int] = []
    hypernyms: list[int] = []
    instances: list[int] = []
    derivations: dict[str, list[int]] = {}
    for symbol, offset, of, ends in _pointers(fields):
        target = FILE_OF[of] * FILE_SIZE + int(offset)
        if symbol in NEAR and ends == WHOLE_SYNSET:
            near.append(target)
            if symbol in HYPERNYMS:
                (instances if symbol == INSTANCE else hypernyms).append(target)
        elif symbol in DERIVATIONS and ends != WHOLE_SYNSET:
            word = fields[2 + 2 * int(ends[:2], 16)].partition("(")[0].lower()
            derivations.setdefault(word, []).append(target)
    offset, _, part = fields[:3]
    place = FILE_OF[part] * FILE_SIZE + int(offset)
    name = f"{offset}-{part}"
    return _Synset(place, name, near, hypernyms + instances, derivations, bool(instances))


def _pointers(fields: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """Return the pointers of a synset. Raises ``ValueError`` if there are fewer than it says."""
    # Behind the words, each of which has two fields.
    first = 5 + 2 * int(fields[3], 16)
    end = first + 4 * int(fields[first - 1])
    if len(fields) < end:
        raise ValueError("the line does not have its number of pointers")
    # One iterator four times: a row has four fields, one after the other.
    return zip(*[iter(fields[first:end])] * 4, strict=True)
