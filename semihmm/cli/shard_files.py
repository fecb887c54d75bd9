"""Names the files of an output that is a directory: one for each file of the pairs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair_files import pair_files
from corpus_tools.storage.files import STANDARD_STREAM

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
    return [str(Path(directory, _name(file, ending))) for file in files]


def _name(file: str, ending: str) -> str:
    name = PurePath(file).name
    packed = name.lower().endswith(".gz")
    stem = PurePath(name[: -len(".gz")] if packed else name).stem
    return f"{stem}.{ending}{'.gz' if packed else ''}"
