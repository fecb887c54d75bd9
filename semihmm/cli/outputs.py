"""Says where outputs go, and refuses those that are inputs, before anything is read.

The kinds of a command's arguments tell which name files that it reads, and which that it writes.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TextIO

import click

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.read_pairs import pair_files
from corpus_tools.storage.files import STANDARD_STREAM, StrPath
from semihmm.cli.command import InputFile, InputModel, Options, OutputDirectory, OutputFile

LINES = ("jsonl", "labels")
"""Formats that are JSON lines, which the names of their files tell."""


def is_directory(output: str | None) -> bool:
    """Tell whether an output is a directory, or shall be one."""
    return (
        output is not None
        and output != STANDARD_STREAM
        and (os.path.isdir(output) or output.endswith(os.sep))
    )


def output_files(options: Options, output: str) -> list[str] | None:
    """Return the files of an output that is a directory, one for each file of the pairs.

    Their names are those of the files, with the ending of the format, and packed with gzip if the
    files are. Returns ``None`` for an output that is a file itself. Raises ``BadUsage`` for a
    directory that is that of the pairs.
    """
    if not (options.pairs and is_directory(output)):
        return None
    if os.path.realpath(output) in map(os.path.realpath, options.pairs):
        raise BadUsage(f"the output {output} is the directory of the pairs: name another")
    form = getattr(options, "format", None)
    ending = "jsonl" if form is None or form in LINES else form
    return [str(Path(output, _output_name(file, ending))) for file in pair_files(options.pairs)]


def _output_name(file: str, ending: str) -> str:
    name = PurePath(file).name
    packed = name.lower().endswith(".gz")
    stem = PurePath(name[: -len(".gz")] if packed else name).stem
    return f"{stem}.{ending}{'.gz' if packed else ''}"


Identity = tuple[int, int]
"""The device and the number of a file on it."""


def refuse_overlaps(context: click.Context) -> None:
    """Raise ``BadUsage`` if a file that the command writes is one that it reads.

    A file that it reads twice, as two different things, is refused too.
    """
    options = Options(**context.params)
    given = [
        (parameter.type, path)
        for parameter in context.command.params
        if isinstance(parameter.type, InputFile)
        for path in _paths(getattr(options, parameter.name))
    ]
    read = [path for kind, path in given if type(kind) is InputFile]
    _refuse_same_texts(options, read)
    inputs = [file for path in read for file in _files(path, _all_files)]
    outputs: list[str] = []
    for kind, path in given:
        if isinstance(kind, InputModel):
            inputs += _files(path, _own_files)
        elif isinstance(kind, OutputFile):
            shards = output_files(options, path) if kind.has_shards else None
            outputs += shards or [path]
    refuse_same_file(list(dict.fromkeys([*outputs, STANDARD_STREAM])), inputs)
    for kind, path in given:
        if isinstance(kind, OutputDirectory):
            for file in _files(path, _own_files):
                refuse_same_file([file], inputs)


def _paths(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the paths that an argument has: none, one or several."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _refuse_same_texts(options: Options, read: Sequence[str]) -> None:
    """Raise ``BadUsage`` for standard input as several inputs, and for one file as both texts."""
    if read.count(STANDARD_STREAM) > 1:
        raise BadUsage("standard input can be read only once: name files")
    abstracts = getattr(options, "abstracts", None)
    if abstracts is None:
        return
    # Without documents, the command says what is missing.
    for documents in _paths(getattr(options, "pairs", None) or getattr(options, "gold", None)):
        with suppress(OSError):
            if os.path.samefile(documents, abstracts):
                raise BadUsage(f"--abstracts {abstracts} is the file of the documents too")


def _files(path: str, of_directory: Callable[[Path], Iterator[Path]]) -> Iterator[str]:
    """Yield the file of a path, or those of a directory."""
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
    from semihmm.saving import MANIFEST, OURS

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
