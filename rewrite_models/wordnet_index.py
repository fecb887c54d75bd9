"""Reads WordNet's files, wndb(5WN), into arrays, which are kept in the user's cache folder.

To parse all lines takes seconds, to load the arrays some milliseconds. So a run makes them once for
each WordNet, and again if one of its files or this module has changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.base.arrays import Groups
from corpus_tools.base.errors import BadData, BadResource, described
from corpus_tools.base.files import cache_folder, pack_npz, replacing_bytes
from corpus_tools.texts.lexicons import FilePlace

PARTS_OF_SPEECH = "nvar"

FILE_SUFFIXES = ("noun", "verb", "adj", "adv")
"""The suffixes of file names, in the order of ``PARTS_OF_SPEECH``."""

FILE_KINDS = ("data.{}", "index.{}", "{}.exc")

FILE_OF_PART = {b"n": 0, b"v": 1, b"a": 2, b"s": 2, b"r": 3}
"""The index in ``FILE_SUFFIXES`` of each part of speech. Satellites share the adjectives' file."""

FILE_OFFSET = 10**8
"""More than the largest offset in a data file, which has eight digits.

A place is ``FILE_OFFSET * index of the file + offset``.
"""

NEAR_POINTER = re.compile(rb" (@i?|[&^$=*>]) (\d{8}) ([nvasr]) 0000(?= )")
"""Pointers of whole synsets that lead one step away, wninput(5WN).

These are hypernyms, and the pointers that adjectives and verbs have instead: similar, see also,
verb group, attribute, entailment, cause; but not antonyms.
"""
HYPERNYM_POINTER, INSTANCE_POINTER = b"@", b"@i"
"""The pointers to more general synsets: hypernyms, and the classes of instances, such as people and
places."""
DERIVATION_POINTER = re.compile(rb" [+\\] (\d{8}) ([nvasr]) (?!0000)(\w\w)\w\w(?= )")
"""Pointers of words to derivationally related forms, from adverbs to their adjectives, and from
relational adjectives to their nouns."""

LICENCE_BYTES = 1 << 12
"""More bytes than the licence has at the beginning of each file."""

LEAST_KEPT = 10_000
"""The fewest lemmas of a WordNet whose arrays are kept: fewer are parsed as fast as loaded."""


class WordNetIndex(NamedTuple):
    """The L lemmas and N synsets of WordNet. Synsets are numbered in the order of the files.

    A slot is a lemma as a part of speech: four times the number of the lemma, plus the index in
    ``PARTS_OF_SPEECH``.

    ``title``       "WordNet" and its version, from its licence.
    ``lemmas``      the lemmas, sorted, with line ends between them.
    ``exceptions``  the lines of the lists of irregular forms, each after its part of speech.
    ``senses``      for each slot its synsets, the most frequent ones first.
    ``derived``     for each slot the synsets of words that are derivationally related to it.
    ``near``        for each synset those that are one step from it.
    ``hypernyms``   for each synset the more general ones; last those that it is an instance of.
    ``places``      int32 [N], the place of each synset (``FILE_OFFSET``).
    ``parts``       the part of speech of each synset, N letters.
    ``capitals``    bool [N], whether the first word of a synset has a capital letter, as names do.
    ``instances``   bool [N], whether a synset is an instance, such as a person or a place.
    """

    title: str
    lemmas: str
    exceptions: str
    senses: Groups
    derived: Groups
    near: Groups
    hypernyms: Groups
    places: np.ndarray
    parts: str
    capitals: np.ndarray
    instances: np.ndarray

    def packed(self, state: str) -> bytes:
        """Return the index as the content of an npz file. ``state`` is what it is made of."""
        arrays: dict[str, np.ndarray] = {"state": _bytes(state)}
        for name, value in self._asdict().items():
            if isinstance(value, Groups):
                arrays |= {f"{name}.{key}": array for key, array in value._asdict().items()}
            else:
                arrays[name] = _bytes(value) if isinstance(value, str) else value
        return pack_npz(arrays)

    @classmethod
    def unpacked(cls, file: Path, state: str) -> WordNetIndex | None:
        """Read an index; return ``None`` if it is missing, damaged or made of something else."""
        try:
            with open(file, "rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                if _text(arrays["state"]) != state:
                    return None
                return cls(**{name: _field(arrays, name) for name in cls._fields})
        except Exception:  # a damaged archive may raise anything
            return None


def _field(arrays: Mapping[str, np.ndarray], name: str) -> Any:
    if name not in arrays:
        return Groups(*(arrays[f"{name}.{key}"] for key in Groups._fields))
    return _text(arrays[name]) if arrays[name].dtype == np.uint8 else arrays[name]


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), np.uint8)


def _text(array: np.ndarray) -> str:
    return array.tobytes().decode()


def index_of(root: FilePlace) -> WordNetIndex:
    """Return the index of the WordNet in a directory or zip file; make and keep it if need be.

    Raises ``BadResource``, with file and line, for a damaged WordNet.
    """
    place = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    try:
        file = cache_folder() / f"wordnet-{place}.npz"
        state = _state_of(root)
    except OSError as error:
        raise damage(root, None, error) from error
    index = WordNetIndex.unpacked(file, state)
    if index is None:
        index = parsed(root)
        if index.lemmas.count("\n") >= LEAST_KEPT:
            # On a full disk the next run makes it again.
            with suppress(BadData), replacing_bytes(file, durable=False) as stream:
                stream.write(index.packed(state))
    return index


def _state_of(root: FilePlace) -> str:
    """Return the sizes and times of the files, or of their archive, and the hash of this module."""
    archives = [path for path in Path(str(root)).parents if path.is_file()]
    names = [kind.format(suffix) for kind in FILE_KINDS for suffix in FILE_SUFFIXES]
    status = [path.stat() for path in archives or [Path(str(root), name) for name in names]]
    code = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return repr([code, *((file_status.st_size, file_status.st_mtime_ns) for file_status in status)])


def damage(file: object, line: int | None, error: Exception) -> BadResource:
    """Return the error for a damaged file, or one of its lines, counted from 1."""
    problem = f"this WordNet is damaged: {described(error)}"
    return BadResource(f"{problem}; install it again, or go without it", str(file), line)


# Parsing


class _Synset(NamedTuple):
    """A line of a data file. Pointers lead to places."""

    part: str
    capital: bool
    near: list[tuple[bytes, int]]
    derived: dict[bytes, list[int]]


def parsed(root: FilePlace) -> WordNetIndex:
    """Parse the files of WordNet. Raises ``BadResource``, with file and line."""
    try:
        files = {
            name: (root / name).read_bytes()
            for name in (kind.format(suffix) for kind in FILE_KINDS for suffix in FILE_SUFFIXES)
        }
        exceptions = [
            f"{part} {line}"
            for part, suffix in zip(PARTS_OF_SPEECH, FILE_SUFFIXES, strict=True)
            for line in files[f"{suffix}.exc"].decode().splitlines()
        ]
    except Exception as error:  # a damaged archive may raise anything
        raise damage(root, None, error) from error
    synsets = _synsets(root, files)
    numbers = {place: number for number, place in enumerate(synsets)}
    near, hypernyms, instances = [], [], []
    for synset in synsets.values():
        steps = [(symbol, numbers[place]) for symbol, place in synset.near]
        classes = [number for symbol, number in steps if symbol == INSTANCE_POINTER]
        near.append([number for _, number in steps])
        # As in the file: instance hypernyms come last.
        hypernyms.append([number for symbol, number in steps if symbol == HYPERNYM_POINTER])
        hypernyms[-1] += classes
        instances.append(bool(classes))
    entries = _entries(root, files, numbers)
    lemmas = sorted({lemma for lemma, _ in entries})
    slots = [(lemma, part) for lemma in lemmas for part in PARTS_OF_SPEECH]
    senses = [entries.get(slot, []) for slot in slots]
    of_number = list(synsets.values())
    derived = [
        [
            numbers[p]
            for number in synsets_of
            for p in of_number[number].derived.get(lemma.encode(), ())
        ]
        for (lemma, _), synsets_of in zip(slots, senses, strict=True)
    ]
    licence = re.search(rb"WordNet [\d.]+(?= Copyright)", files["data.noun"][:LICENCE_BYTES])
    return WordNetIndex(
        licence.group().decode() if licence else "WordNet",
        "\n".join(lemmas),
        "\n".join(exceptions),
        Groups.of(senses),
        Groups.of(derived),
        Groups.of(near),
        Groups.of(hypernyms),
        np.array([*synsets], dtype=np.int32),
        "".join(synset.part for synset in of_number),
        np.array([synset.capital for synset in of_number], dtype=bool),
        np.array(instances, dtype=bool),
    )


def _lines(content: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the lines of a file: number, offset, line. The licence, after blanks, is left out."""
    offset = 0
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip() and not line.startswith(b" "):
            yield number, offset, line
        offset += len(line) + 1


def _synsets(root: FilePlace, files: dict[str, bytes]) -> dict[int, _Synset]:
    """Parse the data files: synsets by place, in the order of the files."""
    synsets = {}
    lines = []
    for index, suffix in enumerate(FILE_SUFFIXES):
        name = f"data.{suffix}"
        for number, offset, line in _lines(files[name]):
            try:
                if not line.startswith(b"%08d " % offset):
                    raise ValueError(f"there is no synset at offset {offset}")
                synset = _synset(line.partition(b"|")[0])
            except (LookupError, ValueError) as error:
                raise damage(root / name, number, error) from error
            synsets[FILE_OFFSET * index + offset] = synset
            lines.append((name, number))
    for synset, (name, number) in zip(synsets.values(), lines, strict=True):
        targets = chain((place for _, place in synset.near), *synset.derived.values())
        for place in targets:
            if place not in synsets:
                missing = ValueError(f"there is no synset at offset {place % FILE_OFFSET}")
                raise damage(root / name, number, missing)
    return synsets


def _synset(line: bytes) -> _Synset:
    """Parse a line of a data file up to the bar before its gloss."""
    fields = line.split()
    # A word has two fields, itself and its number; the first word is field five. No pointer leads
    # to the fields after the words.
    derived: dict[bytes, list[int]] = {}
    for offset, part, word in DERIVATION_POINTER.findall(line):
        source = fields[4 + 2 * (int(word, 16) - 1)].decode().lower().partition("(")[0]
        derived.setdefault(source.encode(), []).append(_place(part, offset))
    near = [(symbol, _place(part, offset)) for symbol, offset, part in NEAR_POINTER.findall(line)]
    return _Synset(fields[2].decode(), fields[4][:1].isupper(), near, derived)


def _place(part: bytes, offset: bytes) -> int:
    return FILE_OFFSET * FILE_OF_PART[part] + int(offset)


def _entries(
    root: FilePlace, files: dict[str, bytes], numbers: dict[int, int]
) -> dict[tuple[str, str], list[int]]:
    """Parse the index files: the numbers of the synsets by lemma and part of speech."""
    entries = {}
    for suffix in FILE_SUFFIXES:
        name = f"index.{suffix}"
        for number, _, line in _lines(files[name]):
            try:
                lemma, part, size, pointers, *rest = line.split()
                senses, _, *offsets = rest[int(pointers) :]
                if not int(senses) == int(size) == len(offsets) > 0:
                    raise ValueError("the line does not have its number of senses")
                places = [_place(part, offset) for offset in offsets]
                if missing := [place % FILE_OFFSET for place in places if place not in numbers]:
                    raise ValueError(f"there is no synset at offset {missing[0]}")
                entries[lemma.decode(), part.decode()] = [numbers[place] for place in places]
            except (LookupError, ValueError) as error:
                raise damage(root / name, number, error) from error
    return entries
