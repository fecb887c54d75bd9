"""Writes the outputs of a command pair by pair.

While an output is made, ``OUTPUT.partial`` next to it has a line for each finished pair: a run that
ended early is resumed from it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING

from corpus_tools.base import files as storage
from corpus_tools.base import folders
from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.base.progress import counted
from corpus_tools.pairs.corpus_files import KeptPairs, KeptPart, digest_of
from corpus_tools.pairs.pair import Pair
from semihmm.cli.messages import info

if TYPE_CHECKING:
    from semihmm.training.cluster import Workers


Work = Callable[[Iterable[Pair]], Iterator[bytes]]
"""Yields the line of each pair (``line_of``), in order."""

PARTIAL_HEAD = b'{"unfinished output of semihmm": "'
"""The beginning of ``OUTPUT.partial``. A hash of what results depend on but the pairs follows."""


def line_of(pair: Pair, text: str, is_left_out: bool) -> bytes:
    """Return the line of a pair in ``OUTPUT.partial``; ``text`` is what the output has of it."""
    return (json.dumps([digest_of(pair), text, pair.id if is_left_out else None]) + "\n").encode()


def _is_of(line: bytes, pair: Pair, skip: bool) -> bool:
    """Tell whether a line is whole and of this pair.

    ``skip``  whether the pair may be left out. Otherwise it is tried again, to raise its error.
    """
    try:
        digest, _, left_out = json.loads(line)
    except (ValueError, TypeError):
        return False
    return line.endswith(b"\n") and digest == digest_of(pair) and (skip or left_out is None)


@dataclass
class Output:
    """An output that is written pair by pair.

    ``path``      a file or a stream.
    ``resume``    whether the finished pairs of an earlier run are used.
    ``skip``      whether pairs may be left out.
    ``finished``  the file ``OUTPUT.partial``; ``None`` for a stream.
    """

    path: str
    resume: bool
    skip: bool
    finished: IO[bytes] | None = None

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Open ``OUTPUT.partial``; remove it at the end, unless the run can be resumed.

        Raises ``BadUsage`` for ``resume`` if the output is no file, ``InUse`` if another process
        writes it, ``BadData`` if something else is called ``OUTPUT.partial``.
        """
        if not storage.can_be_resumed(self.path):
            if self.resume:
                problem = "only an output that is a file can be resumed: name one with --output"
                raise BadUsage(problem)
            yield
            return
        real = os.path.realpath(self.path)
        path = storage.beside(real, "{}.partial")
        with folders.locked(storage.beside(real, ".{}.partial.lock"), f"the output {self.path}"):
            with storage.explaining_write(os.fspath(path)):
                self.finished = folders.open_own(path)
            # A process may be killed while it writes the head.
            if not PARTIAL_HEAD.startswith(self.finished.read(len(PARTIAL_HEAD))):
                self.finished.close()
                problem = "semihmm did not make this file: move it, or name another output"
                raise BadData(problem, path)
            earlier = sum(1 for _ in self.finished) - 1
            if earlier > 0 and not self.resume:
                pairs = number_of(earlier, "pair")
                info(f"{pairs} of an earlier run in {path} will be made again: --resume keeps them")
            try:
                yield
            except BaseException:
                with open(path, "rb") as lines:
                    done = sum(1 for _ in lines) - 1
                if done > 0:
                    pairs = number_of(done, "pair is", "pairs are")
                    info(f"{pairs} done, in {path}: repeat the command with --resume to continue")
                else:
                    folders.remove_file(path)
                raise
            finally:
                # A full disk has been reported.
                with suppress(OSError):
                    self.finished.close()
            folders.remove_file(path)

    def lines(
        self, pairs: KeptPairs, basis: str, new: Callable[[int], Iterator[bytes]]
    ) -> Iterator[bytes]:
        """Yield the lines of all pairs: those of earlier runs, and new ones, which are kept.

        ``new``  yields the lines of all pairs but a number of first ones.

        Raises ``BadData`` if earlier lines have another ``basis``.
        """
        if (file := self.finished) is None:
            yield from new(0)
            return
        head = PARTIAL_HEAD + hashlib.sha256(basis.encode()).hexdigest().encode() + b'"}\n'
        file.seek(0)
        first_line = file.readline() if self.resume else b""
        if first_line.endswith(b"\n") and first_line != head:
            problem = "is of another model, other settings or another version of the program"
            remedy = "without --resume, the command starts from the first pair"
            raise BadData(f"{problem}: {remedy}", file.name)
        end, done = len(head), 0
        for pair, line in zip(pairs, file if first_line == head else (), strict=False):
            if not _is_of(line, pair, self.skip):
                break
            end += len(line)
            done += 1
            yield line
        if self.resume:
            told = f"{done} of {len(pairs)} pairs were done" if done else "nothing to resume"
            info(f"{told} in {file.name}")
        for number, line in enumerate(new(done)):
            with storage.explaining_write(file.name):
                if number == 0:
                    # Up to here, an interrupt leaves what an earlier run has done.
                    file.seek(0)
                    file.write(head)
                    file.seek(end)
                    file.truncate()
                file.write(line)
                file.flush()
            yield line


def write_results(
    output: Output, folder: Path, pairs: KeptPairs, basis: str, work: Work, runner: Workers
) -> list[str]:
    """Do the work on all pairs, write the output, and return the ids that were left out.

    ``output``  an output that is open.
    ``folder``  a folder that the workers of a cluster see.
    ``basis``   names everything that the results depend on, except the pairs.
    ``runner``  does the work.

    Raises the first error of a pair, and ``BadData`` for finished pairs of another ``basis``.
    """

    def new(done: int) -> Iterator[bytes]:
        parts = [*pairs.after(done)]
        if runner.executor is None:
            yield from chain.from_iterable(map(work, counted(parts, "aligning", unit="parts")))
            return
        make = partial(make_part, folder, work)
        for file in runner.each(make, [*enumerate(parts)], "aligning", "parts"):
            with open(file, "rb") as lines:
                yield from lines
            folders.remove_file(file)

    all_left_out = []
    with storage.replacing(output.path) as stream:
        for _, text, left_out in map(json.loads, output.lines(pairs, basis, new)):
            stream.write(text)
            all_left_out += [] if left_out is None else [left_out]
    return all_left_out


def make_part(folder: Path, work: Work, item: tuple[int, KeptPart]) -> Path:
    """Write the lines of a part of the pairs to a file, and return it. Workers call it.

    A task that is repeated after its worker was lost writes the same bytes.
    """
    path = folder / f"part-{item[0]:08d}"
    with storage.replacing_bytes(path, durable=False) as file:
        file.writelines(work(item[1]))
    return path
