"""Says which arguments of a command name files that it reads, and which name files that it writes.

All commands are checked by these declarations before they read anything.
"""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TextIO

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.read_pairs import pair_files
from corpus_tools.storage.files import STANDARD_STREAM, StrPath

LINES = ("jsonl", "labels")
"""Formats that are JSON lines, which the names of their files tell."""


def is_directory(output: str | None) -> bool:
    """Tell whether an output is a directory, or shall be one."""
    return (
        output is not None
        and output != STANDARD_STREAM
        and (os.path.isdir(output) or output.endswith(os.sep))
    )


def shard_files(options: argparse.Namespace) -> list[str]:
    """Return the files of the pairs, each of which is worked on by itself.

    Raises ``BadUsage`` for pairs that are not in such files.
    """
    files = pair_files(options.pairs)
    if STANDARD_STREAM in files:
        raise BadUsage("standard input is no file that can be read by itself: name files")
    if options.abstracts is not None:
        raise BadUsage(
            "--abstracts belongs to one file: neither a cluster nor a directory takes it"
        )
    return files


def outputs_in(directory: str, files: Sequence[str], form: str | None = None) -> list[str]:
    """Return the outputs of the files in a directory.

    Their names are those of the files, with the ending of the format, and packed with gzip if the
    files are.

    ``form``  the name of the format; ``None`` for JSON lines.
    """
    ending = "jsonl" if form is None or form in LINES else form
    return [str(Path(directory, _output_name(file, ending))) for file in files]


def _output_name(file: str, ending: str) -> str:
    name = PurePath(file).name
    packed = name.lower().endswith(".gz")
    stem = PurePath(name[: -len(".gz")] if packed else name).stem
    return f"{stem}.{ending}{'.gz' if packed else ''}"


Identity = tuple[int, int]
"""The device and the number of a file on it."""

PAIRS = ("pairs", "abstracts")
GOLD = ("gold", "abstracts")
RESOURCES = ("trees", "wordnet", "paraphrases", "encoder")


@dataclass(frozen=True)
class FileRoles:
    """The arguments of a command that name files, by the names of their values.

    ``inputs``              files, lists of files, or directories all of whose files are read.
    ``outputs``             files that are written. Standard output is one for every command.
    ``input_models``        directories of models that are read.
    ``output_directories``  directories in which files are replaced or deleted.
    ``has_shards``          whether an output may be a directory, with a file for each of the pairs.
    """

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    input_models: tuple[str, ...] = ()
    output_directories: tuple[str, ...] = ()
    has_shards: bool = False


FILE_ROLES = {
    "demo": FileRoles(output_directories=("folder",)),
    "train": FileRoles((*PAIRS, *RESOURCES), output_directories=("model", "cache")),
    "align": FileRoles(
        (*PAIRS, "document", "abstract", *RESOURCES), ("output",), ("model",), has_shards=True
    ),
    "score": FileRoles((*GOLD, "alignments", "ignore")),
    "compare": FileRoles((*PAIRS, "annotators", "ignore"), ("json",)),
    "measure": FileRoles(("summaries", "references"), ("output", "page"), ("model",)),
    "correlate": FileRoles(("scores", "human"), ("output",)),
    "errors": FileRoles((*GOLD, "alignments", "ignore"), input_models=("model",)),
    "extract": FileRoles(PAIRS, ("output",), has_shards=True),
    "annotate": FileRoles((*PAIRS, "start", "trees"), ("output",), ("model",)),
    "export": FileRoles((*PAIRS, "alignments"), ("output",)),
    "stats": FileRoles((*PAIRS, "alignments", "ignore", "trees"), input_models=("model",)),
    "plot": FileRoles((*PAIRS, "alignments", "trees"), ("output",), ("model",)),
    "view": FileRoles((*PAIRS, "alignments", "compare", "trees"), ("output",), ("model",)),
    "tokenize": FileRoles((*PAIRS, "text"), ("output",)),
    "parse": FileRoles((*PAIRS, "source"), ("output", "cache")),
    "compile": FileRoles(),
}
"""By command: a new command is a line here."""


def refuse_overlaps(options: argparse.Namespace) -> None:
    """Raise ``BadUsage`` if a file that the command writes is one that it reads.

    A file that it reads twice, as two different things, is refused too.
    """
    roles = FILE_ROLES[options.command]
    _refuse_same_texts(options, roles)
    inputs = [path for name in roles.inputs for path in _files(options, name, _all_files)]
    inputs += [path for name in roles.input_models for path in _files(options, name, _own_files)]
    outputs = [path for name in roles.outputs for path in _outputs(options, name, roles)]
    replaced = [
        path for name in roles.output_directories for path in _files(options, name, _own_files)
    ]
    if outputs != [STANDARD_STREAM]:
        refuse_same_file(outputs, inputs)
    refuse_same_file([STANDARD_STREAM], inputs)
    for path in replaced:
        refuse_same_file([path], inputs)


def _refuse_same_texts(options: argparse.Namespace, roles: FileRoles) -> None:
    """Raise ``BadUsage`` for standard input as several inputs, and for one file as both texts."""
    inputs = [path for name in roles.inputs for path in _values(options, name)]
    if inputs.count(STANDARD_STREAM) > 1:
        raise BadUsage("standard input can be read only once: name files")
    if "abstracts" not in roles.inputs or options.abstracts is None:
        return
    # Without documents, the command says what is missing.
    for documents in _values(options, roles.inputs[0]):
        with suppress(OSError):
            if os.path.samefile(documents, options.abstracts):
                raise BadUsage(f"--abstracts {options.abstracts} is the file of the documents too")


def _values(options: argparse.Namespace, name: str) -> list[str]:
    """Return the paths that an argument has: none, one or several."""
    value = getattr(options, name)
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


def _outputs(options: argparse.Namespace, name: str, roles: FileRoles) -> list[str]:
    """Return the files that are written by an argument."""
    values = _values(options, name)
    if not (roles.has_shards and options.pairs and any(map(is_directory, values))):
        return values
    (directory,) = values
    if any(
        os.path.isdir(path) and os.path.realpath(path) == os.path.realpath(directory)
        for path in _values(options, roles.inputs[0])
    ):
        raise BadUsage(f"the output {directory} is the directory of the pairs: name another")
    form = getattr(options, "format", None)
    return outputs_in(directory, pair_files(options.pairs), form)


def _files(
    options: argparse.Namespace, name: str, of_directory: Callable[[Path], Iterator[Path]]
) -> Iterator[str]:
    """Yield the files that an argument names, those of its directories included."""
    for path in _values(options, name):
        if path != STANDARD_STREAM and os.path.isdir(path):
            yield from map(str, of_directory(Path(path)))
        else:
            yield path


def _all_files(directory: Path) -> Iterator[Path]:
    # What cannot be listed cannot be read either: the command says so.
    with suppress(OSError):
        yield from (path for path in directory.iterdir() if path.is_file())


def _own_files(directory: Path) -> Iterator[Path]:
    """Yield the files in a directory that belong to a model."""
    from semihmm.saving.manifest import MANIFEST, OURS

    for path in _all_files(directory):
        if path.name == MANIFEST or OURS.fullmatch(path.name):
            yield path


def refuse_same_file(outputs: Sequence[StrPath], inputs: Iterable[StrPath]) -> None:
    """Raise ``BadUsage`` if an output is an input, another output or a directory.

    Names, links and hard links of one file are the same file, and so is the file that a standard
    stream, ``-``, was redirected to. Devices and pipes may be both: nothing replaces them.
    """
    read = {_identity(path, sys.stdin): _name(path, "input") for path in inputs}
    written: dict[Identity | str, str] = {}
    for path in outputs:
        name, file = _name(path, "output"), _identity(path, sys.stdout)
        if os.path.isdir(path) or name.endswith(os.sep):
            raise BadUsage(f"the output {name} is a directory: name a file")
        if file is not None and file in read:
            raise BadUsage(_problem(name, read[file], "is read by the same command"))
        real = os.path.realpath(path)
        names: list[Identity | str] = [real] if file is None else [real, file]
        for same in names:
            if same in written:
                problem = _problem(name, written[same], "is another output of the same command")
                raise BadUsage(problem)
            written[same] = name


def _problem(name: str, other: str, role: str) -> str:
    same = "" if name == other else f"is the file {other}, which "
    return f"the output {name} {same}{role}: name another file"


def _name(path: StrPath, role: str) -> str:
    name = os.fspath(path)
    return f"(standard {role})" if name == STANDARD_STREAM else name


def _identity(path: StrPath, stream: TextIO | None) -> Identity | None:
    """Return what a regular file is known by; ``None`` for anything else and for no file."""
    try:
        if os.fspath(path) == STANDARD_STREAM:
            status = os.fstat(-1 if stream is None else stream.fileno())
        else:
            status = os.stat(path)
    except (OSError, ValueError):
        # Reading and writing say what is wrong with the file, if they do not make it.
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
