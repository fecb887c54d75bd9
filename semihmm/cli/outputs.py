"""Says where outputs go, refuses those that are inputs, and writes them part by part.

The kinds of a command's arguments tell which name files that it reads, and which that it writes:
what does not fit is refused before anything is read.

The parts of a corpus are its files, which any process reads by itself, or pairs that were read
already. What comes of each goes into a folder beside the output (or in it, if that is a directory),
which the workers of a cluster must see under the same path. When all are there they become the
output. So a task that runs again, since its worker was lost, writes the same again, and a run that
ended early is resumed from the parts that are whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from corpus_tools.base import files as storage
from corpus_tools.base.errors import BadData, BadUsage, ClusterLost
from corpus_tools.pairs import read_pairs
from corpus_tools.pairs.pair import ExtractChoice
from semihmm.cli.command import InputFile, InputModel, Options, OutputDirectory, OutputFile
from semihmm.cli.messages import say
from semihmm.cli.reading import reading_of

if TYPE_CHECKING:
    from semihmm.training.cluster import Here

LINES = ("jsonl", "labels")
"""Formats that are JSON lines, which the names of their files tell."""


def is_directory(output: str | None) -> bool:
    """Tell whether an output is a directory, or shall be one."""
    return (
        output is not None
        and output != storage.STANDARD_STREAM
        and (os.path.isdir(output) or output.endswith(os.sep))
    )


def output_files(options: Options, output: str) -> list[str] | None:
    """Return the files of an output that is a directory, one for each file of the pairs.

    Their names are those of the files, with the ending of the format, and packed with gzip if the
    files are. Where several users annotate, there is one for each of them. Returns ``None`` for an
    output that is a file itself. Raises ``BadUsage`` for a directory that is that of the pairs.
    """
    if hasattr(options, "users"):
        return [str(Path(output, f"{user}.jsonl")) for user in options.users or ()] or None
    if not (options.pairs and is_directory(output)):
        return None
    if os.path.realpath(output) in map(os.path.realpath, options.pairs):
        raise BadUsage(f"the output {output} is the directory of the pairs: name another")
    form = getattr(options, "format", None)
    ending = "jsonl" if form is None or form in LINES else form
    return [
        str(Path(output, _output_name(file, ending)))
        for file in read_pairs.pair_files(options.pairs)
    ]


def _output_name(file: str, ending: str) -> str:
    name = PurePath(file).name
    packed = name.lower().endswith(".gz")
    stem = PurePath(name[: -len(".gz")] if packed else name).stem
    return f"{stem}.{ending}{'.gz' if packed else ''}"


# Outputs that are inputs


def refuse_overlaps(context: click.Context) -> None:
    """Raise ``BadUsage`` if a file that the command writes is one that it reads.

    One that it would write twice is refused too, and standard input as several inputs.
    """
    options = Options(**context.params)
    inputs: list[str] = []
    outputs: list[str] = []
    for parameter in context.command.params:
        kind = parameter.type
        if not isinstance(kind, InputFile):
            continue
        for path in _paths(getattr(options, parameter.name or "")):
            if isinstance(kind, OutputFile):
                outputs += (kind.has_shards and output_files(options, path)) or [path]
            elif isinstance(kind, OutputDirectory):
                outputs += filter(_is_of_model, _files(path))
            elif isinstance(kind, InputModel) and os.path.isdir(path):
                inputs += filter(_is_of_model, _files(path))
            else:
                inputs += _files(path)
    if inputs.count(storage.STANDARD_STREAM) > 1:
        raise BadUsage("standard input can be read only once: name files")
    _refuse_same_files(outputs, inputs)


def _paths(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the paths that an argument has: none, one or several."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _files(path: str) -> Iterator[str]:
    """Yield the file of a path, or those of a directory."""
    if path == storage.STANDARD_STREAM or not os.path.isdir(path):
        yield path
        return
    # What cannot be listed cannot be read either: the command says so.
    with suppress(OSError):
        yield from (str(inside) for inside in Path(path).iterdir() if inside.is_file())


def _is_of_model(path: str) -> bool:
    """Tell whether a file, by its name, belongs to a model."""
    from semihmm.model.saving import MANIFEST, OURS

    name = PurePath(path).name
    return name == MANIFEST or OURS.fullmatch(name) is not None


def _refuse_same_files(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Raise ``BadUsage`` if an output is an input, another output or a directory.

    Links are followed. Streams, devices and pipes may be both: nothing replaces them.
    """
    read = {os.path.realpath(path): path for path in inputs if storage.can_be_resumed(path)}
    written: dict[str, str] = {}
    for path in outputs:
        if os.path.isdir(path) or path.endswith(os.sep):
            raise BadUsage(f"the output {path} is a directory: name a file")
        real = os.path.realpath(path)
        for role, others in (("read", read), ("also written", written)):
            if same := others.get(real):
                problem = f"the output {path} is the file {same}, which is {role}"
                raise BadUsage(f"{problem} by the same command: name another file")
        if storage.can_be_resumed(path):
            written[real] = path


# Parts

WHAT = "the folder of the parts of the output"

OURS = re.compile(r"\d{8}(\.gz)?(\.json)?|model-[0-9a-f]{32}|\..+\.tmp")
"""The names of files in that folder. Nothing else in it is ever deleted."""


def _digest(file: str | Path) -> str:
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class FilePart:
    """A file of pairs, which any process that sees it reads by itself.

    ``extracts``   those that will be chosen, if any.
    ``processes``  how many read a large file.
    """

    file: str
    reading: read_pairs.Reading
    extracts: ExtractChoice | None = None
    processes: int = 1

    def opened(self) -> read_pairs.KeptPairs:
        """Read the pairs, so that what is wrong with them is said before any is worked on."""
        given = self.reading(self.file, extracts=self.extracts, processes=self.processes)
        return read_pairs.KeptPairs(given)

    def identity(self) -> str:
        """Hash all that results can depend on. Raises ``BadData`` for an unreadable file."""
        try:
            content = _digest(self.file)
        except OSError as error:
            raise BadData(f"cannot read: {error.strerror}", self.file) from error
        name = PurePath(self.file).name
        return json.dumps([name, self.reading.keywords, content])


def is_by_file(options: Options) -> bool:
    """Tell whether each file of the pairs is worked on by itself."""
    return options.cluster is not None or is_directory(options.output)


def parts_in_files(
    options: Options, workers: int, extracts: ExtractChoice | None = None
) -> list[FilePart]:
    """Return the files of the pairs, each of which is worked on by itself.

    ``workers``  processes that read a large file, where there is no cluster.

    Raises ``BadUsage`` for pairs that are not in such files, and for an output that the processes
    of a cluster could not write to.
    """
    output = options.output or storage.STANDARD_STREAM
    if not (is_directory(output) or storage.can_be_resumed(output)):
        raise BadUsage("the output of a cluster is a file or a directory: name one with --output")
    files = read_pairs.pair_files(options.pairs)
    if storage.STANDARD_STREAM in files:
        raise BadUsage("standard input is no file that can be read by itself: name files")
    if options.abstracts is not None:
        raise BadUsage(
            "with --abstracts pairs do not stand in files of their own, which a cluster and an "
            "output directory need"
        )
    reading = reading_of(options, several=len(files) > 1)
    processes = workers
    if options.cluster is not None:
        # The processes of a cluster work in other directories.
        files, processes = list(map(os.path.abspath, files)), 1
    return [FilePart(file, reading, extracts, processes) for file in files]


Pairs = read_pairs.KeptPairs | read_pairs.KeptPart
"""Pairs that can be gone through, and what was seen of them."""

CorpusPart = FilePart | read_pairs.KeptPart

Work = Callable[[Pairs, TextIO], list[str]]
"""Writes what comes of some pairs, and returns the ids of those that were left out."""


class Made(NamedTuple):
    """What is known of the results of a part.

    ``skipped``  ids of the pairs that were left out.
    ``kept``     whether an earlier run had made it.
    """

    seen: read_pairs.Seen
    skipped: list[str]
    kept: bool = False


@dataclass(frozen=True)
class Output:
    """An output, and how it is made part by part.

    ``path``       a file, a directory, or a stream.
    ``files``      those of a directory: one for each part.
    ``basis``      names all that the results depend on, beside the pairs.
    ``resume``     whether parts that an earlier run made are kept.
    ``skip``       whether a part without some of its pairs will do.
    """

    path: str
    files: Sequence[str] | None
    basis: str
    resume: bool
    skip: bool

    def target(self, folder: Path, index: int) -> Path:
        """Return the file of the results of a part."""
        packed = self.files is not None and self.files[index].endswith(".gz")
        return folder / f"{index:08d}{'.gz' if packed else ''}"

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Make the folder of the results of parts. At the end it goes; what can be resumed stays.

        Raises ``BadUsage`` if there is nothing that could be resumed, by its kind.
        """
        if self.files is None and not storage.can_be_resumed(self.path):
            if self.resume:
                problem = "only an output that is a file can be resumed: name one with --output"
                raise BadUsage(problem)
            with storage.scratch_folder() as folder:
                yield folder
            return
        path = Path(os.path.realpath(self.path))
        if self.files is not None:
            storage.make_folder(path, "the directory of the output")
            folder = path / ".partial"
        else:
            folder = path.with_name(f"{path.name}.partial")
        # The lock stands beside the folder: inside, it would be in the way of removing it.
        with storage.locked(folder.with_name(f".{folder.name}.lock"), f"the output {self.path}"):
            if not self.resume:
                storage.remove_files(folder, OURS)
            storage.make_folder(folder, WHAT)
            try:
                yield folder
            except BaseException:
                if not self._says_what_stays(folder):
                    storage.remove_files(folder, OURS)
                raise
            storage.remove_files(folder, OURS)

    def _says_what_stays(self, folder: Path) -> bool:
        done = len(list(folder.glob("*.json")))
        if done:
            parts = "1 part is" if done == 1 else f"{done} parts are"
            say(f"{parts} done, in {folder}: repeat the command with --resume to continue")
        return bool(done)


def write_parts(
    output: Output, folder: Path, parts: Sequence[CorpusPart], work: Work, phase: str, runner: Here
) -> list[Made]:
    """Do the work on each part, write the output, and return what is known of the parts.

    ``folder``  that of the output.
    ``phase``   what the bar is called.
    ``runner``  does the work.

    Raises the error of the first part that has one; ``BadData`` for an id that two files have.
    """
    make = partial(make_part, output, folder, work)
    # The work on a part shows bars of its own: that is enough for one.
    unit = "parts" if len(parts) > 1 else None
    made = runner.each(make, list(enumerate(parts)), phase, unit)
    files = [part for part in parts if isinstance(part, FilePart)]
    if files:
        try:
            # All of them, before any is put out: an id may be in two files.
            all_made = list(made)
        except ClusterLost as error:
            # Unlike a training, what is left can be resumed only if some files are done.
            raise BadData(error.problem) from error
        seen = [one.seen for one in all_made]
        read_pairs.require_unique_ids(seen, [part.file for part in files], files[0].reading)
        made = iter(all_made)
    all_made = list(_put_out(made, output, folder))
    if output.resume:
        kept = sum(one.kept for one in all_made)
        from_them = f"{kept} of {len(parts)} parts were done" if kept else "nothing to resume"
        say(f"{from_them} in {folder}")
    return all_made


def _put_out(made: Iterable[Made], output: Output, folder: Path) -> Iterator[Made]:
    """Make the output of the parts as they come."""
    if output.files is not None:
        for index, one in enumerate(made):
            storage.move_file(output.target(folder, index), output.files[index])
            yield one
        return
    with storage.replacing(output.path) as stream:
        for index, one in enumerate(made):
            with open(output.target(folder, index), encoding="utf-8", newline="\n") as part:
                shutil.copyfileobj(part, stream)
            yield one


def make_part(output: Output, folder: Path, work: Work, item: tuple[int, CorpusPart]) -> Made:
    """Make the results of a part, or take those that are there. Runs in a worker."""
    index, part = item
    target = output.target(folder, index)
    record = target.with_name(f"{target.name}.json")
    basis = f"{output.basis}\n{part.identity()}"
    identity = hashlib.sha256(basis.encode()).hexdigest()
    if output.resume and (kept := _kept(record, target, identity, output.skip)):
        return kept
    # The record is written last: a part without one was not finished, and is made again.
    with part.opened() as pairs, storage.replacing(target) as stream:
        made = Made(pairs.seen, work(pairs, stream))
    fields = {"identity": identity, "content": _digest(target), "skipped": made.skipped}
    with storage.replacing(record) as stream:
        json.dump({**fields, "seen": asdict(made.seen)}, stream)
    return made


def _kept(record: Path, target: Path, identity: str, skip: bool) -> Made | None:
    """Return what an earlier run made of the same part, if it is whole."""
    try:
        fields: dict[str, Any] = json.loads(record.read_bytes())
        same = fields["identity"] == identity and fields["content"] == _digest(target)
        made = Made(read_pairs.Seen(**fields["seen"]), fields["skipped"], kept=True)
    except (OSError, ValueError, LookupError, TypeError):
        return None
    # Pairs that were left out are tried again, and name the error.
    return made if same and (skip or not made.skipped) else None
