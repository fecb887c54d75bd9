"""Checks the outputs of a command, and writes them part by part.

The kinds of a command's arguments tell inputs from outputs. An output that is also an input is
refused before anything is read.

The results of each part of the pairs go into a folder beside the output, which the workers of a
cluster must see under the same path. When all parts are finished, they become the output. So a task
that is repeated after its worker was lost writes the same bytes, and an interrupted run is resumed
from its finished parts.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from corpus_tools.base import files as storage
from corpus_tools.base.errors import BadUsage
from corpus_tools.pairs.kept_pairs import KeptPairs, KeptPart
from semihmm.cli.command import InputFile, OutputFile
from semihmm.cli.messages import info

if TYPE_CHECKING:
    from semihmm.training.cluster import Workers


def output_files(users: Sequence[str] | None, output: str) -> list[str]:
    """Return the files of an output: the output itself, or one file for each user in it."""
    return [str(Path(output, f"{user}.jsonl")) for user in users] if users else [output]


# Outputs that are inputs


def refuse_overlaps(context: click.Context) -> None:
    """Raise ``BadUsage`` if the command would write a file that it reads.

    A file that it would write twice is refused too, and so are a directory as an output and
    standard input as several inputs. Links are followed. Streams, devices and pipes may be input
    and output: nothing replaces them.
    """
    inputs: list[str] = []
    outputs: list[str] = []
    for parameter in context.command.params:
        value = context.params[parameter.name or ""] or ()
        if isinstance(parameter.type, InputFile):
            for path in [value] if isinstance(value, str) else value:
                if isinstance(parameter.type, OutputFile):
                    outputs += output_files(context.params.get("users"), path)
                else:
                    inputs += _files(path)
    if inputs.count(storage.STANDARD_STREAM) > 1:
        raise BadUsage("standard input can be read only once: name files")
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


def _files(path: str) -> list[str]:
    """Return the file of a path, or the files of a directory."""
    if path != storage.STANDARD_STREAM and os.path.isdir(path):
        # If it cannot be listed, reading it raises the error later.
        with suppress(OSError):
            return [str(inside) for inside in Path(path).iterdir() if inside.is_file()]
    return [path]


# Parts

FOLDER_OF_PARTS = "the folder of the parts of the output"

FILES_OF_PAIRS = re.compile(r"pairs-\d{8}")
"""The names of the files of pairs in that folder."""

FILES_OF_PARTS = re.compile(
    rf"\d{{8}}(\.json)?|model-[0-9a-f]{{32}}|{FILES_OF_PAIRS.pattern}"
    rf"|\..+{re.escape(storage.TEMPORARY)}"
)
"""The names of the program's own files in that folder. No other file in it is deleted."""

Work = Callable[[KeptPart | KeptPairs, TextIO], list[str]]
"""Writes the results of some pairs, and returns the ids of the pairs that were left out."""


@dataclass(frozen=True)
class Output:
    """An output that is written part by part.

    ``path``    a file or a stream.
    ``resume``  whether finished parts of an earlier run are used.
    ``skip``    whether a part may lack some of its pairs.
    """

    path: str
    resume: bool
    skip: bool

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Make the folder of the parts. It is removed at the end, unless the run can be resumed.

        Raises ``BadUsage`` for ``resume`` if the output is no file.
        """
        if not storage.can_be_resumed(self.path):
            if self.resume:
                problem = "only an output that is a file can be resumed: name one with --output"
                raise BadUsage(problem)
            with storage.scratch_folder() as folder:
                yield folder
            return
        path = Path(os.path.realpath(self.path))
        folder = path.with_name(f"{path.name}.partial")
        # The lock is beside the folder: inside, it would prevent the removal of the folder.
        with storage.locked(folder.with_name(f".{folder.name}.lock"), f"the output {self.path}"):
            if not self.resume:
                storage.clear_folder(folder, FILES_OF_PARTS)
            storage.own_folder(folder, FOLDER_OF_PARTS)
            try:
                yield folder
            except BaseException:
                # The next run reads the pairs anew.
                storage.clear_folder(folder, FILES_OF_PAIRS)
                if done := len(list(folder.glob("*.json"))):
                    parts = "1 part is" if done == 1 else f"{done} parts are"
                    info(f"{parts} done, in {folder}: repeat the command with --resume to continue")
                else:
                    storage.clear_folder(folder, FILES_OF_PARTS)
                raise
            storage.clear_folder(folder, FILES_OF_PARTS)


def write_parts(
    output: Output,
    folder: Path,
    parts: Sequence[KeptPart | KeptPairs],
    basis: str,
    work: Work,
    runner: Workers,
) -> list[str]:
    """Do the work on each part, write the output, and return the ids that were left out.

    ``folder``  the folder of the parts.
    ``basis``   names everything that the results depend on, except the pairs.
    ``runner``  does the work.

    Raises the first error of a part.
    """
    make = partial(make_part, output, folder, basis, work)
    all_skipped: list[str] = []
    kept = 0
    with storage.replacing(output.path) as stream:
        made = runner.each(make, list(enumerate(parts)), "aligning", "parts")
        for index, (skipped, is_kept) in enumerate(made):
            with open(folder / f"{index:08d}", encoding="utf-8", newline="\n") as part:
                shutil.copyfileobj(part, stream)
            all_skipped += skipped
            kept += is_kept
    if output.resume:
        found = f"{kept} of {len(parts)} parts were done" if kept else "nothing to resume"
        info(f"{found} in {folder}")
    return all_skipped


def make_part(
    output: Output, folder: Path, basis: str, work: Work, item: tuple[int, KeptPart | KeptPairs]
) -> tuple[list[str], bool]:
    """Make the results of a part, or use the results of an earlier run. Workers call it.

    Return the ids of the pairs that were left out, and whether the part is of an earlier run.
    """
    index, pairs = item
    target = folder / f"{index:08d}"
    record = target.with_name(f"{target.name}.json")
    identity = hashlib.sha256(f"{basis}\n{pairs.identity}".encode()).hexdigest()
    if output.resume and (kept := _kept(record, target, identity, output.skip)) is not None:
        return kept, True
    # The record is written last: a part without a record is unfinished, and is made again.
    with storage.replacing(target) as stream:
        skipped = work(pairs, stream)
    fields = {"identity": identity, "content": _digest(target), "skipped": skipped}
    with storage.replacing(record) as stream:
        json.dump(fields, stream)
    return skipped, False


def _kept(record: Path, target: Path, identity: str, skip: bool) -> list[str] | None:
    """Return the ids that an earlier run left out of the same part; ``None`` if it is unusable."""
    try:
        fields: dict[str, Any] = json.loads(record.read_bytes())
        same = fields["identity"] == identity and fields["content"] == _digest(target)
        skipped: list[str] = fields["skipped"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    # Without ``skip``, pairs that were left out are tried again, to raise their error.
    return skipped if same and (skip or not skipped) else None


def _digest(file: Path) -> str:
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
