"""What is done with one file of pairs: aligning them, and choosing extracts."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path, PurePath
from typing import Any, ClassVar, NamedTuple, Self

from corpus_tools.errors import BadData
from corpus_tools.pairs.files_of_pairs import Reading
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import tokenizer_names
from corpus_tools.storage.files import replacing
from semihmm.batches.units import extract_choice
from semihmm.cli.commands.extract import extract_row
from semihmm.cli.reading import with_trees_of
from semihmm.cli.resumed_alignments import rows_of, write_rows
from semihmm.cluster.tasks import PairsSeen, read_model
from semihmm.decoding.align import aligned_pairs


class Part(NamedTuple):
    """What is known of the results of one file.

    ``pairs``      how many it has.
    ``tokenizer``  the tokenizers of the pairs, as ``tokenizer_names`` joins them.
    ``empty``      ids of the pairs without words on one side.
    ``skipped``    ids of the pairs that were left out.
    ``ids``        of all ids, hashes of 64 bits.
    """

    pairs: int
    tokenizer: str
    empty: tuple[str, ...]
    skipped: tuple[str, ...]
    ids: tuple[int, ...]

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        """Make the part from what JSON made of ``_asdict``."""
        lists = {name: tuple(fields[name]) for name in ("empty", "skipped", "ids")}
        return cls(**{**fields, **lists})


def tokenizers_of(parts: Iterable[Part]) -> str:
    """Return the tokenizers of all files, joined."""
    return tokenizer_names(part.tokenizer for part in parts)


def _part(seen: PairsSeen, skipped: Iterable[str] = ()) -> Part:
    """Return what was seen of a file, and what was left out of its output."""
    read = seen.read()
    return Part(read.pairs, read.tokenizer, read.empty, tuple(skipped), tuple(seen.hashes))


@dataclass(frozen=True)
class Work(ABC):
    """What is done with a file of pairs, in any process that sees it.

    ``program``  the version of the program (``program_source``), which all processes must have.
    """

    can_be_resumed: ClassVar[bool]

    reading: Reading
    program: str

    @abstractmethod
    def __call__(self, file: str, target: Path) -> Part:
        """Write the results of a file to ``target``."""

    @abstractmethod
    def basis(self) -> str:
        """Name all that the results depend on, beside the program and the pairs."""

    def identity_of(self, file: str) -> str:
        """Hash all that the results of a file depend on. Raises ``BadData`` if it is unreadable."""
        basis = [self.program, self.basis(), astuple(self.reading), PurePath(file).name]
        try:
            with open(file, "rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise BadData(f"cannot read: {error.strerror}", file) from error
        return hashlib.sha256(json.dumps([*basis, content]).encode()).hexdigest()


@dataclass(frozen=True)
class Aligning(Work):
    """Aligns the pairs.

    ``model``      the file of the model in the folder of the parts (``shared_model``).
    ``identity``   names the model and its settings.
    ``by``         what alignments say they were made by.
    ``form``       the format of the alignments.
    ``skip``       whether pairs that make the model fail are left out.
    ``own_trees``  whether the pairs bring their trees.
    ``threads``    how many align, and how many processes read a large file.
    """

    can_be_resumed = True

    model: str
    identity: str
    by: str
    form: str | None
    skip: bool
    own_trees: bool
    threads: int

    def __call__(self, file: str, target: Path) -> Part:
        shared = read_model(target.parent / self.model, "the model of the cluster")
        seen = PairsSeen()
        with KeptPairs() as pairs:
            model, settings = shared
            given = self.reading.pairs(file, extract_choice(settings), self.threads)
            for pair in seen.count(with_trees_of([file] if self.own_trees else [], given)):
                pairs.add(pair)
            alignments = aligned_pairs(
                model, settings, pairs, self.threads, self.by, skip=self.skip
            )
            return _part(seen, write_rows(rows_of(alignments, pairs.ids), pairs, target, self.form))

    def basis(self) -> str:
        return json.dumps([self.identity, self.form, self.own_trees])


@dataclass(frozen=True)
class Extracting(Work):
    """Chooses extracts: ``sentences`` for each abstract sentence, by a ``method``."""

    can_be_resumed = False

    sentences: int
    method: str

    def __call__(self, file: str, target: Path) -> Part:
        seen = PairsSeen()
        with replacing(target) as stream:
            for pair in seen.count(self.reading.pairs(file)):
                stream.write(extract_row(pair, self.sentences, self.method))
        return _part(seen)

    def basis(self) -> str:
        return json.dumps([self.sentences, self.method])
