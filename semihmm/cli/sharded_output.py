"""Writes an output file by file of the pairs, in this process or on a Dask cluster.

Each file of the pairs is a task. Its part of the output goes into a folder beside the output (or in
it, if that is a directory), which the workers of a cluster must see under the same path. When all
parts are there they become the output. So a task that runs again, since its worker was lost, writes
the same part again, and a run that ended early is resumed from the parts that are whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from corpus_tools.errors import BadData, BadUsage, ClusterLost, SemiHmmWarning
from corpus_tools.pairs.files_of_pairs import Reading, require_unique_ids
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import tokenizer_names
from corpus_tools.processes.pool import with_warnings
from corpus_tools.progress import counted
from corpus_tools.storage.files import move_file, replacing
from corpus_tools.storage.journal import can_be_resumed
from corpus_tools.storage.locks import locked
from corpus_tools.storage.new_folders import make_folder, remove_folder
from semihmm.batches.units import extract_choice
from semihmm.cli.commands.extract import extract_row
from semihmm.cli.messages import say
from semihmm.cli.outputs import outputs_in
from semihmm.cli.reading import with_trees_of
from semihmm.cli.resumed_alignments import rows_of, write_rows
from semihmm.cluster.client import connect
from semihmm.cluster.tasks import (
    KILLED,
    PairsSeen,
    read_model,
    require_same_program,
    run_tasks,
    warn_once,
)
from semihmm.decoding.align import aligned_pairs

if TYPE_CHECKING:
    from distributed import Client

WHAT = "the folder of the parts of the output"


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


class Outcome(NamedTuple):
    """What came of a file: its part, the warnings, and whether an earlier run had made it."""

    part: Part
    warnings: list[SemiHmmWarning]
    kept: bool


@dataclass(frozen=True)
class Shards:
    """What is to be done with the files of a corpus, and where the results go.

    ``work``       is done with each file.
    ``files``      of the pairs.
    ``output``     a file or a directory.
    ``directory``  whether the output is a directory, with a file for each of the pairs.
    ``form``       the format of the output, for the names of files in a directory.
    ``skip``       whether a part without some of its pairs will do.
    """

    work: Work
    files: Sequence[str]
    output: str
    directory: bool
    form: str | None = None
    skip: bool = False

    def absolute(self) -> Shards:
        """Return the same for processes that work in other directories."""
        files = [os.path.abspath(file) for file in self.files]
        return replace(self, files=files, output=os.path.abspath(self.output))

    @property
    def folder(self) -> Path:
        """Return the folder of the parts."""
        path = Path(os.path.realpath(self.output))
        return path / ".shards" if self.directory else path.with_name(f"{path.name}.shards")

    def target(self, index: int) -> Path:
        """Return the file of a part."""
        packed = self.directory and self.files[index].lower().endswith(".gz")
        return self.folder / f"{index:08d}{'.gz' if packed else ''}"


def write_shards(
    shards: Shards,
    phase: str,
    cluster: str | None,
    workers: int,
    resume: bool = False,
    prepare: Callable[[Path], None] | None = None,
) -> list[Part]:
    """Write the output and return its parts, in the order of the files.

    ``phase``    what the bar is called.
    ``cluster``  who does the work (``semihmm.cluster.client``); ``None``: this process.
    ``workers``  processes of a local cluster.
    ``resume``   whether parts that an earlier run made are kept.
    ``prepare``  puts what the work needs into the folder of the parts.

    Raises the error of the first file that cannot be worked on, with its name; ``BadData`` for an
    id that two files have, ``BadUsage`` for an output that is no file, and if no cluster answers.
    """
    _require_file(shards)
    with _folder_of_parts(shards, resume):
        if prepare is not None:
            prepare(shards.folder)
        if cluster is None:
            given = (make_part(shards, resume, index) for index in range(len(shards.files)))
            outcomes = list(counted(given, phase, len(shards.files), "files"))
        else:
            with connect(cluster, workers) as client:
                outcomes = _on_cluster(client, shards.absolute(), phase, resume)
        parts = _noted(outcomes, shards, resume)
        hashes = [np.array(part.ids, dtype=np.uint64) for part in parts]
        require_unique_ids(hashes, shards.files, shards.work.reading)
        _join(shards)
    return parts


def make_part(shards: Shards, resume: bool, index: int) -> Outcome:
    """Make the part of a file, or take the one that is there. Runs in a worker.

    Raises ``BadUsage`` in a worker with another version of the program.
    """
    require_same_program(shards.work.program)
    file, target = shards.files[index], shards.target(index)
    record = target.with_name(f"{target.name}.json")
    identity = shards.work.identity_of(file)
    kept = _kept_part(record, target, identity, shards.skip) if resume else None
    if kept is not None:
        return Outcome(kept, [], kept=True)
    part, warned = with_warnings(shards.work, file, target)
    fields = {"identity": identity, "bytes": target.stat().st_size, "part": part._asdict()}
    with replacing(record) as stream:
        json.dump(fields, stream)
    return Outcome(part, warned, kept=False)


def _kept_part(record: Path, target: Path, identity: str, skip: bool) -> Part | None:
    """Return the part that an earlier run made of the same file, if it is whole."""
    try:
        fields: dict[str, Any] = json.loads(record.read_bytes())
        part = Part.from_json(fields["part"])
        same = fields["identity"] == identity and fields["bytes"] == target.stat().st_size
    except (OSError, ValueError, LookupError, TypeError):
        return None
    # Pairs that were left out are tried again, and name the error.
    return part if same and (skip or not part.skipped) else None


def _require_file(shards: Shards) -> None:
    if not (shards.directory or can_be_resumed(shards.output)):
        raise BadUsage("the output of a cluster is a file or a directory: name one with --output")


@contextmanager
def _folder_of_parts(shards: Shards, resume: bool) -> Iterator[None]:
    """Make the folder of the parts. It goes at the end, but what can be resumed stays."""
    folder = shards.folder
    if shards.directory:
        make_folder(folder.parent, "the directory of the output")
    with locked(folder.with_name(f".{folder.name}.lock"), f"the output {shards.output}"):
        if not resume:
            remove_folder(folder)
        make_folder(folder, WHAT)
        try:
            yield
        except BaseException:
            done = len(list(folder.glob("*.json")))
            if done and shards.work.can_be_resumed:
                say(
                    f"{done} of {len(shards.files)} files are done, in {folder}: "
                    "the same command with --resume goes on from them"
                )
            else:
                remove_folder(folder)
            raise
        remove_folder(folder)


def _on_cluster(client: Client, shards: Shards, phase: str, resume: bool) -> list[Outcome]:
    """Make all parts on a cluster. Raises the error of the first file that has one."""
    files = shards.files
    work: Callable[[int], Outcome] = partial(make_part, shards, resume)

    def killed(index: int) -> BadData:
        return BadData(KILLED, files[index])

    try:
        made = run_tasks(client, work, range(len(files)), phase, "files", killed)
    except ClusterLost as error:
        # Unlike a training, what is left can be resumed only if some files are done.
        raise BadData(error.problem) from error
    if made.error is not None:
        raise made.error
    return made.results


def _noted(outcomes: Sequence[Outcome], shards: Shards, resume: bool) -> list[Part]:
    """Return the parts, and give one warning of each kind."""
    kept = sum(outcome.kept for outcome in outcomes)
    warn_once(warning for outcome in outcomes for warning in outcome.warnings)
    if resume:
        from_them = f"{kept} of {len(outcomes)} files were done" if kept else "nothing to resume"
        say(f"{from_them} in {shards.folder}")
    return [outcome.part for outcome in outcomes]


def _join(shards: Shards) -> None:
    """Make the output of the parts."""
    if shards.directory:
        for index, path in enumerate(outputs_in(shards.output, shards.files, shards.form)):
            move_file(shards.target(index), path)
        return
    with replacing(shards.output) as stream:
        for index in range(len(shards.files)):
            with open(shards.target(index), encoding="utf-8", newline="\n") as part:
                shutil.copyfileobj(part, stream)
